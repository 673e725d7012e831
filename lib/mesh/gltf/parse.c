/* gltf/parse.c: JSON through jansson, right even where memory runs out.
 *
 * jansson 2.14 keeps a text or number that it reads in one buffer, and where that cannot grow it
 * goes on without the byte: 125 may become 15.  The buffer never shrinks while it reads, so we make
 * it large enough first: what it gets is [ "a text as long as any in the document", the document ].
 * Where that text comes out whole, no later one can have lost a byte.
 *
 * Where it finds no memory for the value of a text it speaks of bad syntax.  That is believed only
 * where it is found once more and there is memory. */
#include "lib/mesh/gltf/gltf.h"

#include <stdlib.h>
#include <string.h>

/* What is read: before, filler bytes, between, the document, after. */
typedef struct wrapped {
    const char *json;
    size_t size, filler;
    size_t at;
} wrapped;

static const char before[] = "[\"", between[] = "\",", after[] = "]";
enum { BEFORE = sizeof before - 1, BETWEEN = sizeof between - 1, AFTER = sizeof after - 1 };

/* Whether a byte may be one of a number or word. */
static bool in_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.';
}

/* Bytes of the longest text, with its quotes, or number. */
static size_t longest_token(const char *json, size_t size)
{
    size_t longest = 0;
    for (size_t at = 0; at < size;) {
        const size_t begin = at;
        if (json[at] == '"') {
            at = sli_gltf_skip_text(json, size, at) + 1;
        } else {
            while (at < size && in_word(json[at])) {
                at++;
            }
            at += at == begin;
        }
        longest = at - begin > longest ? at - begin : longest;
    }
    return longest;
}

/* Copies what falls into part of the whole, which begins at begin, as far as it fits. */
static size_t copy(const wrapped *w, const char *part, size_t begin, size_t size, char *to,
                   size_t space)
{
    if (w->at < begin || w->at >= begin + size) {
        return 0;
    }
    const size_t from = w->at - begin, left = size - from;
    const size_t count = left < space ? left : space;
    if (part == NULL) {
        memset(to, '-', count);
    } else {
        memcpy(to, part + from, count);
    }
    return count;
}

static size_t read_more(void *to, size_t space, void *user)
{
    wrapped *w = user;
    const size_t head = BEFORE + w->filler + BETWEEN;
    size_t got = copy(w, before, 0, BEFORE, to, space);
    got += copy(w, NULL, BEFORE, w->filler, to, space);
    got += copy(w, between, BEFORE + w->filler, BETWEEN, to, space);
    got += copy(w, w->json, head, w->size, to, space);
    got += copy(w, after, head + w->size, AFTER, to, space);
    w->at += got; /* one of the five */
    return got;
}

static bool is_memory(const json_error_t *found)
{
    return json_error_code(found) == json_error_out_of_memory || found->text[0] == '\0';
}

/* The document, or NULL: bad syntax, or no memory. */
static json_t *read_wrapped(const sli_gltf *gltf, size_t filler)
{
    wrapped w = { .json = gltf->json, .size = gltf->json_size, .filler = filler };
    json_t *root = NULL;
    json_t *whole = json_load_callback(read_more, &w, JSON_REJECT_DUPLICATES, NULL);
    if (json_array_size(whole) == 2 && json_string_length(json_array_get(whole, 0)) == filler) {
        root = json_incref(json_array_get(whole, 1));
    }
    json_decref(whole);
    return root;
}

static sl_result fail_syntax(const sli_gltf *gltf, const json_error_t *found)
{
    const bool text = !gltf->is_glb && found->line > 0;
    sli_fail(gltf->error, SL_BAD_DATA, gltf->input->name, text ? found->line : SLI_NO_LINE,
             (int64_t)gltf->json_at + (found->position > 0 ? found->position : 0), "JSON: %.150s",
             found->text);
    sli_gltf_make_printable(gltf->error);
    return SL_BAD_DATA;
}

/* Whether malloc, which jansson uses, still has what reading may take. */
static bool has_memory(size_t size)
{
    void *volatile block = malloc(size); /* volatile: compilers may leave an unused block out */
    free(block);
    return block != NULL;
}

/* After a failure: tells bad syntax, in words for the document alone, from a lack of memory. */
static sl_result explain(const sli_gltf *gltf, size_t cost)
{
    json_error_t found = { .line = -1 };
    json_t *root = json_loadb(gltf->json, gltf->json_size, JSON_REJECT_DUPLICATES, &found);
    const bool memory = root != NULL || is_memory(&found) || !has_memory(cost);
    json_decref(root);
    return memory ? sli_fail_memory(gltf->error) : fail_syntax(gltf, &found);
}

sl_result sli_gltf_parse(sli_gltf *gltf)
{
    const size_t filler = longest_token(gltf->json, gltf->json_size);
    const size_t cost = sli_gltf_cost(gltf->json, gltf->json_size) + 2 * filler;
    if (!sl_mesh_sink_spend(gltf->sink, cost, false)) {
        return SL_TOO_LARGE;
    }
    gltf->root = read_wrapped(gltf, filler);
    if (gltf->root == NULL) {
        return explain(gltf, cost);
    }
    return json_is_object(gltf->root)
               ? SL_OK
               : sli_fail(gltf->error, SL_BAD_DATA, gltf->input->name, gltf->is_glb ? 0 : 1,
                          (int64_t)gltf->json_at, "%s instead of an object; is this glTF?",
                          json_is_array(gltf->root) ? "an array" : "one value");
}
