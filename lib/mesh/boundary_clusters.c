/* boundary_clusters.c: the tree of clusters over the caps of a boundary, for queries that ask only
 * whether a point is inside (bvh/kernel/plain/boundary.inl; docs/notes/inside.md).
 *
 * All clusters of a level have as many caps, but for one, so that nothing has to be stored about
 * the shape of the tree: caps are sorted along the axis on which their middles lie farthest apart,
 * or by size where that differs by more, and halved, twice for each level.  What is sorted are
 * words, so the time does not depend on where caps lie. */
#include "lib/mesh/boundary.h"

#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"

#include <math.h>
#include <string.h>

/* A cluster of the last level has 2 to LEAF_CAPS caps. */
enum { LEAF_CAPS = 8, INSERTED = 64 };

typedef struct clustering {
    sl_boundary *boundary;
    const sli_boundary_cap *caps; /* in the order in which they were made */
    uint32_t *order, *keys, *scratch;
} clustering;

/* Rises with the number. */
static uint32_t clusters_key(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

/* Where a cap is on an axis; and on axis 3 its size, thrice, so that no large cap makes the ball of
 * a cluster of small ones large. */
static float clusters_place(const sli_boundary_cap *cap, int axis)
{
    const float(*v)[4] = cap->corners;
    float size = 0;
    if (axis < 3) {
        return 0.25f * v[0][axis] + 0.25f * v[1][axis] + 0.25f * v[2][axis];
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const float side = 0.25f * v[i][k] - 0.25f * v[(i + 1) % 3][k];
            size = side > size ? side : -side > size ? -side : size;
        }
    }
    return 3 * size;
}

static void clusters_insert(const uint32_t *keys, uint32_t *order, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint32_t cap = order[i];
        size_t at = i;
        for (; at > 0 && keys[order[at - 1]] > keys[cap]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = cap;
    }
}

/* Sorts caps begin .. end - 1 of the order along the axis on which they differ most. */
static void clusters_sort(const clustering *c, size_t begin, size_t end)
{
    uint32_t *order = c->order + begin;
    float widest = -1;
    int along = 0;
    for (int axis = 0; axis < 4; axis++) {
        float min = INFINITY, max = -INFINITY;
        for (size_t i = 0; i < end - begin; i++) {
            const float at = clusters_place(&c->caps[order[i]], axis);
            min = at < min ? at : min;
            max = at > max ? at : max;
        }
        if (max - min > widest) {
            widest = max - min;
            along = axis;
        }
    }
    for (size_t i = 0; i < end - begin; i++) {
        c->keys[order[i]] = clusters_key(clusters_place(&c->caps[order[i]], along));
    }
    if (end - begin <= INSERTED) {
        clusters_insert(c->keys, order, end - begin);
    } else {
        sli_sort_words(c->keys, 1, order, c->scratch, end - begin, NULL);
    }
}

/* The bounds of caps begin .. end - 1, their middle, and a ball around it. */
static void clusters_bound(const clustering *c, size_t begin, size_t end, sli_boundary_block *b,
                           int k)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        float min = INFINITY, max = -INFINITY;
        for (size_t i = begin; i < end; i++) {
            for (int v = 0; v < 3; v++) {
                const float x = c->caps[c->order[i]].corners[v][axis];
                min = x < min ? x : min;
                max = x > max ? x : max;
            }
        }
        b->centre[axis][k] = ((double)min + (double)max) / 2;
        b->high[axis][k] = max;
        if (axis > 0) {
            b->low[axis - 1][k] = min;
        }
    }
    for (size_t i = begin; i < end; i++) {
        for (int v = 0; v < 3; v++) {
            double away = 0;
            for (int axis = 0; axis < 3; axis++) {
                const double x = (double)c->caps[c->order[i]].corners[v][axis] - b->centre[axis][k];
                away += x * x;
            }
            square = away > square ? away : square;
        }
    }
    b->radius[k] = sqrt(square) * (1 + 0x1p-40);
}

