/* input/scene/json.c: JSON in memory, and whether bytes or a file are a scene. */
#include "tools/input/scene/reader.h"

#include "tools/input/tree.h"

#include <stdlib.h>
#include <string.h>

/* jansson goes on without what it has no memory for, or speaks of bad syntax: so it is noted when
 * memory was refused, and nothing of what was read then is believed. */
static bool was_refused;

static void *note_refusal(size_t size)
{
    void *block = malloc(size);
    was_refused = was_refused || block == NULL;
    return block;
}

/* From a stream, or where that is NULL from bytes.  NULL: *error says why, or was_refused is
 * true. */
json_t *scene_json_parse(FILE *stream, const void *bytes, size_t size, json_error_t *error)
{
    json_malloc_t take;
    json_free_t give;
    json_get_alloc_funcs(&take, &give);
    json_set_alloc_funcs(note_refusal, free);
    was_refused = false;
    json_t *root = stream != NULL ? json_loadf(stream, JSON_REJECT_DUPLICATES, error)
                                  : json_loadb(bytes, size, JSON_REJECT_DUPLICATES, error);
    json_set_alloc_funcs(take, give);
    if (was_refused) {
        json_decref(root);
        return NULL;
    }
    return root;
}

int scene_json_report(const char *name, const json_error_t *error)
{
    if (was_refused) {
        return report_memory();
    }
    return error->line > 0
               ? report_input(name, (uint64_t)error->line, "column %d: %s; a scene file is JSON",
                              error->column, error->text)
               : report_input(name, 0, "%s; a scene file is JSON", error->text);
}

bool scene_in_is_bytes(const void *bytes, size_t size)
{
    static const char first[] = "\"sightline\"";
    const char *at = bytes, *end = at + size;
    at += size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (int brace = 0; brace < 2; brace++) {
        while (at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0') {
            at++;
        }
        if (brace == 0 && (at == end || *at++ != '{')) {
            return false;
        }
    }
    return (size_t)(end - at) >= sizeof first - 1 && memcmp(at, first, sizeof first - 1) == 0;
}

/* A .json that is no glTF: other formats begin with no brace. */
static bool is_scene_json(FILE *stream)
{
    json_t *root = json_loadf(stream, 0, NULL);
    const bool is = root == NULL || json_object_get(root, "asset") == NULL;
    json_decref(root);
    return is;
}

bool scene_in_is_file(const char *path)
{
    char begin[256];
    const size_t length = strlen(path);
    const size_t got = tree_in_begin(path, begin, sizeof begin);
    if (got == 0 || scene_in_is_bytes(begin, got)) {
        return got > 0;
    }
    FILE *stream = length > 5 && strcmp(path + length - 5, ".json") == 0 ? fopen(path, "rb") : NULL;
    const bool is = stream != NULL && is_scene_json(stream);
    if (stream != NULL) {
        fclose(stream);
    }
    return is;
}
