/* A frustum, the intersection of half-spaces n . x <= d, against a convex body with vertices: for
 * boxes and triangles.
 *
 * By duality of linear programming (Farkas) they are apart exactly if some sum of the half-spaces
 * with weights y >= 0, which is again a half-space N . x <= D that contains the frustum, misses the
 * body: the minimum of N . x over the body is above D.  It is enough to try the sums that cannot do
 * with fewer planes; their weights follow from what N has to be parallel to:
 *   1 plane   itself;
 *   2 planes  N parallel to an edge e of the body: y = |n2.e|, |n1.e|, of opposite signs;
 *   3 planes  N parallel to two edges e, f: y are the minors of the (n.e, n.f), of one sign;
 *   4 planes  N = 0, the frustum itself is empty: y are the minors of the normals, of one sign.
 * (In coordinates t along the edges of a box the half-spaces have the normals (n.e0, n.e1, n.e2); a
 * smallest contradictory set of them and of limits on t has normals with one linear relation; a
 * limit on t_i takes part just where the sum is not parallel to edge i.  A triangle has the two
 * coordinates along its edges and three limits, one for each edge.)
 *
 * So planes that meet far from the body, vertices of the frustum, and unbounded, flat and empty
 * frusta need no special care.  Planes that have all of the body behind them are left out.
 * Degrees: a box of any orientation 7, a triangle 6, others less.
 * Source   Farkas' lemma: Schrijver, Theory of Linear and Integer Programming (1986), 7.3. */
#include "lib/geom/overlap/frustum.h"
#include "lib/geom/exact/valid.h"

#include "lib/base/inline.h"
#include "lib/geom/convex/support.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/overlap_d.h"

typedef struct problem {
    const sl_frustum_d *frustum;
    int count;                        /* number of planes that cut the body */
    int index[SL_FRUSTUM_PLANES_MAX]; /* in the frustum */
    sli_support support;
} problem;

void sli_half_space_make(const sl_plane_d *plane, bool exact, sli_half_space *out)
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(plane->normal[axis], exact, &out->normal[axis]);
    }
    sli_number_set(plane->offset, exact, &out->offset);
}

/* Planes are made where they are needed, too. */
static void half_space_of(const problem *p, int plane, sli_half_space *out)
{
    sli_half_space_make(&p->frustum->plane[p->index[plane]], p->support.exact, out);
}

static void frustum_sharpen(void *context, bool exact)
{
    problem *p = context;
    p->support.exact = exact;
}

/* Whether the sum of count planes with the absolute values of the given weights misses the body. */
static sli_tribool sum_misses(const problem *p, int count, const int *plane, sli_number *weight)
{
    sli_number normal[3], offset, term;
    for (int i = 0; i < count; i++) {
        sli_half_space h;
        half_space_of(p, plane[i], &h);
        sli_number_turn(&weight[i], weight[i].value < 0 ? -1 : 1);
        for (int axis = 0; axis < 4; axis++) {
            sli_number *sum = axis < 3 ? &normal[axis] : &offset;
            if (i == 0) {
                sli_number_set(0, weight[i].n >= 0, sum);
            }
            sli_number_mul(&weight[i], axis < 3 ? &h.normal[axis] : &h.offset, &term);
            sli_number_add(sum, &term, sum);
        }
    }
    sli_extent extent;
    sli_support_extent(&p->support, normal, &extent);
    return sli_extent_above(&extent, &offset);
}

/* Whether the weights are all positive or all negative; for turn = -1, after negating every second
 * one. */
static sli_tribool of_one_sign(int count, const sli_number *weight, int turn)
{
    sli_tribool positive = SLI_YES, negative = SLI_YES;
    for (int i = 0; i < count; i++) {
        const bool turned = turn < 0 && i % 2 == 1;
        const sli_tribool above = sli_is_positive(&weight[i]), below = sli_is_negative(&weight[i]);
        positive = sli_and(positive, turned ? below : above);
        negative = sli_and(negative, turned ? above : below);
    }
    return positive > negative ? positive : negative;
}

