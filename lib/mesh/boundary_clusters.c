/* boundary_clusters.c: the tree of clusters over the edges of a boundary, for queries that ask only
 * whether a point is inside (bvh/kernel/plain/boundary.inl; docs/notes/inside.md).
 *
 * All clusters of a level have as many edges, but for one, so that nothing has to be stored about
 * the shape of the tree: edges are sorted along the axis on which their middles lie farthest apart,
 * and halved, twice for each level.  What is sorted are words, so the time does not depend on where
 * edges lie. */
#include "lib/mesh/boundary.h"

#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"

#include <math.h>
#include <string.h>

/* A cluster of the last level has 2 to LEAF_EDGES edges.  A boundary of at most FEW_EDGES has no
 * clusters, and its edges are summed one by one. */
enum { LEAF_EDGES = 8, FEW_EDGES = 4 * LEAF_EDGES, INSERTED = 64 };

typedef struct clustering {
    sl_boundary *boundary;
    uint32_t *keys, *scratch;
} clustering;

/* Rises with the number. */
static uint32_t clusters_key(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

static float clusters_middle(const sli_boundary_edge *edge, int axis)
{
    return 0.5f * edge->from[axis] + 0.5f * edge->to[axis];
}

static void clusters_insert(const uint32_t *keys, uint32_t *order, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint32_t edge = order[i];
        size_t at = i;
        for (; at > 0 && keys[order[at - 1]] > keys[edge]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = edge;
    }
}

/* Sorts edges begin .. end - 1 of the order along their widest axis. */
static void clusters_sort(const clustering *c, size_t begin, size_t end)
{
    const sli_boundary_edge *edges = c->boundary->edges;
    uint32_t *order = c->boundary->order + begin;
    float widest = -1;
    int along = 0;
    for (int axis = 0; axis < 3; axis++) {
        float min = INFINITY, max = -INFINITY;
        for (size_t i = 0; i < end - begin; i++) {
            const float middle = clusters_middle(&edges[order[i]], axis);
            min = middle < min ? middle : min;
            max = middle > max ? middle : max;
        }
        if (max - min > widest) {
            widest = max - min;
            along = axis;
        }
    }
    for (size_t i = 0; i < end - begin; i++) {
        c->keys[order[i]] = clusters_key(clusters_middle(&edges[order[i]], along));
    }
    if (end - begin <= INSERTED) {
        clusters_insert(c->keys, order, end - begin);
    } else {
        sli_sort_words(c->keys, 1, order, c->scratch, end - begin, NULL);
    }
}

/* The middle of the box of the edges' ends, and a ball around it. */
static void clusters_ball(const clustering *c, size_t begin, size_t end, double centre[3],
                          double *radius)
{
    const sl_boundary *b = c->boundary;
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        float min = INFINITY, max = -INFINITY;
        for (size_t i = begin; i < end; i++) {
            const sli_boundary_edge *edge = &b->edges[b->order[i]];
            const float low = fminf(edge->from[axis], edge->to[axis]);
            const float high = fmaxf(edge->from[axis], edge->to[axis]);
            min = low < min ? low : min;
            max = high > max ? high : max;
        }
        centre[axis] = ((double)min + (double)max) / 2;
    }
    for (size_t i = begin; i < end; i++) {
        const sli_boundary_edge *edge = &b->edges[b->order[i]];
        for (int e = 0; e < 2; e++) {
            double away = 0;
            for (int axis = 0; axis < 3; axis++) {
                const double v = (double)(e == 0 ? edge->from : edge->to)[axis] - centre[axis];
                away += v * v;
            }
            square = away > square ? away : square;
        }
    }
    *radius = sqrt(square) * (1 + 0x1p-40);
}

typedef struct cluster_size {
    double count, length; /* of edges, and of them along y and z */
} cluster_size;

/* Adds one edge to the sums of cluster k.  Along an edge the mean of v_i v_k is that of its middle
 * plus a twelfth of the product of its extents; |v|^3 is convex, so its mean is at most that of the
 * two ends. */
static void clusters_add(sli_boundary_block *b, int k, const sli_boundary_edge *edge,
                         cluster_size *size)
{
    double v[3], d[3], from = 0, to = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double start = (double)edge->from[axis] - b->centre[axis][k];
        const double stop = (double)edge->to[axis] - b->centre[axis][k];
        v[axis] = (start + stop) / 2;
        d[axis] = (double)edge->to[axis] - (double)edge->from[axis];
        from += start * start;
        to += stop * stop;
    }
    const double count = edge->count, length = count * sqrt(d[1] * d[1] + d[2] * d[2]);
    size->count += count;
    size->length += length;
    b->third[k] += length * (from * sqrt(from) + to * sqrt(to)) / 2;
    for (int over = 0; over < 2; over++) {
        const double weight = count * d[over + 1];
        int pair = 0;
        b->length[over][k] += weight;
        for (int i = 0; i < 3; i++) {
            b->first[i][over][k] += weight * v[i];
            for (int j = i; j < 3; j++, pair++) {
                const double half = i == j ? 0.5 : 1;
                b->second[pair][over][k] += half * weight * (v[i] * v[j] + d[i] * d[j] / 12);
            }
        }
    }
}

