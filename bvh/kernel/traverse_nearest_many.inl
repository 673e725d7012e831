/* The one nearest triangle to each of many points.
 *
 * Many points are in flight: while one waits for memory, the others work (the technique is known as
 * asynchronous memory access chaining: Kocberber, Falsafi and Grot, 2015).  What stops all of them is
 * a mispredicted branch, so that the steps hardly have any.  Points at nodes and points at leaves
 * wait in two queues; those at leaves are worked off together, one stage at a time.
 *
 * The search itself is all in floats: of each triangle it takes bounds from below and above on the
 * squared distance, the upper ones narrow the search at once, and triangles that may still be the
 * nearest are kept as candidates, by their places.  When a point has nothing left to visit, its
 * candidates, most often one or two, join a list that lib/geom decides, and its slot goes to the
 * next point. */

enum {
    NEAR_RING = 32,       /* points in flight */
    NEAR_LEAVES = 20,     /* so many at leaves end a phase of node steps */
    NEAR_CANDIDATES = 24, /* of one point, before they are decided early */
    NEAR_LIST = 64        /* candidates to decide, of all points */
};

typedef struct near_slot {
    float at[3];
    float bound2; /* at least the square of the nearest distance, and of those that round alike */
    uint32_t next; /* reference to visit; SLI_REF_EMPTY: none is left */
    uint32_t top;  /* entries on the stack; the first is always SLI_REF_EMPTY, with near2 0 */
    uint32_t candidate_count;
    size_t which; /* point */
    uint32_t stack[SLI_STACK + 2 * SLI_WIDTH];
    float near2[SLI_STACK + 2 * SLI_WIDTH];
    uint32_t place[NEAR_CANDIDATES + 2 * SLI_WIDTH];
    float least2[NEAR_CANDIDATES + 2 * SLI_WIDTH];
} near_slot;

typedef struct near_ring {
    const sl_bvh *tree;
    const sli_kernel_points *ask;
    sl_nearest *out;
    size_t started;
    sl_stats stats;
    uint32_t at_node[NEAR_RING], at_leaf[NEAR_RING]; /* slots; at_node goes round */
    uint32_t head, tail, leaves;
    uint32_t listed;
    struct {
        size_t which;
        uint32_t place;
    } list[NEAR_LIST];
    near_slot slot[NEAR_RING];
} near_ring;

/* The slot goes to the queue that its next reference asks for.  Both stores are made, one counts. */
static void queue_slot(near_ring *ring, uint32_t number)
{
    const near_slot *s = &ring->slot[number];
    const uint32_t next = s->next;
    const char *lines = (const char *)sli_tree_node(ring->tree, next);
    for (int line = 0; line < SLI_NODE_LINES; line++) {
        __builtin_prefetch(lines + line * SLI_LINE);
    }
    ring->at_node[ring->tail % NEAR_RING] = number;
    ring->tail += next >> 31 ^ 1;
    ring->at_leaf[ring->leaves] = number;
    ring->leaves += next >> 31;
}

/* Opens a node: the nearest of the children that may matter is next, the others wait on the stack; of
 * none, the top of the stack is. */
static void step_node(near_slot *s, const sl_bvh *tree)
{
    const sli_node_wide *node = sli_tree_node(tree, s->next);
    const f8 near2 = near_boxes(s->at, node);
    const uint32_t met = f8_bits_le(near2, f8_splat(s->bound2));
    const uint32_t nearest = f8_least(near2), rest = met & ~(1u << nearest);
    const bool none = met == 0; /* else the nearest of all is one of them */
    u8_store_some(s->stack + s->top, node->child, rest);
    f8_store_some(s->near2 + s->top, near2, rest);
    s->top += (uint32_t)__builtin_popcount(rest) - none;
    s->next = *(none ? &s->stack[s->top] : &node->child[nearest]);
}

/* Keeps of eight items, the first count of which are there, those that are near enough; returns how
 * many. */
static uint32_t keep_eight(const uint32_t *what, const float *square, int count, float bound2,
                           uint32_t *kept, float *kept_square)
{
    const uint32_t there = count >= SLI_WIDTH ? 255u : count > 0 ? (1u << count) - 1 : 0;
    const f8 squares = f8_load(square);
    const uint32_t near = f8_bits_le(squares, f8_splat(bound2)) & there;
    u8_store_some(kept, what, near);
    f8_store_some(kept_square, squares, near);
    return (uint32_t)__builtin_popcount(near);
}

/* The same of any number, in place.  There are rarely more than eight or sixteen. */
static uint32_t keep_near(uint32_t *what, float *square, uint32_t count, float bound2)
{
    uint32_t kept = keep_eight(what, square, (int)count, bound2, what, square);
    for (uint32_t i = SLI_WIDTH; i < count; i += SLI_WIDTH) {
        kept += keep_eight(what + i, square + i, (int)(count - i), bound2, what + kept,
                           square + kept);
    }
    return kept;
}

