/* Sixty-four rays that go the same way, together down the tree: a node is fetched once for all of them.
 *
 * Coherent are rays of one octant and one largest axis that stay close to one another as far as the tree
 * reaches (camera rays of neighbouring pixels, shadow rays to one light).  Of a node's children, those
 * that the whole beam misses are left out by interval arithmetic; each of the others is tested
 * against every ray, since a beam as such is met by much more than its rays are (Boulos et al.,
 * Packet-based Whitted and Distribution Ray Tracing, 2007).
 *
 * The search is all in floats.  A ray that is surely within a triangle narrows its search by an upper bound
 * on t at once; what is not surely missed is listed, with a lower bound, and when nothing is left to
 * visit, or the list is full, doubles decide it, eight at a time (ring_tri.inl). */

enum {
    PACKET = 64,
    PACKET_LANES = 16, /* of one register */
    PACKET_GROUPS = PACKET / PACKET_LANES,
    PACKET_FEWEST = 40, /* rays that make it worth while */
    PACKET_LIST = 64
};

/* Rays are coherent whose shears differ by less, and origins by less than this share of the tree. */
#define PACKET_SPREAD 0.125f

typedef struct packet_item {
    float from[PACKET_LANES]; /* t' is not less */
    uint32_t group, rays;     /* of it */
    uint32_t place;           /* line * SLI_PACK + lane */
} packet_item;

typedef struct packet {
    float inverse[3][PACKET], near_offset[3][PACKET], far_offset[3][PACKET];
    float tmin[PACKET], bound[PACKET], after[PACKET]; /* after: surely beyond tmin */
    float origin[3][PACKET], shear[2][PACKET];        /* along the axes of pack[] */
    float by_z[PACKET];                               /* inverse along the last of them */
    float edge_error[PACKET], scale[PACKET];
    float from[3][PACKET], dir[3][PACKET], limits[2][PACKET], best[PACKET]; /* as they are */
    float least_tmin;
    /* The beam: on each axis its origins from where it is nearest to a near or far plane, its
     * inverses, and the error of a slab. */
    float near_origin[3], far_origin[3], inverse_min[3], inverse_max[3], error[3];
    /* Where near sides begin in a node, and the sheared axes in a pack, in bytes; the far sides of an
     * axis are 32 bytes before or behind. */
    uint32_t near_side[3], pack[3];
    uint32_t shift; /* in the words of a node's order */
    size_t first;                          /* ray */
    bool narrows;                          /* a sure hit counts: no option says otherwise */
    uint32_t top, listed;
    float most_bound;
    uint32_t ref[SLI_STACK];
    float near[SLI_STACK]; /* where the beam enters, at the earliest */
    uint64_t rays[SLI_STACK];
    packet_item list[PACKET_LIST];
} packet;

static float least_of(const float a[PACKET])
{
    f16 least = f16_load(a);
    for (int group = PACKET_LANES; group < PACKET; group += PACKET_LANES) {
        least = f16_min(least, f16_load(a + group));
    }
    return f16_least(least);
}

static float most_of(const float a[PACKET])
{
    f16 most = f16_load(a);
    for (int group = PACKET_LANES; group < PACKET; group += PACKET_LANES) {
        most = f16_max(most, f16_load(a + group));
    }
    return f16_most(most);
}

/* Eight rays of the packet at a time. */
enum { PACKET_EIGHTS = PACKET / 8 };

/* Of two kinds of rays, the more common. */
static uint64_t majority(uint64_t one)
{
    return __builtin_popcountll(one) * 2 >= PACKET ? one : ~one;
}

/* Rays that take no part get the numbers of one that does, so that they widen nothing. */
static void fill_out(float row[PACKET], uint64_t rays)
{
    if (rays == UINT64_MAX) {
        return;
    }
    const f16 other = f16_splat(row[__builtin_ctzll(rays)]);
    for (int group = 0; group < PACKET; group += PACKET_LANES) {
        f16_store(row + group,
                  f16_where(rays >> group & 0xFFFF, f16_load(row + group), other));
    }
}

