/* polygon.c: the sweep that cuts polygons.
 *
 * The line moves to the right over the corners, in the order of x and then y.  It keeps the sides
 * that it meets, from below to above.  Along it, sides that run to the right and to the left take
 * turns, the lowest running to the right: then what is above the former is wound around once and
 * what is above the latter not at all.  Sides that lie on one another are put in that order, too.
 * Neighbours on the line stay in order until one of them ends, or the polygon crosses itself.
 *
 * Between a side that runs to the right and the next one above it, what is not cut yet is bounded
 * on the left by a chain of corners, from the left end of the lower side to that of the upper one.
 * It goes right up to the last corner that was met, then left; no triangle of three corners in a
 * row can be cut from it. */
#include "lib/mesh/polygon.h"

#include "lib/base/assert.h"
#include "lib/geom/exact/predicates.h"

#include <sightline/base.h>

/* How many corners a polygon is swept from, at most; one with more corners from the first alone. */
enum { STARTS = 16, STARTS_CORNERS = 1024 };

typedef sli_polygon_side polygon_side;

typedef struct chain {
    uint32_t end[2], last; /* links: lowest and highest; the one met last */
} chain;

typedef struct polygon_sweep {
    polygon_side *sides;
    sli_polygon_link *links;
    uint32_t *order, *starts, *triangles;
    uint32_t count;   /* of corners that differ from the one before */
    uint32_t corners; /* of the polygon */
    sli_splay line;
    uint32_t link_count;          /* at most two a corner */
    size_t triangle_count, solid; /* solid: with an area */
    size_t steps;                 /* left for looking through sides that lie on one another */
    bool chose;                   /* sides that begin at one place lie on one another */
} polygon_sweep;

/* ---- sides ---------------------------------------------------------------------------- */

static uint32_t after(const polygon_sweep *sweep, uint32_t corner)
{
    return corner + 1 < sweep->count ? corner + 1 : 0;
}

static bool runs_right(const polygon_sweep *sweep, uint32_t side)
{
    return sweep->sides[side].rank < sweep->sides[after(sweep, side)].rank;
}

/* The corner where a side begins (end 0) or ends (1) for the line. */
static uint32_t side_end(const polygon_sweep *sweep, uint32_t side, int end)
{
    return runs_right(sweep, side) == (end == 0) ? side : after(sweep, side);
}

static uint32_t right_rank(const polygon_sweep *sweep, uint32_t side)
{
    return sweep->sides[side_end(sweep, side, 1)].rank;
}

static int orient(const polygon_sweep *sweep, uint32_t a, uint32_t b, uint32_t c)
{
    const float *p = sweep->sides[a].at, *q = sweep->sides[b].at, *r = sweep->sides[c].at;
    const double pd[2] = { p[0], p[1] }, qd[2] = { q[0], q[1] }, rd[2] = { r[0], r[1] };
    return sli_orient2d(pd, qd, rd);
}

/* Positive where the corner is above the line of a side. */
static int above(const polygon_sweep *sweep, uint32_t side, uint32_t corner)
{
    return orient(sweep, side_end(sweep, side, 0), side_end(sweep, side, 1), corner);
}

static uint32_t next_above(const polygon_sweep *sweep, uint32_t side)
{
    return sli_splay_next(&sweep->line, side);
}

/* Whether neighbours on the line stay in order until one of them ends. */
static bool stay_in_order(const polygon_sweep *sweep, uint32_t low, uint32_t high)
{
    if (low == SL_NONE || high == SL_NONE) {
        return true;
    }
    const uint32_t low_rank = right_rank(sweep, low), high_rank = right_rank(sweep, high);
    return low_rank < high_rank   ? above(sweep, high, side_end(sweep, low, 1)) <= 0
           : low_rank > high_rank ? above(sweep, low, side_end(sweep, high, 1)) >= 0
                                  : true;
}

/* ---- chains --------------------------------------------------------------------------- */

static bool emit(polygon_sweep *sweep, uint32_t a, uint32_t b, uint32_t c)
{
    if (sweep->triangle_count + 2 == sweep->corners) {
        return false;
    }
    uint32_t *to = sweep->triangles + 3 * sweep->triangle_count++;
    to[0] = sweep->sides[a].corner;
    to[1] = sweep->sides[b].corner;
    to[2] = sweep->sides[c].corner;
    return true;
}

static uint32_t new_link(polygon_sweep *sweep, uint32_t corner)
{
    const uint32_t link = sweep->link_count++;
    SL_ASSERT(link < 2 * sweep->count);
    sweep->links[link] = (sli_polygon_link){ corner, { SL_NONE, SL_NONE } };
    return link;
}

static void tie(polygon_sweep *sweep, uint32_t low, uint32_t high)
{
    sweep->links[low].beside[1] = high;
    if (high != SL_NONE) {
        sweep->links[high].beside[0] = low;
    }
}

