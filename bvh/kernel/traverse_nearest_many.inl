/* The one nearest triangle to each of many points.
 *
 * Many points are in flight: while one waits for memory, the others work (the technique is known as
 * asynchronous memory access chaining: Kocberber, Falsafi and Grot, 2015), and since mispredicted
 * branches stop all of them, a node step has none.  Points at nodes and points at leaves wait in two
 * queues.
 *
 * The search itself is all in floats: of each triangle it takes bounds from below and above on the
 * squared distance, the upper ones narrow the search at once, and triangles that may still be the
 * nearest are kept as candidates, by their places.  When nothing is left to visit the candidates, most
 * often one or two, are decided by lib/geom. */

enum { NEAR_RING = 32, NEAR_CANDIDATES = 24, NEAR_LEAVES = 20 };

typedef struct near_slot {
    float at[3];
    float bound2; /* at least the square of the nearest distance, and of those that round alike */
    uint32_t top; /* of the stack; entry 0 is always SLI_REF_EMPTY, near as can be */
    uint32_t candidate_count;
    size_t which; /* point */
    uint32_t stack[SLI_STACK + 2 * SLI_WIDTH];
    float near2[SLI_STACK + 2 * SLI_WIDTH];
    uint32_t place[NEAR_CANDIDATES + 2 * SLI_WIDTH];
    float least2[NEAR_CANDIDATES + 2 * SLI_WIDTH];
} near_slot;

typedef struct near_ring {
    const sl_bvh *tree;
    const sli_kernel_point *asks;
    size_t count, started;
    sl_hit *hits;
    sl_stats stats;
    uint32_t at_node[NEAR_RING], at_leaf[NEAR_RING]; /* slots; at_node goes round */
    uint32_t head, tail, leaves;
    near_slot slot[NEAR_RING];
} near_ring;

/* The slot goes to the queue that its next reference asks for.  Both stores are made, one counts. */
static void queue_slot(near_ring *ring, uint32_t number)
{
    const near_slot *s = &ring->slot[number];
    const uint32_t next = s->stack[s->top];
    const char *lines = (const char *)sli_tree_node(ring->tree, next);
    for (int line = 0; line < SLI_NODE_LINES; line++) {
        __builtin_prefetch(lines + line * SLI_LINE);
    }
    ring->at_node[ring->tail % NEAR_RING] = number;
    ring->tail += next >> 31 ^ 1;
    ring->at_leaf[ring->leaves] = number;
    ring->leaves += next >> 31;
}

/* Opens the node on top: its children that may matter take its place, the nearest last. */
static void step_node(near_slot *s, const sl_bvh *tree)
{
    const uint32_t top = s->top;
    const sli_node_wide *node = sli_tree_node(tree, s->stack[top]);
    const f8 near2 = near_boxes(s->at, node);
    const uint32_t met = f8_bits_le(near2, f8_splat(s->bound2));
    const uint32_t nearest = f8_least(near2, met);
    const uint32_t before = (uint32_t)__builtin_popcount(met & ((1u << nearest) - 1));
    const uint32_t count = (uint32_t)__builtin_popcount(met);
    u8_store_some(s->stack + top, node->child, met);
    f8_store_some(s->near2 + top, near2, met);
    const uint32_t last = top + count - (count != 0), here = top + before;
    const uint32_t ref = s->stack[here];
    const float square = s->near2[here];
    s->stack[here] = s->stack[last];
    s->near2[here] = s->near2[last];
    s->stack[last] = ref;
    s->near2[last] = square;
    s->top = top + count - 1;
}

/* Keeps of count items those that are near enough. */
static uint32_t keep_near(uint32_t *what, float *square, uint32_t from, uint32_t count, float bound2)
{
    uint32_t kept = from;
    for (uint32_t i = from; i < count; i += SLI_WIDTH) {
        const f8 squares = f8_load(square + i);
        const uint32_t left = count - i < SLI_WIDTH ? count - i : SLI_WIDTH;
        const uint32_t near = f8_bits_le(squares, f8_splat(bound2)) & ((1u << left) - 1);
        u8_store_some(what + kept, what + i, near);
        f8_store_some(square + kept, squares, near);
        kept += (uint32_t)__builtin_popcount(near);
    }
    return kept;
}

