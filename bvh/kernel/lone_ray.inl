/* One ray, as the filters of the ring want it: what ring_ray.inl does to eight, all three axes of one at
 * once. */

/* The ray in floats: axes in lanes 0 .. 2; lane 3 is of no meaning. */
typedef struct lone_line {
    f4 origin, dir;
    float tmin, tmax, reach, longest;
} lone_line;

static float lone_largest(const float a[3])
{
    const float x = fabsf(a[0]), y = fabsf(a[1]), z = fabsf(a[2]), xy = x > y ? x : y;
    return xy > z ? xy : z;
}

static bool lone_finite(f4 a, f4 b)
{
    const f4 most = f4_splat(0x1.fffffep127f);
    return (f4_bits_le(f4_abs(a), most) & f4_bits_le(f4_abs(b), most) & 7) == 7;
}

/* False: invalid. */
RING_INLINE bool lone_read_ray(const sl_ray *ray, lone_line *line)
{
    const float *words = (const float *)(const void *)ray;
    line->origin = f4_load(words);
    line->dir = f4_load(words + 4);
    line->tmin = ray->tmin;
    line->tmax = ray->tmax;
    line->reach = lone_largest(ray->origin);
    line->longest = lone_largest(ray->dir);
    return lone_finite(line->origin, line->dir) && ray->tmin <= ray->tmax && line->longest > 0;
}

RING_INLINE bool lone_read_segment(const sl_segment *segment, lone_line *line)
{
    float ends[8], dir[4];
    memcpy(ends, segment->p, sizeof segment->p);
    memcpy(ends + 4, segment->q, sizeof segment->q);
    ends[3] = ends[7] = 0;
    const f4 p = f4_load(ends), q = f4_load(ends + 4);
    line->origin = p;
    line->dir = f4_sub(q, p);
    f4_store(dir, line->dir);
    line->tmin = 0;
    line->tmax = 1;
    const float of_p = lone_largest(ends), of_q = lone_largest(ends + 4);
    line->reach = of_p > of_q ? of_p : of_q;
    line->longest = lone_largest(dir);
    return lone_finite(p, q) && line->longest > 0;
}

/* The power of two that is no larger than x, and its inverse, for x in 2^-126 .. 2^126. */
static float lone_power(float x, float *inverse)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0x7F800000;
    const uint32_t other = 0x7F000000 - bits;
    float power;
    memcpy(&power, &bits, sizeof power);
    memcpy(inverse, &other, sizeof *inverse);
    return power;
}

/* As prepare_rows; false: outside the range of the float filters.  by_z: 1 / the largest component of
 * the scaled direction. */
RING_INLINE bool lone_prepare(const sl_bvh *tree, const lone_line *line, ring_ray *ray, float *by_z)
{
    const float longest = line->longest;
    const float reach = (tree->reach + line->reach) * (1 + 4 * WALK_U);
    if (!(reach >= 2 * WALK_LEAST && reach <= WALK_MOST && longest >= 0x1p-126f &&
          longest <= 0x1p126f)) {
        return false;
    }
    const f4 zero = f4_splat(0);
    float shrink, scaled[4], origin[4], inverses[4];
    const float power = lone_power(longest, &shrink);
    const f4 dir = f4_mul(line->dir, f4_splat(shrink));
    const f4 positive = f4_div(f4_splat(1), f4_max(f4_abs(dir), f4_splat(WALK_TINY)));
    const f4 inverse = f4_less(line->dir, zero, f4_sub(zero, positive), positive);
    const f4 error = f4_mul(f4_splat(SLAB_ERROR * WALK_U * reach), positive);
    const f4 middle = f4_mul(line->origin, inverse);
    const uint32_t octant = f4_bits_gt(zero, line->dir) & 7;
    const uint32_t z = (uint32_t)__builtin_ctz(f4_bits_le(f4_splat(longest), f4_abs(line->dir)) | 4);
    const uint32_t x = z == 2 ? 0 : z + 1, y = z == 0 ? 2 : z - 1;
    f4_store(ray->w.inverse, inverse); /* and what is behind it, which follows */
    f4_store(ray->w.near_offset, f4_sub(zero, f4_add(middle, error)));
    f4_store(ray->w.far_offset, f4_sub(error, middle));
    f4_store(inverses, inverse);
    f4_store(scaled, dir);
    f4_store(origin, line->origin);
    ray->w.tmin = line->tmin * power - RING_TINY;
    ray->w.bound = line->tmax * power + RING_TINY;
    ray->w.edge_error = RING_EDGE_ERROR * reach;
    ray->w.origin[0] = origin[x];
    ray->w.origin[1] = origin[y];
    ray->w.origin[2] = origin[z];
    *by_z = inverses[z];
    ray->w.shear[0] = scaled[x] * *by_z;
    ray->w.shear[1] = scaled[y] * *by_z;
    ray->w.scale = power;
    ray->w.best = INFINITY;
    ray->o = ring_offsets_of[octant + 8 * z];
    return true;
}
