/* Rays and segments against every triangle of plain arrays: without a tree, and as the oracle of
 * trees.
 *
 * It shares nothing with the float filter of the kernels: triangles go through a filter in doubles
 * of its own, and those that it does not reject to the exact decision.
 *
 * The filter: with m = |x| + |y| + |z| of a vertex seen from the origin and eps = 2^-53, the
 * sheared coordinates x - Sx z and y - Sy z (|S| <= 1) are off by at most 8 eps m and no larger
 * than m, so an edge function P x Q is off by less than 40 eps mP mQ.  Two edge functions that are
 * certainly of opposite sign are a certain miss.  The 8 include the roundings of Sx and Sy and, for
 * segments, of q - p.
 * Source   Woop, Benthin and Wald, Watertight Ray/Triangle Intersection (2013), for the shear. */
#include "lib/geom/intersect/soup.h"

#include "lib/base/fpenv.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/intersect/hit_heap.h"

#include <math.h>

enum { BLOCK = 64 };

#define EPS 0x1p-53

/* The sheared frame of a ray: axis[2] is the one along which dir is largest. */
typedef struct frame {
    int axis[3];
    double shear[2];
} frame;

/* Vertices of a block of triangles, seen from the origin. */
typedef struct block {
    double x[3][BLOCK], y[3][BLOCK], m[3][BLOCK];
    uint8_t may_hit[BLOCK];
} block;

static frame make_frame(const sli_exact_ray *ray)
{
    int z = 0;
    for (int axis = 1; axis < 3; axis++) {
        if (fabs(ray->dir[axis]) > fabs(ray->dir[z])) {
            z = axis;
        }
    }
    frame f = { .axis = { (z + 1) % 3, (z + 2) % 3, z } };
    for (int i = 0; i < 2; i++) {
        f.shear[i] = ray->dir[f.axis[i]] / ray->dir[z];
    }
    return f;
}

/* Stands in for the vertices of a triangle that was left out: the soup may have no vertices at all.
 */
static const float nowhere[3] = { 0, 0, 0 };

static void soup_gather(block *b, const frame *f, const sli_exact_ray *ray, const sl_soup *soup,
                        size_t first, size_t count)
{
    const double ox = ray->origin[f->axis[0]], oy = ray->origin[f->axis[1]],
                 oz = ray->origin[f->axis[2]];
    for (size_t i = 0; i < count; i++) {
        for (size_t corner = 0; corner < 3; corner++) {
            const uint32_t index = soup->indices[3 * (first + i) + corner];
            const float *v = index == SL_NONE ? nowhere : soup->xyz + 3 * (size_t)index;
            const double x = v[f->axis[0]] - ox, y = v[f->axis[1]] - oy, z = v[f->axis[2]] - oz;
            b->m[corner][i] = fabs(x) + fabs(y) + fabs(z);
            b->x[corner][i] = x - f->shear[0] * z;
            b->y[corner][i] = y - f->shear[1] * z;
        }
    }
}

static void soup_filter(block *restrict b)
{
    for (size_t i = 0; i < BLOCK; i++) {
        const double ax = b->x[0][i], ay = b->y[0][i], am = b->m[0][i];
        const double bx = b->x[1][i], by = b->y[1][i], bm = b->m[1][i];
        const double cx = b->x[2][i], cy = b->y[2][i], cm = b->m[2][i];
        const double e0 = bx * cy - by * cx, e1 = cx * ay - cy * ax, e2 = ax * by - ay * bx;
        const double bound0 = 40 * EPS * (bm * cm), bound1 = 40 * EPS * (cm * am),
                     bound2 = 40 * EPS * (am * bm);
        const int above = (e0 > bound0) | (e1 > bound1) | (e2 > bound2);
        const int below = (e0 < -bound0) | (e1 < -bound1) | (e2 < -bound2);
        b->may_hit[i] = (uint8_t)!(above & below);
    }
}

bool sli_soup_leaves_out(const sl_soup *soup, const sl_options *options, uint32_t prim)
{
    const sl_item_options item = sli_item_options(options, 0);
    return soup->indices[3 * (size_t)prim] == SL_NONE ||
           !sli_item_has(&item, (sl_triangle_ref){ .prim = prim }, sli_soup_mask(soup, prim));
}

/* The exact hit on one triangle; false for a miss.  Only here is the triangle checked to be finite:
 * one that is not passes the filter, since comparisons with a NaN are false. */
static bool hit_prim(const sl_soup *soup, const sli_exact_ray *ray, int cull, uint32_t prim,
                     sl_hit *hit)
{
    const uint32_t *index = soup->indices + 3 * (size_t)prim;
    const float *v[3];
    for (int corner = 0; corner < 3; corner++) {
        v[corner] = soup->xyz + 3 * (size_t)index[corner];
        if (!isfinite(v[corner][0]) || !isfinite(v[corner][1]) || !isfinite(v[corner][2])) {
            return false;
        }
    }
    sli_exact_hit exact;
    if (!sli_exact_ray_hit(ray, v[0], v[1], v[2], cull, INFINITY, &exact)) {
        return false;
    }
    *hit = (sl_hit){ .t = exact.t, .u = exact.u, .v = exact.v, .prim = prim, .flags = exact.flags };
    return true;
}

static size_t all_hits(const sl_soup *soup, const sli_exact_ray *ray, const sl_options *options,
                       sl_hit *hits, size_t capacity)
{
    const frame f = make_frame(ray);
    block b = { .may_hit = { 0 } };
    size_t total = 0;
    for (size_t first = 0; first < soup->triangle_count; first += BLOCK) {
        const size_t rest = soup->triangle_count - first, count = rest < BLOCK ? rest : BLOCK;
        soup_gather(&b, &f, ray, soup, first, count);
        soup_filter(&b);
        for (size_t i = 0; i < count; i++) {
            const uint32_t prim = (uint32_t)(first + i);
            sl_hit hit;
            if (b.may_hit[i] && !sli_soup_leaves_out(soup, options, prim) &&
                hit_prim(soup, ray, (int)options->cull, prim, &hit) &&
                (options->filter == NULL || options->filter(options->filter_user, 0, &hit))) {
                sli_hit_heap_add(hits, capacity, total++, &hit);
            }
        }
    }
    sli_hit_heap_sort(hits, capacity, total);
    return total;
}

/* ray is NULL where a segment is given. */
static SLI_NOINLINE size_t all_along(const sl_soup *soup, const sl_ray *ray,
                                     const sl_segment *segment, const sl_options *options,
                                     sl_hit *hits, size_t capacity)
{
    static const sl_options everything = { .flags = 0 };
    const sl_options *given = options != NULL ? options : &everything;
    sli_exact_ray exact;
    const bool valid = ray != NULL ? sli_exact_ray_from_ray(ray, given->flags, &exact)
                                   : sli_exact_ray_from_segment(segment, given->flags, &exact);
    return valid ? all_hits(soup, &exact, given, hits, capacity) : 0;
}

size_t sl_soup_all(const sl_soup *soup, const sl_ray *ray, const sl_options *options, sl_hit *hits,
                   size_t capacity)
{
    return SLI_IN_FPENV(all_along(soup, ray, NULL, options, hits, capacity));
}

size_t sl_soup_all_segment(const sl_soup *soup, const sl_segment *segment,
                           const sl_options *options, sl_hit *hits, size_t capacity)
{
    return SLI_IN_FPENV(all_along(soup, NULL, segment, options, hits, capacity));
}
