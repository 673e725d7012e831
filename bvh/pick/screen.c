/* Rows of a picture, and how they are taken to the space of trees. */
#include "bvh/pick/screen.h"

#include "lib/geom/exact/arithmetic/grid.h"
#include "lib/geom/exact/arithmetic/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define EPS 0x1p-53
/* Allowed for rounding, of the sum of all sizes. */
#define SLACK 0x1p-48

sli_row sli_row_sum(double a, const sli_row *one, double b, const sli_row *other)
{
    sli_row sum;
    for (int axis = 0; axis < 3; axis++) {
        sum.n[axis] = a * one->n[axis] + b * other->n[axis];
        sum.size[axis] = fabs(a) * one->size[axis] + fabs(b) * other->size[axis];
    }
    sum.at = a * one->at + b * other->at;
    sum.size_at = fabs(a) * one->size_at + fabs(b) * other->size_at;
    return sum;
}

/* A clip coordinate: a row of the product of both matrices. */
static sli_row clip_row(const sli_view *view, int row)
{
    sli_row out = { .at = 0 };
    for (int j = 0; j < 4; j++) {
        const double p = view->projection[4 * j + row];
        for (int axis = 0; axis < 3; axis++) {
            out.n[axis] += p * view->view[4 * axis + j];
            out.size[axis] += fabs(p * view->view[4 * axis + j]);
        }
        out.at += p * view->view[12 + j];
        out.size_at += fabs(p * view->view[12 + j]);
    }
    return out;
}

static double eye_largest(const double *v, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(v[i]));
    }
    return largest;
}

/* The eye is what appears at (0, 0, 1, 0) of clip space, or the same negated: whichever comes from
 * a point nearer to the near plane.  The column of the projection's inverse is scaled before it is
 * taken to the world, so that an eye at a float, or a direction along an axis, is that exactly. */
