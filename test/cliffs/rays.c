/* rays.c: the rays of a case: where each starts and where it aims, then its limits. */
#include "test/cliffs/draw.h"
#include "test/cliffs/scene.h"
#include "test/support/query/of_one.h"

#include <stdlib.h>

typedef struct maker {
    const cliff_case *c;
    const cliff_scene *scene;
    test_random random;
    double eye[3], aim[3], forward[3], right[3], up[3]; /* of cameras and parallel rays */
    size_t first;                                       /* pixel, in the order of tiles */
} maker;

static double length_of(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* from + scale * along */
static void step(const double from[3], double scale, const double along[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = from[axis] + scale * along[axis];
    }
}

static void random_triangle(maker *m, double v[3][3])
{
    const uint32_t count = (uint32_t)sl_mesh_soup(m->scene->mesh).triangle_count;
    const float *xyz =
        sl_mesh_soup(m->scene->mesh).xyz + 9 * (size_t)test_random_below(&m->random, count);
    for (int i = 0; i < 9; i++) {
        v[i / 3][i % 3] = (double)xyz[i];
    }
}

/* As CASE_AIM says: a vertex as it is, others rounded later. */
static void surface_point(maker *m, double out[3])
{
    const aim_kind aim = (aim_kind)case_int(m->c, CASE_AIM);
    double t[3][3], u = draw_in(&m->random, 0, 1), v = draw_in(&m->random, 0, 1);
    random_triangle(m, t);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    if (aim == AIM_VERTICES || aim == AIM_MIDPOINTS) {
        u = aim == AIM_VERTICES ? 0 : 0.5;
        v = 0;
    } else if (aim == AIM_CENTROIDS) {
        u = v = 1.0 / 3;
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = t[0][axis] + u * (t[1][axis] - t[0][axis]) + v * (t[2][axis] - t[0][axis]);
    }
}

/* Within the box; of cases with an aim, on the surface. */
static void box_point(maker *m, double out[3])
{
    if (case_int(m->c, CASE_AIM) != AIM_ANYWHERE) {
        surface_point(m, out);
        return;
    }
    const sl_aabb box = bounds_in_floats(m->scene->bvh);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = draw_in(&m->random, (double)box.min[axis], (double)box.max[axis]);
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        out[axis] = a[next] * b[last] - a[last] * b[next];
    }
}

/* A view from CASE_AWAY towards a point of the surface, and a place in its picture to begin at. */
static void prepare(maker *m)
{
    double helper[3];
    surface_point(m, m->aim);
    draw_direction(&m->random, m->forward);
    draw_direction(&m->random, helper);
    cross(m->forward, helper, m->right);
    const double length = length_of(m->right);
    for (int axis = 0; axis < 3; axis++) {
        m->right[axis] /= length;
    }
    cross(m->right, m->forward, m->up);
    const double away = m->c->field[CASE_AWAY] * m->scene->unit;
    step(case_int(m->c, CASE_RAYS) == RAYS_FROM_POINT ? m->scene->centre : m->aim, -away,
         m->forward, m->eye);
    const size_t width = (size_t)m->c->field[CASE_WIDTH];
    const size_t tile = (size_t)m->c->field[CASE_TILE];
    const uint32_t tiles = (uint32_t)((width * width + tile * tile - 1) / (tile * tile));
    m->first = test_random_below(&m->random, tiles) * tile * tile;
}

/* The pixel that comes i-th: tiles row by row, within them along Morton's curve. */
static void pixel(const maker *m, size_t i, double *x, double *y)
{
    const size_t width = (size_t)m->c->field[CASE_WIDTH];
    size_t tile = (size_t)m->c->field[CASE_TILE];
    tile = tile > width ? 1 : tile;
    const size_t across = width / tile, whole = across * across * tile * tile;
    const size_t at = (m->first + i) % whole, inside = at % (tile * tile);
    size_t column = at / (tile * tile) % across * tile, row = at / (tile * tile) / across * tile;
    for (size_t bit = 0; inside >> (2 * bit) != 0; bit++) {
        column += (inside >> (2 * bit) & 1) << bit;
        row += (inside >> (2 * bit + 1) & 1) << bit;
    }
    *x = 2 * ((double)column + 0.5) / (double)width - 1;
    *y = 2 * ((double)row + 0.5) / (double)width - 1;
}

/* Towards aim, from CASE_AWAY along forward, off by up to CASE_SPREAD. */
static void towards(maker *m, const double aim[3], const double forward[3], double spread,
                    double origin[3], double dir[3])
{
    double off[3];
    draw_direction(&m->random, off);
    step(forward, spread, off, dir);
    step(aim, -m->c->field[CASE_AWAY] * m->scene->unit, dir, origin);
}

