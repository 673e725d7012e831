/* Whether two solids have the same triangles, in any order: copies in one place, of which each
 * triangle would meet a dozen others.  Then both winding numbers are the same everywhere. */
#include "bvh/contact/solid/judge.h"
#include "lib/base/memory.h"

#include <string.h>

/* No more triangles than this may have their lowest vertex in common, and of no more it is tried
 * whether they tell that there is a point in the solids. */
enum { SAME_VERTEX_MAX = 64, SAME_TRIES = 64 };

/* A triangle from its lowest vertex on. */
typedef struct corner {
    uint32_t next[2];
    int32_t count; /* 1 of the first solid, -1 of the second */
} corner;

/* False where a triangle is flat. */
static bool corner_of(const sli_solid *solid, uint32_t triangle, int32_t count, uint32_t *lowest,
                      corner *out)
{
    const uint32_t *v = solid->vertex[triangle];
    const int low = v[0] < v[1] && v[0] < v[2] ? 0 : v[1] < v[2] ? 1 : 2;
    *lowest = v[low];
    *out = (corner){ { v[(low + 1) % 3], v[(low + 2) % 3] }, count };
    return (solid->state[triangle] & SLI_SOLID_FLAT) == 0;
}

/* Collects the corners at each vertex: those of vertex i are at start[i] .. start[i + 1] - 1. */
static void corners_collect(const sli_solid_job *job, uint32_t *start, corner *corners)
{
    const size_t vertex_count = job->vertices.count;
    memset(start, 0, (vertex_count + 1) * sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (int side = 0; side < 2; side++) {
            for (uint32_t i = 0; i < job->solid[side].count; i++) {
                uint32_t lowest;
                corner at;
                if (!corner_of(&job->solid[side], i, side == 0 ? 1 : -1, &lowest, &at)) {
                    continue;
                }
                if (pass == 0) {
                    start[lowest + 1]++;
                } else {
                    corners[start[lowest]++] = at;
                }
            }
        }
        for (size_t i = 0; i < vertex_count && pass == 0; i++) {
            start[i + 1] += start[i];
        }
    }
    memmove(start + 1, start, vertex_count * sizeof *start);
    start[0] = 0;
}

/* Whether those at one vertex cancel: each is added to the first one that is like it. */
static bool corners_cancel(corner *corners, size_t count)
{
    for (size_t i = 0; i < count && count <= SAME_VERTEX_MAX; i++) {
        size_t first = 0;
        while (memcmp(corners[first].next, corners[i].next, sizeof corners[i].next) != 0) {
            first++;
        }
        corners[first].count += first < i ? corners[i].count : 0;
        corners[i].count = first < i ? 0 : corners[i].count;
    }
    for (size_t i = 0; i < count; i++) {
        if (count > SAME_VERTEX_MAX || corners[i].count != 0) {
            return false;
        }
    }
    return true;
}

static bool have_same_bounds(const sli_solid_job *job)
{
    const sl_aabb_d a = sl_bvh_bounds(job->solid[0].bvh), b = sl_bvh_bounds(job->solid[1].bvh);
    return memcmp(&a, &b, sizeof a) == 0 && job->solid[0].count == job->solid[1].count;
}

static bool all_cancel(sli_solid_job *job)
{
    const sl_allocator *allocator = &job->hooks.allocator;
    const size_t vertices = job->vertices.count, count = 2 * (size_t)job->solid[0].count;
    uint32_t *start = sli_alloc_array(allocator, vertices + 1, sizeof *start);
    corner *corners = sli_alloc_large(allocator, count, sizeof *corners);
    bool same = start != NULL && corners != NULL;
    if (same) {
        corners_collect(job, start, corners);
    } else {
        sli_solid_fails(job);
    }
    for (size_t i = 0; i < vertices && same; i++) {
        same = corners_cancel(corners + start[i], start[i + 1] - start[i]);
    }
    sli_free_array(allocator, start, vertices + 1, sizeof *start);
    sli_free_array(allocator, corners, count, sizeof *corners);
    return same;
}

bool sli_solids_are_same(sli_solid_job *job)
{
    if (!have_same_bounds(job) || !all_cancel(job)) {
        return false;
    }
    for (uint32_t i = 0, tries = 0; i < job->solid[0].count && tries < SAME_TRIES; i++) {
        if ((job->solid[0].state[i] & SLI_SOLID_FLAT) == 0) {
            sl_triangle_d corners;
            sli_solid_corners(&job->solid[0], &job->vertices, i, &corners);
            sli_pieces_begin(&job->pieces, &corners);
            sli_solid_judge(job, 0, i, NULL);
            tries++;
        }
        if (job->result != SL_OK || (job->both && job->meet)) {
            return job->result == SL_OK;
        }
    }
    return false;
}
