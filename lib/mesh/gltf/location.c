/* gltf/location.c: jansson keeps no places, so the text is looked through once more when an error
 * needs one.  It is valid JSON by then. */
#include "lib/mesh/gltf/gltf.h"

#include <string.h>

typedef struct scan {
    const char *json;
    size_t size, at;
    int64_t line;
    int depth; /* of brackets */
} scan;

/* Over one byte, or over one text with its quotes; returns what stood there. */
static char location_step(scan *cursor)
{
    const char c = cursor->json[cursor->at++];
    if (c == '"') {
        while (cursor->at < cursor->size && cursor->json[cursor->at] != '"') {
            cursor->at += cursor->json[cursor->at] == '\\' ? 2 : 1;
        }
        cursor->at++;
    }
    cursor->line += c == '\n' ? 1 : 0;
    cursor->depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    return c;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(scan *cursor)
{
    while (cursor->at < cursor->size && is_space(cursor->json[cursor->at])) {
        location_step(cursor);
    }
}

/* To behind the '[' of the array that is member `name` of the outermost object. */
static bool find_array(scan *cursor, const char *name)
{
    const size_t length = strlen(name);
    while (cursor->at < cursor->size) {
        const size_t begin = cursor->at;
        if (location_step(cursor) != '"' || cursor->depth != 1 ||
            cursor->at != begin + length + 2 ||
            memcmp(cursor->json + begin + 1, name, length) != 0) {
            continue;
        }
        skip_space(cursor);
        if (cursor->at < cursor->size && cursor->json[cursor->at] == ':') {
            location_step(cursor);
            skip_space(cursor);
            return cursor->at < cursor->size && location_step(cursor) == '[';
        }
    }
    return false;
}

void sli_gltf_locate(const sli_gltf *gltf, sli_gltf_kind kind, uint32_t first, size_t count,
                     sli_gltf_location *out)
{
    scan cursor = { .json = gltf->json, .size = gltf->json_size, .line = 1 };
    for (size_t i = 0; i < count; i++) {
        out[i] =
            (sli_gltf_location){ .line = gltf->is_glb ? 0 : 1, .byte = (int64_t)gltf->json_at };
    }
    if (kind == SLI_GLTF_KINDS || !find_array(&cursor, sli_gltf_kind_names[kind])) {
        return;
    }
    for (size_t index = 0; cursor.at < cursor.size && cursor.depth >= 2; index++) {
        skip_space(&cursor);
        if (index >= first && index - first < count) {
            out[index - first].line = gltf->is_glb ? 0 : cursor.line;
            out[index - first].byte = (int64_t)(gltf->json_at + cursor.at);
        }
        while (cursor.at < cursor.size && cursor.depth >= 2 &&
               !(cursor.depth == 2 && cursor.json[cursor.at] == ',')) {
            location_step(&cursor);
        }
        if (cursor.at < cursor.size && cursor.depth >= 2) {
            location_step(&cursor); /* the comma */
        }
    }
}
