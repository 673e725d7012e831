/* Point-to-many, the prefix p2m_ below: rays from one point, sorted into groups of neighbours that
 * share what occludes them.
 *
 * The rays of a block are sorted by the cell of a cube around the origin that they pass through,
 * along a space-filling curve on each face (Morton, 1966), and cut into groups of up to 64 on one
 * face.  A triangle that occludes one ray of a group is tried on all rays of the group that have no
 * answer yet (stream/occluder_share.inl).  Rays that are then surely occluded need no
 * traversal; the others get an interleaved one.  Sharing is a filter, so the answers are those of
 * single rays, and it can do with three bytes a ray: where the ray passes through the face, and how
 * far it goes.  So a block fits on small stacks. */
#pragma once

#include "bvh/kernel/filter/ray8.inl"

enum {
    P2M_BLOCK = 4096,  /* rays that are sorted together */
    P2M_RAYS_MIN = 64, /* fewer are not sorted */
    /* Fewer are sorted, but share no occluders where sixteen floats are one register: they are so
     * far apart that packets gain more. */
    P2M_SHARE_RAYS_MIN = 320,
    P2M_GROUP = 64,
    P2M_STRIDE = 23,    /* from one ray of a group to the next that walks, with no factor in common
                           * with P2M_GROUP: neighbours are likely to be occluded by the same */
    P2M_PER_SLOT = 32,  /* waiting rays for each one in flight */
    P2M_SLOTS_MIN = 16, /* rays in flight, at least */
    P2M_SLOTS_MAX = 48, /* rays in flight, at most */
    P2M_FACES = 6,
    P2M_GROUPS_MAX = P2M_BLOCK / P2M_GROUP + P2M_FACES - 1,
    P2M_GRID_MAX = 4, /* cells of a face are at most 2^P2M_GRID_MAX to a side */
    P2M_CELLS = P2M_FACES << 2 * P2M_GRID_MAX
};

/* A part of one face.  With w the face's axis, and u and v those that follow it, a direction d that
 * passes through the face is |d[w]| * (u, v, 1 or -1), and |d[w]| is the longest of the three. */
typedef struct p2m_group {
    uint64_t waiting; /* rays without an answer and not under way */
    double angle;     /* solid angle of the cells that they pass through */
    float least[2];   /* least u and v of all rays */
    float step[2];    /* what 1 in a ray's bytes stands for */
    float longest;    /* largest |d[w]|; 0: nothing can be shared */
    uint16_t begin;   /* of its rays, sorted */
    uint8_t axis;     /* w */
    uint8_t turn;     /* where the next to walk is looked for */
    bool negative;    /* d[w] is */
} p2m_group;

/* Rays that are sorted together. */
typedef struct p2m_block {
    size_t first; /* of them, in the batch */
    uint32_t count;
    float last[4]; /* the last ray of the block, and a float that is read and not used: the caller's
                    * array ends with the third */
    uint16_t *order; /* index of each sorted ray, counted from first; invalid rays last */
} p2m_block;

typedef struct p2m_state {
    p2m_block block;
    uint32_t groups, left; /* left: waiting, of all groups */
    p2m_group group[P2M_GROUPS_MAX];
    uint16_t order[P2M_BLOCK];
    /* Of the sorted rays: u and v to the next step, and |d[w]| in 255ths of the longest, rounded
     * down. Sixteen are read at a time. */
    uint8_t part[2][P2M_BLOCK + P2M_GROUP], length[P2M_BLOCK + P2M_GROUP];
    uint16_t group_of[P2M_SLOTS_MAX]; /* where each slot takes its rays from */
    float rays[P2M_SLOTS_MAX][8];     /* the ray in the slot, as an sl_ray or sl_segment */
} p2m_state;

/* The bits of x in the even places. */
static uint32_t spread_bits(uint32_t x)
{
    x = (x | x << 2) & 0x33;
    return (x | x << 1) & 0x55;
}