static void store_row(float to[PACKET], const ring_rows rows[PACKET_EIGHTS], int row,
                      uint64_t rays)
{
    for (int i = 0; i < PACKET_EIGHTS; i++) {
        f8_store(to + 8 * i, rows[i].row[row]);
    }
    fill_out(to, rays);
}

static bool packet_is_narrow(const packet *p, const sl_bvh *tree)
{
    float size = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float side = tree->bounds.max[axis] - tree->bounds.min[axis];
        size = side > size ? side : size;
    }
    bool narrow = true;
    for (int i = 0; i < 3; i++) {
        narrow = narrow && most_of(p->origin[i]) - least_of(p->origin[i]) <= PACKET_SPREAD * size;
    }
    for (int i = 0; i < 2; i++) {
        narrow = narrow && most_of(p->shear[i]) - least_of(p->shear[i]) <= PACKET_SPREAD;
    }
    return narrow;
}

/* The beam's interval on an axis: with a plane at x and inverses of one sign, (x - o) / d is least at the
 * origin that is farthest along, and at one end of the inverses; its rounding is within the slab
 * error of the rays (walk.inl). */
static void make_beam(packet *p, const uint32_t negative[3], float reach)
{
    for (int axis = 0; axis < 3; axis++) {
        const float low = least_of(p->from[axis]), high = most_of(p->from[axis]);
        p->near_origin[axis] = negative[axis] != 0 ? low : high;
        p->far_origin[axis] = negative[axis] != 0 ? high : low;
        p->inverse_min[axis] = least_of(p->inverse[axis]);
        p->inverse_max[axis] = most_of(p->inverse[axis]);
        const float longest = fmaxf(fabsf(p->inverse_min[axis]), fabsf(p->inverse_max[axis]));
        p->error[axis] = SLAB_ERROR * WALK_U * reach * longest;
    }
}

/* Reads the rays as they are; returns the valid ones of the most common octant. */
static uint64_t packet_read(packet *p, const sl_ray *rays, ring_input in[PACKET_EIGHTS])
{
    uint64_t valid = 0, negative[3] = { 0 };
    for (int i = 0; i < PACKET_EIGHTS; i++) {
        valid |= (uint64_t)read_rays(rays + 8 * i, &in[i]) << (8 * i);
        for (int axis = 0; axis < 3; axis++) {
            negative[axis] |= (uint64_t)(0xFF & ~f8_bits_le(f8_splat(0), in[i].dir[axis])) << (8 * i);
            f8_store(p->from[axis] + 8 * i, in[i].origin[axis]);
            f8_store(p->dir[axis] + 8 * i, in[i].dir[axis]);
        }
        f8_store(p->limits[0] + 8 * i, in[i].tmin);
        f8_store(p->limits[1] + 8 * i, in[i].tmax);
    }
    return valid & majority(negative[0]) & majority(negative[1]) & majority(negative[2]);
}

/* Of these rays, those that the float filters hold for and of the most common largest axis. */
static uint64_t packet_prepare(const sl_bvh *tree, const ring_input in[PACKET_EIGHTS],
                               uint64_t rays, ring_rows rows[PACKET_EIGHTS])
{
    uint64_t in_range = 0, largest[2] = { 0 };
    for (int i = 0; i < PACKET_EIGHTS; i++) {
        in_range |= (uint64_t)prepare_rows(tree, &in[i], &rows[i]) << (8 * i);
        largest[0] |= (uint64_t)rows[i].largest[0] << (8 * i);
        largest[1] |= (uint64_t)rows[i].largest[1] << (8 * i);
    }
    return rays & in_range & majority(largest[0]) & majority(largest[1]);
}

