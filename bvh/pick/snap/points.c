/* The points that kinds of snaps have: snap/points.h. */
#include "bvh/pick/snap/points.h"

#include "lib/geom/exact/arithmetic/vector.h"

static void triangle_normal(double v[3][3], double out[3])
{
    double u[3], w[3];
    sli_subtract(v[1], v[0], u);
    sli_subtract(v[2], v[0], w);
    sli_cross(u, w, out);
}

/* ---- Faces ---- */

/* Moves *at over triangles of the face, by one step after the other; false: there are too many. */
static bool face_run_along(const sl_topology *topology, uint32_t face, uint32_t step, uint32_t *at,
                           uint32_t *count)
{
    while (sl_topology_element_of(topology, *at + step, SL_FACES, 0) == face) {
        *at += step;
        if (++*count > SLI_SNAP_RUN_MAX) {
            return false;
        }
    }
    return true;
}

bool sli_snap_face_of(const sl_bvh *bvh, const sl_topology *topology, uint32_t instance,
                      uint32_t prim, sli_snap_face *out)
{
    out->bvh = bvh;
    out->instance = instance;
    out->prim = out->first = out->last = prim;
    if (!sl_bvh_triangle(bvh, (sl_triangle_ref){ instance, prim }, out->v)) {
        return false;
    }
    triangle_normal(out->v, out->normal);
    const uint32_t face =
        topology != NULL ? sl_topology_element_of(topology, prim, SL_FACES, 0) : SL_NONE;
    uint32_t count = 1;
    if (face != SL_NONE && !(face_run_along(topology, face, UINT32_MAX, &out->first, &count) &&
                             face_run_along(topology, face, 1, &out->last, &count))) {
        out->first = out->last = prim;
    }
    return true;
}