static void narrow_slot(near_slot *s, float bound2)
{
    s->bound2 = bound2;
    s->top = keep_near(s->stack, s->near2, 1, s->top + 1, bound2) - 1;
    s->candidate_count = keep_near(s->place, s->least2, 0, s->candidate_count, bound2);
}

/* Decides the candidates.  The nearest of them and of the hit that the point has becomes its hit. */
static void settle_slot(near_ring *ring, near_slot *s)
{
    sl_hit *best = &ring->hits[s->which];
    const sli_kernel_point *ask = &ring->asks[s->which];
    const double point[3] = { s->at[0], s->at[1], s->at[2] };
    float bound = best->prim != SL_NONE ? best->t : ask->limit, bound2 = s->bound2;
    for (uint32_t i = s->candidate_count; i-- > 0;) {
        if (s->least2[i] > bound2) {
            continue;
        }
        const sli_tri_pack *pack = sli_tree_pack(ring->tree, s->place[i] / SLI_PACK);
        const int lane = (int)(s->place[i] % SLI_PACK);
        float v[3][3];
        sli_nearest_point nearest;
        lane_corners(pack, lane, v);
        const bool found =
            sli_point_triangle(point, v[0], v[1], v[2], ask->limit, bound, &nearest);
        ring->stats.double_stage += nearest.stage == SLI_STAGE_DOUBLE;
        ring->stats.exact_stage += nearest.stage == SLI_STAGE_EXACT;
        ring->stats.hits += found;
        const sl_hit hit = { .t = nearest.distance, .u = nearest.u, .v = nearest.v,
                             .prim = pack->axis[0].meta[lane] };
        if (found && (best->prim == SL_NONE || sli_hit_before(&hit, best))) {
            *best = hit;
            bound = hit.t;
            bound2 = fminf(bound2, near_square(bound));
        }
    }
    s->candidate_count = 0;
    narrow_slot(s, bound2);
}

/* Which lanes hold triangles that the options leave in. */
static uint32_t lanes_wanted(const sli_kernel_filter *filter, const sli_tri_pack *pack)
{
    const uint32_t lanes = f4_bits_ne(pack->axis[0].meta, SL_NONE);
    uint32_t wanted = lanes;
    if (filter->flags != 0) {
        for (int lane = 0; lane < SLI_PACK; lane++) {
            const bool wants =
                sli_kernel_wants(filter, pack->axis[0].meta[lane], pack->axis[1].meta[lane]);
            wanted &= ~((uint32_t)!wants << lane);
        }
    }
    return wanted;
}

/* Narrows the search by the lanes of one half of the bounds, and keeps those that may be nearest. */
static void take_lanes(near_ring *ring, near_slot *s, const sli_tri_pack *pack, int half,
                       const float least2[2 * SLI_PACK], const float most2[2 * SLI_PACK])
{
    const uint32_t lanes = lanes_wanted(&ring->asks[s->which].filter, pack) << (half * SLI_PACK);
    const uint32_t line = s->stack[s->top] & SLI_REF_LINE;
    uint32_t place[2 * SLI_PACK];
    ring->stats.triangles += (uint64_t)__builtin_popcount(lanes);
    s->top--;
    if (lanes == 0) {
        return;
    }
    const float most = most2[f8_least(f8_load(most2), lanes)] * NEAR_ALIKE;
    if (most < s->bound2) {
        narrow_slot(s, most);
    }
    const f8 least = f8_load(least2);
    const uint32_t near = f8_bits_le(least, f8_splat(s->bound2)) & lanes;
    for (int lane = 0; lane < 2 * SLI_PACK; lane++) {
        place[lane] = line * SLI_PACK + (uint32_t)(lane % SLI_PACK);
    }
    u8_store_some(s->place + s->candidate_count, place, near);
    f8_store_some(s->least2 + s->candidate_count, least, near);
    s->candidate_count += (uint32_t)__builtin_popcount(near);
    if (s->candidate_count > NEAR_CANDIDATES) {
        settle_slot(ring, s);
    }
}