static void packet_rows(packet *p, const ring_rows rows[PACKET_EIGHTS], uint64_t rays)
{
    for (int axis = 0; axis < 3; axis++) {
        store_row(p->inverse[axis], rows, axis, rays);
        store_row(p->near_offset[axis], rows, 4 + axis, rays);
        store_row(p->far_offset[axis], rows, 8 + axis, rays);
        store_row(p->origin[axis], rows, 12 + axis, rays);
        fill_out(p->from[axis], rays);
    }
    store_row(p->tmin, rows, 3, rays);
    store_row(p->bound, rows, 7, rays);
    store_row(p->edge_error, rows, 11, rays);
    store_row(p->scale, rows, 15, rays);
    store_row(p->shear[0], rows, 16, rays);
    store_row(p->shear[1], rows, 17, rays);
}

/* Which of the rays take part; 0: all go alone. */
static uint64_t make_packet(packet *p, const sli_kernel_batch *batch, size_t first)
{
    const sl_bvh *tree = batch->tree;
    ring_input in[PACKET_EIGHTS];
    ring_rows rows[PACKET_EIGHTS];
    uint64_t rays = packet_read(p, batch->rays + first, in);
    if (__builtin_popcountll(rays) < PACKET_FEWEST) {
        return 0;
    }
    rays = packet_prepare(tree, in, rays, rows);
    if (__builtin_popcountll(rays) < PACKET_FEWEST) {
        return 0;
    }
    packet_rows(p, rows, rays);
    if (!packet_is_narrow(p, tree)) {
        return 0;
    }
    const uint32_t one = (uint32_t)__builtin_ctzll(rays), lane = one % 8;
    const ring_rows *of = &rows[one / 8];
    const uint32_t z = (of->largest[0] >> lane & 1) != 0   ? 0
                       : (of->largest[1] >> lane & 1) != 0 ? 1
                                                           : 2;
    uint32_t negative[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        negative[axis] = of->negative[axis] >> lane & 1;
        p->near_side[axis] = 64 * axis + 32 * negative[axis];
    }
    const uint32_t octant = negative[0] | negative[1] << 1 | negative[2] << 2;
    memcpy(p->by_z, p->inverse[z], sizeof p->by_z);
    for (uint32_t i = 0; i < 3; i++) {
        p->pack[i] = 64 * ((z + 1 + i) % 3);
    }
    p->shift = 3 * octant;
    for (int i = 0; i < PACKET; i += PACKET_LANES) {
        const f16 tmin = f16_load(p->tmin + i);
        f16_store(p->after + i, f16_add(f16_muladd(f16_abs(tmin), f16_splat(0x1p-20f), tmin),
                                        f16_splat(4 * RING_TINY)));
        f16_store(p->best + i, f16_splat(INFINITY));
    }
    float reach[PACKET];
    for (int i = 0; i < PACKET_EIGHTS; i++) {
        f8_store(reach + 8 * i, rows[i].reach);
    }
    fill_out(reach, rays);
    make_beam(p, negative, most_of(reach));
    p->least_tmin = least_of(p->tmin);
    p->most_bound = most_of(p->bound);
    p->first = first;
    p->narrows = batch->query->cull == SL_CULL_NONE &&
                 (batch->query->flags & (SL_USE_MASK | SL_USE_SKIP)) == 0;
    p->listed = 0;
    p->ref[0] = tree->root;
    p->rays[0] = rays;
    p->near[0] = -INFINITY;
    p->top = 1;
    return rays;
}

static f8 beam_plane(const packet *p, int axis, const char *node, uint32_t side, float origin,
                     bool least)
{
    const f8 away = f8_sub(ring_side(node, side), f8_splat(origin));
    const f8 one = f8_mul(away, f8_splat(p->inverse_min[axis]));
    const f8 two = f8_mul(away, f8_splat(p->inverse_max[axis]));
    const f8 error = f8_splat(p->error[axis]);
    return least ? f8_sub(f8_min(one, two), error) : f8_add(f8_max(one, two), error);
}

