/* Covering by cells, for check_slots.c. */
#include "bvh/tree/cover.h"

#include "lib/base/memory.h"
#include "lib/geom/overlap/triangle_aabb.h"

#include <sightline/closest.h>
#include <sightline/overlap.h>

#include <math.h>

/* The points between the faces, and on the faces that are not open.  Never empty. */
typedef struct cell {
    sl_aabb box;
    bool open[3][2]; /* [axis][0 min, 1 max] */
    size_t near;     /* no box from this index on meets it */
} cell;

/* A plane that cuts a cell; the plane itself belongs to the part on one side. */
typedef struct cut {
    int axis;
    bool above; /* it belongs to the part above: it is the min of a box */
    float at;
} cut;

typedef struct cells {
    const sl_allocator *allocator;
    cell *stack;
    size_t count, capacity;
} cells;

static bool cover_push(cells *stack, const cell *added)
{
    if (!sli_grow_array(stack->allocator, (void **)&stack->stack, &stack->capacity,
                        stack->count + 1, sizeof *added)) {
        return false;
    }
    stack->stack[stack->count++] = *added;
    return true;
}

/* Whether the cell and the box have a point in common. */
static bool cover_meets(const cell *c, const sl_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        const float min = c->box.min[axis], max = c->box.max[axis];
        if (max < box->min[axis] || (max == box->min[axis] && c->open[axis][1]) ||
            min > box->max[axis] || (min == box->max[axis] && c->open[axis][0])) {
            return false;
        }
    }
    return true;
}

static bool cover_contains(const sl_aabb *box, const cell *c)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(box->min[axis] <= c->box.min[axis] && c->box.max[axis] <= box->max[axis])) {
            return false;
        }
    }
    return true;
}

/* Moves the boxes that meet the cell to the front; true if one of them contains it. */
static bool cover_gather(cell *c, sl_aabb *boxes)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->near; i++) {
        if (!cover_meets(c, &boxes[i])) {
            continue;
        }
        const sl_aabb box = boxes[i];
        boxes[i] = boxes[kept];
        boxes[kept++] = box;
        if (cover_contains(&box, c)) {
            return true;
        }
    }
    c->near = kept;
    return false;
}

/* Whether part of the cell is on each side. */
static bool cover_cuts(const cell *c, const cut *at)
{
    const float min = c->box.min[at->axis], max = c->box.max[at->axis];
    const bool below = min < at->at || (min == at->at && !at->above && !c->open[at->axis][0]);
    const bool above = max > at->at || (max == at->at && at->above && !c->open[at->axis][1]);
    return below && above;
}

/* The face that lies deepest in the cell.  A box that meets the cell without containing it has one
 * that cuts it. */
static cut cover_choose(const cell *c, const sl_aabb *boxes)
{
    cut best = { .axis = 0 };
    double deepest = -1;
    for (size_t i = 0; i < 6 * c->near; i++) {
        const sl_aabb *box = &boxes[i / 6];
        const int axis = (int)(i % 6) >> 1;
        const bool above = i % 2 == 0;
        const cut at = { axis, above, above ? box->min[axis] : box->max[axis] };
        if (cover_cuts(c, &at)) {
            const double from = (double)at.at - (double)c->box.min[axis];
            const double to = (double)c->box.max[axis] - (double)at.at;
            const double depth = from < to ? from : to;
            if (depth > deepest) {
                deepest = depth;
                best = at;
            }
        }
    }
    return best;
}

static void cut_cell(const cell *c, const cut *at, cell halves[2])
{
    halves[0] = halves[1] = *c;
    halves[0].box.max[at->axis] = halves[1].box.min[at->axis] = at->at;
    halves[0].open[at->axis][1] = at->above;
    halves[1].open[at->axis][0] = !at->above;
}

static cell cell_of(const sl_triangle *triangle, size_t count)
{
    return (cell){ .box = sl_aabb_of_points(triangle->v[0], 3), .near = count };
}

static sli_cover cover_cells(cells *stack, const sl_triangle *triangle, sl_aabb *boxes,
                             size_t count)
{
    size_t tests = 0;
    while (stack->count > 0) {
        cell c = stack->stack[--stack->count];
        tests += c.near;
        if (cover_gather(&c, boxes) ||
            sli_triangle_aabb_sat_axis(triangle, &c.box, SLI_SAT_ORDER_123) != SLI_SAT_OVERLAP) {
            continue;
        }
        if (c.near == 0 || tests / SLI_COVER_TESTS_MAX > count) {
            return SLI_NOT_COVERED;
        }
        cell halves[2];
        const cut at = cover_choose(&c, boxes);
        cut_cell(&c, &at, halves);
        if (!cover_push(stack, &halves[0]) || !cover_push(stack, &halves[1])) {
            return SLI_COVER_NO_MEMORY;
        }
    }
    return SLI_COVERED;
}

sli_cover sli_cover_triangle(const sl_triangle *triangle, sl_aabb *boxes, size_t count,
                             const sl_allocator *allocator)
{
    cells stack = { .allocator = allocator };
    const cell first = cell_of(triangle, count);
    const sli_cover answer = cover_push(&stack, &first)
                                 ? cover_cells(&stack, triangle, boxes, count)
                                 : SLI_COVER_NO_MEMORY;
    sli_free_array(allocator, stack.stack, stack.capacity, sizeof *stack.stack);
    return answer;
}
