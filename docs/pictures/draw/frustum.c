/* draw/frustum.c: the edges of an intersection of half-spaces, for pictures of frustums.
 *
 * A corner is a point that three planes share and that no other plane cuts off; an edge joins two
 * corners that share two planes.  Six more planes, a box around everything else in the picture,
 * bound what would be infinite: edges between two of them are not drawn, edges on one of them are
 * dashed. Computed in doubles, since only the picture depends on it. */
#include "docs/pictures/draw/scene.h"

#include <math.h>

enum { PLANES = SL_FRUSTUM_PLANES_MAX + 6, CORNERS = 128 };

typedef struct cut {
    double normal[PLANES][3], offset[PLANES];
    int count, own; /* all, and those of the frustum itself, which come first */
    spot corners[CORNERS];
    uint32_t on[CORNERS]; /* bits: the planes that a corner lies on */
    int corner_count;
    double tolerance;
} cut;

void scene_bounds(const draw_scene *scene, double min[3], double max[3])
{
    for (int i = 0; i < 3; i++) {
        min[i] = (double)INFINITY;
        max[i] = (double)-INFINITY;
    }
    for (size_t m = 0; m < scene->mark_count; m++) {
        const draw_mark *mark = &scene->marks[m];
        if (mark->kind == MARK_PATH || mark->kind == MARK_PLANE) {
            continue;
        }
        const size_t count = mark->kind == MARK_ARROW ? 1 : mark->count;
        for (size_t p = mark->first; p < mark->first + count; p++) {
            for (int i = 0; i < 3; i++) {
                min[i] = fmin(min[i], scene->points[p].at[i]);
                max[i] = fmax(max[i], scene->points[p].at[i]);
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        if (!(min[i] <= max[i])) {
            min[i] = -1;
            max[i] = 1;
        }
    }
}

static void add_plane(cut *c, const double normal[3], double offset)
{
    double unit[3] = { normal[0], normal[1], normal[2] };
    const double length = unit3(unit);
    if (length > 0) {
        for (int i = 0; i < 3; i++) {
            c->normal[c->count][i] = unit[i];
        }
        c->offset[c->count++] = offset / length;
    }
}

/* The frustum's planes, and those of a box that reaches so many times as far as min .. max. */
static void take_planes(cut *c, const sl_frustum *frustum, const double min[3], const double max[3],
                        double times)
{
    *c = (cut){ .count = 0 };
    for (uint32_t k = 0; k < frustum->count; k++) {
        const spot normal = spot_of(frustum->plane[k].normal);
        add_plane(c, normal.at, (double)frustum->plane[k].offset);
    }
    c->own = c->count;
    double size = 0;
    for (int i = 0; i < 3; i++) {
        size = fmax(size, max[i] - min[i]);
    }
    size = size > 0 ? size : 1;
    for (int i = 0; i < 3; i++) {
        const double middle = (min[i] + max[i]) / 2;
        double normal[3] = { 0 };
        normal[i] = 1;
        add_plane(c, normal, middle + times * size);
        normal[i] = -1;
        add_plane(c, normal, times * size - middle);
    }
    c->tolerance = 1e-9 * (times * size + fabs(min[0]) + fabs(min[1]) + fabs(min[2]));
}

static bool frustum_meet(const cut *c, int i, int j, int k, spot *out)
{
    double jk[3], ki[3], ij[3];
    cross3(c->normal[j], c->normal[k], jk);
    cross3(c->normal[k], c->normal[i], ki);
    cross3(c->normal[i], c->normal[j], ij);
    const double det = dot3(c->normal[i], jk);
    for (int a = 0; a < 3; a++) {
        out->at[a] = (c->offset[i] * jk[a] + c->offset[j] * ki[a] + c->offset[k] * ij[a]) / det;
    }
    return fabs(det) > 1e-9;
}

/* Keeps a corner that is behind all planes, with the planes it is on. */
static void take_corner(cut *c, const spot *corner)
{
    uint32_t on = 0;
    for (int i = 0; i < c->count; i++) {
        const double over = dot3(c->normal[i], corner->at) - c->offset[i];
        if (over > c->tolerance) {
            return;
        }
        on |= over > -c->tolerance ? UINT32_C(1) << i : 0;
    }
    if (c->corner_count < CORNERS) {
        c->on[c->corner_count] = on;
        c->corners[c->corner_count++] = *corner;
    }
}

/* The edge on planes i and j: between the corners on both that are farthest apart. */
static void draw_edge(draw_scene *scene, const cut *c, int i, int j)
{
    const uint32_t both = UINT32_C(1) << i | UINT32_C(1) << j;
    double along[3], least = (double)INFINITY, most = (double)-INFINITY;
    const spot *from = NULL, *to = NULL;
    cross3(c->normal[i], c->normal[j], along);
    for (int k = 0; k < c->corner_count; k++) {
        if ((c->on[k] & both) == both) {
            const double at = dot3(along, c->corners[k].at);
            if (at < least) {
                least = at;
                from = &c->corners[k];
            }
            if (at > most) {
                most = at;
                to = &c->corners[k];
            }
        }
    }
    if (from != NULL && most - least > c->tolerance) {
        scene_line(scene, j < c->own ? scene->frustum_ink : INK_HIDDEN, *from, *to);
    }
}

/* Lets min .. max hold the frustum's own corners; whether there are others, on the box. */
static bool find_corners(cut *c, double min[3], double max[3])
{
    bool endless = false;
    for (int i = 0; i < c->count; i++) {
        for (int j = i + 1; j < c->count; j++) {
            for (int k = j + 1; k < c->count; k++) {
                spot corner;
                if (frustum_meet(c, i, j, k, &corner)) {
                    take_corner(c, &corner);
                }
            }
        }
    }
    for (int i = 0; i < c->corner_count; i++) {
        const bool own = c->on[i] >> c->own == 0;
        endless = endless || !own;
        for (int k = 0; own && k < 3; k++) {
            min[k] = fmin(min[k], c->corners[i].at[k]);
            max[k] = fmax(max[k], c->corners[i].at[k]);
        }
    }
    return endless;
}

void scene_frustum(draw_scene *scene)
{
    if (scene->frustum.count == 0 || scene->frustum.count > SL_FRUSTUM_PLANES_MAX) {
        return;
    }
    cut c;
    double min[3], max[3];
    scene_bounds(scene, min, max);
    take_planes(&c, &scene->frustum, min, max, 1000);
    if (find_corners(&c, min, max)) {
        take_planes(&c, &scene->frustum, min, max, 1);
        find_corners(&c, min, max);
    }
    for (int i = 0; i < c.own; i++) {
        for (int j = i + 1; j < c.count; j++) {
            draw_edge(scene, &c, i, j);
        }
    }
}
