/* Rays from one point, in groups of neighbours that share what blocks them.
 *
 * The rays of a block are sorted by the cell of a cube around the origin that they pass through,
 * along a curve that fills the face (Morton, 1966), and cut into groups of up to 64.  Whatever
 * blocks one ray of a group is tried on all of the group that have no answer yet: with the cone
 * from the origin over the triangle prepared once, that is three dot products a ray.  Rays that are
 * then surely blocked never walk; everybody else walks through the ring.  So what is shared is a
 * filter, and the answers are those of rays on their own. */

/* A triangle is tried on a group where it looks so large that at least so many of the rays are
 * expected behind it: in units of |x| + |y| + |z|, which is up to 1.7 times the length. */
#define FAN_LEAST 0.2

enum {
    FAN_BLOCK = 4096, /* rays that are sorted together */
    FAN_GROUP = 64,
    FAN_GROUPS = FAN_BLOCK / FAN_GROUP,
    FAN_PER_SLOT = 32,    /* rays for each that is under way, */
    FAN_SLOTS_LEAST = 16, /* but no fewer under way than this */
    FAN_SLOTS = 64,       /* and no more */
    FAN_FACES = 6,
    FAN_GRID = 4, /* cells of a face are at most 2^FAN_GRID to a side */
    FAN_CELLS = FAN_FACES << 2 * FAN_GRID
};

typedef struct fan_state {
    size_t first; /* ray of the block, in the batch */
    uint32_t count;
    float to[3][FAN_BLOCK];    /* directions or targets, sorted */
    uint16_t order[FAN_BLOCK]; /* whose they are, counted from first, by their cells; the invalid last */
    uint64_t waiting[FAN_GROUPS]; /* rays of each group without an answer and not under way */
    double reach[FAN_GROUPS]; /* the largest |x| + |y| + |z| of the group, the origin's added for
                               * targets */
    double least[FAN_GROUPS]; /* solid angle of a triangle that is worth trying on one ray */
    uint32_t groups, left;    /* left: waiting, of all groups */
    uint16_t group_of[FAN_SLOTS]; /* where each slot takes its rays from */
    float asked[FAN_SLOTS][8];    /* the ray in the slot, as an sl_ray or sl_segment */
} fan_state;

/* The bits of x in the even places. */
static uint32_t spread_bits(uint32_t x)
{
    x = (x | x << 2) & 0x33;
    return (x | x << 1) & 0x55;
}

/* Cells for so many rays: about as many as there are rays, or fewer. */
static uint32_t fan_grid(uint32_t count)
{
    uint32_t grid = 1;
    while (grid < FAN_GRID && (uint32_t)FAN_FACES << 2 * (grid + 1) <= count) {
        grid++;
    }
    return grid;
}

/* The place of x in -1 .. 1 among 2^grid equal parts: a float is 2^23 and that number. */
static f8 fan_part(f8 x, uint32_t grid)
{
    const f8 half = f8_splat((float)(1u << grid) * (0.5f - 0x1p-12f));
    const f8 part = f8_sub(f8_mul(f8_add(x, f8_splat(1)), half), f8_splat(0.5f));
    return f8_add(f8_max(part, f8_splat(0)), f8_splat(0x1p23f));
}

static uint32_t fan_number(float part)
{
    uint32_t bits;
    memcpy(&bits, &part, sizeof bits);
    return bits & 0xFF;
}

/* Cells of eight rays. */
static void fan_cells(const f8 dir[3], uint32_t grid, uint16_t cell[8])
{
    ring_axis by = { .longest = largest3(dir) };
    const f8 zero = f8_splat(0);
    uint32_t negative = f8_bits_le(dir[2], zero);
    for (int axis = 0; axis < 3; axis++) {
        by.size[axis] = f8_abs(dir[axis]);
    }
    const uint32_t is_x = f8_bits_le(by.longest, by.size[0]);
    const uint32_t is_y = f8_bits_le(by.longest, by.size[1]) & ~is_x;
    negative = (negative & ~(is_x | is_y)) | (f8_bits_le(dir[0], zero) & is_x) |
               (f8_bits_le(dir[1], zero) & is_y);
    float u[8], v[8];
    f8_store(u, fan_part(f8_div(pick_axis(&by, dir[1], dir[2], dir[0]), by.longest), grid));
    f8_store(v, fan_part(f8_div(pick_axis(&by, dir[2], dir[0], dir[1]), by.longest), grid));
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t face = (is_x >> i & 1) | (is_y >> i & 1) << 1;
        const uint32_t at = spread_bits(fan_number(u[i])) | spread_bits(fan_number(v[i])) << 1;
        cell[i] = (uint16_t)((face * 2 + (negative >> i & 1)) << 2 * grid | at);
    }
}