/* Along an edge of the triangle t or, exactly, along an axis through a vertex. */
static void special(maker *m, ray_kind kind, double origin[3], double dir[3])
{
    double t[3][3], edge[3], axis[3] = { 0 };
    random_triangle(m, t);
    const double sign = test_random_below(&m->random, 2) != 0 ? 1 : -1;
    step(t[1], -1, t[0], edge);
    if (kind == RAYS_AXIS) {
        axis[test_random_below(&m->random, 3)] = sign;
        towards(m, t[2], axis, 0, origin, dir);
    } else if (kind == RAYS_ALONG_EDGES || !(length_of(edge) > 0)) {
        step(t[0], -sign, edge, origin);
        step(axis, sign, edge, dir);
    } else {
        step(axis, 1 / length_of(edge), edge, edge);
        towards(m, t[0], edge, fmin(m->c->field[CASE_SPREAD], 0.01), origin, dir);
    }
}

/* From where the i-th ray of the camera hits, to anywhere. */
static void bounce(maker *m, double origin[3], double dir[3])
{
    const sl_ray ray = { .origin = { (float)origin[0], (float)origin[1], (float)origin[2] },
                         .dir = { (float)dir[0], (float)dir[1], (float)dir[2] },
                         .tmax = INFINITY };
    sl_hit hit;
    if (sl_bvh_closest(m->scene->bvh, &ray, NULL, &hit)) {
        step(origin, (double)hit.t * 0.9999, dir, origin);
    }
    draw_direction(&m->random, dir);
}

/* dir reaches from the origin to where the ray aims. */
static void make_ray(maker *m, size_t i, double origin[3], double dir[3])
{
    const ray_kind kind = (ray_kind)case_int(m->c, CASE_RAYS);
    const double spread = m->c->field[CASE_SPREAD], unit = m->scene->unit;
    double aim[3], x, y;
    pixel(m, i, &x, &y);
    switch (kind) {
    case RAYS_CAMERA:
    case RAYS_BOUNCE:
        step(m->forward, spread * x, m->right, dir);
        step(dir, spread * y, m->up, dir);
        step(m->eye, 0, dir, origin);
        if (kind == RAYS_BOUNCE) {
            bounce(m, origin, dir);
        }
        step((const double[3]){ 0 }, m->c->field[CASE_AWAY] * unit, dir, dir);
        return;
    case RAYS_ORTHOGRAPHIC:
        step(m->eye, spread * x * unit, m->right, origin);
        step(origin, spread * y * unit, m->up, origin);
        step((const double[3]){ 0 }, m->c->field[CASE_AWAY] * unit, m->forward, dir);
        return;
    case RAYS_FROM_POINT:
        surface_point(m, aim);
        step(aim, -1, m->eye, dir);
        step(m->eye, 0, dir, origin);
        return;
    case RAYS_AROUND:
        draw_direction(&m->random, dir);
        step(m->scene->centre, m->c->field[CASE_AWAY] * unit, dir, origin);
        box_point(m, aim);
        step(aim, -1, origin, dir);
        return;
    case RAYS_INSIDE:
        box_point(m, origin);
        box_point(m, aim);
        step(aim, -1, origin, dir);
        return;
    case RAYS_SURFACE:
        surface_point(m, origin);
        draw_direction(&m->random, dir);
        if (case_int(m->c, CASE_AIM) == AIM_ANYWHERE) {
            step(origin, 1e-3 * unit * fmin(spread, 1), dir, origin);
        }
        step((const double[3]){ 0 }, unit, dir, dir);
        return;
    case RAYS_PARALLEL:
        surface_point(m, aim);
        towards(m, aim, m->forward, spread, origin, dir);
        break;
    default:
        special(m, kind, origin, dir);
        break;
    }
    if (kind != RAYS_ALONG_EDGES) {
        step((const double[3]){ 0 }, m->c->field[CASE_AWAY] * unit, dir, dir);
    }
}

/* Moves count numbers by up to a ten-thousandth of a distance. */
static void put_beside(test_random *random, double distance, float *x, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] = (float)((double)x[i] + 1e-4 * distance * draw_in(random, -1, 1));
    }
}

