/* file_conflicts.c: which files this command line reads and writes, so that it does not overwrite
 * them. */
#include "tools/output/file_conflicts.h"

#include "tools/cli/report.h"
#include "tools/output/place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file is itself under any name; one that is not there yet has only its name, and so have all
 * where the system does not number them. */
typedef struct role {
    char *name;
    bool there, written;
    dev_t device;
    ino_t number;
} role;

static role *roles;
static size_t role_count;

static bool is_same(const role *a, const role *b)
{
    return (a->there && b->there && a->number != 0 && a->device == b->device &&
            a->number == b->number) ||
           strcmp(a->name, b->name) == 0;
}

static int file_conflicts_take(const char *path, bool written)
{
    struct stat about;
    if (path == NULL || strcmp(path, "-") == 0) {
        return EXIT_DONE;
    }
    role now = { .there = stat(path, &about) == 0, .written = written };
    if (now.there && !S_ISREG(about.st_mode)) {
        return EXIT_DONE;
    }
    now.device = now.there ? about.st_dev : 0;
    now.number = now.there ? about.st_ino : 0;
    now.name = out_place_name(path);
    if (now.name == NULL) {
        return report_memory();
    }
    for (size_t i = 0; i < role_count; i++) {
        const role *other = &roles[i];
        if ((written || other->written) && is_same(&now, other)) {
            free(now.name);
            return report_usage(NULL, "'%s' is %s; name another file to write", path,
                                written && other->written ? "written already"
                                : written                 ? "read here, and would be lost"
                                                          : "also written here");
        }
    }
    role *more = realloc(roles, (role_count + 1) * sizeof *roles);
    if (more == NULL) {
        free(now.name);
        return report_memory();
    }
    roles = more;
    roles[role_count++] = now;
    return EXIT_DONE;
}

int file_conflicts_read(const char *path)
{
    return file_conflicts_take(path, false);
}

int file_conflicts_write(const char *path)
{
    return file_conflicts_take(path, true);
}

void file_conflicts_forget(void)
{
    while (role_count > 0) {
        free(roles[--role_count].name);
    }
    free(roles);
    roles = NULL;
}