/* Eight rays of the batch, from item on; those beyond count repeat the last. */
static uint32_t fan_read(const sli_kernel_fan *fan, size_t item, uint32_t count, ring_input *in)
{
    float to[3][8];
    for (uint32_t i = 0; i < 8; i++) {
        const float *from = fan->to + 3 * (item + (i < count ? i : count - 1));
        for (int axis = 0; axis < 3; axis++) {
            to[axis][i] = from[axis];
        }
    }
    uint32_t valid = count >= 8 ? 0xFF : (1u << count) - 1;
    for (int axis = 0; axis < 3; axis++) {
        in->origin[axis] = f8_splat(fan->origin[axis]);
        in->dir[axis] = f8_load(to[axis]);
    }
    valid &= finite3(in->dir);
    for (int axis = 0; axis < 3 && fan->targets; axis++) {
        in->dir[axis] = f8_sub(in->dir[axis], in->origin[axis]);
    }
    return valid & ~f8_bits_le(largest3(in->dir), f8_splat(0));
}

/* The block, as long as it is sorted. */
typedef struct fan_sorting {
    uint16_t cell[FAN_BLOCK]; /* of each ray; FAN_CELLS: invalid */
    uint16_t starts[FAN_CELLS + 1];
} fan_sorting;

/* Finds the cells, and how many rays are in each. */
static void fan_find_cells(const fan_state *f, const sli_kernel_fan *fan, fan_sorting *s)
{
    const uint32_t grid = fan_grid(f->count);
    memset(s->starts, 0, sizeof s->starts);
    for (uint32_t i = 0; i < f->count; i += 8) {
        ring_input in;
        const uint32_t left = f->count - i, here = left < 8 ? left : 8;
        const uint32_t valid = fan_read(fan, f->first + i, here, &in);
        uint16_t cell[8];
        fan_cells(in.dir, grid, cell);
        for (uint32_t k = 0; k < here; k++) {
            const uint16_t at = (valid >> k & 1) != 0 ? cell[k] : FAN_CELLS;
            s->cell[i + k] = at;
            s->starts[at]++;
        }
    }
}

/* Puts the valid rays in the order of their cells; returns how many there are. */
static uint32_t fan_sort(fan_state *f, const sli_kernel_fan *fan, fan_sorting *s)
{
    fan_find_cells(f, fan, s);
    uint32_t sum = 0, valid = 0;
    for (uint32_t cell = 0; cell <= FAN_CELLS; cell++) {
        const uint32_t here = s->starts[cell];
        valid = cell == FAN_CELLS ? sum : 0;
        s->starts[cell] = (uint16_t)sum;
        sum += here;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t at = s->starts[s->cell[i]]++;
        const float *to = fan->to + 3 * (f->first + i);
        f->order[at] = (uint16_t)i;
        for (int axis = 0; axis < 3; axis++) {
            f->to[axis][at] = to[axis];
        }
    }
    return valid;
}

static double fan_reach(const fan_state *f, const sli_kernel_fan *fan, uint32_t begin, uint32_t end)
{
    double reach = 0, origin = 0;
    for (uint32_t i = begin; i < end; i++) {
        double sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            sum += fabs((double)f->to[axis][i]);
        }
        reach = sum > reach ? sum : reach;
    }
    for (int axis = 0; axis < 3 && fan->targets; axis++) {
        origin += fabs((double)fan->origin[axis]);
    }
    return reach + origin;
}

/* The solid angle of the cells that the rays go through. */
static double fan_angle(const fan_state *f, const fan_sorting *s, uint32_t begin, uint32_t end)
{
    const uint32_t cells = (uint32_t)FAN_FACES << 2 * fan_grid(f->count);
    const uint32_t here = (uint32_t)s->cell[f->order[end - 1]] - s->cell[f->order[begin]] + 1;
    return 12.566 * (double)here / (double)cells;
}

/* Sorts the block, and cuts it into groups. */
static __attribute__((noinline)) void fan_prepare(fan_state *f, const sli_kernel_fan *fan)
{
    fan_sorting s;
    const uint32_t valid = fan_sort(f, fan, &s), last = (valid + 7) / 8 * 8;
    for (uint32_t i = valid; i < last; i++) { /* lanes that are computed and not looked at */
        for (int axis = 0; axis < 3; axis++) {
            f->to[axis][i] = 0;
        }
    }
    f->left = valid;
    f->groups = (valid + FAN_GROUP - 1) / FAN_GROUP;
    for (uint32_t group = 0; group < f->groups; group++) {
        const uint32_t begin = group * FAN_GROUP, here = valid - begin;
        const uint32_t end = here >= FAN_GROUP ? begin + FAN_GROUP : valid;
        f->waiting[group] = here >= FAN_GROUP ? UINT64_MAX : ((uint64_t)1 << here) - 1;
        f->least[group] = FAN_LEAST * fan_angle(f, &s, begin, end);
        f->reach[group] = fan_reach(f, fan, begin, end);
    }
}

/* The cone from the origin over a triangle, as the planes through its edges: a ray in direction d,
 * or to a target q, has the sides normal . d, or normal . q - away, and where all three are
 * positive it meets the triangle at t = depth / sum of the sides. */
