/* boundary_caps.c: a surface that spans the boundary, for the clusters of boundary_clusters.c.
 *
 * Triangles have closed outlines, so at each position as many edges of the boundary end as begin,
 * and a walk along edges that are not used up comes back to where it was: what lies between is a
 * loop without repeated positions, which is cut off.  Corners are cut off a loop in rounds, each by
 * a triangle, so that nearly all triangles are about as small as its edges.  The shape of the
 * surface decides no answer. */
#include "lib/mesh/boundary.h"

#include "lib/base/fpenv.h"
#include "lib/base/memory.h"

#include <math.h>
#include <string.h>

typedef struct spanning {
    sl_boundary *boundary;
    const uint32_t (*ends)[2];
    uint32_t *first, *next; /* edges that begin at each position, SL_NONE behind the last */
    uint32_t *left;         /* how often each edge is still to be used */
    uint32_t *path;         /* edges from the start to where the walk is */
    uint32_t *step;         /* 1 + the place in the path of the edge that begins there, or 0 */
    size_t taken, made;
} spanning;

static void caps_corner(const spanning *s, uint32_t edge, float corner[4])
{
    memcpy(corner, s->boundary->edges[edge].from, 3 * sizeof *corner);
    corner[3] = 0;
}

/* The length, squared, of the side that leaves out corner i of a loop. */
static float caps_side(const spanning *s, const uint32_t *loop, size_t count, size_t i)
{
    const float *a = s->boundary->edges[loop[i > 0 ? i - 1 : count - 1]].from;
    const float *b = s->boundary->edges[loop[i + 1 < count ? i + 1 : 0]].from;
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float x = 0x1p-66f * a[axis] - 0x1p-66f * b[axis];
        sum += x * x;
    }
    return sum;
}

static void caps_cut(spanning *s, uint32_t before, uint32_t at, uint32_t behind)
{
    sli_boundary_cap *cap = &s->boundary->caps[s->made++];
    caps_corner(s, before, cap->corners[0]);
    caps_corner(s, at, cap->corners[1]);
    caps_corner(s, behind, cap->corners[2]);
}

/* Cuts corners off a loop, no two neighbours, and not the first one: those whose new sides are
 * shorter than those of their neighbours, or every second one.  Returns how many are left. */
static size_t caps_round(spanning *s, uint32_t *loop, size_t count, bool shorter)
{
    float before = caps_side(s, loop, count, 0), here = caps_side(s, loop, count, 1);
    size_t kept = 1;
    bool cut = false;
    for (size_t i = 1; i < count; i++) {
        const float behind = i + 1 < count ? caps_side(s, loop, count, i + 1) : INFINITY;
        const bool first = here < before && here <= behind;
        cut = !cut && (first || !shorter) && kept + (count - i) > 2;
        if (cut) {
            caps_cut(s, loop[kept - 1], loop[i], loop[i + 1 < count ? i + 1 : 0]);
        } else {
            loop[kept++] = loop[i];
        }
        before = here;
        here = behind;
    }
    return kept;
}

/* Spans the loop of count edges, which is used up.  Rounds that cut off little are followed by one
 * that cuts off half, so that the time is linear. */
static SLI_NOINLINE void caps_span(spanning *s, uint32_t *loop, size_t count)
{
    for (bool shorter = true; count > 2;) {
        const size_t left = caps_round(s, loop, count, shorter);
        shorter = !shorter || left + count / 8 < count;
        count = left;
    }
}

/* An edge that begins at a position and is not used up; SL_NONE: there is none. */
static uint32_t caps_take(spanning *s, uint32_t position)
{
    uint32_t *edge = &s->first[position];
    while (*edge != SL_NONE && s->left[*edge] == 0) {
        *edge = s->next[*edge];
    }
    if (*edge != SL_NONE) {
        s->left[*edge]--;
    }
    return *edge;
}

/* Walks from a position until no edge is left there. */
static void caps_walk(spanning *s, uint32_t position, sli_stage *stage)
{
    uint32_t size = 0;
    for (uint32_t edge; (edge = caps_take(s, position)) != SL_NONE;) {
        if (sli_stage_stops_at(stage, s->taken++)) {
            return;
        }
        s->step[position] = size + 1;
        s->path[size++] = edge;
        position = s->ends[edge][1];
        if (s->step[position] != 0) {
            const uint32_t begin = s->step[position] - 1;
            for (uint32_t i = begin; i < size; i++) {
                s->step[s->ends[s->path[i]][0]] = 0;
            }
            SLI_DO_IN_FPENV(caps_span(s, s->path + begin, size - begin));
            size = begin;
        }
    }
}

static void caps_make(spanning *s, size_t positions, sli_stage *stage)
{
    const sl_boundary *b = s->boundary;
    memset(s->first, 0xff, positions * sizeof *s->first);
    memset(s->step, 0, positions * sizeof *s->step);
    for (size_t i = b->info.edge_count; i-- > 0;) {
        s->next[i] = s->first[s->ends[i][0]];
        s->first[s->ends[i][0]] = (uint32_t)i;
        s->left[i] = b->edges[i].count;
    }
    for (size_t i = 0; i < b->info.edge_count && !stage->stopped; i++) {
        caps_walk(s, s->ends[i][0], stage);
    }
}

sl_result sli_boundary_span(sl_boundary *b, const uint32_t (*ends)[2], size_t positions,
                            sli_stage *stage)
{
    const size_t count = b->info.edge_count;
    uint32_t *of_edges = sli_alloc_array(&b->allocator, count, 3 * sizeof *of_edges);
    uint32_t *of_positions = sli_alloc_array(&b->allocator, positions, 2 * sizeof *of_positions);
    b->cap_capacity = 0;
    for (size_t i = 0; i < count; i++) {
        b->cap_capacity += b->edges[i].count;
    }
    b->caps = sli_alloc_array(&b->allocator, b->cap_capacity, sizeof *b->caps);
    const bool had = of_edges != NULL && of_positions != NULL && b->caps != NULL;
    if (had) {
        spanning s = { .boundary = b,
                       .ends = ends,
                       .first = of_positions,
                       .step = of_positions + positions,
                       .next = of_edges,
                       .left = of_edges + count,
                       .path = of_edges + 2 * count };
        caps_make(&s, positions, stage);
        b->cap_count = s.made;
    }
    sli_free_array(&b->allocator, of_positions, positions, 2 * sizeof *of_positions);
    sli_free_array(&b->allocator, of_edges, count, 3 * sizeof *of_edges);
    return !had ? SL_OUT_OF_MEMORY : stage->stopped ? SL_CANCELLED : SL_OK;
}
