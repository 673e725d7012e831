/* Triangles of leaves against one another: by their bounds, then by their planes, as in
 * exact/plane_side.c; in loops over the lanes of a block. */
#include "bvh/contact/walk/leaf.h"

#include "bvh/contact/walk/lanes.h"
#include "lib/geom/transform/transform.h"

#include <math.h>

#define EPS 0x1p-53

/* The corner rule, lane by lane. */
static void leaf_corners(const sli_transformed *transformed, const sli_tri_pack *pack,
                         sli_leaf *out)
{
    const double grid = transformed->grid;
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            const double *row = transformed->transform.m[axis];
            double *to = out->v[transformed->mirrored && corner > 0 ? 3 - corner : corner][axis];
            SLI_LANES(lane, SLI_PACK)
            {
                to[lane] =
                    sli_transform_round(sli_transform_coordinate(row, (double)pack->x[corner][lane],
                                                                 (double)pack->y[corner][lane],
                                                                 (double)pack->z[corner][lane]),
                                        grid);
            }
        }
    }
}

static inline double leaf_less(double a, double b)
{
    return a < b ? a : b;
}

static inline double leaf_more(double a, double b)
{
    return a > b ? a : b;
}

static void leaf_bounds(sli_leaf *out)
{
    for (int axis = 0; axis < 3; axis++) {
        SLI_LANES(lane, SLI_PACK)
        {
            const double x = out->v[0][axis][lane], y = out->v[1][axis][lane],
                         z = out->v[2][axis][lane];
            out->low[axis][lane] = leaf_less(leaf_less(x, y), z);
            out->high[axis][lane] = leaf_more(leaf_more(x, y), z);
        }
    }
}

/* The square is rounded up by more than the normal is off by, which is 2^-50 of its size. */
static void leaf_planes(sli_leaf *out)
{
    SLI_LANES(lane, SLI_PACK)
    {
        double p[3], q[3], square = 0;
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = out->v[1][axis][lane] - out->v[0][axis][lane];
            q[axis] = out->v[2][axis][lane] - out->v[0][axis][lane];
        }
        for (int axis = 0; axis < 3; axis++) {
            const int j = (axis + 1) % 3, k = (axis + 2) % 3;
            const double left = p[j] * q[k], right = p[k] * q[j];
            const double size = fabs(left) + fabs(right);
            const double n = fabs(left - right) + 4 * EPS * size;
            out->normal[axis][lane] = left - right;
            out->size[axis][lane] = size;
            square += n * n;
        }
        out->square[lane] = square * (1 + 0x1p-40);
    }
}

void sli_leaf_unpack(const sli_transformed *transformed, uint32_t instance,
                     const sl_item_options *options, uint32_t ref, sli_leaf *out)
{
    sli_tri_pack buffer;
    const sli_tri_pack *pack = sli_tree_pack(transformed->tree, ref, &buffer);
    out->tree = transformed->tree;
    out->ref = ref;
    out->there = out->split = 0;
    for (int lane = 0; lane < SLI_PACK; lane++) {
        out->prim[lane] = pack->prim[lane];
        if (pack->prim[lane] == SL_NONE) {
            continue;
        }
        const sl_triangle_ref triangle = { instance, pack->prim[lane] };
        out->there |= (uint32_t)sli_item_has(options, triangle, pack->mask[lane]) << lane;
        out->split |= (uint32_t)sli_pack_is_split(pack, lane) << lane;
    }
    leaf_corners(transformed, pack, out);
    leaf_bounds(out);
    leaf_planes(out);
}

void sli_leaf_triangle(const sli_leaf *leaf, uint32_t lane, sl_triangle_d *out)
{
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            out->v[corner][axis] = leaf->v[corner][axis][lane];
        }
    }
}

/* Bits of lanes whose bounds come within the margin. */
static uint32_t leaf_beside(const sli_leaf *a, uint32_t lane, const sli_leaf *b, double margin)
{
    uint32_t near = 0;
    double low[3], high[3], farthest[SLI_PACK];
    for (int axis = 0; axis < 3; axis++) {
        const double x = a->low[axis][lane], y = a->high[axis][lane];
        const double room = margin > 0 ? margin + 4 * EPS * (fabs(x) + fabs(y) + margin) : 0;
        low[axis] = x - room;
        high[axis] = y + room;
    }
    SLI_LANES(i, SLI_PACK)
    {
        farthest[i] =
            leaf_more(leaf_more(leaf_more(low[0] - b->high[0][i], b->low[0][i] - high[0]),
                                leaf_more(low[1] - b->high[1][i], b->low[1][i] - high[1])),
                      leaf_more(low[2] - b->high[2][i], b->low[2][i] - high[2]));
    }
    for (uint32_t i = 0; i < SLI_PACK; i++) {
        near |= (uint32_t)(farthest[i] <= 0) << i;
    }
    return near;
}