#define QUARTER_OF_PI 0x1.921fb54442d18p-1 /* of which 16 go into 4 pi */

/* Sums over caps; second is of n_i v_j, third of n_i v_j v_k. */
typedef struct cluster_sums {
    double area, cut, first[3], second[3][3], third[3][3][3];
} cluster_sums;

/* Over a triangle with the corners v and the middle g the mean of v_j v_k is a twelfth of the sum
 * over the corners and of 9 g_j g_k; |v|^3 is convex, so its mean is at most the corners' mean. */
static void clusters_add(const sli_boundary_cap *cap, const double centre[3], cluster_sums *sums)
{
    double v[3][3], middle[3], normal[3], cubes = 0;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            v[i][axis] = (double)cap->corners[i][axis] - centre[axis];
        }
        const double square = v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2];
        cubes += square * sqrt(square);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int y = (axis + 1) % 3, z = (axis + 2) % 3;
        middle[axis] = (v[0][axis] + v[1][axis] + v[2][axis]) / 3;
        normal[axis] = ((v[1][y] - v[0][y]) * (v[2][z] - v[0][z]) -
                        (v[1][z] - v[0][z]) * (v[2][y] - v[0][y])) /
                       (32 * QUARTER_OF_PI);
    }
    const double area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    sums->area += area;
    sums->cut += area * cubes / 3;
    for (int i = 0; i < 3; i++) {
        sums->first[i] += normal[i];
        for (int j = 0; j < 3; j++) {
            sums->second[i][j] += normal[i] * middle[j];
            for (int k = j; k < 3; k++) {
                sums->third[i][j][k] += normal[i] / 12 *
                                        (v[0][j] * v[0][k] + v[1][j] * v[1][k] + v[2][j] * v[2][k] +
                                         9 * middle[j] * middle[k]);
            }
        }
    }
}

/* n_i v_j v_k in whichever order, summed over the three places of n. */
static double clusters_third(const cluster_sums *s, int i, int j, int k)
{
    double sum = 0;
    const int at[3] = { i, j, k };
    for (int n = 0; n < 3; n++) {
        const int p = at[(n + 1) % 3], q = at[(n + 2) % 3];
        sum += s->third[at[n]][p < q ? p : q][p < q ? q : p];
    }
    return sum;
}

/* The moments of cluster k.  A form's part that has a factor x^2 + y^2 + z^2 is left out: of the
 * second moments a third of their trace, of the third ones a fifth of the trace in each direction,
 * three times, by symmetry. */
static void clusters_moments(const cluster_sums *s, sli_boundary_block *b, int k)
{
    static const int places[10][3] = { { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 2 }, { 0, 1, 1 },
                                       { 1, 1, 1 }, { 1, 1, 2 }, { 0, 2, 2 }, { 1, 2, 2 },
                                       { 2, 2, 2 }, { 0, 1, 2 } };
    const double trace = (s->second[0][0] + s->second[1][1] + s->second[2][2]) / 3;
    double along[3];
    for (int i = 0; i < 3; i++) {
        const int low = i == 2, high = i == 0 ? 1 : 2; /* xy, xz, yz */
        along[i] =
            (clusters_third(s, i, 0, 0) + clusters_third(s, i, 1, 1) + clusters_third(s, i, 2, 2)) /
            5;
        b->first[i][k] = s->first[i];
        b->second[i][k] = -3 * (s->second[i][i] - trace);
        b->second[3 + i][k] = -3 * (s->second[low][high] + s->second[high][low]);
    }
    for (int p = 0; p < 10; p++) {
        const int *at = places[p];
        const bool same = at[0] == at[2], pair = at[0] == at[1] || at[1] == at[2];
        /* The direction that is there once, or three times. */
        const int odd = at[0] == at[1] ? at[2] : at[0];
        const double part =
            clusters_third(s, at[0], at[1], at[2]) - (pair ? along[odd] : 0) * (same ? 3 : 1);
        b->third[p][k] = 2.5 * part * (same ? 1 : pair ? 3 : 6);
    }
}