/* The children that the beam may meet, and where at the earliest, the farthest first; returns how
 * many. */
static uint32_t meet_beam(const packet *p, const sli_node_wide *node, uint32_t children[SLI_WIDTH],
                          float near[SLI_WIDTH])
{
    static const uint32_t numbers[SLI_WIDTH] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    const char *at = (const char *)node;
    f8 from = f8_splat(p->least_tmin), to = f8_splat(p->most_bound);
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t side = p->near_side[axis];
        from = f8_max(beam_plane(p, axis, at, side, p->near_origin[axis], true), from);
        to = f8_min(beam_plane(p, axis, at, side ^ 32, p->far_origin[axis], false), to);
    }
    return simd_push(children, near, numbers, node->order, p->shift, from, to);
}

/* Which of the rays of a group meet a child. */
static uint32_t packet_child(const packet *p, const sli_node_wide *node, uint32_t child, int group)
{
    const int ray = group * PACKET_LANES;
    f16 from = f16_load(p->tmin + ray), to = f16_load(p->bound + ray);
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t side = p->near_side[axis] >> 5 & 1;
        const f16 inverse = f16_load(p->inverse[axis] + ray);
        from = f16_max(f16_muladd(f16_splat(node->bounds[axis][side][child]), inverse,
                                  f16_load(p->near_offset[axis] + ray)),
                       from);
        to = f16_min(f16_muladd(f16_splat(node->bounds[axis][1 - side][child]), inverse,
                                f16_load(p->far_offset[axis] + ray)),
                     to);
    }
    return f16_bits_le(from, to);
}

/* Pushes the children that rays meet, each with those rays. */
static void packet_node(packet *p, const sli_node_wide *node, uint64_t active)
{
    uint32_t children[SLI_WIDTH];
    float near[SLI_WIDTH];
    const uint32_t count = meet_beam(p, node, children, near);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t met = 0;
        for (int group = 0; group < PACKET_GROUPS; group++) {
            if ((active >> (group * PACKET_LANES) & 0xFFFF) != 0) {
                met |= (uint64_t)packet_child(p, node, children[i], group)
                       << (group * PACKET_LANES);
            }
        }
        met &= active;
        p->ref[p->top] = node->child[children[i]];
        p->near[p->top] = near[i];
        p->rays[p->top] = met;
        p->top += met != 0;
    }
}

/* One corner of a triangle in the sheared space of sixteen rays. */
typedef struct packet_corner {
    f16 x, y, t, weight; /* t: its depth as t' */
} packet_corner;

static packet_corner packet_shear(const packet *p, const sli_tri_pack *pack, int corner, int lane,
                                  int ray)
{
    const char *base = (const char *)pack;
    f16 away[3];
    for (int axis = 0; axis < 3; axis++) {
        const float *row = (const float *)(const void *)(base + p->pack[axis]);
        away[axis] =
            f16_sub(f16_splat(row[corner * SLI_PACK + lane]), f16_load(p->origin[axis] + ray));
    }
    packet_corner out;
    const f16 k = f16_load(p->edge_error + ray);
    out.x = f16_nmuladd(f16_load(p->shear[0] + ray), away[2], away[0]);
    out.y = f16_nmuladd(f16_load(p->shear[1] + ray), away[2], away[1]);
    out.t = f16_mul(away[2], f16_load(p->by_z + ray));
    out.weight = f16_mul(f16_add(f16_add(f16_abs(out.x), f16_abs(out.y)), k), k);
    return out;
}

/* Which rays are surely above and below the edge from a to b. */
static void packet_edge(const packet_corner *a, const packet_corner *b, uint32_t *above,
                        uint32_t *below)
{
    const f16 bound = f16_add(a->weight, b->weight);
    const f16 edge = f16_nmuladd(a->y, b->x, f16_mul(a->x, b->y));
    *above = ~f16_bits_le(edge, bound);
    *below = ~f16_bits_le(f16_sub(f16_splat(0), bound), edge);
}

