/* Spheres and capsules that move: which cell they enter, and how they start.
 *
 * Each cell is asked in doubles and, where these are unsure, exactly.  A cell that is entered is
 * the only contact there is: before, the shape is apart, as all it touches is convex.  So how it
 * starts is looked at only where it does not move, or where the entry is before the start. */
#include "lib/geom/sweep/round.h"

#include "lib/base/inline.h"

/* Joins a piece of the obstacle and a part of the axis: an end, or (2) all of it. */
static void join_part(const sli_round *round, int part, sli_cell *cell)
{
    const double *p = round->end[0], *q = round->end[round->end_count - 1];
    cell->on_obstacle = cell->dim;
    cell->start = part == 1 ? q : p;
    if (part == 2) {
        cell->span[cell->dim++] = (sli_way){ q, p };
    } else if (round->end_count == 2) {
        cell->cone[cell->cone_count++] = part == 0 ? (sli_way){ q, p } : (sli_way){ p, q };
    }
}

/* Cells are walked by falling dimension: pieces with each end, then those that are a dimension
 * smaller with all of the axis. */
typedef struct cell_walk {
    int stage, index;
} cell_walk;

static void make_cell(const sli_round *round, int dim, int index, int part, sli_cell *cell)
{
    *cell = (sli_cell){ .dim = dim, .limit = { 1, 1 } };
    round->piece(round, dim, index, cell);
    join_part(round, part, cell);
}

/* The next cell; false after the last one. */
static bool next_cell(const sli_round *round, cell_walk *walk, sli_cell *cell)
{
    static const int dims[5] = { 2, 1, 1, 0, 0 };
    for (; walk->stage < 5; walk->stage++, walk->index = 0) {
        const bool all = walk->stage % 2 != 0;
        const int dim = dims[walk->stage], parts = all ? round->end_count - 1 : round->end_count;
        if (walk->index < parts * round->piece_count[dim]) {
            make_cell(round, dim, walk->index / parts, all ? 2 : walk->index % parts, cell);
            walk->index++;
            return true;
        }
    }
    return false;
}

static void make_numbers(const sli_round *round, const sli_cell *cell, bool exact,
                         sli_cell_numbers *out)
{
    sli_cell_make(cell, round->dir, round->radius, exact, out);
}

static sli_cell_event event_of(const sli_round *round, const sli_cell *cell, bool exact,
                               sli_cell_numbers *numbers, bool *unsure)
{
    make_numbers(round, cell, exact, numbers);
    return sli_cell_entry(cell, numbers, unsure);
}

/* The sign of t - x for a cell that is entered or grazed; makes the numbers exact where needed. */
static int compare_t(const sli_round *round, const sli_cell *cell, double x,
                     sli_cell_numbers *numbers)
{
    sli_number number;
    bool unsure = false;
    const double gap = numbers->t.value - x; /* which is rounded */
    if (fabs(gap) * (1 - 0x1p-50) > numbers->t.error) {
        return gap > 0 ? 1 : -1;
    }
    sli_number_set(x, true, &number);
    int sign = sli_cell_compare_t(cell, numbers, &number, &unsure);
    if (unsure) {
        make_numbers(round, cell, true, numbers);
        sign = sli_cell_compare_t(cell, numbers, &number, &unsure);
    }
    return sign;
}

/* The earliest grazing so far, t = num / den. */
typedef struct grazing {
    bool found;
    sli_cell cell;
    sli_number num, den; /* den > 0 */
} grazing;

/* Numbers are exact where a cell is grazed: doubles do not decide that.  Not inlined, so that its
 * own are off the stack where cells are decided. */
static SLI_NOINLINE void keep_grazing(const sli_cell *cell, const sli_cell_numbers *numbers,
                                      grazing *first)
{
    sli_number left, right;
    if (first->found) {
        sli_number_mul(&numbers->q.b, &first->den, &left);
        sli_number_mul(&first->num, &numbers->q.a, &right);
        sli_number_add(&left, &right, &left);
        if (left.sign <= 0) {
            return;
        }
    }
    first->found = true;
    first->cell = *cell;
    sli_number_copy(&numbers->q.b, &first->num);
    sli_number_turn(&first->num, -1);
    sli_number_copy(&numbers->q.a, &first->den);
}

/* Finds the cell that is entered or, of a polytope that is grazed only, first grazed.  Not inlined,
 * so that what is grazed is off the stack where contacts are reported. */
