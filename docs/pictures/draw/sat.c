/* draw/sat.c: the candidate axes of a separating-axis test, and the interval of each shape on them.
 * For triangle and box the library decides each axis; intervals, and the axes of other pairs, are
 * computed in doubles, since only the picture depends on them. */
#include "docs/pictures/draw/tests.h"
#include "lib/geom/overlap/triangle_aabb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORNERS_MAX = 8, DIRS_MAX = 3 };

/* A convex shape: its corners, and the directions of its faces' normals and of its edges. */
typedef struct solid {
    double corners[CORNERS_MAX][3];
    int corner_count;
    double normals[DIRS_MAX][3], edges[DIRS_MAX][3];
    int normal_count;
} solid;

static void solid_of_triangle(solid *s, const sl_triangle *triangle)
{
    s->corner_count = 3;
    s->normal_count = 1;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            s->corners[k][i] = (double)triangle->v[k][i];
            s->edges[k][i] = (double)triangle->v[(k + 1) % 3][i] - (double)triangle->v[k][i];
        }
    }
    cross3(s->edges[0], s->edges[1], s->normals[0]);
}

static void solid_of_box(solid *s, const draw_shape *box)
{
    spot centre;
    s->corner_count = 8;
    s->normal_count = 3;
    scene_box_of(box, &centre, s->edges);
    for (int k = 0; k < 3; k++) {
        cross3(s->edges[(k + 1) % 3], s->edges[(k + 2) % 3], s->normals[k]);
    }
    for (int corner = 0; corner < 8; corner++) {
        spot at = centre;
        for (int k = 0; k < 3; k++) {
            at = spot_along(at, s->edges[k], (corner >> k & 1) != 0 ? 1 : -1);
        }
        memcpy(s->corners[corner], at.at, sizeof at.at);
    }
}

static solid solid_of(const draw_shape *shape)
{
    solid s = { .corner_count = 0 };
    if (shape->kind == DRAW_TRIANGLE) {
        solid_of_triangle(&s, &shape->triangle);
    } else {
        solid_of_box(&s, shape);
    }
    return s;
}

static void sat_project(const solid *s, const double axis[3], double out[2])
{
    out[0] = (double)INFINITY;
    out[1] = (double)-INFINITY;
    for (int i = 0; i < s->corner_count; i++) {
        const double at = dot3(axis, s->corners[i]);
        out[0] = fmin(out[0], at);
        out[1] = fmax(out[1], at);
    }
    out[0] += 0; /* no -0 */
    out[1] += 0;
}

/* NULL where there is no axis: parallel edges have none. */
static draw_row *add_row(draw_scene *scene, const char *name, const solid *a, const solid *b,
                         const double axis[3])
{
    if (dot3(axis, axis) == 0) {
        return NULL;
    }
    draw_row *row = scene_row(scene, name);
    if (row != NULL) {
        sat_project(a, axis, row->first);
        sat_project(b, axis, row->second);
        const double gap = fmax(row->first[0] - row->second[1], row->second[0] - row->first[1]);
        const double size =
            fabs(row->first[0]) + fabs(row->first[1]) + fabs(row->second[0]) + fabs(row->second[1]);
        row->apart = gap > 1e-12 * size;
    }
    return row;
}

/* The axis that separates, as an arrow between the two shapes. */
static void show_axis(draw_scene *scene, const solid *a, const solid *b, const double axis[3])
{
    spot middle = { .at = { 0 } };
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < a->corner_count; k++) {
            middle.at[i] += a->corners[k][i] / (2 * a->corner_count);
        }
        for (int k = 0; k < b->corner_count; k++) {
            middle.at[i] += b->corners[k][i] / (2 * b->corner_count);
        }
    }
    scene_arrow(scene, INK_APART, middle, axis, "apart");
}

static void sat_decide(draw_scene *scene, draw_row *row, bool *decided, const solid *a,
                       const solid *b, const double axis[3])
{
    if (row != NULL && row->apart && !*decided) {
        row->decisive = true;
        *decided = true;
        show_axis(scene, a, b, axis);
    }
}