static void narrow_slot(near_slot *s)
{
    s->top = keep_near(s->stack, s->near2, s->top, s->bound2);
    s->candidate_count = keep_near(s->place, s->least2, s->candidate_count, s->bound2);
}

static void corners_at(const sl_bvh *tree, uint32_t place, float v[3][3])
{
    lane_corners(sli_tree_pack(tree, place / SLI_PACK), (int)(place % SLI_PACK), v);
}

/* Decides one candidate: it becomes the answer if it is nearer than what is there. */
static void decide(near_ring *ring, size_t which, uint32_t place)
{
    sl_nearest *best = &ring->out[which];
    const float *p = ring->ask->points + 3 * which;
    const double point[3] = { p[0], p[1], p[2] };
    const float limit = ring->ask->limit;
    const uint32_t prim =
        sli_tree_pack(ring->tree, place / SLI_PACK)->axis[0].meta[place % SLI_PACK];
    float v[3][3];
    sli_nearest_point nearest;
    corners_at(ring->tree, place, v);
    /* best->distance is the limit, as long as there is none. */
    const bool found =
        sli_point_triangle(point, v[0], v[1], v[2], limit, best->distance, &nearest);
    ring->stats.double_stage += nearest.stage == SLI_STAGE_DOUBLE;
    ring->stats.exact_stage += nearest.stage == SLI_STAGE_EXACT;
    ring->stats.hits += found;
    if (found && (nearest.distance < best->distance ||
                  (nearest.distance == best->distance && prim < best->prim))) {
        *best = (sl_nearest){
            .distance = nearest.distance, .u = nearest.u, .v = nearest.v, .prim = prim
        };
        sli_nearest_place(v[0], v[1], v[2], nearest.u, nearest.v, best->point);
    }
}

static void decide_list(near_ring *ring)
{
    for (uint32_t i = 0; i < ring->listed; i++) {
        decide(ring, ring->list[i].which, ring->list[i].place);
    }
    ring->listed = 0;
}

/* A slot with more candidates than it has room for: decides them now, which narrows the search. */
static void decide_slot(near_ring *ring, near_slot *s)
{
    for (uint32_t i = s->candidate_count; i-- > 0;) {
        decide(ring, s->which, s->place[i]);
    }
    s->candidate_count = 0;
    s->bound2 = fminf(s->bound2, near_square(ring->out[s->which].distance));
    narrow_slot(s);
}

/* The search of a slot has ended: what is left of its candidates goes to the list. */
static void list_candidates(near_ring *ring, const near_slot *s)
{
    if (ring->listed + s->candidate_count > NEAR_LIST) {
        decide_list(ring);
    }
    for (uint32_t i = 0; i < s->candidate_count; i++) {
        ring->list[ring->listed].which = s->which;
        ring->list[ring->listed].place = s->place[i];
        ring->listed++;
    }
}

/* Which lanes hold triangles that the options leave in. */
static uint32_t lanes_wanted(const near_ring *ring, const near_slot *s)
{
    const sli_tri_pack *pack = sli_tree_pack(ring->tree, s->next);
    uint32_t lanes = f4_bits_ne(pack->axis[0].meta, SL_NONE);
    if ((ring->ask->query->flags & (SL_USE_MASK | SL_USE_SKIP)) != 0) {
        const sli_kernel_filter filter = sli_filter_of(ring->ask->query, s->which);
        for (int lane = 0; lane < SLI_PACK; lane++) {
            const bool wants =
                sli_kernel_wants(&filter, pack->axis[0].meta[lane], pack->axis[1].meta[lane]);
            lanes &= ~((uint32_t)!wants << lane);
        }
    }
    return lanes;
}

/* Takes a leaf block, narrows the search by the bounds of its triangles, and keeps those that may be
 * nearest. */
static void take_block(near_ring *ring, near_slot *s, const float *least2, const float *most2)
{
    const uint32_t line = s->next & SLI_REF_LINE;
    const float most = most2[0] * NEAR_ALIKE;
    uint32_t place[SLI_WIDTH];
    if (most < s->bound2) {
        s->bound2 = most;
        narrow_slot(s);
    }
    s->next = s->stack[--s->top];
    const f8 least = f8_load(least2);
    const uint32_t near = f8_bits_le(least, f8_splat(s->bound2)) & ((1u << SLI_PACK) - 1);
    for (uint32_t lane = 0; lane < SLI_WIDTH; lane++) {
        place[lane] = line * SLI_PACK + lane;
    }
    u8_store_some(s->place + s->candidate_count, place, near);
    f8_store_some(s->least2 + s->candidate_count, least, near);
    s->candidate_count += (uint32_t)__builtin_popcount(near);
    if (s->candidate_count > NEAR_CANDIDATES) {
        decide_slot(ring, s);
    }
}

