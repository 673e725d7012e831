/* VISIBLE of edges and vertices: which incidences to trace, and what comes of it.
 *
 * Once     what all of lies in the region is traced once; a side at its border again for each
 *          other region, unless nothing of it is seen at all.
 * One      incidences of a topology's vertex or edge mostly lie at one position, and what is
 *          seen of one is seen of all: the first that a share comes to stands for those that do,
 *          and they count as traced, and not seen.  Those of a vertex that parted since are traced
 *          themselves.
 * Shares   take words of incidences, so that each writes its own, until there are none or time
 *          is up; each settles one incidence at least. */
#include "bvh/pick/candidate.h"
#include "bvh/select/elements.h"
#include "bvh/select/modes.h"
#include "bvh/select/visibility_batch.h"

#include "lib/base/atomic.h"
#include "lib/base/search.h"

enum { BLOCK = 16 }; /* words that a share takes at a time */

/* ---- Known ---- */

static uint64_t seen_known(const sli_seen *b, uint64_t at)
{
    const uint64_t whole = b->whole[at], hidden = b->known[1][at] & ~b->seen[1][at];
    return (whole & b->known[1][at]) | (~whole & (b->known[0][at] | hidden));
}

static uint64_t seen_bits(const sli_seen *b, uint64_t at)
{
    const uint64_t whole = b->whole[at];
    return (whole & b->seen[1][at]) | (~whole & b->seen[0][at]);
}

static void set_known(sli_seen *b, uint64_t bit, bool whole, bool is_seen)
{
    b->known[whole][bit / 64] |= 1ull << (bit % 64);
    b->seen[whole][bit / 64] |= (uint64_t)is_seen << (bit % 64);
}

static bool are_same(const sli_sides *a, const sli_sides *b)
{
    return a->count == b->count && a->touching == b->touching && a->parting == b->parting &&
           (a->count == 0 || memcmp(a->sides, b->sides, a->count * sizeof *a->sides) == 0);
}

/* Whether what was traced of the region before holds for the one now. */
static bool is_same_region(const sli_region *a, const sli_region *b)
{
    if (a->none || b->none || a->kind != b->kind) {
        return false;
    }
    if (a->kind == SL_REGION_LASSO) {
        return are_same(&a->lasso.all, &b->lasso.all);
    }
    return memcmp(a->p, b->p, sizeof a->p) == 0 && memcmp(a->q, b->q, sizeof a->q) == 0 &&
           (a->kind == SL_REGION_RECTANGLE || a->radius == b->radius);
}

static void forget_border(sl_selection *s)
{
    const size_t size = (size_t)s->incidence_offset[s->instance_count] * sizeof *s->incidence_words;
    if (size > 0) {
        memset(s->seen.known[0], 0, size);
        memset(s->seen.seen[0], 0, size);
    }
}

/* ---- Shares ---- */

typedef struct job {
    sl_selection *s;
    uint64_t began_ns;
    size_t next; /* word that no share has */
} job;

typedef struct share {
    job *job;
    sli_visibility_batch *batch;
    size_t word, end;  /* of those that it has */
    uint32_t instance; /* of the word */
    uint64_t open;     /* incidences of the word that are left to trace */
    uint64_t settled;
} share;

/* The instance that a word of incidences is of. */
static uint32_t instance_of(const sl_selection *s, uint64_t word)
{
    return (uint32_t)SLI_FIRST(i, 1, s->instance_count, s->incidence_offset[i] > word) - 1;
}

static bool share_take_words(share *h)
{
    const size_t count = (size_t)h->job->s->incidence_offset[h->job->s->instance_count];
    if (h->settled > 0 && sli_select_is_late(h->job->s, h->job->began_ns)) {
        return false;
    }
    h->word = sli_atomic_fetch_add_size(&h->job->next, BLOCK);
    if (h->word >= count) {
        return false;
    }
    h->end = count - h->word < BLOCK ? count : h->word + BLOCK;
    h->instance = instance_of(h->job->s, h->word);
    return true;
}

/* The next incidence to trace, as its bit among those of all instances. */
static bool share_take_bit(share *h, uint64_t *bit)
{
    const sl_selection *s = h->job->s;
    while (h->open == 0) {
        h->word++;
        if (h->word >= h->end && !share_take_words(h)) {
            h->word = h->end = 0;
            return false;
        }
        while (s->incidence_offset[h->instance + 1] <= h->word) {
            h->instance++;
        }
        h->open = s->incidence_words[h->word] & ~seen_known(&s->seen, h->word);
    }
    *bit = (uint64_t)h->word * 64 + (uint64_t)__builtin_ctzll(h->open);
    h->open &= h->open - 1;
    return true;
}

static void share_settle(void *context, const sli_visibility_target *target)
{
    share *h = context;
    set_known(&h->job->s->seen, target->bit, target->whole, target->seen);
    h->settled++;
}

/* ---- Items ---- */