static chain new_chain(polygon_sweep *sweep, uint32_t corner)
{
    const uint32_t link = new_link(sweep, corner);
    return (chain){ { link, link }, link };
}

static chain chain_of(const polygon_sweep *sweep, uint32_t side)
{
    const polygon_side *of = &sweep->sides[side];
    return (chain){ { of->end[0], of->end[1] }, of->last };
}

static void give_chain(polygon_sweep *sweep, uint32_t side, chain of)
{
    sweep->sides[side].end[0] = of.end[0];
    sweep->sides[side].end[1] = of.end[1];
    sweep->sides[side].last = of.last;
}

/* Cuts triangles from one end (0 the low, 1 the high) of a chain, to the corner that comes behind
 * it: those with an area; those without where two sides run back over one another; all of them
 * with_all.  False: one turns the wrong way, which only with_all can find. */
static bool cut_end(polygon_sweep *sweep, chain *of, int end, uint32_t corner, bool with_all)
{
    for (;;) {
        const uint32_t link = of->end[end], inner = sweep->links[link].beside[!end];
        if (inner == SL_NONE) {
            return true;
        }
        const uint32_t a = sweep->links[link].side, b = sweep->links[inner].side;
        const int turn = end == 1 ? orient(sweep, b, corner, a) : orient(sweep, a, corner, b);
        const bool back = turn == 0 && sweep->sides[b].rank > sweep->sides[a].rank;
        if (turn <= 0 && !back && !with_all) {
            return true;
        }
        if (turn < 0 || !(end == 1 ? emit(sweep, b, corner, a) : emit(sweep, a, corner, b))) {
            return false;
        }
        sweep->solid += turn > 0;
        of->end[end] = inner;
        sweep->links[inner].beside[end] = SL_NONE;
    }
}

/* The corner becomes that end of the chain. */
static bool extend(polygon_sweep *sweep, chain *of, int end, uint32_t corner)
{
    if (!cut_end(sweep, of, end, corner, false)) {
        return false;
    }
    const uint32_t link = new_link(sweep, corner);
    tie(sweep, end == 1 ? of->end[1] : link, end == 1 ? link : of->end[0]);
    of->end[end] = of->last = link;
    return true;
}

/* The last triangles of a chain, whose sides both end in the corner.  Two sides that lie on one
 * another and hold nothing are two triangles without area, unless nothing else has one either. */
static bool finish(polygon_sweep *sweep, chain of, uint32_t corner)
{
    if (of.end[0] == of.end[1]) {
        const uint32_t first = sweep->links[of.end[0]].side;
        (void)(emit(sweep, first, corner, corner) && emit(sweep, first, first, corner));
        return true;
    }
    return cut_end(sweep, &of, 1, corner, true);
}

/* A corner between the sides sees the one that was met last. */
static bool split(polygon_sweep *sweep, chain of, uint32_t corner, chain *low, chain *high)
{
    const uint32_t twin = new_link(sweep, sweep->links[of.last].side);
    tie(sweep, twin, sweep->links[of.last].beside[1]);
    sweep->links[of.last].beside[1] = SL_NONE;
    *high = (chain){ { twin, of.end[1] == of.last ? twin : of.end[1] }, twin };
    *low = (chain){ { of.end[0], of.last }, of.last };
    return extend(sweep, low, 1, corner) && extend(sweep, high, 0, corner);
}

/* Two chains that end in one corner become one; the last link made is that end of the high one. */
static chain merge(polygon_sweep *sweep, chain low, chain high)
{
    const uint32_t middle = low.end[1], first = high.end[0];
    sweep->link_count--;
    tie(sweep, middle, sweep->links[first].beside[1]);
    return (chain){ { low.end[0], high.end[1] == first ? middle : high.end[1] }, middle };
}

/* ---- corners -------------------------------------------------------------------------- */

/* What happens at one position between two neighbours, low and high, that go on (or SL_NONE): the
 * sides between them end there, and count others start, which are in order. */