/* Whether there is anything to find: a finite point, a limit, a tree. */
static bool near_asks(const sl_bvh *tree, const sli_kernel_points *ask, const float p[3])
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) && ask->limit >= 0 &&
           tree->root != SLI_REF_EMPTY;
}

/* Gives the slot the next point that the float filters can do; the others are answered on the way.
 * False where there are no more. */
static bool start_slot(near_ring *ring, near_slot *s)
{
    const sli_kernel_points *ask = ring->ask;
    while (ring->started < ask->end) {
        const size_t which = ring->started++;
        const float *p = ask->points + 3 * which;
        ring->out[which] = (sl_nearest){ .distance = ask->limit, .prim = SL_NONE };
        ring->stats.rays++;
        if (!near_asks(ring->tree, ask, p)) {
            continue;
        }
        if (near_is_wide(ring->tree, p)) {
            near_alone(ring->tree, ask, which, &ring->out[which], &ring->stats);
            continue;
        }
        memcpy(s->at, p, sizeof s->at);
        s->bound2 = near_square(ask->limit);
        s->which = which;
        s->candidate_count = 0;
        s->stack[0] = SLI_REF_EMPTY;
        s->near2[0] = 0;
        s->next = ring->tree->root;
        s->top = 1;
        return true;
    }
    return false;
}

/* Of the slots that wait at leaves, those that have come to the end of their search start anew; the
 * others are written to waiting. */
static uint32_t restart_slots(near_ring *ring, uint32_t waiting[NEAR_RING])
{
    uint32_t at_leaf[NEAR_RING], count = 0;
    const uint32_t leaves = ring->leaves;
    memcpy(at_leaf, ring->at_leaf, sizeof at_leaf);
    ring->leaves = 0;
    for (uint32_t i = 0; i < leaves; i++) {
        near_slot *s = &ring->slot[at_leaf[i]];
        if (s->next != SLI_REF_EMPTY) {
            waiting[count++] = at_leaf[i];
            continue;
        }
        list_candidates(ring, s);
        if (start_slot(ring, s)) {
            queue_slot(ring, at_leaf[i]);
        }
    }
    return count;
}

/* Bounds on the leaf blocks of two slots, or of one and NULL. */
static void bound_blocks(near_ring *ring, const near_slot *one, const near_slot *two,
                         float least2[2 * SLI_PACK], float most2[2 * SLI_PACK])
{
    const uint32_t wanted =
        lanes_wanted(ring, one) | (two != NULL ? lanes_wanted(ring, two) << SLI_PACK : 0);
    two = two != NULL ? two : one;
    const sli_tri_pack *const pack[2] = { sli_tree_pack(ring->tree, one->next),
                                          sli_tree_pack(ring->tree, two->next) };
    bound_triangles(pack, (const float *const[]){ one->at, two->at }, wanted, least2, most2);
    ring->stats.triangles += (uint64_t)__builtin_popcount(wanted);
}

static void leaf_phase(near_ring *ring)
{
    uint32_t waiting[NEAR_RING + 1];
    float least2[NEAR_RING + 2][SLI_PACK], most2[NEAR_RING + 2][SLI_PACK];
    const uint32_t count = restart_slots(ring, waiting);
    uint32_t i = 0;
    for (; i + 1 < count; i += 2) {
        bound_blocks(ring, &ring->slot[waiting[i]], &ring->slot[waiting[i + 1]], least2[i],
                     most2[i]);
    }
    if (i < count) {
        bound_blocks(ring, &ring->slot[waiting[i]], NULL, least2[i], most2[i]);
    }
    for (i = 0; i < count; i++) {
        take_block(ring, &ring->slot[waiting[i]], least2[i], most2[i]);
        queue_slot(ring, waiting[i]);
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

static void traverse_nearest_many(const sl_bvh *tree, const sli_kernel_points *ask,
                                  sl_nearest *out, sl_stats *stats)
{
    near_ring ring;
    ring.tree = tree;
    ring.ask = ask;
    ring.out = out;
    ring.started = ask->begin;
    ring.stats = (sl_stats){ .rays = 0 };
    ring.head = ring.tail = ring.leaves = ring.listed = 0;
    for (uint32_t i = 0; i < NEAR_RING && start_slot(&ring, &ring.slot[i]); i++) {
        queue_slot(&ring, i);
    }
    while (ring.head != ring.tail || ring.leaves != 0) {
        node_phase(&ring);
        leaf_phase(&ring);
    }
    decide_list(&ring);
    ring.stats.boxes += SLI_WIDTH * ring.stats.nodes;
    ring.stats.float_stage =
        ring.stats.triangles - ring.stats.double_stage - ring.stats.exact_stage;
    add_stats_to(&ring.stats, stats);
}