/* The i-th question in all its forms. */
static void fill_in(const cliff_case *c, const double origin[3], const double way[3],
                    bench_rays *out, size_t i)
{
    const double distance = length_of(way), length = c->field[CASE_LENGTH];
    const double speed = c->field[CASE_SPEED], start = c->field[CASE_START];
    sl_ray *ray = &out->rays[i];
    *ray = (sl_ray){ .tmax = length == 0 ? INFINITY : (float)(length * distance / speed) };
    ray->tmin = length == 0 || start < length ? (float)(start * distance / speed) : 0;
    for (int axis = 0; axis < 3; axis++) {
        ray->origin[axis] = (float)origin[axis];
        ray->dir[axis] = (float)(way[axis] * (distance > 0 ? speed / distance : 1));
        out->segments[i].p[axis] = ray->origin[axis];
        out->segments[i].q[axis] = (float)(origin[axis] + way[axis] * (length == 0 ? 1 : length));
    }
    if (c->field[CASE_BESIDE] != 0) {
        test_random random = { i };
        put_beside(&random, distance, ray->origin, 3);
        put_beside(&random, speed, ray->dir, 3);
        put_beside(&random, distance, out->segments[i].p, 3);
        put_beside(&random, distance, out->segments[i].q, 3);
    }
}

/* All from the first origin, with the first limit. */
static void share_origin(bench_rays *out)
{
    const sl_ray first = out->rays[0];
    for (size_t i = 0; i < out->count; i++) {
        out->rays[i].tmin = 0;
        out->rays[i].tmax = first.tmax;
        for (size_t axis = 0; axis < 3; axis++) {
            out->rays[i].origin[axis] = out->segments[i].p[axis] = first.origin[axis];
        }
    }
}

/* The points, directions and targets of rays and segments. */
static void fill_points(bench_rays *out)
{
    for (size_t i = 0; i < 3 * out->count; i++) {
        out->points[i] = out->rays[i / 3].origin[i % 3];
        out->dirs[i] = out->rays[i / 3].dir[i % 3];
        out->targets[i] = out->segments[i / 3].q[i % 3];
    }
}

void rays_shuffle(bench_rays *out, test_random *random)
{
    for (size_t i = out->count; i > 1; i--) {
        const size_t j = test_random_below(random, (uint32_t)i);
        const sl_ray ray = out->rays[i - 1];
        const sl_segment segment = out->segments[i - 1];
        out->rays[i - 1] = out->rays[j];
        out->rays[j] = ray;
        out->segments[i - 1] = out->segments[j];
        out->segments[j] = segment;
    }
    fill_points(out);
}

static bool allocate_rays(bench_rays *out, bench_query query, size_t count)
{
    *out = (bench_rays){ .query = query,
                         .count = count,
                         .rays = malloc(count * sizeof *out->rays),
                         .segments = malloc(count * sizeof *out->segments),
                         .points = malloc(3 * count * sizeof *out->points),
                         .dirs = malloc(3 * count * sizeof *out->dirs),
                         .targets = malloc(3 * count * sizeof *out->targets) };
    if (out->rays != NULL && out->segments != NULL && out->points != NULL && out->dirs != NULL &&
        out->targets != NULL) {
        return true;
    }
    bench_rays_free(out);
    return false;
}

bool rays_make(const cliff_case *c, const cliff_scene *scene, bench_rays *out)
{
    maker m = { c,     scene, { (uint64_t)c->field[CASE_RAY_SEED] }, { 0 }, { 0 }, { 0 }, { 0 },
                { 0 }, 0 };
    if (!allocate_rays(out, case_query(c), (size_t)c->field[CASE_COUNT])) {
        return false;
    }
    prepare(&m);
    for (size_t i = 0; i < out->count; i++) {
        double origin[3], way[3];
        make_ray(&m, i, origin, way);
        fill_in(c, origin, way, out, i);
    }
    if (case_int(c, CASE_ORDER) == ORDER_SHUFFLED) {
        rays_shuffle(out, &m.random);
    }
    if (out->query == BENCH_ANY_FROM || out->query == BENCH_BLOCKED_FROM) {
        share_origin(out);
    }
    fill_points(out);
    return true;
}

bool rays_move_back(const cliff_case *c, const bench_rays *far_rays, bench_rays *out)
{
    if (!allocate_rays(out, far_rays->query, far_rays->count)) {
        return false;
    }
    bool exact = true;
    for (size_t i = 0; i < out->count && exact; i++) {
        out->rays[i] = far_rays->rays[i];
        exact = numbers_move_back(c, far_rays->rays[i].origin, 3, out->rays[i].origin) &&
                numbers_move_back(c, far_rays->segments[i].p, 3, out->segments[i].p) &&
                numbers_move_back(c, far_rays->segments[i].q, 3, out->segments[i].q);
    }
    if (exact) {
        fill_points(out);
    } else {
        bench_rays_free(out);
    }
    return exact;
}