static bool pass(polygon_sweep *sweep, uint32_t low, uint32_t high, const uint32_t *starts,
                 size_t count)
{
    const bool inside = low != SL_NONE && runs_right(sweep, low);
    chain below = { 0 }, over = { 0 };
    bool open = inside, done = true;
    uint32_t under = low; /* the lower side of what is open */
    for (uint32_t side = next_above(sweep, low); side != high && done;
         side = next_above(sweep, side)) {
        const uint32_t corner = side_end(sweep, side, 1);
        if (open && under == low) {
            below = chain_of(sweep, low);
            done = extend(sweep, &below, 1, corner);
        } else if (open) {
            done = finish(sweep, chain_of(sweep, under), corner);
        }
        open = !open;
        under = side;
    }
    const bool open_after = inside != (count % 2 != 0);
    if (!done || open != open_after || (open && high == SL_NONE)) {
        return false;
    }
    if (open && under != low) {
        over = chain_of(sweep, under);
        done = extend(sweep, &over, 0, side_end(sweep, under, 1));
    } else if (open && count > 0) {
        done = split(sweep, chain_of(sweep, low), side_end(sweep, starts[0], 0), &below, &over);
    } else if (open) {
        return true; /* nothing ends or starts here */
    }
    while (done && next_above(sweep, low) != high) {
        sli_splay_remove(&sweep->line, next_above(sweep, low));
    }
    if (inside && done) {
        give_chain(sweep, low, count > 0 ? below : merge(sweep, below, over));
    }
    uint32_t top = low;
    for (size_t i = 0; i < count && done; i++) {
        sli_splay_insert(&sweep->line, top, starts[i]);
        top = starts[i];
        if (inside == (i % 2 != 0)) {
            give_chain(sweep, top,
                       i + 1 < count ? new_chain(sweep, side_end(sweep, top, 0)) : over);
        }
    }
    return done && (count == 0 || stay_in_order(sweep, low, starts[0])) &&
           stay_in_order(sweep, top, high);
}

/* The first from side on, below high, that goes on behind the position of this rank. */
static uint32_t next_to_go_on(const polygon_sweep *sweep, uint32_t side, uint32_t high,
                              uint32_t rank)
{
    while (side != high && right_rank(sweep, side) == rank) {
        side = next_above(sweep, side);
    }
    return side;
}

/* Moves to starts[0] one of those in the same direction that runs as wanted; false: none does. */
static bool choose_start(polygon_sweep *sweep, uint32_t *starts, size_t count, bool right)
{
    const uint32_t first = starts[0];
    for (size_t i = 0;
         i < count && (i == 0 || above(sweep, first, side_end(sweep, starts[i], 1)) == 0); i++) {
        sweep->chose = sweep->chose || i > 0;
        if (runs_right(sweep, starts[i]) == right) {
            starts[0] = starts[i];
            starts[i] = first;
            return true;
        }
        if (sweep->steps-- == 0) {
            return false;
        }
    }
    return false;
}

typedef struct position {
    const polygon_sweep *sweep;
    uint32_t corner;
} position;

static bool is_below(const void *context, uint32_t side)
{
    const position *at = context;
    return above(at->sweep, side, at->corner) > 0;
}

/* Everything at one position.  Sides that go through it divide it; they all have one direction, or
 * the polygon crosses itself. */
static bool visit(polygon_sweep *sweep, uint32_t corner, uint32_t *starts, size_t count)
{
    const uint32_t rank = sweep->sides[corner].rank;
    const position at = { sweep, corner };
    uint32_t low = sli_splay_find(&sweep->line, is_below, &at), high = next_above(sweep, low);
    for (; high != SL_NONE && above(sweep, high, corner) == 0; high = next_above(sweep, high)) {
        if (right_rank(sweep, high) != rank && sweep->steps-- == 0) {
            return false;
        }
    }
    uint32_t middle = next_to_go_on(sweep, next_above(sweep, low), high, rank);
    bool inside = low != SL_NONE && runs_right(sweep, low);
    size_t begin = 0;
    for (size_t i = begin; i < count || middle != high; inside = !inside) {
        const int side = middle == high ? -1
                         : i == count   ? 1
                                        : above(sweep, middle, side_end(sweep, starts[i], 1));
        if (side >= 0 && runs_right(sweep, middle) != inside) {
            if (!pass(sweep, low, middle, starts + begin, i - begin)) {
                return false;
            }
            begin = i;
            low = middle;
            middle = next_to_go_on(sweep, next_above(sweep, middle), high, rank);
        } else if (side > 0 || !choose_start(sweep, starts + i, count - i, !inside)) {
            return false;
        } else {
            i++;
        }
    }
    return pass(sweep, low, high, starts + begin, count - begin);
}

/* ---- the whole ------------------------------------------------------------------------ */

/* Negative where a comes before b. */
typedef int sweep_compare(const polygon_sweep *sweep, uint32_t a, uint32_t b);

static int compare_positions(const polygon_sweep *sweep, uint32_t a, uint32_t b)
{
    const float *p = sweep->sides[a].at, *q = sweep->sides[b].at;
    return p[0] != q[0] ? (p[0] < q[0] ? -1 : 1) : (p[1] > q[1]) - (p[1] < q[1]);
}

static int compare_directions(const polygon_sweep *sweep, uint32_t a, uint32_t b)
{
    return -above(sweep, a, side_end(sweep, b, 1));
}