static sli_eye eye_find(const sli_view *view)
{
    const double *column = &view->back.eye_from_clip[8];
    const double towards = view->far_depth > view->near_depth ? -1 : 1;
    double scaled[4], eye[4];
    sli_eye out;
    for (int i = 0; i < 4; i++) {
        scaled[i] = column[i] / eye_largest(column, 4) * towards;
    }
    sli_transform(view->back.world_from_eye, scaled, eye);
    out.kind = eye[3] > 0 ? 1 : -1;
    for (int axis = 0; axis < 3; axis++) {
        out.at[axis] = eye[axis] / eye[3] + view->origin[axis];
    }
    if (eye[3] == 0 || !(eye_largest(out.at, 3) <= FLT_MAX)) {
        out.kind = 0;
        for (int axis = 0; axis < 3; axis++) {
            out.at[axis] = eye[axis] / eye_largest(eye, 3);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out.at[axis] = sli_round_to_grid(out.at[axis], SLI_STEP);
    }
    if (!sli_are_finite(out.at, 3)) {
        out = (sli_eye){ .kind = 0 }; /* of hostile matrices: nothing turns a side to it */
    }
    return out;
}

bool sli_screen_open(const sl_view *view, sli_screen *out)
{
    if (!sli_view_open(view, &out->view)) {
        return false;
    }
    const sli_view *v = &out->view;
    out->eye = eye_find(v);
    const double half_width = v->camera.width / 2.0, half_height = v->camera.height / 2.0;
    const double inwards = v->far_depth > v->near_depth ? 1 : -1;
    const sli_row x = clip_row(v, 0), y = clip_row(v, 1), z = clip_row(v, 2), w = clip_row(v, 3);
    out->row[SLI_ROW_X] = sli_row_sum(half_width, &x, half_width, &w);
    out->row[SLI_ROW_Y] = sli_row_sum(-half_height * v->y_sign, &y, half_height, &w);
    out->row[SLI_ROW_W] = w;
    out->row[SLI_ROW_NEAR] = sli_row_sum(inwards, &z, -inwards * v->near_depth, &w);
    out->row[SLI_ROW_FAR] = sli_row_sum(-inwards, &z, inwards * v->far_depth, &w);
    return true;
}

sli_row sli_screen_line(const sli_screen *screen, double a, double b, double c)
{
    const sli_row *row = screen->row;
    const sli_row along = sli_row_sum(a, &row[SLI_ROW_X], b, &row[SLI_ROW_Y]);
    return sli_row_sum(1, &along, c, &row[SLI_ROW_W]);
}

/* ---- To trees ---- */

/* Corners of the world are no larger than sizes: six roundings of them, for the corner and for the
 * image of the middle, and six more for a point of a side. */
static double space_margin(double sizes, double grid)
{
    return (32 * EPS * sizes + grid) * (1 + 0x1p-40);
}

void sli_screen_to_object(const sli_screen *screen, const sli_transformed *transformed,
                          sli_screen_space *out)
{
    const sl_aabb *bounds = &transformed->tree->bounds;
    for (int k = 0; k < 3; k++) {
        out->middle[k] = transformed->middle[k];
        out->far[k] = fmax(fabs((double)bounds->min[k]), fabs((double)bounds->max[k]));
    }
    for (int axis = 0; axis < 3; axis++) {
        const double *row = transformed->transform.m[axis];
        double sizes = fabs(row[3]);
        for (int k = 0; k < 3; k++) {
            out->m[axis][k] = row[k];
            sizes += fabs(row[k]) * out->far[k];
        }
        out->margin[axis] = space_margin(sizes, transformed->grid);
        out->c[axis] = transformed->centre[axis] - screen->view.origin[axis];
        out->reach[axis] = transformed->half;
    }
}

/* The tree over the instances stands in the world as it is, and counts from a middle. */
void sli_screen_to_top(const sli_screen *screen, const sli_world *world, sli_screen_space *out)
{
    const double far = world->half;
    for (int axis = 0; axis < 3; axis++) {
        const double middle = world->middle[axis];
        for (int k = 0; k < 3; k++) {
            out->m[axis][k] = axis == k;
        }
        out->margin[axis] = space_margin(fabs(middle) + far, 0x1p-149);
        out->c[axis] = middle - screen->view.origin[axis];
        out->middle[axis] = 0;
        out->reach[axis] = out->far[axis] = far;
    }
}

sli_row_local sli_row_to_local(const sli_row *row, const sli_screen_space *space)
{
    sli_row_local out;
    double at = row->at, sizes = row->size_at, margin = 0;
    for (int axis = 0; axis < 3; axis++) {
        at += row->n[axis] * space->c[axis];
        sizes += row->size[axis] * (fabs(space->c[axis]) + space->reach[axis]);
        margin += row->size[axis] * space->margin[axis];
    }
    for (int k = 0; k < 3; k++) {
        double size = 0;
        out.n[k] = 0;
        for (int axis = 0; axis < 3; axis++) {
            out.n[k] += row->n[axis] * space->m[axis][k];
            size += row->size[axis] * fabs(space->m[axis][k]);
        }
        at -= out.n[k] * space->middle[k];
        sizes += size * space->far[k];
    }
    const double slack = (SLACK * sizes + margin) * (1 + 0x1p-40);
    out.low = at - slack;
    out.high = at + slack;
    return out;
}

/* ---- Distances ---- */

sli_screen_at sli_screen_at_of(const sli_screen *screen, const double position[2])
{
    const sli_row *row = screen->row;
    return (sli_screen_at){
        .x = sli_row_sum(1, &row[SLI_ROW_X], -position[0], &row[SLI_ROW_W]),
        .y = sli_row_sum(1, &row[SLI_ROW_Y], -position[1], &row[SLI_ROW_W]),
    };
}

void sli_screen_at_to_local(const sli_screen *screen, const sli_screen_at *at,
                            const sli_screen_space *space, sli_screen_at_local *out)
{
    out->x = sli_row_to_local(&at->x, space);
    out->y = sli_row_to_local(&at->y, space);
    out->w = sli_row_to_local(&screen->row[SLI_ROW_W], space);
    out->near = sli_row_to_local(&screen->row[SLI_ROW_NEAR], space);
    out->far = sli_row_to_local(&screen->row[SLI_ROW_FAR], space);
}

/* Written so that a NaN counts as touching. */
static double row_gap(const sli_row_local *row, const sl_aabb *box)
{
    const double low = sli_row_low(row, box), high = sli_row_high(row, box);
    return low > 0 ? low : high < 0 ? -high : 0;
}

double sli_screen_distance2(const sli_screen_at_local *at, const sl_aabb *box)
{
    const double w = sli_row_high(&at->w, box);
    if (w <= 0 || sli_row_high(&at->near, box) < 0 || sli_row_high(&at->far, box) < 0) {
        return INFINITY;
    }
    const double x = row_gap(&at->x, box), y = row_gap(&at->y, box);
    const double square = (x * x + y * y) / (w * w) * (1 - 0x1p-40);
    return square > 0 ? square : 0;
}

/* ---- Where a box appears ---- */

void sli_screen_rows_to_local(const sli_screen *screen, const sli_screen_space *space,
                              sli_screen_rows_local *out)
{
    for (int i = 0; i < SLI_ROW_COUNT; i++) {
        out->row[i] = sli_row_to_local(&screen->row[i], space);
    }
}
