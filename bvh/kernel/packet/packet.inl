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
 * visit, or the list is full, doubles decide it, eight at a time (filter/tri.inl).  Rays whose lines meet, as
 * a camera's do, go by a quicker way (packet/frustum.inl). */

enum {
    PACKET = 64,
    PACKET_LANES = 16, /* of one register */
    PACKET_GROUPS = PACKET / PACKET_LANES,
    PACKET_FEWEST = 40, /* rays that make it worth while */
    PACKET_LIST = 64
};

/* Rays are coherent whose shears differ by less, and origins by less than this share of the tree. */
#define PACKET_SPREAD 0.125f

/* The rays as they are. */
typedef struct packet_rays {
    float from[3][PACKET], dir[3][PACKET], limits[2][PACKET];
} packet_rays;

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
        f16_store(row + group, f16_where(rays >> group & 0xFFFF, f16_load(row + group), other));
    }
}

/* Reads the rays as they are; returns the valid ones of the most common octant. */
static uint64_t packet_read(packet_rays *p, const sl_ray *rays)
{
    uint64_t valid = 0, negative[3] = { 0 };
    for (int i = 0; i < PACKET_EIGHTS; i++) {
        ring_input in;
        valid |= (uint64_t)read_rays(rays + 8 * i, &in) << (8 * i);
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t below = 0xFF & ~f8_bits_le(f8_splat(0), in.dir[axis]);
            negative[axis] |= (uint64_t)below << (8 * i);
            f8_store(p->from[axis] + 8 * i, in.origin[axis]);
            f8_store(p->dir[axis] + 8 * i, in.dir[axis]);
        }
        f8_store(p->limits[0] + 8 * i, in.tmin);
        f8_store(p->limits[1] + 8 * i, in.tmax);
    }
    return valid & majority(negative[0]) & majority(negative[1]) & majority(negative[2]);
}

#include "bvh/kernel/packet/setup.inl"
#include "bvh/kernel/packet/traverse.inl"

#include "bvh/kernel/packet/frustum.inl"
#include "bvh/kernel/packet/frustum_decide.inl"
#include "bvh/kernel/packet/frustum_traverse.inl"

/* Coherent rays of any kind. */
static __attribute__((noinline)) uint64_t packet_take_any(ring_state *r, packet_rays *as,
                                                          uint64_t rays)
{
    const sli_kernel_batch *batch = r->batch;
    const size_t first = r->next;
    packet p;
    p.as = as;
    rays = make_packet(&p, batch, first, rays);
    if (rays == 0) {
        return 0;
    }
    for (size_t i = first; i < first + PACKET; i++) {
        r->answers.hits[i] = (sl_hit){ .t = batch->rays[i].tmax, .prim = SL_NONE };
    }
    packet_walk(&p, r);
    return rays;
}

/* Those whose lines meet. */
static __attribute__((noinline)) uint64_t packet_take_pencil(ring_state *r, const packet_rays *as,
                                                             uint64_t rays)
{
    const sli_kernel_batch *batch = r->batch;
    pencil p;
    rays = make_pencil(&p, batch->tree, as, rays);
    if (rays == 0) {
        return 0;
    }
    p.taken = rays;
    p.narrows = batch->query->cull == SL_CULL_NONE &&
                (batch->query->flags & (SL_USE_MASK | SL_USE_SKIP)) == 0;
    pencil_walk(&p, r);
    pencil_write(&p, r->answers.hits + r->next);
    return rays;
}

/* Asks for the memory of these answers, and of the rays behind these. */
static void packet_prefetch_batch(const ring_state *r)
{
    const char *hits = (const char *)(r->answers.hits + r->next);
    const char *rays = (const char *)(r->batch->rays + r->next + PACKET);
    for (size_t at = 0; at < PACKET * sizeof(sl_hit); at += SLI_LINE) {
        __builtin_prefetch(hits + at, 1);
    }
    for (size_t at = 0; at < PACKET * sizeof(sl_ray) && r->end - r->next >= 2 * PACKET;
         at += SLI_LINE) {
        __builtin_prefetch(rays + at);
    }
}

/* Answers those of the next rays that are coherent, if they are many; returns which. */
static __attribute__((noinline)) uint64_t packet_take(ring_state *r)
{
    packet_rays as;
    const uint64_t rays = packet_read(&as, r->batch->rays + r->next);
    if (__builtin_popcountll(rays) < PACKET_FEWEST) {
        return 0;
    }
    packet_prefetch_batch(r);
    uint64_t taken = packet_take_pencil(r, &as, rays);
    if (taken == 0) {
        taken = packet_take_any(r, &as, rays);
    }
    r->stats.rays += (uint64_t)__builtin_popcountll(taken);
    return taken;
}