static SLI_NOINLINE sli_cell_event find_entry(const sli_round *round, sli_cell *cell,
                                              sli_cell_numbers *numbers)
{
    cell_walk walk = { 0, 0 };
    grazing first = { .found = false };
    while (next_cell(round, &walk, cell)) {
        bool unsure = false;
        sli_cell_event event = event_of(round, cell, false, numbers, &unsure);
        if (unsure || event == SLI_CELL_GRAZES) {
            unsure = false;
            event = event_of(round, cell, true, numbers, &unsure);
        }
        if (event == SLI_CELL_ENTERS) {
            return event;
        }
        if (event == SLI_CELL_GRAZES) {
            keep_grazing(cell, numbers, &first);
        }
    }
    if (!first.found) {
        return SLI_CELL_NONE;
    }
    bool unsure = false;
    *cell = first.cell;
    return event_of(round, cell, true, numbers, &unsure);
}

bool sli_round_reports(sl_start_contact policy, bool recedes)
{
    return policy == SL_START_REPORT || (policy == SL_START_IGNORE_RECEDING && !recedes);
}

static bool report_at_start(const sli_round *round, const sli_cell *cell, sli_cell_numbers *numbers,
                            sl_start start, bool recedes, sl_contact *out)
{
    const bool overlaps = start == SL_START_OVERLAPPING;
    if (!sli_round_reports(overlaps ? round->overlapping : round->touching, recedes)) {
        return false;
    }
    out->start = start;
    out->t = out->t_safe = 0;
    if (cell == NULL) {
        sli_round_report_inside(round, out);
        return true;
    }
    sli_round_report(round, cell, numbers, SLI_CELL_NONE, out);
    return true;
}

/* Finds the cell that is nearest at the start. */
static bool find_nearest(const sli_round *round, sli_cell *cell, sli_cell_numbers *numbers,
                         sli_cell_distance *distance)
{
    cell_walk walk = { 0, 0 };
    while (next_cell(round, &walk, cell)) {
        bool unsure = false;
        make_numbers(round, cell, false, numbers);
        bool nearest = sli_cell_is_nearest(cell, numbers, distance, &unsure);
        if (nearest && unsure) {
            make_numbers(round, cell, true, numbers);
            nearest = sli_cell_is_nearest(cell, numbers, distance, &unsure);
        }
        if (nearest) {
            return true;
        }
    }
    return false;
}

/* Where the shape does not close: it overlaps, touches and rests or recedes, or is apart. */
static bool look_at_start(const sli_round *round, sli_cell_numbers *numbers, sl_contact *out)
{
    sli_cell cell;
    sli_cell_distance distance;
    if (find_nearest(round, &cell, numbers, &distance)) {
        if (distance.gap > 0) {
            return false;
        }
        const bool overlaps = distance.gap < 0;
        const bool recedes =
            !overlaps || !round->moves || (distance.motion >= 0 && !distance.meets);
        return report_at_start(round, distance.meets ? NULL : &cell, numbers,
                               overlaps ? SL_START_OVERLAPPING : SL_START_TOUCHING_RECEDING,
                               recedes, out);
    }
    return report_at_start(round, NULL, numbers, SL_START_OVERLAPPING, !round->moves, out);
}

bool sli_round_sweep(const sli_round *round, double t_bound, sl_contact *out)
{
    sli_cell cell;
    sli_cell_numbers numbers;
    if (round->corner_count > 0 && sli_round_stays_apart(round, t_bound)) {
        return false;
    }
    if (!round->moves) {
        return look_at_start(round, &numbers, out);
    }
    const sli_cell_event event = find_entry(round, &cell, &numbers);
    if (event == SLI_CELL_NONE) {
        return false;
    }
    const int from_start = compare_t(round, &cell, 0, &numbers);
    if (from_start == 0 && event == SLI_CELL_ENTERS) {
        make_numbers(round, &cell, true, &numbers);
        return report_at_start(round, &cell, &numbers, SL_START_TOUCHING_CLOSING, false, out);
    }
    if (from_start <= 0) {
        return look_at_start(round, &numbers, out);
    }
    if (event == SLI_CELL_GRAZES && round->ignore_grazing) {
        return false;
    }
    const double late = t_bound * (1 + 0x1p-50) + 0x1p-1000;
    if (numbers.t.value - numbers.t.error > late || compare_t(round, &cell, 1, &numbers) > 0) {
        return false;
    }
    out->start = SL_START_APART;
    sli_round_report(round, &cell, &numbers, event, out);
    return true;
}
