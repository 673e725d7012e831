/* Boxes near a pixel: marks/near.h. */
#include "bvh/pick/marks/near.h"

#include <math.h>

/* A row, the fixed sequences of sightline/camera.h, and the point of a segment are each right to
 * within 2^-48 of their sizes. */
#define SHARE 0x1p-46

void sli_near_make(const sli_screen *screen, const double xy[2], const double middle[3],
                   sli_near *out)
{
    const sli_screen_at at = sli_screen_at_of(screen, xy);
    out->x = at.x;
    out->y = at.y;
    out->w = screen->row[SLI_ROW_W];
    out->front = screen->row[SLI_ROW_NEAR];
    for (int axis = 0; axis < 3; axis++) {
        out->from[axis] = middle[axis] - screen->view.origin[axis];
        out->far[axis] = fabs(middle[axis]) + fabs(screen->view.origin[axis]);
    }
}

typedef struct value {
    double at, error; /* at the centre; and what it may be off by anywhere in the box */
} value;

static value row_value(const sli_near *near, const sli_row *row, const sli_near_box *box)
{
    value out = { row->at, row->size_at };
    for (int axis = 0; axis < 3; axis++) {
        const double reach = fabs(box->centre[axis]) + box->half[axis] + near->far[axis];
        out.at += row->n[axis] * (box->centre[axis] + near->from[axis]);
        out.error += row->size[axis] * reach;
    }
    out.error *= SHARE;
    return out;
}

/* Whether all of the box is beside one of two sides. */
static bool box_is_beside(const sli_row *row, const value *at, const sli_row *w, const value *by,
                          const sli_near_box *box, double radius)
{
    const double error = at->error + radius * by->error;
    double right = at->at - radius * by->at, left = at->at + radius * by->at;
    for (int axis = 0; axis < 3; axis++) {
        right -= fabs(row->n[axis] - radius * w->n[axis]) * box->half[axis];
        left += fabs(row->n[axis] + radius * w->n[axis]) * box->half[axis];
    }
    return right > error || left < -error;
}

/* Written so that what is no number leaves the box in. */
bool sli_near_has(const sli_near *near, const sli_near_box *box, double radius)
{
    const double wide = radius * (1 + 0x1p-40);
    const value front = row_value(near, &near->front, box);
    double most = front.at;
    for (int axis = 0; axis < 3; axis++) {
        most += fabs(near->front.n[axis]) * box->half[axis];
    }
    if (most < -front.error) {
        return false;
    }
    const value w = row_value(near, &near->w, box);
    const value x = row_value(near, &near->x, box), y = row_value(near, &near->y, box);
    return !box_is_beside(&near->x, &x, &near->w, &w, box, wide) &&
           !box_is_beside(&near->y, &y, &near->w, &w, box, wide);
}

double sli_near_guess(const sli_near *near, const sli_near_box *box)
{
    const double w = row_value(near, &near->w, box).at;
    if (!(w > 0)) {
        return 0;
    }
    const double x = row_value(near, &near->x, box).at / w;
    const double y = row_value(near, &near->y, box).at / w;
    return x * x + y * y;
}
