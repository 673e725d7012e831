/* Triangles that hide what is behind them. */
#include "bvh/pick/occluder.h"

#include <math.h>
#include <string.h>

#define SLACK  0x1p-48
#define WITHIN SLI_REACH_WITHIN

/* How far from the identity the product of the matrices with their computed inverses is, in rows 0,
 * 1 and 3, for clip coordinates no larger than 1 but for x and y; roundings included. */
static void reach_round_trip(const sli_view *view, const double most[4], double off[4])
{
    double eye[4][4], eye_size[4][4], world[4][4], world_size[4][4];
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            const double x = view->back.eye_from_clip[4 * column + row];
            eye[column][row] = x;
            eye_size[column][row] = fabs(x);
        }
    }
    const double *const steps[3] = { view->back.world_from_eye, view->view, view->projection };
    for (int step = 0; step < 3; step++) {
        for (int column = 0; column < 4; column++) {
            for (int row = 0; row < 4; row++) {
                world[column][row] = world_size[column][row] = 0;
                for (int k = 0; k < 4; k++) {
                    world[column][row] += steps[step][4 * k + row] * eye[column][k];
                    world_size[column][row] += fabs(steps[step][4 * k + row]) * eye_size[column][k];
                }
            }
        }
        memcpy(eye, world, sizeof eye);
        memcpy(eye_size, world_size, sizeof eye_size);
    }
    for (int row = 0; row < 4; row++) {
        off[row] = 0;
        for (int column = 0; column < 4; column++) {
            off[row] +=
                (fabs(world[column][row] - (row == column)) + SLACK * world_size[column][row]) *
                most[column];
        }
    }
}

/* A point of the near plane, less the origin, and what it may be off by. */
static bool reach_near_point(const sli_view *view, const double position[2], double out[3],
                             double error[3])
{
    double clip[4] = { 2 * position[0] / view->camera.width - 1,
                       (1 - 2 * position[1] / view->camera.height) * view->y_sign, view->near_depth,
                       1 };
    double at[4], size[4], eye[4], eye_size[4];
    sli_transform(view->back.eye_from_clip, clip, eye);
    sli_transform(view->back.world_from_eye, eye, at);
    for (int row = 0; row < 4; row++) {
        eye_size[row] = 0;
        for (int k = 0; k < 4; k++) {
            eye_size[row] += fabs(view->back.eye_from_clip[4 * k + row] * clip[k]);
        }
    }
    for (int row = 0; row < 4; row++) {
        size[row] = 0;
        for (int k = 0; k < 4; k++) {
            size[row] += fabs(view->back.world_from_eye[4 * k + row]) * eye_size[k];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = at[axis] / at[3];
        error[axis] =
            SLACK * ((size[axis] + fabs(out[axis]) * size[3]) / at[3] + fabs(view->origin[axis]));
    }
    return at[3] > SLACK * 4 * size[3];
}

/* How far, in pixels, what points are off by shows, on the near plane within the square. */
static double reach_shown_error(const sli_screen *screen, const sli_reach *reach,
                                const double position[2])
{
    const double *at = reach->near_point[0];
    const sli_row *x = &screen->row[SLI_ROW_X], *y = &screen->row[SLI_ROW_Y],
                  *w = &screen->row[SLI_ROW_W];
    double least = w->at, moved = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double error = 2 * reach->near_error[axis];
        least += w->n[axis] * at[axis];
        moved +=
            error * (x->size[axis] + y->size[axis] +
                     (fabs(position[0]) + fabs(position[1]) + 2 * reach->radius) * w->size[axis]);
    }
    return 2 * moved / least;
}

/* Only to choose by; zeros where there is no line of sight. */
static void reach_set_middle(const sli_view *view, const double position[2], sli_reach *out)
{
    sl_ray_d ray = { .origin = { 0, 0, 0 } };
    (void)sli_view_ray(view, position, &ray);
    for (int axis = 0; axis < 3; axis++) {
        out->middle[axis] = ray.origin[axis] - view->origin[axis];
        out->towards[axis] = ray.dir[axis];
    }
}

void sli_reach_make(const sli_screen *screen, const double position[2], double radius,
                    sli_reach *out)
{
    const sli_view *view = &screen->view;
    const double width = view->camera.width, height = view->camera.height;
    out->radius = radius * (1 + 0x1p-20) + WITHIN;
    out->usable = true;
    memset(out->near_error, 0, sizeof out->near_error);
    for (int i = 0; i < SLI_REACH_SAMPLES; i++) {
        out->position[i][0] = position[0] + out->radius * (0.5 * (i % 5) - 1);
        out->position[i][1] = position[1] + out->radius * (0.5 * (i / 5) - 1);
    }
    static const int corners[4] = { 0, 4, 20, 24 };
    for (int i = 0; i < 4; i++) {
        double error[3];
        out->usable =
            reach_near_point(view, out->position[corners[i]], out->near_point[i], error) &&
            out->usable;
        for (int axis = 0; axis < 3; axis++) {
            out->near_error[axis] = fmax(out->near_error[axis], 2 * error[axis]);
        }
    }
    reach_set_middle(view, position, out);
    const double x = 2 * (fabs(position[0]) + out->radius) / width + 1;
    const double y = 2 * (fabs(position[1]) + out->radius) / height + 1;
    const double most[4] = { x, y, 1, 1 };
    double off[4];
    reach_round_trip(view, most, off);
    out->margin = WITHIN + reach_shown_error(screen, out, position) +
                  (off[0] + x * off[3]) * width + (off[1] + y * off[3]) * height;
    out->usable = out->usable && out->margin < 0.25 && off[3] < 0.25;
}

