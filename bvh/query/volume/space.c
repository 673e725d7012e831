/* Volumes carried to instances: slabs, and the segment of round volumes. */
#include "bvh/query/volume/space.h"

#include "lib/geom/exact/arithmetic/vector.h"

#define EPS 0x1p-53
/* Allowed for rounding, of the sum of all sizes: as in query/volume/filter.h. */
#define SLACK 0x1p-48

/* low and high lie on the outside, the others within. */
static void carry_slab(const struct sli_volume_slab *from, const double c[3],
                       sli_volume_space *space)
{
    struct sli_volume_slab *to = &space->slab[space->count++];
    double at = 0, size = 0, margin = 0;
    for (int axis = 0; axis < 3; axis++) {
        at += from->n[axis] * c[axis];
        size += from->size[axis] * fabs(c[axis]);
        margin += from->size[axis] * space->margin[axis];
    }
    for (int k = 0; k < 3; k++) {
        to->n[k] = to->size[k] = 0;
        for (int axis = 0; axis < 3; axis++) {
            to->n[k] += from->n[axis] * space->m[axis][k];
            to->size[k] += from->size[axis] * fabs(space->m[axis][k]);
        }
    }
    const double slack = SLACK * size + margin * (1 + 0x1p-40);
    to->low = from->low - at - slack - SLACK * fabs(from->low);
    to->high = from->high - at + slack + SLACK * fabs(from->high);
    if (!space->solid) {
        return;
    }
    to->in_low = from->in_low - at + slack;
    to->in_high = from->in_high - at - slack;
    to->in_low += isfinite(from->in_low) ? SLACK * fabs(from->in_low) : 0;
    to->in_high -= isfinite(from->in_high) ? SLACK * fabs(from->in_high) : 0;
}

static void carry_round(const double p[3], const double q[3], double radius, const double c[3],
                        sli_volume_round *out)
{
    out->length2 = 0;
    out->radius = out->size = radius;
    for (int axis = 0; axis < 3; axis++) {
        out->p[axis] = p[axis] - c[axis];
        out->along[axis] = q[axis] - p[axis];
        out->length2 += out->along[axis] * out->along[axis];
        out->size = fmax(out->size, fabs(out->p[axis]) + fabs(out->along[axis]));
    }
}

/* With m and margin set. */
static void space_carry(const sl_volume_d *volume, const sli_volume_filter *filter,
                        const double c[3], sli_volume_space *out)
{
    const sl_sphere_d *sphere = &volume->shape.sphere;
    const sl_capsule_d *capsule = &volume->shape.capsule;
    out->count = 0;
    out->solid = filter->solid;
    out->is_round = volume->kind == SL_VOLUME_SPHERE || volume->kind == SL_VOLUME_CAPSULE;
    for (int i = 0; i < filter->count; i++) {
        carry_slab(&filter->slab[i], c, out);
    }
    if (volume->kind == SL_VOLUME_SPHERE) {
        carry_round(sphere->centre, sphere->centre, sphere->radius, c, &out->round);
    } else if (out->is_round) {
        carry_round(capsule->p, capsule->q, capsule->radius, c, &out->round);
    }
}

void sli_volume_to_object(const sl_volume_d *volume, const sli_volume_filter *filter,
                          const sli_transformed *transformed, sli_volume_space *out)
{
    const sl_aabb *bounds = &transformed->tree->bounds;
    for (int axis = 0; axis < 3; axis++) {
        const double *row = transformed->transform.m[axis];
        double sizes = fabs(row[3]);
        for (int k = 0; k < 3; k++) {
            const double far = fmax(fabs((double)bounds->min[k]), fabs((double)bounds->max[k]));
            out->m[axis][k] = row[k];
            sizes += fabs(row[k]) * far;
        }
        /* Three products and three sums, for a corner and for the centre; half a step. */
        out->margin[axis] = (2 * 4.01 * EPS * sizes + transformed->grid) * (1 + 0x1p-40);
        out->middle[axis] = transformed->middle[axis];
    }
    space_carry(volume, filter, transformed->centre, out);
}

/* Boxes of the top tree are differences from the world's middle, rounded outwards once more. */
void sli_volume_to_top(const sl_volume_d *volume, const sli_volume_filter *filter,
                       const sli_world *world, sli_volume_space *out)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) {
            out->m[axis][k] = axis == k;
        }
        out->margin[axis] = 4 * EPS * (fabs(world->middle[axis]) + world->half) + 0x1p-149;
        out->middle[axis] = 0;
    }
    space_carry(volume, filter, world->middle, out);
}

static float space_below(double x)
{
    return nextafterf((float)fmax(x, -(double)FLT_MAX), -INFINITY);
}

static float space_above(double x)
{
    return nextafterf((float)fmin(x, (double)FLT_MAX), INFINITY);
}

/* What the bounds have in common with all within half of c, seen from there: middle and half.
 * Nothing in common leaves a negative half. */
static void space_clip(const sl_aabb_d *bounds, const double c[3], double half, double at[3],
                       double reach[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double low = fmax(bounds->min[axis] - c[axis], -half);
        const double high = fmin(bounds->max[axis] - c[axis], half);
        at[axis] = 0.5 * (low + high);
        reach[axis] = 0.5 * (high - low) + SLACK * (fabs(c[axis]) + half);
    }
}

