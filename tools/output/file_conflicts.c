/* file_conflicts.c: which files this command line reads and writes, so that it does not overwrite
 * them. */
#include "tools/output/file_conflicts.h"

#include "tools/cli/report.h"
#include "tools/output/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Unless the role is kept, only asks whether it would replace one that is read. */
static int file_conflicts_take(const char *path, bool written, bool keep)
{
    struct stat about;
    if (path == NULL || strcmp(path, "-") == 0) {
        return EXIT_DONE;
    }
    role now = { .there = stat(path, &about) == 0, .written = written };
    if (now.there && S_ISDIR(about.st_mode)) {
        return written ? report_failure(path, "this is a directory; name a file in it")
                       : report_input(path, 0, "this is a directory; name a file in it");
    }
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
        if ((keep ? written || other->written : !other->written) && is_same(&now, other)) {
            free(now.name);
            return report_usage(NULL, "'%s' is %s; name another file to write", path,
                                written && other->written ? "written already"
                                : written                 ? "read here, and would be lost"
                                                          : "also written here");
        }
    }
    if (!keep) {
        free(now.name);
        return EXIT_DONE;
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
    return file_conflicts_take(path, false, true);
}

int file_conflicts_write(const char *path)
{
    return file_conflicts_take(path, true, true);
}

/* The folder of a file that is not there, else the file: whether it may be written to. */
static int foresee_place(const char *path)
{
    struct stat about;
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";
    if (stat(path, &about) != 0 && slash != NULL && (size_t)(slash - path) + 2 < sizeof folder) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
    }
    const bool there = stat(path, &about) == 0;
    return access(there ? path : folder, W_OK) == 0
               ? EXIT_DONE
               : report_failure(path, "cannot be written: %s; choose another place",
                                report_why(errno));
}

int file_conflicts_foresee(const char *path, bool written)
{
    if (path == NULL || path[0] == '\0' || strcmp(path, "-") == 0) {
        return EXIT_DONE;
    }
    if (!written && access(path, F_OK) != 0 && errno == ENOENT) {
        return report_input(path, 0, "no such file; check the name");
    }
    const int status = file_conflicts_take(path, written, !written);
    return status == EXIT_DONE && written ? foresee_place(path) : status;
}

void file_conflicts_forget(void)
{
    while (role_count > 0) {
        free(roles[--role_count].name);
    }
    free(roles);
    roles = NULL;
}