/* The leaf blocks that two slots have come to; the two may be one and the same. */
static void step_leaves(near_ring *ring, near_slot *one, near_slot *two)
{
    float least2[2 * SLI_PACK], most2[2 * SLI_PACK];
    const sli_tri_pack *const pack[2] = { sli_tree_pack(ring->tree, one->stack[one->top]),
                                          sli_tree_pack(ring->tree, two->stack[two->top]) };
    bound_triangles(pack, (const float *const[]){ one->at, two->at }, least2, most2);
    take_lanes(ring, one, pack[0], 0, least2, most2);
    if (two != one) {
        take_lanes(ring, two, pack[1], 1, least2, most2);
    }
}

/* Gives the slot the next point that the float filters can do; the others are answered on the way.
 * False where there are no more. */
static bool start_slot(near_ring *ring, near_slot *s)
{
    while (ring->started < ring->count) {
        const size_t which = ring->started++;
        const sli_kernel_point *ask = &ring->asks[which];
        if (near_is_wide(ring->tree, ask->point)) {
            (void)traverse_nearest(ring->tree, ask, true, &ring->hits[which], 1, &ring->stats);
            continue;
        }
        memcpy(s->at, ask->point, sizeof s->at);
        s->bound2 = near_square(ask->limit);
        s->which = which;
        s->candidate_count = 0;
        s->stack[0] = SLI_REF_EMPTY;
        s->near2[0] = 0;
        s->stack[1] = ring->tree->root;
        s->near2[1] = 0;
        s->top = 1;
        ring->stats.rays++;
        return true;
    }
    return false;
}

/* The slots that wait at leaves: those at the end of their search are settled and start anew, the
 * others take their leaf blocks two by two. */
static void leaf_phase(near_ring *ring)
{
    uint32_t waiting[NEAR_RING], count = 0;
    const uint32_t leaves = ring->leaves;
    ring->leaves = 0;
    uint32_t at_leaf[NEAR_RING];
    memcpy(at_leaf, ring->at_leaf, sizeof at_leaf);
    for (uint32_t i = 0; i < leaves; i++) {
        near_slot *s = &ring->slot[at_leaf[i]];
        if (s->top != 0) {
            waiting[count++] = at_leaf[i];
            continue;
        }
        settle_slot(ring, s);
        if (start_slot(ring, s)) {
            queue_slot(ring, at_leaf[i]);
        }
    }
    for (uint32_t i = 0; i < count; i += 2) {
        const uint32_t one = waiting[i], two = waiting[i + 1 < count ? i + 1 : i];
        step_leaves(ring, &ring->slot[one], &ring->slot[two]);
        queue_slot(ring, one);
        if (two != one) {
            queue_slot(ring, two);
        }
    }
}

static void node_phase(near_ring *ring)
{
    while (ring->head != ring->tail && ring->leaves < NEAR_LEAVES) {
        const uint32_t number = ring->at_node[ring->head++ % NEAR_RING];
        step_node(&ring->slot[number], ring->tree);
        ring->stats.nodes++;
        queue_slot(ring, number);
    }
}

/* Hits of points without a nearest triangle are left alone. */
static void traverse_nearest_many(const sl_bvh *tree, const sli_kernel_point *asks, size_t count,
                                  sl_hit *hits, sl_stats *stats)
{
    near_ring ring;
    ring.tree = tree;
    ring.asks = asks;
    ring.count = count;
    ring.started = 0;
    ring.hits = hits;
    ring.stats = (sl_stats){ .rays = 0 };
    ring.head = ring.tail = ring.leaves = 0;
    if (tree->root == SLI_REF_EMPTY) {
        return;
    }
    for (uint32_t i = 0; i < NEAR_RING && start_slot(&ring, &ring.slot[i]); i++) {
        queue_slot(&ring, i);
    }
    while (ring.head != ring.tail || ring.leaves != 0) {
        node_phase(&ring);
        leaf_phase(&ring);
    }
    ring.stats.boxes += SLI_WIDTH * ring.stats.nodes;
    ring.stats.float_stage =
        ring.stats.triangles - ring.stats.double_stage - ring.stats.exact_stage;
    add_stats_to(&ring.stats, stats);
}
