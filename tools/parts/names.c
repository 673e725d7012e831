/* parts/names.c: names of part files; they are found again by the name of what they make. */
#include "tools/parts/names.h"

#include "tools/cli/report.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *names_made(char *name)
{
    if (name == NULL) {
        (void)report_memory();
    }
    return name;
}

char *parts_name_with(const char *name, const char *ending)
{
    const size_t size = strlen(name) + strlen(ending) + 1;
    char *all = malloc(size);
    if (all != NULL) {
        snprintf(all, size, "%s%s", name, ending);
    }
    return names_made(all);
}

char *parts_name(const char *out, uint64_t index, uint64_t of)
{
    char ending[64];
    snprintf(ending, sizeof ending, ".%" PRIu64 "-of-%" PRIu64 ".part", index, of);
    return parts_name_with(out, ending);
}

char *parts_unfinished(const char *out, const char *part, uint64_t index, uint64_t of)
{
    char ending[64] = ".partial";
    if (part != NULL) {
        snprintf(ending, sizeof ending, ".%" PRIu64 "-of-%" PRIu64 ".partial", index, of);
    }
    return parts_name_with(out, ending);
}

/* The N of "BASE.I-of-N.part", 0 where the name is another. */
static uint64_t parts_of(const char *name, const char *base)
{
    const size_t size = strlen(base);
    uint64_t index = 0, of = 0;
    int end = 0;
    if (strncmp(name, base, size) != 0 ||
        sscanf(name + size, ".%10" SCNu64 "-of-%10" SCNu64 ".part%n", &index, &of, &end) != 2 ||
        end == 0 || name[size + (size_t)end] != '\0') {
        return 0;
    }
    return index >= 1 && index <= of ? of : 0;
}

int parts_find(const char *out, uint64_t *of)
{
    const char *slash = strrchr(out, '/');
    const char *base = slash != NULL ? slash + 1 : out;
    const size_t length = (size_t)(base - out);
    char *folder = parts_name_with(length > 0 ? out : ".", "");
    int status = EXIT_DONE;
    *of = 0;
    if (folder == NULL) {
        return EXIT_FAILED;
    }
    folder[length > 0 ? length : 1] = '\0';
    DIR *listing = opendir(folder);
    if (listing == NULL) {
        status =
            report_failure(folder, "cannot be listed: %s; name the part files", report_why(errno));
    }
    for (struct dirent *entry; status == EXIT_DONE && (entry = readdir(listing)) != NULL;) {
        const uint64_t found = parts_of(entry->d_name, base);
        if (found != 0 && *of != 0 && found != *of) {
            const uint64_t low = found < *of ? found : *of, high = found < *of ? *of : found;
            status = report_input(out, 0,
                                  "there are parts of %" PRIu64 " and of %" PRIu64
                                  "; remove those that are not meant, or name the part files",
                                  low, high);
        }
        *of = found != 0 ? found : *of;
    }
    if (listing != NULL) {
        closedir(listing);
    }
    free(folder);
    return status;
}