/* Sorts a block's edges into its four clusters, and sums these up.  Not inlined, since its caller
 * changes the floating-point environment around it. */
SLI_NOINLINE static void clusters_fill(const clustering *c, int level, uint64_t index)
{
    sl_boundary *b = c->boundary;
    sli_boundary_block *block = &b->blocks[sli_boundary_blocks_before(level) + index];
    size_t at[5];
    *block = (sli_boundary_block){ .radius = { 0 } };
    for (uint64_t k = 0; k < 5; k++) {
        at[k] = sli_boundary_first(b->info.edge_count, level + 1, 4 * index + k);
    }
    clusters_sort(c, at[0], at[4]);
    clusters_sort(c, at[0], at[2]);
    clusters_sort(c, at[2], at[4]);
    for (int k = 0; k < 4; k++) {
        cluster_size size = { 0, 0 };
        double centre[3];
        clusters_ball(c, at[k], at[k + 1], centre, &block->radius[k]);
        for (int axis = 0; axis < 3; axis++) {
            block->centre[axis][k] = centre[axis];
        }
        for (size_t i = at[k]; i < at[k + 1]; i++) {
            clusters_add(block, k, &b->edges[b->order[i]], &size);
        }
        block->rounding[k] =
            size.length / (2 * block->radius[k]) * (0x1p-40 + size.count * 0x1p-46) +
            size.count * 0x1p-46;
    }
}

static void clusters_build(const clustering *c, sli_stage *stage)
{
    const sl_boundary *b = c->boundary;
    for (int level = 0; level < b->levels; level++) {
        const uint64_t blocks = (uint64_t)1 << 2 * level;
        const uint64_t step = 1 + SLI_STAGE_ITEMS * blocks / b->info.edge_count;
        for (uint64_t i = 0; i < blocks; i++) {
            if (i % step == 0 && sli_stage_stops(stage)) {
                return;
            }
            SLI_DO_IN_FPENV(clusters_fill(c, level, i));
        }
    }
}

/* What the sum of sli_boundary_turns may be off by, besides 2^-52 of itself, which callers add.
 * Turns are at most pi, so that with n of them each error that sli_two_sum leaves is at most
 * n pi 2^-53, the sum of the first i of these is rounded by i n pi 2^-106, and all of them by
 * n^3 2^-105.  The rest is room. */
SLI_NOINLINE static double clusters_slack(const sl_boundary *boundary)
{
    double sum = 0;
    for (size_t i = 0; i < boundary->info.edge_count; i++) {
        sum += boundary->edges[i].count;
    }
    return 0x1p-36 + sum * sum * sum * 0x1p-103;
}

sl_result sli_boundary_cluster(sl_boundary *b, sli_stage *stage)
{
    const size_t count = b->info.edge_count;
    clustering c = { .boundary = b };
    if (count <= FEW_EDGES) {
        return SL_OK;
    }
    while ((uint64_t)LEAF_EDGES << 2 * b->levels < count) {
        b->levels++;
    }
    b->block_count = sli_boundary_blocks_before(b->levels);
    b->blocks = sli_alloc_array(&b->allocator, b->block_count, sizeof *b->blocks);
    b->order = sli_alloc_array(&b->allocator, count, sizeof *b->order);
    c.keys = sli_alloc_array(&b->allocator, count, sizeof *c.keys);
    c.scratch = sli_alloc_array(&b->allocator, count, sizeof *c.scratch);
    const bool had = b->blocks != NULL && b->order != NULL && c.keys != NULL && c.scratch != NULL;
    if (had) {
        for (size_t i = 0; i < count; i++) {
            b->order[i] = (uint32_t)i;
        }
        clusters_build(&c, stage);
        b->slack = SLI_IN_FPENV(clusters_slack(b));
    }
    sli_free_array(&b->allocator, c.scratch, count, sizeof *c.scratch);
    sli_free_array(&b->allocator, c.keys, count, sizeof *c.keys);
    return !had ? SL_OUT_OF_MEMORY : stage->stopped ? SL_CANCELLED : SL_OK;
}
