#include "test/cliffs/shapes.h"

#include "test/cliffs/draw.h"

#ifdef CLIFFS_IO
#include <sightline/io.h>
#endif

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979324

/* What a generator reads of the case. */
typedef struct wish {
    size_t count;
    double thin;
    test_random random;
} wish;

typedef void make_fn(cliff_shape *shape, wish *w);

static void random_point(test_random *random, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = draw_in(random, -1, 1);
    }
}

static void put(cliff_shape *shape, const double a[3], const double b[3], const double c[3])
{
    if (shape->count == shape->room) {
        shape->room = shape->room != 0 ? 2 * shape->room : 256;
        shape->corner = realloc(shape->corner, 9 * shape->room * sizeof *shape->corner);
        if (shape->corner == NULL) {
            perror("cliffs");
            exit(3);
        }
    }
    double *to = shape->corner + 9 * shape->count++;
    memcpy(to, a, 3 * sizeof *to);
    memcpy(to + 3, b, 3 * sizeof *to);
    memcpy(to + 6, c, 3 * sizeof *to);
}

/* The parallelogram from corner along a and b. */
static void put_quad(cliff_shape *shape, const double corner[3], const double a[3],
                     const double b[3])
{
    double p[3], q[3], r[3];
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = corner[axis] + a[axis];
        q[axis] = corner[axis] + a[axis] + b[axis];
        r[axis] = corner[axis] + b[axis];
    }
    put(shape, corner, p, q);
    put(shape, corner, q, r);
}

static void put_box(cliff_shape *shape, const double min[3], const double max[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double a[3] = { 0 }, b[3] = { 0 }, corner[3];
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        a[u] = max[u] - min[u];
        b[v] = max[v] - min[v];
        memcpy(corner, min, sizeof corner);
        put_quad(shape, corner, a, b);
        corner[axis] = max[axis];
        put_quad(shape, corner, b, a);
    }
}

/* All triangles of a mesh, scaled and moved. */
static void put_mesh(cliff_shape *shape, sl_mesh *mesh, double scale, const double centre[3])
{
    for (uint32_t i = 0; mesh != NULL && i < sl_mesh_soup(mesh).triangle_count; i++) {
        sl_triangle t;
        double v[3][3];
        if (!sl_mesh_triangle(mesh, i, &t)) {
            continue;
        }
        for (int corner = 0; corner < 3; corner++) {
            for (int axis = 0; axis < 3; axis++) {
                v[corner][axis] = scale * (double)t.v[corner][axis] + centre[axis];
            }
        }
        put(shape, v[0], v[1], v[2]);
    }
    sl_mesh_destroy(mesh);
}

static void put_sphere(cliff_shape *shape, size_t count, double radius, const double centre[3])
{
    sl_mesh *mesh = NULL;
    const double side = sqrt((double)count / 8);
    sl_mesh_generate(
        &(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { side < 1 ? 1 : (uint32_t)side } } }, NULL,
        &mesh, NULL);
    put_mesh(shape, mesh, radius, centre);
}

static const double zero[3] = { 0, 0, 0 };

static void make_sphere(cliff_shape *shape, wish *w)
{
    put_sphere(shape, w->count, 1, zero);
}

/* Thinner the thinner. */
static void make_torus(cliff_shape *shape, wish *w)
{
    sl_mesh *mesh = NULL;
    const uint32_t sides = 3 + (uint32_t)(0.5 * sqrt((double)w->count));
    sl_mesh_generate(
        &(sl_mesh_shape){ SL_MESH_TORUS,
                          { .torus = { 2 * sides, sides, 1, 0.9f * (float)w->thin } } },
        NULL, &mesh, NULL);
    put_mesh(shape, mesh, 1, zero);
}

/* Noise of that height. */
static void make_terrain(cliff_shape *shape, wish *w)
{
    sl_mesh *mesh = NULL;
    const uint32_t side = 1 + (uint32_t)sqrt((double)w->count / 2);
    sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID,
                                       { .grid = { side, side, (float)(w->thin * side),
                                                   (uint32_t)w->random.state } } },
                     NULL, &mesh, NULL);
    put_mesh(shape, mesh, 2.0 / side, zero);
}

/* Triangles of that size. */
static void make_soup(cliff_shape *shape, wish *w)
{
    sl_mesh *mesh = NULL;
    sl_mesh_generate(
        &(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { w->count, (float)w->thin, w->random.state } } },
        NULL, &mesh, NULL);
    put_mesh(shape, mesh, 2, zero);
}