typedef struct fan_cone {
    double normal[3][3], away[3], bound[3]; /* bound: sides are no further off than this */
    double least_sum;                       /* where the sum of the sides is more, t < tmax */
} fan_cone;

static double sum_abs(const double a[3])
{
    return fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
}

static double dot_scalar(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double fan_depth(double e[3][3])
{
    double depth = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        depth += e[0][axis] * (e[1][j] * e[2][k] - e[1][k] * e[2][j]);
    }
    return depth;
}

/* With e the corners as seen from the origin: normal i = e[i+1] x e[i+2], depth = e[0] . normal 0.
 * As in ring_tri.inl, an error is within 16 RING_EPS of the product of the |x| + |y| + |z| of the
 * vectors, here with one rounding more.  False: the origin may be in the plane, or the triangle
 * looks small from there: its solid angle is about half its depth over the product of the
 * distances. */
static bool fan_make_cone(const sli_kernel_fan *fan, const sli_tri_pack *pack, uint32_t lane,
                          double reach, double least, fan_cone *cone)
{
    double e[3][3], origin[3], size[3];
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            origin[axis] = fan->origin[axis];
            e[corner][axis] = (double)pack->axis[axis].vertex[corner][lane] - origin[axis];
        }
        size[corner] = sum_abs(e[corner]);
    }
    const double depth = fan_depth(e);
    const double error = 2 * RING_DET_ERROR * size[0] * size[1] * size[2];
    if (fabs(depth) <= error || fabs(depth) < least * (size[0] * size[1] * size[2])) {
        return false;
    }
    double bounds = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = e[(i + 1) % 3], *b = e[(i + 2) % 3];
        for (int axis = 0; axis < 3; axis++) {
            const int j = (axis + 1) % 3, k = (axis + 2) % 3;
            cone->normal[i][axis] = a[j] * b[k] - a[k] * b[j];
        }
        cone->bound[i] = 2 * RING_DET_ERROR * size[(i + 1) % 3] * size[(i + 2) % 3] * reach;
        bounds += cone->bound[i];
    }
    const double sign = depth < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            cone->normal[i][axis] *= sign;
        }
        cone->away[i] = fan->targets ? dot_scalar(cone->normal[i], origin) : 0;
    }
    const double tmax = fan->targets ? 1 : (double)fan->tmax;
    cone->least_sum = ((fabs(depth) + error) / tmax + bounds) * (1 + 16 * RING_EPS);
    return true;
}

/* The lanes of these eight rays that surely meet the triangle, between the ends. */
RING_INLINE uint32_t fan_blocked(const fan_state *f, uint32_t at, const fan_cone *cone)
{
    d8 to[3], sum = d8_splat(0);
    uint32_t within = 0xFF;
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = d8_from_f8(f8_load(f->to[axis] + at));
    }
    for (int i = 0; i < 3; i++) {
        d8 side = d8_sub(d8_mul(d8_splat(cone->normal[i][0]), to[0]), d8_splat(cone->away[i]));
        side = d8_muladd(d8_splat(cone->normal[i][1]), to[1], side);
        side = d8_muladd(d8_splat(cone->normal[i][2]), to[2], side);
        within &= d8_bits_gt(side, d8_splat(cone->bound[i]));
        sum = d8_add(sum, side);
    }
    return within & d8_bits_gt(sum, d8_splat(cone->least_sum));
}

/* A triangle that blocks the ray in this slot: answers those of its group that it surely blocks. */
static __attribute__((noinline)) void fan_share(fan_state *f, const sli_kernel_batch *batch,
                                                uint32_t slot, const sli_tri_pack *pack,
                                                uint32_t lane, const ring_answers *answers,
                                                sl_stats *stats)
{
    fan_cone cone;
    const uint32_t group = f->group_of[slot];
    const uint64_t waiting = f->waiting[group];
    if (waiting == 0 || !fan_make_cone(batch->fan, pack, lane, f->reach[group],
                                       f->least[group] / __builtin_popcountll(waiting), &cone)) {
        return;
    }
    uint64_t blocked = 0;
    for (uint32_t i = 0; i < FAN_GROUP; i += 8) {
        if ((waiting >> i & 0xFF) != 0) {
            blocked |= (uint64_t)fan_blocked(f, group * FAN_GROUP + i, &cone) << i;
        }
    }
    blocked &= waiting;
    const uint32_t count = (uint32_t)__builtin_popcountll(blocked);
    f->waiting[group] = waiting & ~blocked;
    f->left -= count;
    stats->triangles += count;
    stats->double_stage += count;
    stats->hits += count;
    for (; blocked != 0; blocked &= blocked - 1) {
        const size_t at =
            f->first + f->order[group * FAN_GROUP + (uint32_t)__builtin_ctzll(blocked)];
        answers->any[at] = 1;
        if (answers->prims != NULL) {
            answers->prims[at] = pack->axis[0].meta[lane];
        }
    }
}
