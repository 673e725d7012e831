/* Prepares rays and segments for the float filters, eight at a time: for stream batches
 * (stream/refill.inl), packets (packet/hybrid.inl) and rays from one point
 * (stream/from_point_sort.inl).  filter/ray1.inl does it for one ray.
 *
 * Needed first: filter/range.h.
 *
 * A ray outside the filters' range, or with a direction so short or long that its scale is no
 * normal float, is left to single/single.inl.
 *
 * Limits are kept in t' = t p, p the power of two that the direction is divided by: the product is
 * exact unless it underflows or overflows.  RAY_T_TINY outward covers the first; an infinite limit
 * is beyond every box, where |t'| <= G + O (docs/notes/filters.md). */
#pragma once

#include "bvh/kernel/filter/ray8_base.inl"
#include "bvh/kernel/lines.inl"

/* What rounding may do to the smallest t, in t of a direction of length 1; and so much more that no
 * product with it is denormal, which would take long. */
#define RAY_T_SLACK 0x1p-100f
/* The bound on edge functions in units of (|Px| + |Py| + |Qx| + |Qy|) D, D the extent of the tree
 * from the base: SHEAR_ERROR, and 6u for 3u (|Px Qy| + |Py Qx|), since |Px| + |Py| <= 4 D; and a
 * margin for its own rounding. */
#define TRI_EDGE_ERROR (17 * WALK_U)
/* The same for the width of the base: a corner is off by it along two axes, by x and by S z. */
#define TRI_WIDTH_ERROR 2.25f
/* The bound on determinants in floats (packet/hybrid_leaf.inl). */
#define TRI_FLOAT_DET_ERROR (16 * WALK_U)

/* Below this extent from the base, products that filter/tri_leaves.inl limits triangles by may be
 * denormal. */
#define LIMITS_REACH_MIN 0x1p-20f

/* Of rays along an axis (filter/tri_axis_aligned.inl), in units of TRI_EDGE_ERROR (G + O) and of
 * its power of two: coordinates are 0 or no smaller than the first; the second rounds to the
 * grid. */
#define AXIS_ALIGNED_MIN  0x1p-8f
#define AXIS_ALIGNED_GRID 0x1.8p23f

/* What a ray is prepared to: the words that filters and traversals read, in 96 bytes. */
typedef struct ray_words {
    float inverse[3], tmin;
    float near_base[3], bound;   /* bound: t' beyond which boxes do not matter */
    float far_base[3], scale;    /* of a slab: (side - base) * inverse; scale: t' / t */
    float origin[3], edge_error; /* origin: the base, along the axes of ray_offsets.pack */
    float shear[2];
    union {
        float along; /* of filter_ray: for filter/tri_leaves.inl */
        float best;  /* of a single ray: t of the closest hit so far, else infinity */
    };
    uint32_t top;   /* place on the stack of the next reference */
    /* Rows are the same where pointers take four bytes. */
    _Alignas(8) size_t index;   /* of the ray in the batch */
    _Alignas(8) const char *at; /* the node or leaf on top of the stack */
} ray_words;

/* Where the words stand, counted in floats; of eight rays, word k of all is row k (ray8_rows).
 * Until the ray enters a slot, top holds the place in ray_offsets_of, as a float, and index and at
 * hold nothing. */
enum {
    RAY_INVERSE = 0,
    RAY_TMIN = 3,
    RAY_NEAR_BASE = 4,
    RAY_BOUND = 7,
    RAY_FAR_BASE = 8,
    RAY_SCALE = 11,
    RAY_ORIGIN = 12,
    RAY_EDGE_ERROR = 15,
    RAY_SHEAR = 16,
    RAY_ALONG = 18,
    RAY_WHICH_OFFSETS = 19,
    RAY_INDEX = 20,
    RAY_ROWS = 24
};

