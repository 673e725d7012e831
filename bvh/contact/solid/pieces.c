/* Witnesses on both sides of each piece into which cuts part a triangle.
 *
 * A piece that is not the whole triangle has part of a cut on its boundary.  So each cut is split
 * where others meet it, and between two splits there is a point from which a step of any size to
 * either side leads into a piece.  k cuts have k^2 splits at most. */
#include "bvh/contact/solid/fraction.h"
#include "lib/base/memory.h"

#include <string.h>

/* ---- Sorting ---- */

/* What is sorted, in place and without a stack: a heap with the largest on top (Williams 1964). */
typedef struct heap {
    char *items;
    size_t size; /* of an item, no more than that of a cut */
    int (*compare)(void *context, const void *a, const void *b);
    void *context;
} heap;

static void heap_swap(const heap *h, size_t i, size_t k)
{
    char kept[sizeof(sli_solid_cut)];
    memcpy(kept, h->items + i * h->size, h->size);
    memcpy(h->items + i * h->size, h->items + k * h->size, h->size);
    memcpy(h->items + k * h->size, kept, h->size);
}

static int heap_compare(const heap *h, size_t i, size_t k)
{
    return h->compare(h->context, h->items + i * h->size, h->items + k * h->size);
}

/* Lets the one at `at` sink. */
static void heap_sink(const heap *h, size_t at, size_t count)
{
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && heap_compare(h, child + 1, child) > 0;
        if (heap_compare(h, at, child) >= 0) {
            return;
        }
        heap_swap(h, at, child);
        at = child;
    }
}

static void heap_sort(const heap *h, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        heap_sink(h, i, count);
    }
    for (size_t end = count; end-- > 1;) {
        heap_swap(h, 0, end);
        heap_sink(h, 0, end);
    }
}

/* ---- Cuts in order ---- */