bool sli_snap_centre(const sli_snap_face *face, double out[3])
{
    double all[3] = { 0, 0, 0 }, sum[3] = { 0, 0, 0 }, total = 0, n[3], v[3][3];
    const double *o = face->v[0];
    sl_triangle_ref ref = { face->instance, face->first };
    for (; ref.prim <= face->last; ref.prim++) {
        if (sl_bvh_triangle(face->bvh, ref, v)) {
            triangle_normal(v, n);
            for (int axis = 0; axis < 3; axis++) {
                all[axis] += n[axis];
            }
        }
    }
    for (ref.prim = face->first; ref.prim <= face->last; ref.prim++) {
        if (sl_bvh_triangle(face->bvh, ref, v)) {
            triangle_normal(v, n);
            const double weight = sli_dot(n, all);
            total += weight;
            for (int axis = 0; axis < 3; axis++) {
                sum[axis] += weight * (((v[0][axis] - o[axis]) + (v[1][axis] - o[axis])) +
                                       (v[2][axis] - o[axis]));
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = o[axis] + sum[axis] / (3 * total);
    }
    return total > 0;
}

/* Whether a point of the plane is within a triangle. */
static bool triangle_has(double v[3][3], const double normal[3], const double point[3])
{
    for (int k = 0; k < 3; k++) {
        double along[3], to[3], across[3];
        sli_subtract(v[(k + 1) % 3], v[k], along);
        sli_subtract(point, v[k], to);
        sli_cross(along, to, across);
        if (!(sli_dot(normal, across) >= 0)) {
            return false;
        }
    }
    return true;
}

bool sli_snap_face_foot(const sli_snap_face *face, const double from[3], double out[3])
{
    double to[3], v[3][3];
    const double square = sli_dot(face->normal, face->normal);
    sli_subtract(from, face->v[0], to);
    const double height = sli_dot(face->normal, to) / square;
    if (!(square > 0)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = from[axis] - height * face->normal[axis];
    }
    for (uint32_t prim = face->first; prim <= face->last; prim++) {
        if (sl_bvh_triangle(face->bvh, (sl_triangle_ref){ face->instance, prim }, v) &&
            triangle_has(v, face->normal, out)) {
            return true;
        }
    }
    return false;
}

/* ---- Edges ---- */

bool sli_snap_edge_foot(const double lower[3], const double higher[3], const double from[3],
                        double *s, double out[3])
{
    double along[3], to[3];
    sli_subtract(higher, lower, along);
    sli_subtract(from, lower, to);
    *s = sli_dot(to, along) / sli_dot(along, along);
    if (!(*s >= 0 && *s <= 1)) {
        return false;
    }
    sli_along_at(lower, higher, *s, out);
    return true;
}

void sli_snap_midpoint(const double lower[3], const double higher[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = 0.5 * lower[axis] + 0.5 * higher[axis];
    }
}

static bool have_common_end(const sli_snap_side *a, const sli_snap_side *b)
{
    return sli_corner_equals(a->edge.end[0], b->edge.end[0]) ||
           sli_corner_equals(a->edge.end[0], b->edge.end[1]) ||
           sli_corner_equals(a->edge.end[1], b->edge.end[0]) ||
           sli_corner_equals(a->edge.end[1], b->edge.end[1]);
}

bool sli_snap_cross(const sli_snap_side *a, const sli_snap_side *b, double s[2], double point[2][3])
{
    double u[2], v[2], e[2];
    for (int axis = 0; axis < 2; axis++) {
        u[axis] = a->part.xy[1][axis] - a->part.xy[0][axis];
        v[axis] = b->part.xy[1][axis] - b->part.xy[0][axis];
        e[axis] = b->part.xy[0][axis] - a->part.xy[0][axis];
    }
    const double across = u[0] * v[1] - u[1] * v[0];
    const double r = (e[0] * v[1] - e[1] * v[0]) / across;
    const double q = (e[0] * u[1] - e[1] * u[0]) / across;
    if (!(r >= 0 && r <= 1 && q >= 0 && q <= 1) || have_common_end(a, b)) {
        return false;
    }
    s[0] = sli_along_share(&a->part, r);
    s[1] = sli_along_share(&b->part, q);
    sli_along_at(a->edge.end[0], a->edge.end[1], s[0], point[0]);
    sli_along_at(b->edge.end[0], b->edge.end[1], s[1], point[1]);
    return true;
}

/* ---- Grids and locks ---- */

bool sli_snap_on_grid(const sl_snap_grid *grid, const sl_ray_d *ray, double steps[2])
{
    double normal[3], to[3], at[3];
    sli_cross(grid->x, grid->y, normal);
    sli_subtract(grid->origin, ray->origin, to);
    const double t = sli_dot(normal, to) / sli_dot(normal, ray->dir);
    if (!(t >= ray->tmin && t <= ray->tmax)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (ray->origin[axis] + t * ray->dir[axis]) - grid->origin[axis];
    }
    const double xx = sli_dot(grid->x, grid->x), xy = sli_dot(grid->x, grid->y),
                 yy = sli_dot(grid->y, grid->y), ex = sli_dot(at, grid->x),
                 ey = sli_dot(at, grid->y);
    const double det = xx * yy - xy * xy;
    steps[0] = (ex * yy - ey * xy) / det;
    steps[1] = (ey * xx - ex * xy) / det;
    return det > 0 && fabs(steps[0]) < 0x1p30 && fabs(steps[1]) < 0x1p30;
}

void sli_snap_grid_point(const sl_snap_grid *grid, double i, double j, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (grid->origin[axis] + i * grid->x[axis]) + j * grid->y[axis];
    }
}

void sli_snap_locked(const sl_snap_def *def, const double point[3], double out[3])
{
    const double *d = def->lock_dir;
    double to[3];
    memcpy(out, point, sizeof to);
    if (def->lock == SL_SNAP_FREE) {
        return;
    }
    sli_subtract(point, def->lock_at, to);
    const double share = sli_dot(to, d) / sli_dot(d, d);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = def->lock == SL_SNAP_LINE ? def->lock_at[axis] + share * d[axis]
                                              : point[axis] - share * d[axis];
    }
}