/* Triangles in one plane are apart along the normal of an edge within that plane. */
static void add_flat_rows(draw_scene *scene, bool *decided, const solid *a, const solid *b)
{
    double across[3];
    cross3(a->normals[0], b->normals[0], across);
    for (int side = 0; side < 2 && dot3(across, across) == 0; side++) {
        for (int i = 0; i < DIRS_MAX; i++) {
            char name[48];
            double axis[3];
            snprintf(name, sizeof name, "%s edge %d in plane", side == 0 ? "first" : "second", i);
            cross3(a->normals[0], side == 0 ? a->edges[i] : b->edges[i], axis);
            sat_decide(scene, add_row(scene, name, a, b, axis), decided, a, b, axis);
        }
    }
}

void draw_sat(draw_scene *scene, const draw_shape *first, const draw_shape *second)
{
    const solid a = solid_of(first), b = solid_of(second);
    bool decided = false;
    for (int side = 0; side < 2; side++) {
        const solid *s = side == 0 ? &a : &b;
        for (int i = 0; i < s->normal_count; i++) {
            char name[48];
            snprintf(name, sizeof name, "%s normal %d", side == 0 ? "first" : "second", i);
            sat_decide(scene, add_row(scene, name, &a, &b, s->normals[i]), &decided, &a, &b,
                       s->normals[i]);
        }
    }
    for (int i = 0; i < DIRS_MAX; i++) {
        for (int k = 0; k < DIRS_MAX; k++) {
            char name[48];
            double axis[3];
            cross3(a.edges[i], b.edges[k], axis);
            snprintf(name, sizeof name, "edge %d x edge %d", i, k);
            sat_decide(scene, add_row(scene, name, &a, &b, axis), &decided, &a, &b, axis);
        }
    }
    if (a.corner_count == 3 && b.corner_count == 3) {
        add_flat_rows(scene, &decided, &a, &b);
    }
}

/* The axis that one of the thirteen names stands for. */
static void named_axis(const solid *triangle, sli_sat_axis name, double out[3])
{
    const int crossed = (int)name - SLI_SAT_X_EDGE_01;
    double unit[3] = { 0 };
    if (name <= SLI_SAT_BOX_Z) {
        unit[name - SLI_SAT_BOX_X] = 1;
        memcpy(out, unit, sizeof unit);
    } else if (name == SLI_SAT_NORMAL) {
        memcpy(out, triangle->normals[0], sizeof triangle->normals[0]);
    } else {
        unit[crossed / 3] = 1;
        cross3(unit, triangle->edges[crossed % 3], out);
    }
}

void draw_triangle_aabb_sat(draw_scene *scene, const draw_shape *shapes)
{
    const sl_triangle *triangle = &shapes[0].triangle;
    const sl_aabb *box = &shapes[1].aabb;
    const solid a = solid_of(&shapes[0]), b = solid_of(&shapes[1]);
    const sli_sat_axis first = sli_triangle_aabb_sat_axis(triangle, box, SLI_SAT_ORDER_123);
    for (int i = SLI_SAT_BOX_X; i <= SLI_SAT_Z_EDGE_20; i++) {
        const sli_sat_axis name = (sli_sat_axis)i;
        double axis[3];
        named_axis(&a, name, axis);
        draw_row *row = scene_row(scene, sli_sat_axis_name(name));
        sat_project(&a, axis, row->first);
        sat_project(&b, axis, row->second);
        row->apart = sli_triangle_aabb_sat_separates(triangle, box, name);
        row->decisive = name == first;
        if (row->decisive) {
            show_axis(scene, &a, &b, axis);
        }
    }
    scene_words(scene, "first_axis", sli_sat_axis_name(first));
    scene_words(scene, "first_axis_312",
                sli_sat_axis_name(sli_triangle_aabb_sat_axis(triangle, box, SLI_SAT_ORDER_312)));
}