/* Shell's sort.  With these steps it takes O(n^(4/3)): Sedgewick, A new upper bound for Shellsort
 * (1986). */
static void sort_by(const polygon_sweep *sweep, uint32_t *items, size_t count,
                    sweep_compare *compare)
{
    int power = 0;
    while (((size_t)4 << (2 * power)) + ((size_t)3 << power) + 1 < count) {
        power++;
    }
    for (; power >= 0; power--) {
        const size_t step =
            power > 0 ? ((size_t)1 << (2 * power)) + ((size_t)3 << power >> 1) + 1 : 1;
        for (size_t i = step; i < count; i++) {
            const uint32_t item = items[i];
            size_t to = i;
            for (; to >= step && compare(sweep, item, items[to - step]) < 0; to -= step) {
                items[to] = items[to - step];
            }
            items[to] = item;
        }
    }
}

static bool run(polygon_sweep *sweep)
{
    for (uint32_t i = 0; i < sweep->count; i++) {
        sweep->order[i] = i;
    }
    sort_by(sweep, sweep->order, sweep->count, compare_positions);
    uint32_t rank = 0;
    for (uint32_t i = 0; i < sweep->count; i++) {
        rank += i > 0 && compare_positions(sweep, sweep->order[i - 1], sweep->order[i]) != 0;
        sweep->sides[sweep->order[i]].rank = rank;
    }
    for (uint32_t i = 0, end; i < sweep->count; i = end) {
        const uint32_t corner = sweep->order[i];
        size_t starts = 0;
        for (end = i; end < sweep->count &&
                      sweep->sides[sweep->order[end]].rank == sweep->sides[corner].rank;
             end++) {
            const uint32_t next = sweep->order[end];
            const uint32_t before = next > 0 ? next - 1 : sweep->count - 1;
            if (side_end(sweep, before, 0) == next) {
                sweep->starts[starts++] = before;
            }
            if (side_end(sweep, next, 0) == next) {
                sweep->starts[starts++] = next;
            }
        }
        sort_by(sweep, sweep->starts, starts, compare_directions);
        if (!visit(sweep, corner, sweep->starts, starts)) {
            return false;
        }
    }
    return sweep->line.root == SL_NONE;
}

/* From corner `first` on.  Corners that repeat the one before become triangles without area at
 * once. */
static polygon_sweep start_sweep(const float *xyz, const uint32_t *fan, size_t count, size_t first,
                                 int axis, bool mirrored, sli_polygon_space *space)
{
    polygon_sweep sweep = { .sides = (void *)space->work, .corners = (uint32_t)count };
    sweep.line.nodes = (void *)(sweep.sides + count);
    sweep.links = (void *)(sweep.line.nodes + count);
    sweep.order = (void *)(sweep.links + 2 * count);
    sweep.starts = sweep.order + count;
    space->values = sweep.starts + count;
    space->triangles = sweep.triangles = space->values + count;
    sweep.line.root = sweep.line.first = SL_NONE;
    sweep.steps = 64 * count;
    double at[2], before[2];
    sli_polygon_at(xyz, fan, (first + count - 1) % count, axis, before);
    for (size_t i = 0; i < count; i++) {
        const size_t corner = (first + i) % count;
        sli_polygon_at(xyz, fan, corner, axis, at);
        sweep.sides[sweep.count] =
            (polygon_side){ .at = { (float)at[mirrored], (float)at[!mirrored] },
                            .corner = (uint32_t)corner };
        if (at[0] != before[0] || at[1] != before[1]) {
            sweep.count++;
        } else {
            (void)emit(&sweep, sweep.count, sweep.count, sweep.count);
        }
        before[0] = at[0];
        before[1] = at[1];
    }
    return sweep;
}

sli_polygon_cut sli_polygon_cut_along(const float *xyz, const uint32_t *fan, size_t count, int axis,
                                      bool mirrored, sli_polygon_space *space)
{
    /* Sides that lie on one another are taken in the order of their corners, and with some orders
     * they cross: then another corner comes first.  And the sign of a tiny area may be rounding. */
    const size_t starts = count < STARTS ? count : STARTS;
    for (int again = 0; again < 2; again++, mirrored = !mirrored) {
        bool chose = true;
        for (size_t start = 0; chose && start < starts; start++) {
            polygon_sweep sweep =
                start_sweep(xyz, fan, count, start * count / starts, axis, mirrored, space);
            if (sweep.count < 3) {
                return SLI_POLYGON_FAN;
            }
            if (run(&sweep)) {
                while (emit(&sweep, 0, 0, 0)) {
                }
                return sweep.solid > 0 ? SLI_POLYGON_CUT : SLI_POLYGON_FAN;
            }
            chose = sweep.chose && count <= STARTS_CORNERS;
        }
    }
    return SLI_POLYGON_CROSSES;
}