#define RAY_WORD_IS(field, row) (offsetof(ray_words, field) == (row) * sizeof(float))
_Static_assert(RAY_WORD_IS(inverse, RAY_INVERSE) && RAY_WORD_IS(tmin, RAY_TMIN) &&
                   RAY_WORD_IS(near_base, RAY_NEAR_BASE) && RAY_WORD_IS(bound, RAY_BOUND) &&
                   RAY_WORD_IS(far_base, RAY_FAR_BASE) && RAY_WORD_IS(scale, RAY_SCALE) &&
                   RAY_WORD_IS(origin, RAY_ORIGIN) && RAY_WORD_IS(edge_error, RAY_EDGE_ERROR) &&
                   RAY_WORD_IS(shear, RAY_SHEAR) && RAY_WORD_IS(along, RAY_ALONG) &&
                   RAY_WORD_IS(top, RAY_WHICH_OFFSETS) && RAY_WORD_IS(index, RAY_INDEX) &&
                   sizeof(ray_words) == RAY_ROWS * sizeof(float),
               "rows are words");

/* What lies where for rays of one octant whose direction is largest along one axis; in bytes. */
typedef struct ray_offsets {
    uint16_t near_side[3], far_side[3]; /* in a node: for node_side */
    uint16_t shift;                     /* in the words of a node's order; in bits */
    uint16_t pack[3];                   /* axes in a leaf block, the largest of dir last */
} ray_offsets;

/* A ray as stream batches keep it. */
typedef struct filter_ray {
    ray_words w;
    ray_offsets o;
    float base_t; /* t' of the base, from which tmin and bound count; 0: the origin */
    float best;   /* t of the closest hit so far, else infinity */
    float grid;   /* of tri_axis_aligned_filter; < 0: the origin is not on it; 0: no ray for it */
} filter_ray;

_Static_assert(sizeof(filter_ray) == 2 * SLI_LINE, "a ray takes two lines");

/* Eight rays, ready to be taken by slots. */
typedef struct ray8_group {
    float words[SLI_WIDTH][RAY_ROWS]; /* each as ray_words */
    size_t first;                     /* index of lane 0 in the batch */
    uint32_t ready;                   /* lanes that no slot has taken yet */
    uint32_t axis_aligned;            /* lanes for filter/tri_axis_aligned.inl */
    uint32_t on_grid;                 /* those of them whose origin is on the grid */
    float grid[SLI_WIDTH], base_t[SLI_WIDTH];
} ray8_group;

#define RAY_NEAR(octant, axis) ((axis) * NODE_AXIS + ((octant) >> (axis) & 1) * NODE_SIDE)
#define RAY_OFFSETS(octant, x, y, z)                                                               \
    {                                                                                              \
        { RAY_NEAR(octant, 0), RAY_NEAR(octant, 1), RAY_NEAR(octant, 2) },                         \
            { RAY_NEAR(octant, 0) ^ NODE_SIDE, RAY_NEAR(octant, 1) ^ NODE_SIDE,                    \
              RAY_NEAR(octant, 2) ^ NODE_SIDE },                                                   \
            3 * (octant),                                                                          \
        {                                                                                          \
            (x) * PACK_AXIS, (y) * PACK_AXIS, (z) * PACK_AXIS                                      \
        }                                                                                          \
    }
#define RAY_OCTANTS(x, y, z)                                                                       \
    RAY_OFFSETS(0, x, y, z), RAY_OFFSETS(1, x, y, z), RAY_OFFSETS(2, x, y, z),                     \
        RAY_OFFSETS(3, x, y, z), RAY_OFFSETS(4, x, y, z), RAY_OFFSETS(5, x, y, z),                 \
        RAY_OFFSETS(6, x, y, z), RAY_OFFSETS(7, x, y, z)

/* At the octant plus eight times the largest axis. */
static const ray_offsets ray_offsets_of[24] = { RAY_OCTANTS(1, 2, 0), RAY_OCTANTS(2, 0, 1),
                                                RAY_OCTANTS(0, 1, 2) };

/* |dir| of eight rays, by which they choose axes. */
typedef struct ray8_axis {
    f8 size[3], longest;
} ray8_axis;

/* z_is_k where axis k is the largest of the direction, the first of equal ones. */
static f8 ray8_pick_axis(const ray8_axis *by, f8 z_is_0, f8 z_is_1, f8 z_is_2)
{
    const f8 rest = f8_less(by->size[1], by->longest, z_is_2, z_is_1);
    return f8_less(by->size[0], by->longest, rest, z_is_0);
}

