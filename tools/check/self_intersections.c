/* check/self_intersections.c: which triangles of a mesh meet others of it, for check.
 *
 * Triangles with the same corners all meet what the first of them does, so only the first is put to
 * the tree: thousands of copies of one triangle would take the square of their number. */
#include "tools/check/check.h"

#include <sightline/volumes.h>

#include <stdlib.h>

enum { BLOCK = 1 << 14 };

struct check_self_intersections {
    const mesh_in *in;
    size_t count;
    uint32_t *first; /* of each triangle, the lowest with the same corners */
    uint8_t *met;    /* of each triangle: not 0 if it meets another */
    sl_item_options options[BLOCK];
    sl_triangle_ref self[BLOCK]; /* what a duplicate skips: then it meets nothing */
};

check_self_intersections *check_self_intersections_create(const mesh_in *in)
{
    check_self_intersections *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->in = in;
    m->count = sl_mesh_soup(in->mesh).triangle_count;
    m->first = malloc((m->count + 1) * sizeof *m->first);
    m->met = malloc(m->count + 1);
    if (m->first == NULL || m->met == NULL) {
        check_self_intersections_destroy(m);
        return NULL;
    }
    for (size_t prim = 0; prim < m->count; prim++) {
        m->first[prim] = (uint32_t)prim;
    }
    return m;
}

void check_self_intersections_destroy(check_self_intersections *m)
{
    if (m != NULL) {
        free(m->first);
        free(m->met);
        free(m);
    }
}

void check_self_intersections_duplicate(check_self_intersections *m, const sl_fault *duplicate)
{
    m->first[duplicate->prim] = duplicate->other;
}

size_t check_self_intersections_find(check_self_intersections *m, size_t begin)
{
    const size_t size = m->count - begin < BLOCK ? m->count - begin : BLOCK;
    const sl_options options = { .items = m->options };
    for (size_t i = 0; i < size; i++) {
        m->self[i] = (sl_triangle_ref){ 0, (uint32_t)(begin + i) };
        m->options[i] = (sl_item_options){ .skip = &m->self[i],
                                           .skip_count = m->first[begin + i] != begin + i };
    }
    sl_bvh_self_overlap_any(m->in->bvh, (uint32_t)begin, size, &options, m->met + begin,
                            m->in->tasks, NULL);
    for (size_t prim = begin; prim < begin + size; prim++) {
        m->met[prim] = m->met[m->first[prim]];
    }
    return begin + size;
}

bool check_self_intersections_has(const check_self_intersections *m, size_t prim)
{
    return m->met[prim] != 0;
}