/* Cells for count rays: about as many as there are rays, or fewer. */
static uint32_t p2m_grid(uint32_t count)
{
    uint32_t grid = 1;
    while (grid < P2M_GRID_MAX && (uint32_t)P2M_FACES << 2 * (grid + 1) <= count) {
        grid++;
    }
    return grid;
}

/* The place of x in -1 .. 1 among 2^grid equal parts: a float is 2^23 and that number. */
static f8 p2m_cell_at(f8 x, uint32_t grid)
{
    const f8 half = f8_splat((float)(1u << grid) * (0.5f - 0x1p-12f));
    const f8 part = f8_sub(f8_mul(f8_add(x, f8_splat(1)), half), f8_splat(0.5f));
    return f8_add(f8_max(part, f8_splat(0)), f8_splat(0x1p23f));
}

/* Cells of eight rays, P2M_CELLS for those that are not valid. */
static void p2m_cells(const f8 dir[3], uint32_t grid, uint32_t valid, uint16_t cell[8])
{
    ray8_axis by = { .longest = ray8_largest3(dir) };
    const f8 zero = f8_splat(0), one = f8_splat(1);
    for (int axis = 0; axis < 3; axis++) {
        by.size[axis] = f8_abs(dir[axis]);
    }
    float face[8];
    uint32_t u[8], v[8];
    const f8 w = ray8_pick_axis(&by, dir[0], dir[1], dir[2]);
    const f8 axis = ray8_pick_axis(&by, f8_splat(2), f8_splat(4), zero);
    f8_store(face, f8_add(axis, f8_less(w, zero, one, zero)));
    const f8 part_u =
        p2m_cell_at(f8_div(ray8_pick_axis(&by, dir[1], dir[2], dir[0]), by.longest), grid);
    const f8 part_v =
        p2m_cell_at(f8_div(ray8_pick_axis(&by, dir[2], dir[0], dir[1]), by.longest), grid);
    memcpy(u, &part_u, sizeof u);
    memcpy(v, &part_v, sizeof v);
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t at = spread_bits(u[i] & 0xF) | spread_bits(v[i] & 0xF) << 1;
        const uint32_t all = (uint32_t)(int)face[i] << 2 * grid | at;
        cell[i] = (uint16_t)((valid >> i & 1) != 0 ? all : P2M_CELLS);
    }
}

/* The three floats of a ray of the block, and one more that may be read. */
static SLI_FORCE_INLINE const float *
p2m_floats(const p2m_block *f, const sli_kernel_point_to_many *source, uint32_t ray)
{
    return ray + 1 < f->count ? source->to + 3 * (f->first + ray) : f->last;
}

/* Eight rays of the block, for lanes beyond count the first of them; returns which are valid. */
static SLI_FORCE_INLINE uint32_t p2m_read(const p2m_block *f,
                                          const sli_kernel_point_to_many *source,
                                          const uint16_t *order, uint32_t count, ray8_input *in)
{
    f4 row[8];
    for (uint32_t i = 0; i < 8; i++) {
        row[i] = f4_load(p2m_floats(f, source, order[i < count ? i : 0]));
    }
    f4_transpose(row);
    f4_transpose(row + 4);
    for (int axis = 0; axis < 3; axis++) {
        in->origin[axis] = f8_splat(source->origin[axis]);
        in->dir[axis] = f8_pair(row[axis], row[4 + axis]);
    }
    const uint32_t there = count >= 8 ? 0xFF : (1u << count) - 1,
                   valid = there & ray8_finite3(in->dir);
    in->reach = ray8_largest3(in->origin);
    in->segments = source->targets;
    if (source->targets) {
        in->reach = f8_max(in->reach, ray8_largest3(in->dir));
        for (int axis = 0; axis < 3; axis++) {
            in->end[axis] = in->dir[axis];
            in->dir[axis] = f8_sub(in->dir[axis], in->origin[axis]);
        }
    }
    return valid & ~f8_bits_le(ray8_largest3(in->dir), f8_splat(0));
}

