#include "test/faults/fault_contacts.h"
#include "test/support/query/answers_hash.h"
#include "test/support/test.h"

#include <sightline/clashes.h>

enum { PIECES = 7, PLAIN = 0, WITH_SOLIDS = 1, AFTER = 2, HOWS = 3 };

static const char *const how_names[HOWS] = { "a report", "a report of solids", "a later report" };

static const sl_bvh *tree;
static const sl_tasks *tasks;
static sl_bvh *version[2]; /* pieces that reach into one another; some of them have moved on */

static sl_hooks hooks_of(const fault_case *self, const fault_run *run)
{
    return (sl_hooks){ .allocator = run->memory, .tasks = self->workers > 0 ? tasks : NULL };
}

static sl_result find_curves(const fault_case *self, fault_run *run)
{
    const sl_hooks hooks = hooks_of(self, run);
    sl_curves *curves = NULL;
    const sl_result result =
        sl_bvh_clash_curves(tree, version[1], NULL, &hooks, &curves, &run->error);
    assert_true((result == SL_OK) == (curves != NULL));
    if (curves != NULL) {
        assert_true(curves->curve_count > 0);
        run->answer = test_hash(TEST_HASH_NOTHING, curves->points,
                                curves->point_count * sizeof *curves->points, 8);
    }
    sl_curves_destroy(curves);
    return result;
}

static sl_result relate_solids(const fault_case *self, fault_run *run)
{
    const sl_solids_def def = { .hooks = hooks_of(self, run), .by_parity = self->how != 0 };
    sl_solids solids = { .relation = SL_SOLIDS_NONE, .surfaces = SL_CROSSING };
    const sl_result result =
        sl_bvh_solids(self->which == 0 ? tree : version[0], version[1], &def, &solids, &run->error);
    run->answer = (uint64_t)solids.relation * 8 + (uint64_t)solids.surfaces;
    assert_true(result == SL_OK || run->answer == (uint64_t)SL_SOLIDS_NONE * 8 + SL_CROSSING);
    return result;
}

static sl_result report(const fault_case *self, fault_run *run)
{
    sl_clashes_def def = { .hooks = hooks_of(self, run), .solids = self->how == WITH_SOLIDS };
    sl_clashes *before = NULL, *clashes = NULL;
    sl_result result = SL_OK;
    size_t count = 0;
    if (self->how == AFTER) {
        result = sl_clashes_find(version[0], &def, &before, &run->error);
        def.previous = before;
    }
    if (result == SL_OK) {
        result = sl_clashes_find(version[1], &def, &clashes, &run->error);
        assert_true((result == SL_OK) == (clashes != NULL));
    }
    if (clashes != NULL) {
        const sl_instance_clash *list = sl_clashes_list(clashes, &count);
        assert_true(count > 0);
        run->answer = count * 1000 + (uint64_t)list[count - 1].pairs;
    }
    sl_clashes_destroy(before);
    sl_clashes_destroy(clashes);
    return result;
}

static void add(fault_case *cases, size_t *count, size_t most, const fault_case *one,
                const char *name)
{
    assert_true(*count < most);
    cases[*count] = *one;
    cases[*count].has_hook = true;
    snprintf(cases[(*count)++].name, sizeof cases->name, "%s%s", name,
             one->workers > 0 ? ", workers" : "");
}

void fault_contacts_add(fault_case *cases, size_t *count, size_t most, const sl_bvh *of,
                        const sl_tasks *by)
{
    sl_instance pieces[PIECES];
    tree = of;
    tasks = by;
    for (int v = 0; v < 2; v++) {
        for (int i = 0; i < PIECES; i++) {
            pieces[i] = sl_instance_of(tree);
            pieces[i].transform.m[0][3] = 0.7 * i + (i % 3 == 0 ? 0.1 * v : 0);
            pieces[i].transform.m[1][0] = 0.25;
        }
        version[v] = made_scene(pieces, PIECES, NULL);
    }
    for (int workers = 0; workers < 2; workers++) {
        const fault_case curves = { .run = find_curves, .workers = workers };
        add(cases, count, most, &curves, "curves");
        for (int how = 0; how < HOWS; how++) {
            const fault_case one = { .run = report, .how = how, .workers = workers };
            add(cases, count, most, &one, how_names[how]);
        }
    }
    for (int how = 0; how < 2; how++) {
        add(cases, count, most, &(fault_case){ .run = relate_solids, .how = how }, "solids");
        add(cases, count, most, &(fault_case){ .run = relate_solids, .how = how, .which = 1 },
            "solids of scenes");
    }
}

void fault_contacts_end(void)
{
    sl_bvh_destroy(version[0]);
    sl_bvh_destroy(version[1]);
}