static bool is_equal(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Whether two corners, or two sides, lie at one position. */
static bool is_same_position(const sl_selection *s, const sl_triangle *a, uint32_t k,
                             const sl_triangle *b, uint32_t l)
{
    if (s->unit == SL_SELECT_VERTICES) {
        return is_equal(a->v[k], b->v[l]);
    }
    const float *p = a->v[k], *q = a->v[(k + 1) % 3], *r = b->v[l], *t = b->v[(l + 1) % 3];
    return (is_equal(p, r) && is_equal(q, t)) || (is_equal(p, t) && is_equal(q, r));
}

/* Whether another incidence at the same position stands for this one. */
static bool target_has_first(sl_selection *s, uint32_t instance, uint32_t element, uint64_t number,
                             const sl_triangle *triangle)
{
    if (s->seen.first == NULL) {
        return false;
    }
    uint32_t *first = &s->seen.first[s->offset[instance] * 64 + element];
    const uint32_t other = sli_atomic_claim_u32(first, (uint32_t)number + 1) - 1;
    sl_triangle found;
    return other != number &&
           sli_tree_triangle(s->bvh->world.transformed[instance].tree, other / 3, &found) &&
           is_same_position(s, triangle, (uint32_t)(number % 3), &found, other % 3);
}

/* The other triangle at an edge, where the topology is right about it. */
static void target_find_other(const sl_selection *s, uint32_t element, const sl_triangle *triangle,
                              uint32_t k, sli_visibility_target *target)
{
    const sl_triangle_ref own = target->own[0];
    uint32_t prims[2] = { SL_NONE, SL_NONE };
    if (s->topologies == NULL || s->topologies[own.instance] == NULL) {
        return;
    }
    (void)sl_topology_around(s->topologies[own.instance], SL_EDGES, element, SL_TRIANGLES, prims,
                             2);
    const uint32_t other = prims[0] == own.prim ? prims[1] : prims[0];
    sl_triangle found;
    if (!sli_tree_triangle(s->bvh->world.transformed[own.instance].tree, other, &found)) {
        return;
    }
    for (uint32_t side = 0; side < 3; side++) {
        if (is_same_position(s, triangle, k, &found, side)) {
            target->own[1] = (sl_triangle_ref){ own.instance, other };
        }
    }
}

/* False where nothing is to be traced: the incidence is not seen, or another one stands for it. */
static bool share_open_target(share *h, uint64_t bit, sli_visibility_target *target)
{
    sl_selection *s = h->job->s;
    const uint64_t number = bit - s->incidence_offset[h->instance] * 64;
    const uint32_t prim = (uint32_t)(number / 3), k = (uint32_t)(number % 3);
    const uint32_t element = sli_element_of(s, h->instance, prim, k);
    sl_triangle triangle;
    double v[3][3];
    *target =
        (sli_visibility_target){ .bit = bit, .quota = 1, .whole = sli_bit(s->seen.whole, bit) };
    target->own[0] = (sl_triangle_ref){ h->instance, prim };
    target->own[1] = target->occluder = (sl_triangle_ref){ 0, SL_NONE };
    if (element >= s->bit_count[h->instance] ||
        !sli_triangle_corners(s->bvh, target->own[0], &triangle, v) ||
        target_has_first(s, h->instance, element, number, &triangle)) {
        return false;
    }
    if (s->unit == SL_SELECT_VERTICES) {
        sli_samples_open_corner(v[k], &target->samples);
        return true;
    }
    target_find_other(s, element, &triangle, k, target);
    return sli_samples_open(&s->screen.view, v[k], v[(k + 1) % 3], &target->samples);
}

/* Fills the batch with incidences; false: there are no more. */
static bool share_fill(share *h)
{
    sli_visibility_batch *b = h->batch;
    uint64_t bit;
    while (b->target_count < SLI_VISIBILITY_BATCH) {
        if (!share_take_bit(h, &bit)) {
            return false;
        }
        sli_visibility_target *target = &b->targets[b->target_count];
        if (share_open_target(h, bit, target)) {
            b->target_count++;
        } else {
            share_settle(h, target);
        }
    }
    return true;
}

static void share_run(void *context, size_t index)
{
    job *j = context;
    share h = { .job = j, .batch = &j->s->seen.batches[index] };
    sli_visibility_batch_begin(h.batch);
    bool more = share_fill(&h);
    while (h.batch->target_count > 0) {
        sli_visibility_batch_trace(j->s, h.batch, share_settle, &h);
        if (sli_select_is_late(j->s, j->began_ns)) {
            more = false;
            sli_visibility_batch_cut(h.batch, h.settled > 0 ? 0 : 1);
        }
        more = more && share_fill(&h);
    }
    sli_atomic_add_u64(&j->s->info.traced, h.batch->traced);
}

/* ---- Counting ---- */

static void seen_count_word(sl_selection *s, uint32_t instance, uint64_t at)
{
    sli_seen *b = &s->seen;
    const uint64_t now = s->incidence_words[at] & seen_bits(b, at);
    for (uint64_t left = now ^ b->counted[at]; left != 0; left &= left - 1) {
        const uint64_t number =
            (at - s->incidence_offset[instance]) * 64 + (uint64_t)__builtin_ctzll(left);
        const uint32_t prim = (uint32_t)(number / 3), k = (uint32_t)(number % 3);
        const bool came = (now & left & (0 - left)) != 0;
        sli_count_element(s, instance, sli_element_of(s, instance, prim, k), came ? 1 : -1);
    }
    b->counted[at] = now;
}

void sli_select_visibility(sl_selection *s, const sl_tasks *tasks, uint64_t began_ns)
{
    job j = { .s = s, .began_ns = began_ns };
    if (!is_same_region(&s->regions[0], &s->regions[1])) {
        forget_border(s);
    }
    sli_select_shares(tasks, tasks != NULL ? SLI_VISIBILITY_BATCHES : 1, share_run, &j);
    for (uint32_t instance = 0; instance < s->instance_count; instance++) {
        for (uint64_t at = s->incidence_offset[instance]; at < s->incidence_offset[instance + 1];
             at++) {
            const uint64_t open = s->incidence_words[at] & ~seen_known(&s->seen, at);
            s->info.pending += open != 0 ? (uint64_t)__builtin_popcountll(open) : 0;
            seen_count_word(s, instance, at);
        }
    }
}