/* Of a point and a plane through at: how far beyond the plane, and beyond the margin, the point
 * surely is, on its front or behind it; no more than 0 where it is not. */
typedef struct side {
    double front, back;
} side;

static inline side leaf_side(const double at[3], const double normal[3], const double size[3],
                             double away, const double point[3])
{
    double det = 0, permanent = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double r = point[axis] - at[axis];
        det += r * normal[axis];
        permanent += fabs(r) * size[axis];
    }
    const double bound = 16 * EPS * permanent + away;
    return (side){ det - bound, -det - bound };
}

/* The margin as the sides of a plane are measured. */
static inline double leaf_away(const sli_leaf *leaf, uint32_t lane, double margin)
{
    return margin > 0 ? margin * sqrt(leaf->square[lane]) * (1 + 0x1p-40) : 0;
}

/* One lane of an array for each axis. */
#define LANE(array, lane) { (array)[0][lane], (array)[1][lane], (array)[2][lane] }

/* Bits of the triangles of b whose corners are all on one side of the plane of a triangle of a. */
static uint32_t leaf_beyond(const sli_leaf *a, uint32_t lane, const sli_leaf *b, double margin)
{
    const double at[3] = LANE(a->v[0], lane), normal[3] = LANE(a->normal, lane),
                 size[3] = LANE(a->size, lane);
    const double away = leaf_away(a, lane, margin);
    double most[SLI_PACK];
    uint32_t beyond = 0;
    SLI_LANES(i, SLI_PACK)
    {
        const double p[3] = LANE(b->v[0], i), q[3] = LANE(b->v[1], i), r[3] = LANE(b->v[2], i);
        const side x = leaf_side(at, normal, size, away, p);
        const side y = leaf_side(at, normal, size, away, q);
        const side z = leaf_side(at, normal, size, away, r);
        most[i] = leaf_more(leaf_less(leaf_less(x.front, y.front), z.front),
                            leaf_less(leaf_less(x.back, y.back), z.back));
    }
    for (uint32_t i = 0; i < SLI_PACK; i++) {
        beyond |= (uint32_t)(most[i] > 0) << i;
    }
    return beyond;
}

/* Bits of the triangles of b whose planes have all corners of a triangle of a on one side. */
static uint32_t leaf_behind(const sli_leaf *a, uint32_t lane, const sli_leaf *b, double margin)
{
    const double p[3] = LANE(a->v[0], lane), q[3] = LANE(a->v[1], lane), r[3] = LANE(a->v[2], lane);
    double most[SLI_PACK], away[SLI_PACK];
    uint32_t behind = 0;
    for (uint32_t i = 0; i < SLI_PACK; i++) {
        away[i] = leaf_away(b, i, margin);
    }
    SLI_LANES(i, SLI_PACK)
    {
        const double at[3] = LANE(b->v[0], i), normal[3] = LANE(b->normal, i),
                     size[3] = LANE(b->size, i);
        const side x = leaf_side(at, normal, size, away[i], p);
        const side y = leaf_side(at, normal, size, away[i], q);
        const side z = leaf_side(at, normal, size, away[i], r);
        most[i] = leaf_more(leaf_less(leaf_less(x.front, y.front), z.front),
                            leaf_less(leaf_less(x.back, y.back), z.back));
    }
    for (uint32_t i = 0; i < SLI_PACK; i++) {
        behind |= (uint32_t)(most[i] > 0) << i;
    }
    return behind;
}

uint32_t sli_leaf_near(const sli_leaf *a, uint32_t lane, const sli_leaf *b, double margin)
{
    uint32_t near = leaf_beside(a, lane, b, margin) & b->there;
    near &= near != 0 ? ~leaf_beyond(a, lane, b, margin) : 0;
    near &= near != 0 ? ~leaf_behind(a, lane, b, margin) : 0;
    return near;
}