static SLI_NOINLINE sli_tribool pair_misses(const problem *p, const int *plane, int edge)
{
    sli_number slope[2], along[3];
    sli_support_edge(&p->support, edge, along);
    for (int i = 0; i < 2; i++) {
        sli_half_space h;
        half_space_of(p, plane[1 - i], &h);
        sli_number_dot(h.normal, along, &slope[i]);
    }
    const sli_tribool opposite = of_one_sign(2, slope, -1);
    return opposite == SLI_NO ? SLI_NO : sli_and(opposite, sum_misses(p, 2, plane, slope));
}

/* Of each plane the weight with which the normals of all three add up across two edges.  Not
 * inlined, so that these numbers are off the stack when the sum is asked. */
static SLI_NOINLINE void triple_weights(const problem *p, const int *plane, int edge,
                                        sli_number weight[3])
{
    sli_number slope[3][2], along[2][3];
    for (int k = 0; k < 2; k++) {
        sli_support_edge(&p->support, (edge + k) % 3, along[k]);
    }
    for (int i = 0; i < 3; i++) {
        sli_half_space h;
        half_space_of(p, plane[i], &h);
        for (int k = 0; k < 2; k++) {
            sli_number_dot(h.normal, along[k], &slope[i][k]);
        }
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sli_number left, right;
        sli_number_mul(&slope[j][0], &slope[k][1], &left);
        sli_number_mul(&slope[j][1], &slope[k][0], &right);
        sli_number_sub(&left, &right, &weight[i]);
    }
}

static SLI_NOINLINE sli_tribool triple_misses(const problem *p, const int *plane, int edge)
{
    sli_number weight[3];
    triple_weights(p, plane, edge, weight);
    const sli_tribool same = of_one_sign(3, weight, 1);
    return same == SLI_NO ? SLI_NO : sli_and(same, sum_misses(p, 3, plane, weight));
}

/* The normal of the sum is zero, so only its offset counts. */
static SLI_NOINLINE void quad_weights(const problem *p, const int *plane, sli_number weight[4])
{
    sli_half_space h[4];
    for (int i = 0; i < 4; i++) {
        half_space_of(p, plane[i], &h[i]);
    }
    for (int i = 0; i < 4; i++) {
        sli_number across[3];
        sli_number_cross(h[i > 0 ? 0 : 1].normal, h[i > 1 ? 1 : 2].normal, across);
        sli_number_dot(across, h[i > 2 ? 2 : 3].normal, &weight[i]);
    }
}

static SLI_NOINLINE sli_tribool quad_misses(const problem *p, const int *plane)
{
    sli_number weight[4], sum, term;
    quad_weights(p, plane, weight);
    const sli_tribool alternating = of_one_sign(4, weight, -1);
    if (alternating == SLI_NO) {
        return SLI_NO;
    }
    sli_number_set(0, weight[0].n >= 0, &sum);
    for (int i = 0; i < 4; i++) {
        sli_half_space h;
        half_space_of(p, plane[i], &h);
        sli_number_turn(&weight[i], weight[i].value < 0 ? -1 : 1);
        sli_number_mul(&weight[i], &h.offset, &term);
        sli_number_add(&sum, &term, &sum);
    }
    return sli_and(alternating, sli_is_negative(&sum));
}

/* test = 3 * (a bit mask of planes) + an edge. */
static sli_tribool frustum_answer(void *context, int test)
{
    const problem *p = context;
    const int set = test / 3, edge = test % 3;
    int plane[SL_FRUSTUM_PLANES_MAX], count = 0;
    for (int i = 0; i < p->count; i++) {
        if ((set >> i & 1) != 0) {
            plane[count++] = i;
        }
    }
    const bool once = edge == 0, box = p->support.body->box;
    switch (count) {
    case 2:
        return pair_misses(p, plane, edge);
    case 3:
        return once || box ? triple_misses(p, plane, edge) : SLI_NO;
    case 4:
        return once && box ? quad_misses(p, plane) : SLI_NO;
    default: /* single planes have been tested by gather */
        return SLI_NO;
    }
}

/* Whether the body is in front of one plane, which becomes number count of those kept; *behind:
 * whether it is behind it. */