/* Needles from an apex to a circle: a cone as tessellations make it. */
static void put_cone(cliff_shape *shape, size_t count, const double apex[3], const double along[3],
                     double radius)
{
    double u[3], v[3], length = 0;
    const int least = fabs(along[0]) < fabs(along[1]) ? 0 : 1;
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = (axis == least) - along[least] * along[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        length += u[axis] * u[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        u[axis] /= sqrt(length);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        v[axis] = along[next] * u[last] - along[last] * u[next];
    }
    double before[3];
    for (size_t i = 0; i <= count; i++) {
        const double angle = 2 * PI * (double)i / (double)count;
        double now[3];
        for (int axis = 0; axis < 3; axis++) {
            now[axis] =
                apex[axis] + along[axis] + radius * (cos(angle) * u[axis] + sin(angle) * v[axis]);
        }
        if (i > 0) {
            put(shape, apex, before, now);
        }
        memcpy(before, now, sizeof before);
    }
}

/* One cone, flat or pointed. */
static void make_fan(cliff_shape *shape, wish *w)
{
    double along[3];
    draw_direction(&w->random, along);
    put_cone(shape, w->count, zero, along, w->thin);
}

/* Eight cones, half of which have one apex. */
static void make_cones(cliff_shape *shape, wish *w)
{
    for (int i = 0; i < 8; i++) {
        double along[3], apex[3] = { 0 };
        draw_direction(&w->random, along);
        if (i % 2 != 0) {
            random_point(&w->random, apex);
        }
        put_cone(shape, w->count / 8 + 3, apex, along, w->thin);
    }
}

/* From side to side of the box, in any direction, that thin. */
static void make_slivers(cliff_shape *shape, wish *w)
{
    for (size_t i = 0; i < w->count; i++) {
        double a[3], b[3], c[3];
        random_point(&w->random, a);
        random_point(&w->random, b);
        for (int axis = 0; axis < 3; axis++) {
            c[axis] = b[axis] + w->thin * draw_in(&w->random, -1, 1);
        }
        put(shape, a, b, c);
    }
}

/* Eight spheres around one centre, that far apart. */
static void make_shells(cliff_shape *shape, wish *w)
{
    for (int i = 0; i < 8; i++) {
        const double centre[3] = { w->thin * draw_in(&w->random, -1, 1), 0, 0 };
        put_sphere(shape, w->count / 8, 1 - 0.1 * w->thin * i, centre);
    }
}

/* A flat grid of squares in a plane of the axes. */
static void make_flat(cliff_shape *shape, wish *w)
{
    const int side = 1 + (int)sqrt((double)w->count / 2);
    const int normal = (int)test_random_below(&w->random, 3);
    const double step = 2.0 / side;
    double a[3] = { 0 }, b[3] = { 0 };
    a[(normal + 1) % 3] = step;
    b[(normal + 2) % 3] = step;
    for (int i = 0; i < side * side; i++) {
        double corner[3] = { 0 };
        corner[(normal + 1) % 3] = step * (i % side) - 1;
        corner[(normal + 2) % 3] = step * (i / side) - 1;
        put_quad(shape, corner, a, b);
    }
}

/* Rectangles along the axes, half as large as the box to that small, in eight planes. */
static void make_cards(cliff_shape *shape, wish *w)
{
    for (size_t i = 0; i < w->count / 2; i++) {
        double corner[3], a[3] = { 0 }, b[3] = { 0 };
        const uint32_t normal = test_random_below(&w->random, 3);
        random_point(&w->random, corner);
        corner[normal] = test_random_below(&w->random, 8) / 4.0 - 1;
        const double size = pow(w->thin, draw_in(&w->random, 0, 1));
        a[(normal + 1) % 3] = size * draw_in(&w->random, 0, 1);
        b[(normal + 2) % 3] = size * draw_in(&w->random, 0, 1);
        put_quad(shape, corner, a, b);
    }
}

/* Houses on a grid over a ground of two triangles. */
static void make_city(cliff_shape *shape, wish *w)
{
    const int side = 1 + (int)sqrt((double)w->count / 12);
    const double step = 2.0 / side;
    put_quad(shape, (const double[3]){ -1, -1, 0 }, (const double[3]){ 2, 0, 0 },
             (const double[3]){ 0, 2, 0 });
    for (int i = 0; i < side * side; i++) {
        const double x = step * (i % side) - 1, y = step * (i / side) - 1;
        const double height = 10 * w->thin * draw_in(&w->random, 0.1, 1);
        put_box(shape, (const double[3]){ x, y, 0 },
                (const double[3]){ x + 0.7 * step, y + 0.7 * step, height });
    }
}

/* A teapot in a stadium: a small dense sphere in a large box with a few more boxes. */
static void make_stadium(cliff_shape *shape, wish *w)
{
    put_box(shape, (const double[3]){ -1, -1, -1 }, (const double[3]){ 1, 1, 1 });
    for (int i = 0; i < 10; i++) {
        double min[3], max[3];
        random_point(&w->random, min);
        for (int axis = 0; axis < 3; axis++) {
            max[axis] = min[axis] + 0.3;
        }
        put_box(shape, min, max);
    }
    double centre[3];
    random_point(&w->random, centre);
    put_sphere(shape, w->count, w->thin, centre);
}

/* Spheres that are smaller and smaller. */
static void make_scales(cliff_shape *shape, wish *w)
{
    double radius = 1;
    for (int i = 0; i < 6; i++) {
        double centre[3];
        random_point(&w->random, centre);
        put_sphere(shape, w->count / 6, radius, centre);
        radius *= sqrt(w->thin);
    }
}

/* Nearly the same large triangle again and again. */
static void make_pile(cliff_shape *shape, wish *w)
{
    for (size_t i = 0; i < w->count; i++) {
        double v[3][3] = { { -1, -1, 0 }, { 1, -1, 0 }, { 0, 1, 0 } };
        for (int corner = 0; corner < 3; corner++) {
            for (int axis = 0; axis < 3; axis++) {
                v[corner][axis] += w->thin * draw_in(&w->random, -1, 1);
            }
        }
        put(shape, v[0], v[1], v[2]);
    }
}

/* Long parallel triangles next to one another, along the diagonal of the box. */
static void make_comb(cliff_shape *shape, wish *w)
{
    const double step = 2.0 / (double)w->count;
    for (size_t i = 0; i < w->count; i++) {
        const double x = step * (double)i - 1;
        const double a[3] = { x, -1, -1 }, b[3] = { x + step, -1, -1 },
                     c[3] = { x + w->thin, 1, 1 };
        put(shape, a, b, c);
    }
}

static make_fn *const makers[MESH_KINDS] = {
    [MESH_SPHERE] = make_sphere,   [MESH_TORUS] = make_torus,   [MESH_TERRAIN] = make_terrain,
    [MESH_SOUP] = make_soup,       [MESH_FAN] = make_fan,       [MESH_CONES] = make_cones,
    [MESH_SLIVERS] = make_slivers, [MESH_SHELLS] = make_shells, [MESH_FLAT] = make_flat,
    [MESH_CARDS] = make_cards,     [MESH_CITY] = make_city,     [MESH_STADIUM] = make_stadium,
    [MESH_SCALES] = make_scales,   [MESH_PILE] = make_pile,     [MESH_COMB] = make_comb,
};

static void put_file(cliff_shape *shape, const char *path)
{
    sl_mesh_def def = { 0 };
    sl_mesh *mesh = NULL;
    sl_error error;
#ifdef CLIFFS_IO
    def.formats = sl_io_formats();
#endif
    if (sl_mesh_load(path, &def, &mesh, &error) != SL_OK) {
        fprintf(stderr, "cliffs: %s: %s\n", path, error.message);
    }
    put_mesh(shape, mesh, 1, zero);
}

static void measure(cliff_shape *shape)
{
    shape->unit = 0;
    for (size_t axis = 0; axis < 3; axis++) {
        double min = INFINITY, max = -INFINITY;
        for (size_t i = axis; i < 9 * shape->count; i += 3) {
            min = fmin(min, shape->corner[i]);
            max = fmax(max, shape->corner[i]);
        }
        shape->centre[axis] = (min + max) / 2;
        shape->unit = fmax(shape->unit, (max - min) / 2);
    }
}

cliff_shape *shape_make(const cliff_case *c)
{
    cliff_shape *shape = calloc(1, sizeof *shape);
    wish w = { (size_t)c->field[CASE_TRIANGLES],
               c->field[CASE_THIN],
               { (uint64_t)c->field[CASE_MESH_SEED] } };
    const int kind = case_int(c, CASE_MESH);
    if (shape == NULL) {
        return NULL;
    }
    if (kind < MESH_KINDS) {
        makers[kind](shape, &w);
    } else {
        put_file(shape, case_files[kind - MESH_KINDS]);
    }
    measure(shape);
    if (shape->count == 0 || !(shape->unit > 0)) {
        shape_free(shape);
        return NULL;
    }
    return shape;
}

void shape_free(cliff_shape *shape)
{
    if (shape != NULL) {
        free(shape->corner);
        free(shape);
    }
}