/* The block, as long as it is sorted. */
typedef struct p2m_sorting {
    uint16_t cell[P2M_BLOCK + 8]; /* of each ray; P2M_CELLS: invalid */
    uint16_t ends[P2M_CELLS + 1]; /* of the cells, in the order */
} p2m_sorting;

/* Finds the cells, and how many rays are in each. */
static void p2m_find_cells(const p2m_block *f, const sli_kernel_point_to_many *source,
                           p2m_sorting *s)
{
    const uint32_t grid = p2m_grid(f->count);
    memset(s->ends, 0, sizeof s->ends);
    for (uint32_t i = 0; i < f->count; i += 8) {
        ray8_input in;
        const uint32_t left = f->count - i, here = left < 8 ? left : 8;
        uint16_t cell[8];
        const uint32_t valid = p2m_read(f, source, f->order + i, here, &in);
        p2m_cells(in.dir, grid, valid, cell);
        memcpy(s->cell + i, cell, sizeof cell);
        for (uint32_t k = 0; k < here; k++) {
            s->ends[cell[k]]++;
        }
    }
}

/* Orders the rays by their cells. */
static void p2m_sort(p2m_block *f, const sli_kernel_point_to_many *source, p2m_sorting *s)
{
    for (uint32_t i = 0; i < f->count; i++) { /* as they come, for p2m_find_cells */
        f->order[i] = (uint16_t)i;
    }
    f->last[3] = 0;
    memcpy(f->last, source->to + 3 * (f->first + f->count - 1), 3 * sizeof f->last[0]);
    p2m_find_cells(f, source, s);
    uint32_t sum = 0;
    for (uint32_t cell = 0; cell <= P2M_CELLS; cell++) {
        const uint32_t here = s->ends[cell];
        s->ends[cell] = (uint16_t)sum;
        sum += here;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        f->order[s->ends[s->cell[i]]++] = (uint16_t)i;
    }
}

/* The same, where the cells are not read afterwards. */
static SLI_NOINLINE void p2m_sort_alone(p2m_block *f, const sli_kernel_point_to_many *source)
{
    p2m_sorting s;
    p2m_sort(f, source, &s);
}

/* The solid angle of the cells that the rays go through. */
static double p2m_angle(const p2m_state *f, const p2m_sorting *s, uint32_t begin, uint32_t end)
{
    const uint32_t cells = (uint32_t)P2M_FACES << 2 * p2m_grid(f->block.count);
    const uint32_t here =
        (uint32_t)s->cell[f->block.order[end - 1]] - s->cell[f->block.order[begin]] + 1;
    return 12.566 * (double)here / (double)cells;
}

/* Directions that are not longer, or not shorter, are not shared. */
#define P2M_SHORT 0x1p-100f
#define P2M_LONG  0x1p100f

/* u and v of a group that is no wider are all the same. */
#define P2M_WIDTH_MIN 0x1p-20f

/* u, v and |d[w]| of the group's rays; the rest of the last eight repeats one of them. */
static void p2m_directions(const p2m_state *f, const sli_kernel_point_to_many *source,
                           const p2m_group *g, uint32_t count, float at[3][P2M_GROUP])
{
    const int w = g->axis;
    for (uint32_t i = 0; i < count; i += 8) {
        ray8_input in;
        (void)p2m_read(&f->block, source, f->block.order + g->begin + i, count - i, &in);
        const f8 size = f8_abs(in.dir[w]);
        for (int k = 0; k < 2; k++) { /* a NaN, where d overflowed, becomes -1: it has no length */
            const f8 part = f8_div(in.dir[(w + 1 + k) % 3], size);
            f8_store(at[k] + i, f8_min(f8_max(part, f8_splat(-1)), f8_splat(1)));
        }
        const f8 longest = f8_less(size, f8_splat(P2M_LONG), size, f8_splat(0));
        f8_store(at[2] + i, f8_less(f8_splat(P2M_SHORT), longest, longest, f8_splat(0)));
    }
}

