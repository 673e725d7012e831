/* test_abi.c: every public struct has the size and offsets that callers were compiled against.
 *
 * If this fails because you changed a struct: docs/abi.md says what may grow and what has to be
 * done for callers with the older header.  After that, and before 1.0 with a new minor version
 * only, bring test/lib/abi_table.h up to date. */
#include <sightline/gltf.h>
#include <sightline/mesh_format.h>
#include <sightline/sightline.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a struct may grow (docs/abi.md). */
typedef enum abi_kind {
    FIXED,   /* never: a value, in arrays and within other structs */
    DEF,     /* at its end; .size says how much of it the caller knows */
    WRITTEN, /* at its end; the caller passes the size of its own */
    FLAGGED, /* at its end; a new field is read or written only where a new flag bit says so */
    LENT     /* at its end; the library makes it, and callers only look at it */
} abi_kind;

typedef struct abi_row {
    const char *type, *field; /* field "": the whole of the type */
    size_t found, expected;   /* bytes */
    abi_kind kind;
} abi_row;

#define SIZE(type, bytes, how)     { #type, "", sizeof(type), bytes, how }
#define FIELD(type, field, offset) { #type, #field, offsetof(type, field), offset, FIXED }

#include "test/lib/abi_table.h"
#include "test/support/test.h"

enum { ROWS = sizeof abi_table / sizeof abi_table[0] };

static const char *const what_to_do[] = {
    [FIXED] = "it never grows: make a new struct for what is new",
    [DEF] = "add fields at the end, with a default; callers with the older header get it",
    [WRITTEN] = "add fields at the end, behind any padding",
    [FLAGGED] = "add fields at the end, and a flag bit without which they are not touched",
    [LENT] = "add fields at the end",
};

TEST(sizes_and_offsets_are_those_of_the_release)
{
    if (sizeof(void *) != 8) {
        skip(); /* the table is that of 64-bit machines */
    }
    size_t wrong = 0;
    abi_kind kind = FIXED;
    for (size_t i = 0; i < ROWS; i++) {
        const abi_row *row = &abi_table[i];
        kind = row->field[0] == '\0' ? row->kind : kind;
        if (row->found != row->expected) {
            print_message("%s%s%s: %zu instead of %zu; %s; see docs/abi.md\n", row->type,
                          row->field[0] != '\0' ? "." : "", row->field, row->found, row->expected,
                          what_to_do[kind]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static bool is_in_table(const char *type, size_t length)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (abi_table[i].field[0] == '\0' && strlen(abi_table[i].type) == length &&
            memcmp(abi_table[i].type, type, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Looks up every struct that a header defines; returns how many. */
static size_t look_up_header(const char *path)
{
    static const char begin[] = "typedef struct sl_";
    char line[512];
    size_t count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, begin, sizeof begin - 1) == 0 && strchr(line, '{') != NULL) {
            const char *type = line + sizeof "typedef struct " - 1;
            const size_t length = strcspn(type, " ");
            if (!is_in_table(type, length)) {
                fail_msg("%s defines %.*s, which abi_table.h has not", path, (int)length, type);
            }
            count++;
        }
    }
    assert_int_equal(fclose(file), 0);
    return count;
}

TEST(the_table_has_every_struct_of_the_headers)
{
    static const char *const folders[] = { "/lib/include/sightline/", "/bvh/include/sightline/" };
    size_t structs = 0, sizes = 0;
    for (size_t i = 0; i < 2; i++) {
        char folder[1024], path[2048];
        snprintf(folder, sizeof folder, "%s%s", SOURCE_DIR, folders[i]);
        DIR *headers = opendir(folder);
        assert_non_null(headers);
        for (const struct dirent *one; (one = readdir(headers)) != NULL;) {
            if (one->d_name[0] != '.') {
                snprintf(path, sizeof path, "%s%s", folder, one->d_name);
                structs += look_up_header(path);
            }
        }
        assert_int_equal(closedir(headers), 0);
    }
    for (size_t i = 0; i < ROWS; i++) {
        sizes += abi_table[i].field[0] == '\0';
    }
    assert_int_equal(structs, sizes);
}
