/* clash/groups.c: --of and --against: which elements are held against which, by their names. */
#include "tools/clash/clash.h"
#include "tools/cli/report.h"

#include <stdlib.h>
#include <string.h>

/* Whether a name is like a pattern of size bytes, in which '*' stands for any bytes and '?' for
 * one. */
static bool groups_like(const char *pattern, size_t size, const char *name)
{
    size_t at = 0, star = size, tried = 0, n = 0;
    while (name[n] != '\0') {
        if (at < size && pattern[at] == '*') {
            star = at++;
            tried = n;
        } else if (at < size && (pattern[at] == '?' || pattern[at] == name[n])) {
            at++;
            n++;
        } else if (star < size) {
            at = star + 1;
            n = ++tried;
        } else {
            return false;
        }
    }
    while (at < size && pattern[at] == '*') {
        at++;
    }
    return at == size;
}

/* Whether a name is like any of the patterns, which have commas between; NULL: each name is. */
static bool groups_take(const char *patterns, const char *name)
{
    while (patterns != NULL) {
        const size_t size = strcspn(patterns, ",");
        if (groups_like(patterns, size, name != NULL ? name : "")) {
            return true;
        }
        if (patterns[size] == '\0') {
            return false;
        }
        patterns += size + 1;
    }
    return true;
}

static int groups_refuse(const clash_run *run, const char *option, const char *patterns)
{
    return report_input(run->in[0].name, 0, "--%s '%s' is like no name of an element", option,
                        patterns);
}

int clash_groups(clash_run *run, sl_clashes_def *def, uint32_t **bits)
{
    enum { OF = 1, AGAINST = 2, NEITHER = 4, NOTHING = 8 };
    const clash_options *o = run->options;
    *bits = NULL;
    if (o->of == NULL && o->against == NULL) {
        return EXIT_DONE;
    }
    const size_t count = sl_bvh_get_info(run->world).instance_count;
    uint32_t *groups = malloc((2 * count + 1) * sizeof *groups), seen = 0;
    if (groups == NULL) {
        return report_memory();
    }
    uint32_t *against = groups + count;
    for (size_t i = 0; i < count; i++) {
        const char *name = clash_name(run, 0, (uint32_t)i);
        const bool is_of = groups_take(o->of, name), is_against = groups_take(o->against, name);
        groups[i] = (is_of ? OF : 0) | (is_against ? AGAINST : 0);
        against[i] = (is_of ? AGAINST : 0) | (is_against ? OF : 0);
        seen |= groups[i];
        if (groups[i] == 0) { /* which would be all groups */
            groups[i] = NEITHER;
            against[i] = NOTHING;
        }
    }
    *bits = groups;
    def->groups = groups;
    def->against = against;
    return (seen & OF) == 0        ? groups_refuse(run, "of", o->of)
           : (seen & AGAINST) == 0 ? groups_refuse(run, "against", o->against)
                                   : EXIT_DONE;
}