/* The smallest of eight. */
static SLI_FORCE_INLINE float p2m_smallest(f8 a)
{
    float halves[8];
    f8_store(halves, f8_least_halves(a));
    return halves[0] < halves[4] ? halves[0] : halves[4];
}

/* (x - least) * scale + more of P2M_GROUP floats, which is less than 256, in whole numbers. */
static SLI_FORCE_INLINE void p2m_quantise(const float *x, float least, float scale, float more,
                                          uint8_t *bytes)
{
    for (uint32_t i = 0; i < P2M_GROUP; i++) {
        bytes[i] = (uint8_t)(int)((x[i] - least) * scale + more);
    }
}

/* Finds what the group shares: begin, axis and negative are there.  Writes the bytes of 64 rays
 * whatever count is: those beyond it are the next group's, which is measured later. */
static void p2m_measure(p2m_state *f, const sli_kernel_point_to_many *source, p2m_group *g,
                        uint32_t count)
{
    float at[3][P2M_GROUP];
    p2m_directions(f, source, g, count, at);
    f8 least[3], most[3]; /* most: with the other sign */
    const f8 zero = f8_splat(0);
    for (int k = 0; k < 3; k++) {
        least[k] = f8_load(at[k]);
        most[k] = f8_sub(zero, least[k]);
        for (uint32_t i = 0; i < P2M_GROUP; i += 8) {
            if (i >= count) {
                f8_store(at[k] + i, f8_load(at[k]));
            }
            const f8 here = f8_load(at[k] + i);
            least[k] = f8_min(least[k], here);
            most[k] = f8_min(most[k], f8_sub(zero, here));
        }
    }
    for (int k = 0; k < 2; k++) {
        const float from = p2m_smallest(least[k]), wide = -p2m_smallest(most[k]) - from;
        const float scale = wide > P2M_WIDTH_MIN ? 255 / wide : 0;
        g->least[k] = from;
        g->step[k] = scale > 0 ? wide / 255 : 0;
        p2m_quantise(at[k], from, scale, 0.5f, f->part[k] + g->begin);
    }
    g->longest = -p2m_smallest(most[2]);
    p2m_quantise(at[2], 0, g->longest > 0 ? 254.99f / g->longest : 0, 0, f->length + g->begin);
}

/* Groups of the rays from begin to end, which pass through one face. */
static void p2m_group_face(p2m_state *f, const sli_kernel_point_to_many *source,
                           const p2m_sorting *s, uint32_t face, uint32_t begin, uint32_t end)
{
    for (; begin < end; begin += P2M_GROUP) {
        const uint32_t left = end - begin, count = left < P2M_GROUP ? left : P2M_GROUP;
        p2m_group *g = &f->group[f->groups++];
        g->waiting = UINT64_MAX >> (P2M_GROUP - count);
        g->angle = p2m_angle(f, s, begin, begin + count);
        g->begin = (uint16_t)begin;
        g->axis = (uint8_t)(face / 2 == 0 ? 2 : face / 2 - 1);
        g->negative = face % 2 != 0;
        g->turn = 0;
        p2m_measure(f, source, g, count);
    }
}

/* Sorts the block, and cuts it into groups. */
static SLI_NOINLINE void p2m_prepare(p2m_state *f, const sli_kernel_point_to_many *source)
{
    p2m_sorting s;
    p2m_sort(&f->block, source, &s);
    const uint32_t cells = 1u << 2 * p2m_grid(f->block.count); /* of a face */
    uint32_t begin = 0;
    f->groups = 0;
    for (uint32_t face = 0; face < P2M_FACES; face++) {
        const uint32_t end = s.ends[(face + 1) * cells - 1];
        p2m_group_face(f, source, &s, face, begin, end);
        begin = end;
    }
    f->left = begin;
}
