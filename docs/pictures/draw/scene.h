/* draw/scene.h: what a picture of a test shows: marks in space, axes with intervals, and the
 * answer.
 *
 * Marks are kept as points in space with an ink and are laid on paper at the end (draw/layout.h),
 * by an orthographic projection: only then is it known how far a plane or an infinite line reaches.
 */
#pragma once

#include <sightline/intersect.h>

typedef struct spot {
    double at[3];
} spot;

typedef enum draw_ink {
    INK_FIRST,   /* the shape that is tested */
    INK_SECOND,  /* the other one, where both are shapes */
    INK_TOUCHED, /* a shape that overlaps */
    INK_PATH,
    INK_HIDDEN, /* edges at the back, and what is not part of the question */
    INK_START,
    INK_END,
    INK_CONTACT,
    INK_NORMAL,
    INK_APART, /* what separates */
    INK_TEXT,
    INK_COUNT
} draw_ink;

typedef enum mark_kind {
    MARK_AREA,
    MARK_LINES, /* from point to point */
    MARK_PATH,  /* origin, dir; from t0 to t1, which may be infinite */
    MARK_PLANE, /* normal, (offset, -, -) */
    MARK_ARROW, /* tail, unit direction; its length on paper is fixed */
    MARK_DOT
} mark_kind;

typedef struct draw_mark {
    mark_kind kind;
    draw_ink ink;
    size_t first, count; /* of its points */
    double t0, t1;
    char label[16];
} draw_mark;

/* One axis of a separating-axis test, and what the two shapes cover of it. */
typedef struct draw_row {
    char name[24];
    double first[2], second[2];
    bool apart, decisive;
} draw_row;

typedef struct draw_result {
    const char *key;
    char words[80]; /* three floats of at most 16 characters */
} draw_result;

/* More than any test needs; what does not fit is left out. */
enum {
    SCENE_MARKS = 512,
    SCENE_POINTS = 8192,
    SCENE_ROWS = 32,
    SCENE_RESULTS = 32,
    SCENE_KEYS = 8
};

/* What an ink stands for. */
typedef struct draw_key {
    draw_ink ink;
    char words[32];
} draw_key;

typedef struct draw_scene {
    sl_start_inside inside;             /* what it means for a path to start inside */
    int answer;                         /* of the test: whether the shapes overlap, or a side */
    double right[3], up[3], towards[3]; /* of the paper; unit, towards the eye */
    draw_mark marks[SCENE_MARKS];
    size_t mark_count;
    spot points[SCENE_POINTS];
    size_t point_count;
    draw_row rows[SCENE_ROWS];
    size_t row_count;
    draw_key keys[SCENE_KEYS];
    size_t key_count;
    draw_result results[SCENE_RESULTS];
    size_t result_count;
    sl_frustum frustum; /* how far it is drawn depends on the rest; none: no planes */
    draw_ink frustum_ink;
} draw_scene;

/* The paper is the plane z = 0, or is seen from a corner, (5, 3, 6); y is up. */
typedef enum draw_view { VIEW_XY, VIEW_CORNER } draw_view;

void scene_look(draw_scene *scene, draw_view view);

double dot3(const double a[3], const double b[3]);
void cross3(const double a[3], const double b[3], double out[3]);
double unit3(double v[3]); /* to length 1, a zero stays; returns the length that it had */

spot spot_of(const float p[3]);
spot spot_along(spot origin, const double dir[3], double t);

void scene_dot(draw_scene *scene, draw_ink ink, spot p, const char *label);
void scene_line(draw_scene *scene, draw_ink ink, spot a, spot b);
void scene_lines(draw_scene *scene, draw_ink ink, const spot *points, size_t count);
void scene_area(draw_scene *scene, draw_ink ink, const spot *points, size_t count);
void scene_path(draw_scene *scene, draw_ink ink, spot origin, const double dir[3], double t0,
                double t1);
void scene_plane(draw_scene *scene, draw_ink ink, const double normal[3], double offset);
void scene_arrow(draw_scene *scene, draw_ink ink, spot tail, const double dir[3],
                 const char *label);

/* Says what an ink stands for; twice the same is once.  Of two shapes of one name in different
 * inks, one is the first, the other the second. */
void scene_key(draw_scene *scene, draw_ink ink, const char *words);

/* A row of the panel, to be filled in; NULL when full. */
draw_row *scene_row(draw_scene *scene, const char *name);

/* What the library answers; keys are kept by pointer. */
void scene_words(draw_scene *scene, const char *key, const char *words);
void scene_yes(draw_scene *scene, const char *key, bool yes);
void scene_number(draw_scene *scene, const char *key, float number);
void scene_numbers(draw_scene *scene, const char *key, int count, const float *numbers);

/* Shapes, with their keys: what is given. */
typedef struct draw_shape draw_shape;
void scene_shape(draw_scene *scene, draw_ink ink, const draw_shape *shape);
void scene_outline(draw_scene *scene, draw_ink ink, const draw_shape *shape); /* without its key */
void scene_disc(draw_scene *scene, draw_ink ink, spot centre, double radius);
void scene_box(draw_scene *scene, draw_ink ink, spot centre, double edges[3][3]);

/* The middle of a box of any kind, and its half edges.  False where it is none. */
bool scene_box_of(const draw_shape *shape, spot *centre, double edges[3][3]);

/* Where a path begins, and its direction. */
spot scene_begin_of(const draw_shape *path, double dir[3]);

/* The smallest box around all points of the marks so far; the unit box where there are none. */
void scene_bounds(const draw_scene *scene, double min[3], double max[3]);

/* Adds the edges of the frustum, cut off around all that is drawn already. */
void scene_frustum(draw_scene *scene);