double sli_row_at(const sli_row *row, const double x[3], const double error[3], double *slack)
{
    double at = row->at;
    *slack = SLACK * row->size_at;
    for (int axis = 0; axis < 3; axis++) {
        at += row->n[axis] * x[axis];
        *slack += row->size[axis] * (SLACK * fabs(x[axis]) + error[axis]);
    }
    return at;
}

double sli_occluder_plane(const sli_screen *screen, const sli_reach *reach, double v[3][3],
                          sli_row *out)
{
    double e[2][3];
    for (int axis = 0; axis < 3; axis++) {
        e[0][axis] = v[1][axis] - v[0][axis];
        e[1][axis] = v[2][axis] - v[0][axis];
    }
    out->at = out->size_at = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double from = v[0][axis] - screen->view.origin[axis];
        out->n[axis] = e[0][j] * e[1][k] - e[0][k] * e[1][j];
        out->size[axis] = fabs(e[0][j] * e[1][k]) + fabs(e[0][k] * e[1][j]);
        out->at -= out->n[axis] * from;
        out->size_at += out->size[axis] * fabs(from);
    }
    double sign = 0;
    for (int i = 0; i < 4; i++) {
        double slack;
        const double at = sli_row_at(out, reach->near_point[i], reach->near_error, &slack);
        sign = i == 0 ? (at < 0 ? 1 : -1) : sign;
        if (!(-sign * at > 2 * slack)) {
            return 0;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out->n[axis] *= sign;
    }
    out->at *= sign;
    return sign;
}

/* X, Y and W of a corner, and the sizes that they came of. */
static void shown_corner(const sli_screen *screen, const double v[3], double at[3], double size[3])
{
    for (int i = 0; i < 3; i++) {
        const sli_row *row = &screen->row[SLI_ROW_X + i];
        at[i] = row->at;
        size[i] = row->size_at;
        for (int axis = 0; axis < 3; axis++) {
            const double x = v[axis] - screen->view.origin[axis];
            at[i] += row->n[axis] * x;
            size[i] += row->size[axis] * fabs(x);
        }
    }
}

/* The line through two corners of the outline, in pixels and of unit length, less what it and the
 * positions may be off by: positive on the third corner's side. */
static bool outline_side(const sli_reach *reach, double at[3][3], double size[3][3], int k,
                         double line[3])
{
    const double *a = at[k], *b = at[(k + 1) % 3], *c = at[(k + 2) % 3];
    const double *sa = size[k], *sb = size[(k + 1) % 3], *sc = size[(k + 2) % 3];
    const double far[3] = { fabs(reach->position[12][0]) + reach->radius,
                            fabs(reach->position[12][1]) + reach->radius, 1 };
    double error = 0, inner = 0, unsure = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        const double sizes = SLACK * (sa[j] * sb[l] + sa[l] * sb[j]);
        line[i] = a[j] * b[l] - a[l] * b[j];
        error += sizes * far[i];
        inner += line[i] * c[i];
        unsure += sizes * sc[i];
    }
    const double norm = sqrt(line[0] * line[0] + line[1] * line[1]) * (inner < 0 ? -1 : 1);
    for (int i = 0; i < 3; i++) {
        line[i] /= norm;
    }
    error = error / fabs(norm) + SLACK * (far[0] + far[1]);
    line[2] -= reach->margin + 2 * error;
    return error < 0.25 && fabs(norm) > 0 && fabs(inner) > 4 * unsure;
}

bool sli_occluder_lines(const sli_screen *screen, const sli_reach *reach, double corners[3][3],
                        double line[3][3])
{
    double at[3][3], size[3][3];
    for (int i = 0; i < 3; i++) {
        shown_corner(screen, corners[i], at[i], size[i]);
    }
    for (int k = 0; k < 3; k++) {
        if (!outline_side(reach, at, size, k, line[k])) {
            return false;
        }
    }
    return true;
}

static double depth_of(const sli_row *plane, const sli_reach *reach)
{
    const double at = plane->at + sli_row_rise(plane, reach->middle);
    return -at / sli_row_rise(plane, reach->towards);
}

bool sli_occluder_make(const sli_screen *screen, const sli_reach *reach, double corners[3][3],
                       sl_triangle_ref triangle, double before, sli_occluder *out)
{
    double line[3][3];
    if (!reach->usable || sli_occluder_plane(screen, reach, corners, &out->plane) == 0) {
        return false;
    }
    out->depth = depth_of(&out->plane, reach);
    if (out->depth >= before || !sli_occluder_lines(screen, reach, corners, line)) {
        return false;
    }
    out->within = 0;
    for (int i = 0; i < SLI_REACH_SAMPLES; i++) {
        const double *p = reach->position[i];
        bool within = true;
        for (int k = 0; k < 3; k++) {
            within = within && line[k][0] * p[0] + line[k][1] * p[1] + line[k][2] > 0;
        }
        out->within += within;
    }
    for (int k = 0; k < 3; k++) {
        out->side[k] = sli_screen_line(screen, line[k][0], line[k][1], line[k][2]);
    }
    memcpy(out->corners, corners, sizeof out->corners);
    out->triangle = triangle;
    return out->within > 0;
}

void sli_occluder_to_local(const sli_occluder *occluder, const sli_screen_space *space,
                           sli_occluder_local *out)
{
    out->plane = sli_row_to_local(&occluder->plane, space);
    out->covers = occluder->within == SLI_REACH_SAMPLES;
    for (int k = 0; k < 3 && !out->covers; k++) {
        out->side[k] = sli_row_to_local(&occluder->side[k], space);
    }
}