/* A triangle against the active rays of a group.
 *
 * The crossing lies within the triangle, so its t' lies between those of the corners' depths; these
 * are off by less than 4u of themselves (a difference, the inverse, the scaled direction, a product). */
static void packet_triangle(packet *p, const sli_tri_pack *pack, int lane, uint32_t place,
                            int group, uint32_t active)
{
    const int ray = group * PACKET_LANES;
    packet_corner c[3];
    uint32_t above[3], below[3];
    for (int i = 0; i < 3; i++) {
        c[i] = packet_shear(p, pack, i, lane, ray);
    }
    for (int i = 0; i < 3; i++) {
        packet_edge(&c[i], &c[(i + 1) % 3], &above[i], &below[i]);
    }
    const f16 low = f16_min(f16_min(c[0].t, c[1].t), c[2].t);
    const f16 high = f16_max(f16_max(c[0].t, c[1].t), c[2].t);
    const f16 slack = f16_splat(4 * WALK_U), tiny = f16_splat(RING_TINY);
    const f16 from = f16_sub(f16_nmuladd(f16_abs(low), slack, low), tiny);
    const f16 bound = f16_load(p->bound + ray);
    const uint32_t missed =
        (above[0] | above[1] | above[2]) & (below[0] | below[1] | below[2]);
    uint32_t left = active & ~missed & f16_bits_le(from, bound);
    if (left == 0) {
        return;
    }
    if (p->narrows) {
        const uint32_t within = (above[0] & above[1] & above[2]) | (below[0] & below[1] & below[2]);
        const uint32_t sure = left & within & f16_bits_le(f16_load(p->after + ray), from);
        /* Widened as for any hit, so that whatever rounds to the same t is still found. */
        const f16 to = f16_add(f16_muladd(f16_abs(high), f16_splat(0x1p-20f), high),
                               f16_muladd(f16_load(p->scale + ray), f16_splat(RING_ROOM), tiny));
        f16_store(p->bound + ray, f16_where(sure, f16_min(to, bound), bound));
    }
    packet_item *item = &p->list[p->listed++];
    f16_store(item->from, from);
    item->group = (uint32_t)group;
    item->rays = left;
    item->place = place;
}

/* A hit that was decided. */
static void packet_accept(packet *p, ring_state *r, uint32_t ray, const sl_hit *hit)
{
    sl_hit *best = &r->answers.hits[p->first + ray];
    if (ring_is_closer(hit, best)) {
        *best = *hit;
        p->best[ray] = hit->t;
        const float bound = ring_bound_of(p->scale[ray], hit->t);
        p->bound[ray] = bound < p->bound[ray] ? bound : p->bound[ray];
    }
}

/* Eight of the rays against one triangle. */
static void packet_eight(packet *p, ring_state *r, const sli_tri_pack *pack, uint32_t lane,
                         uint32_t half, uint32_t rays)
{
    ring_eight *e = &r->eights[0];
    ring_question ask;
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 3; corner++) {
            ask.corner[corner][axis] = d8_splat(pack->axis[axis].vertex[corner][lane]);
        }
        ask.origin[axis] = d8_from_f8(f8_load(p->from[axis] + half));
        ask.dir[axis] = d8_from_f8(f8_load(p->dir[axis] + half));
    }
    ask.tmin = d8_from_f8(f8_load(p->limits[0] + half));
    ask.tmax = d8_from_f8(f8_load(p->limits[1] + half));
    ask.crossings = (r->batch->query->flags & SL_CROSSINGS) != 0;
    ring_decide(&ask, r->batch->query->cull, p->best + half, e);
    r->stats.double_stage += (uint32_t)__builtin_popcount(rays & ~e->unsure);
    for (uint32_t lanes = (e->hit | e->unsure) & rays; lanes != 0; lanes &= lanes - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(lanes);
        sl_hit hit;
        if (ring_hit_of(r->batch, e, i, p->first + half + i, pack, lane, p->best[half + i], false,
                        &hit, &r->stats)) {
            packet_accept(p, r, half + i, &hit);
        }
    }
}

