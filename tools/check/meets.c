/* Which triangles meet others.  Those with the same corners all meet what the first of them does,
 * so that only the first is asked: thousands of one triangle would take the square of that. */
#include "tools/check/check.h"

#include <sightline/self_query.h>

#include <stdlib.h>

enum { BLOCK = 1 << 14 };

struct check_meets {
    const mesh_in *in;
    size_t count;
    uint32_t *first; /* of each triangle, the lowest with the same corners */
    uint8_t *touches;
    sl_ray_opt asked[BLOCK];
};

check_meets *check_meets_create(const mesh_in *in)
{
    check_meets *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->in = in;
    m->count = sl_mesh_triangle_count(in->mesh);
    m->first = malloc((m->count + 1) * sizeof *m->first);
    m->touches = malloc(m->count + 1);
    if (m->first == NULL || m->touches == NULL) {
        check_meets_destroy(m);
        return NULL;
    }
    for (size_t prim = 0; prim < m->count; prim++) {
        m->first[prim] = (uint32_t)prim;
    }
    return m;
}

void check_meets_destroy(check_meets *m)
{
    if (m != NULL) {
        free(m->first);
        free(m->touches);
        free(m);
    }
}

void check_meets_same(check_meets *m, const sl_fault *duplicate)
{
    m->first[duplicate->prim] = duplicate->other;
}

size_t check_meets_ask(check_meets *m, size_t begin)
{
    const size_t size = m->count - begin < BLOCK ? m->count - begin : BLOCK;
    const sl_query query = { .flags = SL_USE_MASK, .mask = UINT32_MAX, .per_ray = m->asked };
    for (size_t i = 0; i < size; i++) {
        const bool first = m->first[begin + i] == begin + i;
        m->asked[i] = (sl_ray_opt){ first ? UINT32_MAX : 0, { SL_NONE, SL_NONE } };
    }
    sl_bvh_self_overlap_any_many(m->in->bvh, (uint32_t)begin, size, &query, m->touches + begin,
                                 m->in->tasks);
    for (size_t prim = begin; prim < begin + size; prim++) {
        m->touches[prim] = m->touches[m->first[prim]];
    }
    return begin + size;
}

bool check_meets_any(const check_meets *m, size_t prim)
{
    return m->touches[prim] != 0;
}