/* Origins and shears along the axes that each ray has for itself, the largest of dir last, and this
 * component. */
static void ray8_shear(const f8 o[3], const ray8_axis *by, const f8 dir[3], const f8 inverse[3],
                       f8 row[RAY_ROWS])
{
    row[RAY_ORIGIN] = ray8_pick_axis(by, o[1], o[2], o[0]);
    row[RAY_ORIGIN + 1] = ray8_pick_axis(by, o[2], o[0], o[1]);
    row[RAY_ORIGIN + 2] = ray8_pick_axis(by, o[0], o[1], o[2]);
    const f8 by_z = ray8_pick_axis(by, inverse[0], inverse[1], inverse[2]);
    row[RAY_SHEAR] = f8_mul(ray8_pick_axis(by, dir[1], dir[2], dir[0]), by_z);
    row[RAY_SHEAR + 1] = f8_mul(ray8_pick_axis(by, dir[2], dir[0], dir[1]), by_z);
    row[RAY_ALONG] = f8_less(row[RAY_EDGE_ERROR], f8_splat(TRI_EDGE_ERROR * LIMITS_REACH_MIN),
                             f8_splat(0), ray8_pick_axis(by, dir[0], dir[1], dir[2]));
}

/* Eight prepared rays by rows: word k of all eight is row[k], as the enum above names them. */
typedef struct ray8_rows {
    f8 row[RAY_ROWS];
    f8 reach;              /* G + O */
    f8 base_t;             /* of filter_ray */
    uint32_t axis_aligned; /* lanes for filter/tri_axis_aligned.inl */
    uint32_t on_grid;      /* those of them whose origin is on the grid */
    f8 grid;
} ray8_rows;

/* Finds the rays along an axis that filter/tri_axis_aligned.inl takes. */
static void ray8_axis_aligned(const ray8_axis *by, ray8_rows *out)
{
    const f8 zero = f8_splat(0), unit = f8_mul(out->reach, f8_splat(TRI_EDGE_ERROR));
    const f8 least = f8_mul(unit, f8_splat(AXIS_ALIGNED_MIN));
    const f8 grid = f8_mul(f8_exponent(unit), f8_splat(AXIS_ALIGNED_GRID));
    uint32_t still[3], along = SIMD_FUSED ? 0xFF : 0;
    for (int axis = 0; axis < 3; axis++) {
        still[axis] = f8_bits_le(by->size[axis], zero);
    }
    along &= (still[0] & still[1]) | (still[1] & still[2]) | (still[2] & still[0]);
    uint32_t on_grid = along;
    for (int i = 0; i < 2; i++) {
        const f8 origin = out->row[RAY_ORIGIN + i], size = f8_abs(origin);
        const f8 snapped = f8_sub(f8_add(origin, grid), grid);
        along &= f8_bits_le(size, zero) | f8_bits_le(least, size);
        on_grid &= f8_bits_le(snapped, origin) & f8_bits_le(origin, snapped);
    }
    out->grid = grid;
    out->axis_aligned = along;
    out->on_grid = on_grid & along;
}

/* Limits in t' from the base, outward.  Behind the base nothing is met; a ray that ends before its
 * base has a bound below 0, and meets nothing. */
static void ray8_limits(const ray8_input *in, f8 tmin, f8 power, const ray8_base *base,
                        f8 row[RAY_ROWS])
{
    const f8 tiny = f8_splat(RAY_T_TINY);
    const f8 bound = f8_add(f8_mul(in->tmax, power), tiny);
    const f8 begin = f8_max(f8_sub(tmin, base->t), f8_splat(0));
    const f8 end = f8_mul(f8_sub(bound, base->t), f8_splat(1 + 4 * WALK_U));
    row[RAY_TMIN] = f8_where(base->moved, f8_mul(begin, f8_splat(1 - 4 * WALK_U)), tmin);
    row[RAY_BOUND] = f8_where(base->moved, end, bound);
}

/* Prepares eight rays; returns the lanes that are within the range of the float filters, and whose
 * base is a point of the line as nearly as the tree wants it. */