static void packet_decide(packet *p, ring_state *r)
{
    for (uint32_t i = 0; i < p->listed; i++) {
        const packet_item *item = &p->list[i];
        const uint32_t ray = item->group * PACKET_LANES;
        const uint32_t rays =
            item->rays & f16_bits_le(f16_load(item->from), f16_load(p->bound + ray));
        sli_tri_pack room;
        const sli_tri_pack *pack = sli_tree_pack(r->batch->tree, item->place / SLI_PACK, &room);
        for (uint32_t half = 0; half < PACKET_LANES; half += 8) {
            if ((rays >> half & 0xFF) != 0) {
                packet_eight(p, r, pack, item->place % SLI_PACK, ray + half, rays >> half & 0xFF);
            }
        }
    }
    p->listed = 0;
}

static void packet_leaf(packet *p, ring_state *r, uint32_t ref, uint64_t active)
{
    sli_tri_pack room;
    const sli_tri_pack *pack = sli_tree_pack(r->batch->tree, ref, &room);
    const uint32_t place = (ref & SLI_REF_LINE) * SLI_PACK;
    const uint32_t rays = (uint32_t)__builtin_popcountll(active);
    for (int lane = 0; lane < SLI_PACK && pack->axis[0].meta[lane] != SL_NONE; lane++) {
        for (int group = 0; group < PACKET_GROUPS; group++) {
            const uint32_t of_group = (uint32_t)(active >> (group * PACKET_LANES)) & 0xFFFF;
            if (of_group != 0) {
                packet_triangle(p, pack, lane, place + (uint32_t)lane, group, of_group);
            }
        }
        r->stats.triangles += rays;
    }
    if (p->listed > PACKET_LIST - SLI_PACK * PACKET_GROUPS) {
        packet_decide(p, r);
    }
    p->most_bound = most_of(p->bound);
}

static void packet_prefetch(const packet *p, const sl_bvh *tree)
{
    const char *next = (const char *)sli_tree_node(tree, p->ref[p->top - 1]);
    for (int line = 0; line < SLI_NODE_LINES; line++) {
        __builtin_prefetch(next + line * SLI_LINE);
    }
}

static void packet_walk(packet *p, ring_state *r)
{
    const sl_bvh *tree = r->batch->tree;
    while (p->top > 0) {
        const uint32_t at = --p->top, ref = p->ref[at];
        if (p->near[at] > p->most_bound) {
            continue;
        }
        if ((ref & SLI_REF_LEAF) != 0) {
            packet_leaf(p, r, ref, p->rays[at]);
        } else {
            packet_node(p, sli_tree_node(tree, ref), p->rays[at]);
            r->stats.nodes++;
        }
        if (p->top > 0) {
            packet_prefetch(p, tree);
        }
    }
    packet_decide(p, r);
}

/* Answers those of the next rays that are coherent, if they are many; returns which. */
static __attribute__((noinline)) uint64_t packet_take(ring_state *r)
{
    const sli_kernel_batch *batch = r->batch;
    const size_t first = r->next;
    packet p;
    const uint64_t rays = make_packet(&p, batch, first);
    if (rays == 0) {
        return 0;
    }
    for (size_t i = first; i < first + PACKET; i++) {
        r->answers.hits[i] = (sl_hit){ .t = batch->rays[i].tmax, .prim = SL_NONE };
    }
    r->stats.rays += (uint64_t)__builtin_popcountll(rays);
    packet_walk(&p, r);
    return rays;
}
