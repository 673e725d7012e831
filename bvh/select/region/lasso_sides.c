/* The sides of a polygon: each once, and those of them that part inside from outside. */
#include "bvh/select/region/lasso_sides.h"

#include "bvh/select/region/planar.h"
#include "lib/base/memory.h"
#include "lib/geom/exact/predicates.h"

#include <string.h>

typedef bool (*before_fn)(const sli_side *a, const sli_side *b);

static bool is_point(const sli_side *side)
{
    return side->at[0][0] == side->at[1][0] && side->at[0][1] == side->at[1][1];
}

static bool by_ends(const sli_side *a, const sli_side *b)
{
    const bool same = a->at[0][0] == b->at[0][0] && a->at[0][1] == b->at[0][1];
    return sli_before(a->at[same], b->at[same]);
}

static bool are_equal(const sli_side *a, const sli_side *b)
{
    return !by_ends(a, b) && !by_ends(b, a);
}

static void sides_merge(const sli_side *from, size_t first, size_t second, size_t end,
                        before_fn before, sli_side *to)
{
    size_t a = first, b = second;
    for (size_t i = first; i < end; i++) {
        const bool take_b = a == second || (b < end && before(&from[b], &from[a]));
        to[i] = from[take_b ? b++ : a++];
    }
}

/* Merge sort.  other: room for as many. */
static void sort_sides(sli_side *sides, size_t count, before_fn before, sli_side *other)
{
    sli_side *from = sides, *to = other;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t first = 0; first < count; first += 2 * run) {
            const size_t second = first + run < count ? first + run : count;
            const size_t end = second + run < count ? second + run : count;
            sides_merge(from, first, second, end, before, to);
        }
        sli_side *swap = from;
        from = to;
        to = swap;
    }
    if (from != sides && count > 0) {
        memcpy(sides, from, count * sizeof *sides);
    }
}

static void list_sides(const double *corners, size_t count, sli_side *out)
{
    for (size_t i = 0; i < count; i++) {
        const double *p = corners + 2 * i, *q = corners + 2 * (i + 1 < count ? i + 1 : 0);
        const double a[2] = { sli_planar_number(p[0]), sli_planar_number(p[1]) };
        const double b[2] = { sli_planar_number(q[0]), sli_planar_number(q[1]) };
        const bool turned = sli_before(b, a);
        memcpy(out[i].at[0], turned ? b : a, sizeof a);
        memcpy(out[i].at[1], turned ? a : b, sizeof b);
    }
}

/* Leaves each side once, and puts those that were there an odd number of times into odd, points
 * left out.  Returns how many are left. */
static size_t take_once(sli_side *sides, size_t count, sli_side *odd, size_t *odd_count)
{
    size_t kept = 0;
    *odd_count = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        const sli_side side = sides[begin];
        end = begin + 1;
        while (end < count && are_equal(&side, &sides[end])) {
            end++;
        }
        if ((end - begin) % 2 != 0 && !is_point(&side)) {
            odd[(*odd_count)++] = side;
        }
        sides[kept++] = side;
    }
    return kept;
}

/* ---- Sides that overlap ---- */

/* Orders sides, whose first end comes first, by direction, then by line, then by first end. */
static int compare_lines(const sli_side *a, const sli_side *b)
{
    sli_decision_stage stage = SLI_STAGE_DOUBLE;
    const int turn = sli_cross2d(a->at[0], a->at[1], b->at[0], b->at[1], &stage);
    return turn != 0 ? turn : sli_orient2d(a->at[0], a->at[1], b->at[0]);
}

static bool by_lines(const sli_side *a, const sli_side *b)
{
    const int sign = compare_lines(a, b);
    return sign != 0 ? sign > 0 : sli_before(a->at[0], b->at[0]);
}

typedef struct point {
    double at[2];
} point;

static bool point_before(const point *a, const point *b)
{
    return sli_before(a->at, b->at);
}

static void points_add(point *points, size_t capacity, uint64_t total, const point *added);
static void points_sort(point *points, size_t capacity, uint64_t total);

#define HIT           point
#define HIT_BEFORE    point_before
#define HIT_HEAP_ADD  points_add
#define HIT_HEAP_SORT points_sort
#include "lib/geom/intersect/hit_heap.inl"

/* Sides of one line: what an odd number of them run along lies between their ends in pairs.
 * Returns how many sides are left, in place. */
static size_t reduce_line(sli_side *sides, size_t count)
{
    size_t kept = 0;
    point *points = (point *)(void *)sides;
    for (size_t i = 0; i < 2 * count; i++) {
        points_add(points, 2 * count, i, &points[i]);
    }
    points_sort(points, 2 * count, 2 * count);
    for (size_t i = 0; i < count; i++) {
        if (!is_point(&sides[i])) {
            sides[kept++] = sides[i];
        }
    }
    return kept;
}

/* Cancels sides that run along each other.  Returns how many are left. */
static size_t sides_reduce(sli_side *sides, size_t count, sli_side *other)
{
    size_t kept = 0;
    sort_sides(sides, count, by_lines, other);
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && compare_lines(&sides[begin], &sides[end]) == 0) {
            end++;
        }
        const size_t left = end > begin + 1 ? reduce_line(sides + begin, end - begin) : 1;
        memmove(sides + kept, sides + begin, left * sizeof *sides);
        kept += left;
    }
    return kept;
}

/* Makes one list of two sorted ones: what is in the first alone, in both, in the second alone.
 * once, in all: with room for the second, too; other: for the first. */
static void sides_join(sli_sides *all, size_t once, sli_side *parting, size_t count,
                       sli_side *other)
{
    sli_side *sides = all->sides;
    size_t alone = 0, both = 0, rest = 0;
    for (size_t i = 0, k = 0; i < once || k < count;) {
        if (k == count || (i < once && by_ends(&sides[i], &parting[k]))) {
            other[alone++] = sides[i++];
        } else if (i == once || by_ends(&parting[k], &sides[i])) {
            parting[rest++] = parting[k++];
        } else {
            sides[both++] = sides[i++];
            k++;
        }
    }
    memmove(sides + alone, sides, both * sizeof *sides);
    memcpy(sides, other, alone * sizeof *sides);
    memcpy(sides + alone + both, parting, rest * sizeof *sides);
    all->parting = alone;
    all->touching = alone + both;
    all->count = alone + both + rest;
}

bool sli_lasso_sides_make(const sl_allocator *allocator, const double *corners, size_t count,
                          sli_lasso *lasso)
{
    sli_sides *all = &lasso->all;
    sli_side_buffer *scratch = &lasso->scratch;
    if (!sli_grow_array(allocator, (void **)&all->sides, &all->capacity, 2 * count,
                        sizeof *all->sides) ||
        !sli_grow_array(allocator, (void **)&scratch->sides, &scratch->capacity, 2 * count,
                        sizeof *scratch->sides)) {
        return false;
    }
    sli_side *parting = scratch->sides, *other = scratch->sides + count;
    size_t odd;
    list_sides(corners, count, all->sides);
    sort_sides(all->sides, count, by_ends, other);
    const size_t once = take_once(all->sides, count, parting, &odd);
    const size_t left = sides_reduce(parting, odd, other);
    sort_sides(parting, left, by_ends, other);
    sides_join(all, once, parting, left, other);
    return true;
}