static sli_tribool test_plane(problem *p, int plane, sli_tribool *behind)
{
    sli_half_space h;
    sli_extent extent;
    p->index[p->count] = plane;
    half_space_of(p, p->count, &h);
    sli_support_extent(&p->support, h.normal, &extent);
    sli_number gap;
    sli_number_sub(&extent.high, &h.offset, &gap);
    *behind = sli_and(sli_not(sli_is_positive(&gap)), sli_not(extent.no_high));
    return sli_extent_above(&extent, &h.offset);
}

/* True if a single plane has the body in front.  Otherwise gathers the planes that cut the body. */
static bool frustum_gather(problem *p)
{
    p->count = 0;
    for (int i = 0; i < (int)p->frustum->count; i++) {
        sli_tribool behind;
        sli_tribool front = test_plane(p, i, &behind);
        if (front == SLI_UNSURE || behind == SLI_UNSURE) {
            frustum_sharpen(p, true);
            front = test_plane(p, i, &behind);
        }
        if (front == SLI_YES) {
            return true;
        }
        p->count += behind == SLI_YES ? 0 : 1;
    }
    return false;
}

/* Three points of the body, up to rounding: the vertices of a triangle, or three times the middle
 * of a box. */
static void some_points(const sli_body *body, double point[3][3])
{
    for (int i = 0; i < 9; i++) {
        double x = body->point[body->box ? 0 : i / 3][i % 3];
        for (int edge = 0; body->box && edge < 3; edge++) {
            x += body->edge[edge][i % 3] * ((body->low[edge] + body->high[edge]) / 2);
        }
        point[i / 3][i % 3] = x;
    }
}

/* What doubles can decide: a plane with all of the body in front, or a point of the body behind all
 * planes.  Heights are off by less than 20 roundings of the sum of their terms' sizes. */
static sli_tribool filter_meets(const sl_frustum_d *frustum, const sli_body *body)
{
    sli_support_filter support;
    double point[3][3];
    bool inside[3] = { true, !body->box, !body->box };
    sli_support_filter_make(body, &support);
    some_points(body, point);
    for (uint32_t i = 0; i < frustum->count; i++) {
        double n[3], size[3], low, high;
        for (int axis = 0; axis < 3; axis++) {
            n[axis] = frustum->plane[i].normal[axis];
            size[axis] = fabs(n[axis]);
        }
        const double d = frustum->plane[i].offset;
        const double error = 0x1p-48 * (sli_dot(size, support.reach) + fabs(d));
        sli_support_filter_extent(&support, n, &low, &high);
        if (low - d > error) {
            return SLI_NO;
        }
        for (int k = 0; k < 3; k++) {
            inside[k] = inside[k] && sli_dot(n, point[k]) - d < -error;
        }
    }
    return inside[0] || inside[1] || inside[2] ? SLI_YES : SLI_UNSURE;
}

static bool meets_d(const sl_frustum_d *frustum, const sli_body *body)
{
    problem p = { .frustum = frustum, .support = { body, false } };
    const sli_tribool filtered = filter_meets(frustum, body);
    if (filtered != SLI_UNSURE) {
        return filtered == SLI_YES;
    }
    return !frustum_gather(&p) &&
           !sli_any(&(sli_tests){ &p, frustum_answer, frustum_sharpen }, 3 << p.count);
}

static bool frustum_meets(const sl_frustum *frustum, const sli_body *body)
{
    if (!sli_frustum_is_valid(frustum)) {
        return false;
    }
    const sl_frustum_d wide = sli_frustum_d_of(frustum);
    return meets_d(&wide, body);
}

bool sli_frustum_triangle_d(const sl_frustum_d *frustum, const sl_triangle_d *triangle)
{
    sli_body body;
    sli_body_of_triangle_d(triangle, &body);
    return meets_d(frustum, &body);
}

SLI_NOINLINE bool sli_frustum_aabb(const sl_frustum *frustum, const sl_aabb *box)
{
    sli_body body;
    return sli_body_of_aabb(box, &body) && frustum_meets(frustum, &body);
}

SLI_NOINLINE bool sli_frustum_obb(const sl_frustum *frustum, const sl_obb *box)
{
    sli_body body;
    return sli_body_of_obb(box, &body) && frustum_meets(frustum, &body);
}
