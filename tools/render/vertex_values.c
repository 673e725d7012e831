/* render/vertex_values.c: vertex properties of a PLY, such as those that bake writes, for
 * render.
 *
 * The library reads positions and faces only.  This reads files whose vertices come first, as
 * text or little-endian binary, as bake, MeshLab, CloudCompare and Blender write them.
 * Source: Turk, The PLY Polygon File Format (1994). */
#include "tools/render/vertex_values.h"

#include "tools/cli/report.h"
#include "tools/output/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROPERTIES_MAX = 64, NAMES_MAX = 3 };

typedef enum number_type {
    INT8,
    UINT8,
    INT16,
    UINT16,
    INT32,
    UINT32,
    FLOAT32,
    FLOAT64
} number_type;

typedef struct reader {
    FILE *stream;
    bool text;
    uint64_t vertex_count;
    number_type types[PROPERTIES_MAX];
    int names[PROPERTIES_MAX]; /* which of the names a property is; -1: none */
    size_t property_count;
} reader;

/* The type of a word; -1: none. */
static int find_type(const char *word)
{
    static const char *const words[][2] = {
        { "char", "int8" }, { "uchar", "uint8" }, { "short", "int16" },   { "ushort", "uint16" },
        { "int", "int32" }, { "uint", "uint32" }, { "float", "float32" }, { "double", "float64" },
    };
    for (int i = 0; i < 8; i++) {
        if (strcmp(word, words[i][0]) == 0 || strcmp(word, words[i][1]) == 0) {
            return i;
        }
    }
    return -1;
}

static bool take_property(reader *in, const char *type, const char *name, const char *const *names,
                          size_t name_count)
{
    const int found = find_type(type);
    if (found < 0 || in->property_count == PROPERTIES_MAX) {
        return false;
    }
    int which = -1;
    for (size_t i = 0; i < name_count; i++) {
        which = strcmp(name, names[i]) == 0 ? (int)i : which;
    }
    in->types[in->property_count] = (number_type)found;
    in->names[in->property_count++] = which;
    return true;
}

/* Up to the line end_header, and what of it is about the vertices; false: not a file of the
 * kind. */
static bool read_header(reader *in, const char *const *names, size_t name_count)
{
    char line[512], first[64], second[64], third[64];
    int elements = 0;
    bool known = fgets(line, sizeof line, in->stream) != NULL && strncmp(line, "ply", 3) == 0;
    while (known && fgets(line, sizeof line, in->stream) != NULL) {
        const int words = sscanf(line, "%63s %63s %63s", first, second, third);
        if (words == 1 && strcmp(first, "end_header") == 0) {
            return elements > 0;
        }
        if (words >= 2 && strcmp(first, "format") == 0) {
            in->text = strcmp(second, "ascii") == 0;
            known = in->text || strcmp(second, "binary_little_endian") == 0;
        } else if (words == 3 && strcmp(first, "element") == 0) {
            elements++;
            known = elements > 1 || strcmp(second, "vertex") == 0;
            in->vertex_count = elements == 1 ? strtoull(third, NULL, 10) : in->vertex_count;
        } else if (words == 3 && strcmp(first, "property") == 0 && elements == 1) {
            known = take_property(in, second, third, names, name_count);
        }
    }
    return false;
}

static bool read_binary(FILE *stream, number_type type, float *out)
{
    static const size_t sizes[] = { 1, 1, 2, 2, 4, 4, 4, 8 };
    unsigned char bytes[8];
    if (fread(bytes, 1, sizes[type], stream) != sizes[type]) {
        return false;
    }
    const uint64_t bits = bytes_get(bytes, sizes[type]);
    if (type == FLOAT32) {
        const uint32_t half = (uint32_t)bits;
        memcpy(out, &half, sizeof *out);
    } else if (type == FLOAT64) {
        double wide;
        memcpy(&wide, &bits, sizeof wide);
        *out = (float)wide;
    } else if (type == INT8 || type == INT16 || type == INT32) {
        const int shift = 64 - 8 * (int)sizes[type];
        *out = (float)((int64_t)(bits << shift) >> shift);
    } else {
        *out = (float)bits;
    }
    return true;
}

static bool read_number(const reader *in, number_type type, float *out)
{
    char word[64];
    char *end;
    if (!in->text) {
        return read_binary(in->stream, type, out);
    }
    if (fscanf(in->stream, "%63s", word) != 1) {
        return false;
    }
    *out = strtof(word, &end);
    return end != word && *end == '\0';
}

static bool read_vertices(const reader *in, size_t name_count, float *out)
{
    for (size_t vertex = 0; vertex < in->vertex_count; vertex++) {
        for (size_t i = 0; i < in->property_count; i++) {
            float value;
            if (!read_number(in, in->types[i], &value)) {
                return false;
            }
            if (in->names[i] >= 0) {
                out[vertex * name_count + (size_t)in->names[i]] = value;
            }
        }
    }
    return true;
}

static bool has_all(const reader *in, size_t name_count)
{
    unsigned found = 0;
    for (size_t i = 0; i < in->property_count; i++) {
        found |= in->names[i] >= 0 ? 1u << in->names[i] : 0u;
    }
    return found == (1u << name_count) - 1;
}

static int load(reader *in, const char *path, const char *const *names, size_t name_count,
                size_t vertex_count, float **out)
{
    if (!read_header(in, names, name_count) || in->vertex_count != vertex_count) {
        return report_input(path, 0,
                            "vertices with a %s are read from PLY, as text or little-endian "
                            "binary; write one with 'sightline bake'",
                            name_count == 1 ? names[0] : "colour");
    }
    if (!has_all(in, name_count)) {
        return report_input(path, 0, "its vertices have no %s; write one with 'sightline bake'",
                            name_count == 1 ? names[0] : "colour");
    }
    *out = calloc(vertex_count * name_count + 1, sizeof **out);
    if (*out == NULL) {
        return report_memory();
    }
    return read_vertices(in, name_count, *out)
               ? EXIT_DONE
               : report_input(path, 0, "it ends within its vertices; write it anew");
}

int vertex_values_load(const char *path, const char *const *names, size_t name_count,
                       size_t vertex_count, float **out)
{
    reader in = { .stream = fopen(path, "rb") };
    *out = NULL;
    if (in.stream == NULL) {
        return report_input(path, 0, "cannot be read again; name a file that stays");
    }
    const int status = load(&in, path, names, name_count, vertex_count, out);
    fclose(in.stream);
    if (status != EXIT_DONE) {
        free(*out);
        *out = NULL;
    }
    return status;
}