sl_aabb sli_volume_object_bounds(const sl_aabb_d *bounds, const sli_transformed *transformed,
                                 const sli_volume_space *space)
{
    double y[3], reach[3];
    sl_aabb out;
    const double *e = space->margin, most = fmax(e[0], fmax(e[1], e[2]));
    const double half = transformed->half + most;
    space_clip(bounds, transformed->centre, half, y, reach);
    const double off = (transformed->share * half + transformed->norm * most) * (1 + 0x1p-40);
    for (int k = 0; k < 3; k++) {
        const double(*columns)[3] = transformed->inverse, x = transformed->middle[k];
        const double a[3] = { columns[0][k], columns[1][k], columns[2][k] };
        if (reach[k] < 0) {
            return sl_aabb_empty();
        }
        const double at = (a[0] * y[0] + a[1] * y[1]) + a[2] * y[2];
        const double far = (fabs(a[0]) * reach[0] + fabs(a[1]) * reach[1]) + fabs(a[2]) * reach[2];
        const double slack = off + SLACK * (transformed->norm * half + fabs(x));
        out.min[k] = space_below(x + at - far - slack);
        out.max[k] = space_above(x + at + far + slack);
    }
    return out;
}

sl_aabb sli_volume_top_bounds(const sl_aabb_d *bounds, const sli_world *world,
                              const sli_volume_space *space)
{
    double y[3], reach[3];
    sl_aabb out;
    space_clip(bounds, world->middle, world->half * (1 + 0x1p-20) + 0x1p-149, y, reach);
    for (int axis = 0; axis < 3; axis++) {
        if (reach[axis] < 0) {
            return sl_aabb_empty();
        }
        out.min[axis] = space_below(y[axis] - reach[axis] - space->margin[axis]);
        out.max[axis] = space_above(y[axis] + reach[axis] + space->margin[axis]);
    }
    return out;
}

/* A box of the tree: its middle, seen from the space's, and half its sizes. */
typedef struct block {
    double at[3], half[3];
} block;

static block block_of(const sli_volume_space *space, const sl_aabb *box)
{
    block b;
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)box->min[axis] - space->middle[axis];
        const double high = (double)box->max[axis] - space->middle[axis];
        b.at[axis] = 0.5 * (low + high);
        b.half[axis] = 0.5 * (high - low);
    }
    return b;
}

static sli_interest by_slabs(const sli_volume_space *space, const block *b)
{
    bool within = space->solid;
    for (int i = 0; i < space->count; i++) {
        const struct sli_volume_slab *s = &space->slab[i];
        double at = 0, reach = 0, sizes = 0;
        for (int axis = 0; axis < 3; axis++) {
            at += s->n[axis] * b->at[axis];
            reach += fabs(s->n[axis]) * b->half[axis];
            sizes += s->size[axis] * (fabs(b->at[axis]) + b->half[axis]);
        }
        const double far = reach + SLACK * sizes;
        if (at - far > s->high || at + far < s->low) {
            return SLI_VISIT_NOT;
        }
        within = within && at - far >= s->in_low && at + far <= s->in_high;
    }
    return within ? SLI_VISIT_ALL : SLI_VISIT_SOME;
}

/* From the point of the segment nearest to the box's middle, d goes there.  Across d the segment
 * and the box are apart if their extents along it are more than the radius apart; any d will do.
 * All of the box is within if its farthest corner, with d and half the box's sizes along each axis,
 * is within the radius of that point. */
static sli_interest by_distance(const sli_volume_space *space, const block *b)
{
    const sli_volume_round *r = &space->round;
    double y[3], half[3], from_p[3], d[3], foot[3];
    for (int axis = 0; axis < 3; axis++) {
        double sizes = 0;
        y[axis] = half[axis] = 0;
        for (int k = 0; k < 3; k++) {
            y[axis] += space->m[axis][k] * b->at[k];
            half[axis] += fabs(space->m[axis][k]) * b->half[k];
            sizes += fabs(space->m[axis][k]) * (fabs(b->at[k]) + b->half[k]);
        }
        half[axis] += space->margin[axis] + SLACK * (sizes + r->size);
        from_p[axis] = y[axis] - r->p[axis];
    }
    const double part = sli_dot(from_p, r->along);
    const double t = !(part > 0) ? 0 : part >= r->length2 ? 1 : part / r->length2;
    double square = 0, reach = 0, far2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        foot[axis] = t * r->along[axis];
        d[axis] = from_p[axis] - foot[axis];
        square += d[axis] * d[axis];
        reach += fabs(d[axis]) * half[axis];
        far2 += (fabs(d[axis]) + half[axis]) * (fabs(d[axis]) + half[axis]);
    }
    const double ahead = fmax(0, sli_dot(d, r->along)); /* of the segment, seen from p */
    const double gap = sli_dot(d, from_p) - reach - ahead;
    if (gap > r->radius * sqrt(square) * (1 + 0x1p-40)) {
        return SLI_VISIT_NOT;
    }
    return far2 * (1 + 0x1p-40) <= r->radius * r->radius ? SLI_VISIT_ALL : SLI_VISIT_SOME;
}

sli_interest sli_volume_space_box(const sli_volume_space *space, const sl_aabb *box)
{
    const block b = block_of(space, box);
    const sli_interest found = by_slabs(space, &b);
    return found == SLI_VISIT_SOME && space->is_round ? by_distance(space, &b) : found;
}