static uint32_t ray8_prepare(const sl_bvh *tree, const ray8_input *in, ray8_rows *out)
{
    f8 dir[3], inverse[3], *row = out->row;
    const f8 longest = ray8_largest3(in->dir), power = f8_exponent(longest);
    const f8 shrink = f8_div(f8_splat(1), power);
    const f8 reach = f8_mul(f8_add(f8_splat(tree->reach), in->reach), f8_splat(1 + 4 * WALK_U));
    f8 which = f8_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = f8_mul(in->dir[axis], shrink);
        const f8 size = f8_max(f8_abs(dir[axis]), f8_splat(WALK_TINY));
        const f8 positive = f8_div(f8_splat(1), size), zero = f8_splat(0);
        inverse[axis] = f8_less(in->dir[axis], zero, f8_sub(zero, positive), positive);
        row[RAY_INVERSE + axis] = inverse[axis];
        const f8 bit = f8_less(in->dir[axis], zero, f8_splat((float)(1 << axis)), zero);
        which = f8_add(which, bit);
    }
    ray8_base base;
    const f8 tmin = f8_sub(f8_mul(in->tmin, power), f8_splat(RAY_T_TINY));
    ray8_find_base(tree, in, inverse, shrink, tmin, reach, &base);
    ray8_limits(in, tmin, power, &base, row);
    row[RAY_EDGE_ERROR] = f8_muladd(base.width, f8_splat(TRI_WIDTH_ERROR),
                                    f8_mul(f8_splat(TRI_EDGE_ERROR), base.extent));
    row[RAY_SCALE] = power;
    ray8_axis by = { .longest = longest };
    for (int axis = 0; axis < 3; axis++) {
        row[RAY_NEAR_BASE + axis] = base.near[axis];
        row[RAY_FAR_BASE + axis] = base.far[axis];
        by.size[axis] = f8_abs(in->dir[axis]);
    }
    ray8_shear(base.corner, &by, dir, inverse, row);
    row[RAY_WHICH_OFFSETS] =
        f8_add(which, ray8_pick_axis(&by, f8_splat(0), f8_splat(8), f8_splat(16)));
    for (int i = RAY_INDEX; i < RAY_ROWS; i++) {
        row[i] = f8_splat(0);
    }
    out->reach = reach;
    out->base_t = base.t;
    ray8_axis_aligned(&by, out);
    const uint32_t in_range =
        f8_bits_le(f8_splat(2 * WALK_LEAST), reach) & f8_bits_le(reach, f8_splat(WALK_MOST)) &
        f8_bits_le(f8_splat(0x1p-126f), longest) & f8_bits_le(longest, f8_splat(0x1p126f));
    return in_range & ~base.coarse;
}

/* Prepares the valid rays of eight for slots; returns the lanes that slots may take
 * (ray8_prepare). */
static uint32_t ray8_prepare_group(const sl_bvh *tree, const ray8_input *in, uint32_t valid,
                                   ray8_group *out)
{
    ray8_rows rows;
    const uint32_t in_range = ray8_prepare(tree, in, &rows);
    for (int block = 0; block < RAY_ROWS; block += 8) {
        f8_transpose(rows.row + block);
        for (int lane = 0; lane < 8; lane++) {
            f8_store(out->words[lane] + block, rows.row[block + lane]);
        }
    }
    out->axis_aligned = rows.axis_aligned;
    out->on_grid = rows.on_grid;
    f8_store(out->grid, rows.grid);
    f8_store(out->base_t, rows.base_t);
    return valid & in_range;
}

/* Moves one ray from the group to where a slot keeps it. */
static void ray8_take(ray8_group *group, filter_ray *ray)
{
    const uint32_t lane = (uint32_t)__builtin_ctz(group->ready);
    group->ready &= group->ready - 1;
    memcpy(&ray->w, group->words[lane], sizeof ray->w);
    ray->o = ray_offsets_of[(int)group->words[lane][RAY_WHICH_OFFSETS]];
    ray->grid = 0;
    if ((group->axis_aligned >> lane & 1) != 0) {
        ray->grid = (group->on_grid >> lane & 1) != 0 ? group->grid[lane] : -group->grid[lane];
    }
    ray->best = INFINITY;
    ray->base_t = group->base_t[lane];
    ray->w.index = group->first + lane;
}