/* Sorts a block's caps into its four clusters, and sums these up.  Not inlined, since its caller
 * changes the floating-point environment around it. */
SLI_NOINLINE static void clusters_fill(const clustering *c, int level, uint64_t index)
{
    sli_boundary_block *block = &c->boundary->blocks[sli_boundary_blocks_before(level) + index];
    size_t at[5];
    *block = (sli_boundary_block){ .radius = { 0 } };
    for (uint64_t k = 0; k < 5; k++) {
        at[k] = sli_boundary_first(c->boundary->cap_count, level + 1, 4 * index + k);
    }
    clusters_sort(c, at[0], at[4]);
    clusters_sort(c, at[0], at[2]);
    clusters_sort(c, at[2], at[4]);
    for (int k = 0; k < 4; k++) {
        cluster_sums sums = { .area = 0 };
        clusters_bound(c, at[k], at[k + 1], block, k);
        const double centre[3] = { block->centre[0][k], block->centre[1][k], block->centre[2][k] };
        const double count = (double)(at[k + 1] - at[k]);
        for (size_t i = at[k]; i < at[k + 1]; i++) {
            clusters_add(&c->caps[c->order[i]], centre, &sums);
        }
        clusters_moments(&sums, block, k);
        block->cut[k] = sums.cut * (1 + 0x1p-20);
        block->rounding[k] =
            sums.area / (block->radius[k] * block->radius[k]) * (0x1p-38 + count * 0x1p-44) +
            count * 0x1p-46;
    }
}

static void clusters_build(const clustering *c, sli_stage *stage)
{
    const sl_boundary *b = c->boundary;
    for (int level = 0; level < b->levels; level++) {
        const uint64_t blocks = (uint64_t)1 << 2 * level;
        const uint64_t step = 1 + SLI_STAGE_ITEMS * blocks / b->cap_count;
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

/* Puts the caps into the order, in place of those that were made. */
static bool clusters_arrange(const clustering *c)
{
    sl_boundary *b = c->boundary;
    sli_boundary_cap *placed = sli_alloc_array(&b->allocator, b->cap_count, sizeof *placed);
    if (placed == NULL) {
        return false;
    }
    for (size_t i = 0; i < b->cap_count; i++) {
        placed[i] = b->caps[c->order[i]];
    }
    sli_free_array(&b->allocator, b->caps, b->cap_capacity, sizeof *b->caps);
    b->caps = placed;
    b->cap_capacity = b->cap_count;
    return true;
}

sl_result sli_boundary_cluster(sl_boundary *b, sli_stage *stage)
{
    const size_t count = b->cap_count;
    clustering c = { .boundary = b, .caps = b->caps };
    while ((uint64_t)LEAF_CAPS << 2 * b->levels < count) {
        b->levels++;
    }
    b->block_count = sli_boundary_blocks_before(b->levels);
    b->blocks = sli_alloc_array(&b->allocator, b->block_count, sizeof *b->blocks);
    c.order = sli_alloc_array(&b->allocator, count, 3 * sizeof *c.order);
    bool had = b->blocks != NULL && c.order != NULL;
    if (had) {
        c.keys = c.order + count;
        c.scratch = c.order + 2 * count;
        for (size_t i = 0; i < count; i++) {
            c.order[i] = (uint32_t)i;
        }
        clusters_build(&c, stage);
        b->slack = SLI_IN_FPENV(clusters_slack(b));
        had = clusters_arrange(&c);
    }
    sli_free_array(&b->allocator, c.order, count, 3 * sizeof *c.order);
    return !had ? SL_OUT_OF_MEMORY : stage->stopped ? SL_CANCELLED : SL_OK;
}
