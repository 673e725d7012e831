/* gltf/cost.c: a few bytes of JSON may make jansson take a hundred times as much, so that it is
 * asked only after a look at how many values there are.  The figures are those of jansson 2.14 on a
 * 64-bit system, rounded up. */
#include "lib/mesh/gltf/gltf.h"

enum {
    OBJECT_COST = 272, /* head, and the first buckets */
    ARRAY_COST = 144,  /* head, and the first places */
    VALUE_COST = 96,   /* of a number or text, and its place */
    MEMBER_COST = 128, /* a key's node in its object */
    TEXT_COST = 2      /* for each byte of a text */
};

size_t sli_gltf_skip_text(const char *json, size_t size, size_t at)
{
    for (at++; at < size && json[at] != '"'; at++) {
        at += json[at] == '\\' ? 1 : 0;
    }
    return at;
}

size_t sli_gltf_cost(const char *json, size_t size)
{
    size_t cost = VALUE_COST;
    for (size_t at = 0; at < size; at++) {
        const char c = json[at];
        if (c == '"') {
            const size_t end = sli_gltf_skip_text(json, size, at);
            cost += TEXT_COST * (end - at);
            at = end;
        } else if (c == '{') {
            cost += OBJECT_COST;
        } else if (c == '[') {
            cost += ARRAY_COST;
        } else if (c == ':') {
            cost += MEMBER_COST;
        } else if (c == ',') {
            cost += VALUE_COST;
        }
    }
    return cost;
}