/* By bounds, so that cuts by the same side, which have the same ones, follow one another. */
static int compare_cuts(void *context, const void *one, const void *other)
{
    (void)context;
    const sli_cut_bounds *a = &((const sli_solid_cut *)one)->bounds;
    const sli_cut_bounds *b = &((const sli_solid_cut *)other)->bounds;
    const double x[4] = { a->min[0], a->min[1], a->max[0], a->max[1] };
    const double y[4] = { b->min[0], b->min[1], b->max[0], b->max[1] };
    for (int i = 0; i < 4; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

/* Sorts the cuts, drops those that are there twice, and bounds each BLOCK of those that follow one
 * another, which mostly are near one another, too.  False: out of memory. */
enum { BLOCK = 32 };
static bool pieces_sort(sli_pieces *pieces)
{
    size_t kept = 0;
    const heap h = { (char *)pieces->cuts, sizeof *pieces->cuts, compare_cuts, NULL };
    heap_sort(&h, pieces->count);
    for (size_t i = 0; i < pieces->count; i++) {
        if (kept == 0 || !sli_cuts_are_alike(&pieces->cuts[kept - 1], &pieces->cuts[i])) {
            pieces->cuts[kept++] = pieces->cuts[i];
        }
    }
    pieces->count = kept;
    const size_t blocks = (kept + BLOCK - 1) / BLOCK;
    if (!sli_grow_array(&pieces->allocator, &pieces->blocks, &pieces->block_capacity, blocks,
                        sizeof *pieces->blocks)) {
        return false;
    }
    for (size_t i = 0; i < kept; i++) {
        const sli_cut_bounds *own = &pieces->cuts[i].bounds;
        sli_cut_bounds *of = &pieces->blocks[i / BLOCK];
        *of = i % BLOCK == 0 ? *own : *of;
        for (int k = 0; k < 2; k++) {
            of->min[k] = fmin(of->min[k], own->min[k]);
            of->max[k] = fmax(of->max[k], own->max[k]);
        }
    }
    return true;
}

/* ---- Splits of a cut ---- */

static void bigs_reset(sli_bigs *bigs, const sl_allocator *allocator)
{
    sli_arena_free(&bigs->arena);
    *bigs = (sli_bigs){ .arena = sli_arena_make(allocator) };
}

static bool bounds_meet(const sli_cut_bounds *a, const sli_cut_bounds *b)
{
    for (int i = 0; i < 2; i++) {
        if (a->min[i] > b->max[i] || a->max[i] < b->min[i]) {
            return false;
        }
    }
    return true;
}

/* Where the lines of two cuts meet, in one of the coordinates. */
static sli_big_fraction lines_meet(sli_bigs *bigs, const sli_solid_cut *a, const sli_solid_cut *b,
                                   int along, sli_big det)
{
    const sli_big num = along == 0 ? sli_big_cross(bigs, a->r, b->q, b->r, a->q)
                                   : sli_big_cross(bigs, a->p, b->r, b->p, a->r);
    return sli_fraction_make(bigs, num, det);
}

/* Whether another cut meets this one between its ends, and where. */
static bool cuts_meet(sli_bigs *bigs, const sli_solid_cut *cut, const sli_solid_cut *other,
                      sli_big_fraction *at)
{
    const sli_big det = sli_big_cross(bigs, cut->p, other->q, other->p, cut->q);
    if (det.sign == 0) {
        return false;
    }
    *at = lines_meet(bigs, cut, other, cut->along, det);
    if (sli_fraction_compare(bigs, at, &cut->low) <= 0 ||
        sli_fraction_compare(bigs, at, &cut->high) >= 0) {
        return false;
    }
    const sli_big_fraction there =
        other->along == cut->along ? *at : lines_meet(bigs, cut, other, other->along, det);
    return sli_fraction_compare(bigs, &there, &other->low) >= 0 &&
           sli_fraction_compare(bigs, &there, &other->high) <= 0;
}

static bool splits_add(sli_pieces *pieces, size_t *count, const sli_big_fraction *split)
{
    if (!sli_grow_array(&pieces->allocator, &pieces->splits, &pieces->split_capacity, *count + 1,
                        sizeof *split)) {
        return false;
    }
    pieces->splits[(*count)++] = *split;
    return true;
}

static int compare_splits(void *bigs, const void *one, const void *other)
{
    return sli_fraction_compare(bigs, one, other);
}

/* Both ends of a cut and all splits between them, in order; false: out of memory. */
static bool splits_of(sli_pieces *pieces, const sli_solid_cut *cut, size_t *count)
{
    sli_bigs *bigs = &pieces->scratch;
    sli_big_fraction at;
    *count = 0;
    bigs_reset(bigs, &pieces->allocator);
    if (!splits_add(pieces, count, &cut->low) || !splits_add(pieces, count, &cut->high)) {
        return false;
    }
    for (size_t i = 0; i < pieces->count && !bigs->failed; i++) {
        const sli_solid_cut *other = &pieces->cuts[i];
        if (i % BLOCK == 0 && !bounds_meet(&cut->bounds, &pieces->blocks[i / BLOCK])) {
            i += BLOCK - 1;
        } else if (other != cut && bounds_meet(&cut->bounds, &other->bounds) &&
                   cuts_meet(bigs, cut, other, &at) && !splits_add(pieces, count, &at)) {
            return false;
        }
    }
    const heap h = { (char *)pieces->splits, sizeof *pieces->splits, compare_splits, bigs };
    heap_sort(&h, *count);
    return !bigs->failed;
}

/* ---- Witnesses ---- */

/* A number between two others, of as few digits as may be: that of a float or a double, else their
 * mean. */
static sli_big_fraction between(sli_bigs *bigs, const sli_big_fraction *a,
                                const sli_big_fraction *b)
{
    const double mean = 0.5 * (a->near + b->near);
    const double tries[2] = { (double)(float)mean, mean };
    for (int i = 0; i < 2; i++) {
        if (tries[i] > a->near + 2 * a->off && tries[i] < b->near - 2 * b->off) {
            return (sli_big_fraction){ .num = sli_big_of(bigs, tries[i]),
                                       .den = sli_big_of(bigs, 1) };
        }
    }
    const sli_big twice = sli_big_mul(bigs, sli_big_of(bigs, 2), sli_big_mul(bigs, a->den, b->den));
    return (sli_big_fraction){ .num = sli_big_add(bigs, sli_big_mul(bigs, a->num, b->den),
                                                  sli_big_mul(bigs, b->num, a->den)),
                               .den = twice };
}

static void witness_along(sli_witness *witness, const sli_pieces *pieces, int direction, int i)
{
    sli_witness_direct(witness, direction, pieces->corners.v[i], pieces->corners.v[(i + 1) % 3]);
}

/* On both sides of a cut, and of the triangle. */
static void witness_beside(sli_witness *out, const sli_pieces *pieces, const sli_solid_cut *cut)
{
    witness_along(out, pieces, 0, cut->across);
    sli_witness_direct_axis(out, 1, pieces->axis[2]);
    witness_along(out, pieces, 2, (cut->across + 1) % 3);
    out->turned = 2;
    out->axis = pieces->axis[2];
}

/* The point of a cut with the coordinate t = num / den along it.  The other one is s = (r - p t) /
 * q, or with p and q exchanged; the third is (d - n_t t - n_s s) / n_w. */
static void witness_on(sli_witness *out, const sli_pieces *pieces, const sli_solid_cut *cut,
                       const sli_big_fraction *t)
{
    sli_bigs *bigs = out->bigs;
    const int along = pieces->axis[cut->along], other = pieces->axis[1 - cut->along];
    const sli_big p = cut->along == 0 ? cut->p : cut->q, q = cut->along == 0 ? cut->q : cut->p;
    const sli_big *n = pieces->normal, n_w = n[pieces->axis[2]];
    const sli_big s = sli_big_cross(bigs, cut->r, t->den, p, t->num); /* times q den */
    const sli_big q_n = sli_big_mul(bigs, q, n_w);
    const sli_big rest = sli_big_cross(bigs, pieces->offset, t->den, n[along], t->num);
    out->weight = sli_big_mul(bigs, q_n, t->den);
    out->at[along] = sli_big_mul(bigs, q_n, t->num);
    out->at[other] = sli_big_mul(bigs, s, n_w);
    out->at[pieces->axis[2]] = sli_big_cross(bigs, rest, q, n[other], s);
    sli_witness_finish(out);
}

/* Of a triangle without cuts: (2 a + b + c) / 4. */
static void witness_within(sli_witness *out, const sli_pieces *pieces)
{
    sli_bigs *bigs = out->bigs;
    const double(*v)[3] = (const double(*)[3])pieces->corners.v;
    for (int axis = 0; axis < 3; axis++) {
        const sli_big a = sli_big_of(bigs, v[0][axis]);
        const sli_big b = sli_big_of(bigs, v[1][axis]), c = sli_big_of(bigs, v[2][axis]);
        out->at[axis] = sli_big_add(bigs, sli_big_add(bigs, a, a), sli_big_add(bigs, b, c));
    }
    out->weight = sli_big_of(bigs, 4);
    sli_witness_direct_axis(out, 0, pieces->axis[2]);
    witness_along(out, pieces, 1, 0);
    witness_along(out, pieces, 2, 1);
    out->turned = 1;
    out->axis = pieces->axis[2];
    sli_witness_finish(out);
}

/* What is given: which of the witnesses, and to whom. */
typedef struct giving {
    sli_pieces *pieces;
    sli_pieces_take *take;
    void *context;
    bool corners; /* of pieces; else points between them */
    bool more;    /* what take said */
} giving;

/* Gives one witness, on a cut or on none, and forgets its numbers.  False: out of memory. */
static bool pieces_give(giving *g, const sli_solid_cut *cut, size_t i)
{
    const sli_pieces *pieces = g->pieces;
    sli_bigs bigs = { .arena = sli_arena_make(&pieces->allocator) };
    sli_witness witness = { .bigs = &bigs };
    if (cut == NULL && g->corners) {
        for (int axis = 0; axis < 3; axis++) {
            witness.at[axis] = sli_big_of(&bigs, pieces->corners.v[i][axis]);
        }
        witness.weight = sli_big_of(&bigs, 1);
        sli_witness_finish(&witness);
    } else if (cut == NULL) {
        witness_within(&witness, pieces);
    } else if (g->corners) {
        witness_on(&witness, pieces, cut, &pieces->splits[i]);
    } else {
        const sli_big_fraction t = between(&bigs, &pieces->splits[i], &pieces->splits[i + 1]);
        witness_on(&witness, pieces, cut, &t);
        witness_beside(&witness, pieces, cut);
    }
    g->more = !bigs.failed && g->take(g->context, &witness);
    sli_arena_free(&bigs.arena);
    return !bigs.failed;
}

/* On all cuts, at each split but for those that are the next one, too. */
static bool pieces_give_cuts(giving *g)
{
    sli_pieces *pieces = g->pieces;
    if (!pieces_sort(pieces)) {
        return false;
    }
    for (size_t i = 0; i < pieces->count && g->more; i++) {
        const sli_solid_cut *cut = &pieces->cuts[i];
        size_t count;
        if (!splits_of(pieces, cut, &count)) {
            return false;
        }
        for (size_t k = 0; k < count && g->more; k++) {
            const bool last = k + 1 == count;
            const bool alike = !last && sli_fraction_compare(&pieces->scratch, &pieces->splits[k],
                                                             &pieces->splits[k + 1]) == 0;
            if (!alike && !(last && !g->corners) && !pieces_give(g, cut, k)) {
                return false;
            }
        }
    }
    return !pieces->scratch.failed;
}

bool sli_pieces_witnesses(sli_pieces *pieces, sli_pieces_take *take, void *context)
{
    giving g = { .pieces = pieces, .take = take, .context = context, .more = true };
    if (pieces->bigs.failed) {
        return false;
    }
    return pieces->count == 0 ? pieces_give(&g, NULL, 0) : pieces_give_cuts(&g);
}

bool sli_pieces_corners(sli_pieces *pieces, sli_pieces_take *take, void *context)
{
    giving g = {
        .pieces = pieces, .take = take, .context = context, .corners = true, .more = true
    };
    for (size_t i = 0; i < 3 && g.more; i++) {
        if (pieces->bigs.failed || !pieces_give(&g, NULL, i)) {
            return false;
        }
    }
    return pieces_give_cuts(&g);
}
