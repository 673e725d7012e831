/* Triangles that meet none of the other solid.  Those that hang together by vertices are in one
 * cell of the other solid's, so one of them tells whether they are in it.  Of their own solid it
 * tells what is beside itself alone; mostly that is enough: what might be beside others is known
 * to exist.  Else all triangles in question are looked at, as their own solid cuts them. */
#include "bvh/contact/solid/judge.h"
#include "lib/base/memory.h"

/* Of the vertex that stands for those that hang together. */
enum { REGION_SEEN = 1, REGION_IN_OTHER = 2 };

typedef struct regions {
    uint32_t *parent; /* of each vertex: disjoint sets (Tarjan 1975), halving paths */
    uint8_t *seen;
} regions;

static uint32_t region_of(const regions *r, uint32_t vertex)
{
    while (r->parent[vertex] != vertex) {
        r->parent[vertex] = r->parent[r->parent[vertex]];
        vertex = r->parent[vertex];
    }
    return vertex;
}

static bool region_has(const sli_solid *solid, uint32_t triangle)
{
    return (solid->state[triangle] & (SLI_SOLID_FLAT | SLI_SOLID_MET)) == 0;
}

static void regions_join(const sli_solid *solid, const regions *r)
{
    for (uint32_t i = 0; i < solid->count; i++) {
        for (int k = 1; k < 3 && region_has(solid, i); k++) {
            const uint32_t a = region_of(r, solid->vertex[i][0]);
            const uint32_t b = region_of(r, solid->vertex[i][k]);
            r->parent[a > b ? a : b] = a > b ? b : a;
        }
    }
}

/* The first triangle of each region. */
static void regions_look(sli_solid_job *job, int side, const regions *r)
{
    const sli_solid *solid = &job->solid[side];
    for (uint32_t i = 0; i < solid->count && job->result == SL_OK; i++) {
        uint8_t *seen = region_has(solid, i) ? &r->seen[region_of(r, solid->vertex[i][0])] : NULL;
        if (seen != NULL && *seen == 0) {
            sl_triangle_d corners;
            bool in_other = false;
            sli_solid_corners(solid, &job->vertices, i, &corners);
            sli_pieces_begin(&job->pieces, &corners);
            sli_solid_judge(job, side, i, &in_other);
            *seen = (uint8_t)(REGION_SEEN | (in_other ? REGION_IN_OTHER : 0));
        }
    }
}

/* Whether a triangle of a region might tell of a kind of cell that is not known to exist. */
static bool might_tell(const sli_solid_job *job, int side, bool in_other)
{
    return in_other ? !job->both || !job->only[1 - side] : !job->only[side];
}

static void regions_look_closely(sli_solid_job *job, int side, const regions *r)
{
    const sli_solid *solid = &job->solid[side];
    for (uint32_t i = 0; i < solid->count && job->result == SL_OK; i++) {
        if (region_has(solid, i) &&
            might_tell(job, side,
                       (r->seen[region_of(r, solid->vertex[i][0])] & REGION_IN_OTHER) != 0)) {
            sli_solid_cut_by_own(job, side, i);
            sli_solid_judge(job, side, i, NULL);
        }
    }
}

void sli_solid_regions(sli_solid_job *job)
{
    const sl_allocator *allocator = &job->hooks.allocator;
    const size_t count = job->vertices.count;
    const regions r = { .parent = sli_alloc_array(allocator, count, sizeof *r.parent),
                        .seen = sli_alloc_array(allocator, count, sizeof *r.seen) };
    if (r.parent == NULL || r.seen == NULL) {
        sli_solid_fails(job);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            r.parent[i] = i;
            r.seen[i] = 0;
        }
        for (int side = 0; side < 2; side++) {
            regions_join(&job->solid[side], &r);
            regions_look(job, side, &r);
        }
        for (int side = 0; side < 2; side++) {
            regions_look_closely(job, side, &r);
        }
    }
    sli_free_array(allocator, r.parent, count, sizeof *r.parent);
    sli_free_array(allocator, r.seen, count, sizeof *r.seen);
}
