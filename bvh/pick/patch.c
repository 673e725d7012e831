/* Patches of surfaces that hide what is behind them. */
#include "bvh/pick/patch.h"

#include "bvh/kernel/scene/decide.h"

#include <math.h>
#include <string.h>

#define SLACK 0x1p-48
/* In pixels: what the corners of the reach may be off by; it is larger than it has to be by four
 * times that. */
#define OFF 0x1p-12

/* ---- The corners of the reach ---- */

/* Whether a point, less the origin, appears at a place. */
static bool appears_at(const sli_screen *screen, const double x[3], const double error[3],
                       const double place[2])
{
    double at[3], slack[3];
    for (int i = 0; i < 3; i++) {
        const sli_row *row = &screen->row[SLI_ROW_X + i];
        at[i] = row->at;
        slack[i] = SLACK * row->size_at;
        for (int axis = 0; axis < 3; axis++) {
            at[i] += row->n[axis] * x[axis];
            slack[i] += row->size[axis] * (SLACK * fabs(x[axis]) + error[axis]);
        }
    }
    const double least = at[2] - slack[2];
    for (int i = 0; i < 2; i++) {
        const double far = fabs(at[i] - place[i] * at[2]);
        const double error_here = slack[i] + fabs(place[i]) * (slack[2] + SLACK * fabs(at[2]));
        if (!(far + error_here <= OFF * least)) {
            return false;
        }
    }
    return least > 0;
}

static const double *corner_place(const sli_reach *reach, int i)
{
    static const int corners[4] = { 0, 4, 20, 24 };
    return reach->place[corners[i]];
}

static bool open_reach(sli_patch *patch, const double position[2], double radius)
{
    sli_reach *reach = &patch->reach;
    sli_reach_make(patch->screen, position, radius, reach);
    if (!reach->usable || !(reach->margin <= SLI_REACH_WITHIN + OFF)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        sl_ray_d ray;
        const double *place = corner_place(reach, i);
        if (!sli_view_ray(&patch->screen->view, place, &ray) ||
            !appears_at(patch->screen, reach->near_point[i], reach->near_error, place)) {
            return false;
        }
        memcpy(patch->along[i], ray.dir, sizeof ray.dir);
        patch->farthest[i] = 0;
    }
    return true;
}

/* ---- Triangles ---- */

/* Sets all but prim and x.  False: it cannot be of the patch. */
static bool make_triangle(const sli_patch *patch, sli_patch_triangle *t, double leaves[4])
{
    double v[3][3], line[3][3];
    const sli_reach *reach = &patch->reach;
    sli_scene_corners(patch->placed, t->x, v);
    t->turn = sli_occluder_plane(patch->screen, reach, v, &t->plane);
    if (t->turn == 0 || !sli_occluder_lines(patch->screen, reach, v, line)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        double at = t->plane.at, rise = 0;
        for (int axis = 0; axis < 3; axis++) {
            at += t->plane.n[axis] * reach->near_point[i][axis];
            rise += t->plane.n[axis] * patch->along[i][axis];
        }
        leaves[i] = -at / rise;
        if (!(rise > 0) || !(leaves[i] < 0x1p60)) {
            return false;
        }
    }
    t->outer = 0;
    for (int k = 0; k < 3; k++) {
        bool within = true;
        for (int i = 0; i < 4; i++) {
            const double *p = corner_place(reach, i);
            within = within && line[k][0] * p[0] + line[k][1] * p[1] + line[k][2] > 0;
        }
        t->outer |= (uint32_t)within << k;
    }
    return true;
}

static bool is_same(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Whether one goes on where the other ends, across its side k, without a fold. */
static bool goes_on(const sli_patch_triangle *t, int k, const sli_patch_triangle *other)
{
    const float *a = t->x[k], *b = t->x[(k + 1) % 3];
    for (int i = 0; i < 3; i++) {
        const float *first = other->x[i], *second = other->x[(i + 1) % 3];
        if (is_same(first, b) && is_same(second, a)) {
            return t->turn == other->turn;
        }
        if (is_same(first, a) && is_same(second, b)) {
            return t->turn != other->turn;
        }
    }
    return false;
}

static bool admit(sli_patch *patch, const sli_patch_triangle *t, const double leaves[4])
{
    if (patch->count == SLI_PATCH) {
        return false;
    }
    patch->triangle[patch->count++] = *t;
    for (int i = 0; i < 4; i++) {
        patch->farthest[i] = leaves[i] > patch->farthest[i] ? leaves[i] : patch->farthest[i];
    }
    return true;
}

/* ---- Neighbours ---- */

static bool has_corner(float x[3][3], const float v[3])
{
    return is_same(x[0], v) || is_same(x[1], v) || is_same(x[2], v);
}

/* Of a leaf: the triangle that goes on across side k of triangle i. */
static bool find_in_leaf(sli_patch *patch, int i, int k, const sli_tri_pack *pack)
{
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        const sli_patch_triangle *from = &patch->triangle[i];
        const sl_triangle_ref ref = { patch->instance, pack->prim[lane] };
        sli_patch_triangle t = { .prim = ref.prim };
        double leaves[4];
        for (int corner = 0; corner < 3; corner++) {
            for (int axis = 0; axis < 3; axis++) {
                t.x[corner][axis] = pack->axis[axis].vertex[corner][lane];
            }
        }
        if (ref.prim != from->prim && has_corner(t.x, from->x[k]) &&
            has_corner(t.x, from->x[(k + 1) % 3]) &&
            sli_scene_has(patch->options, ref, pack->mask[lane]) &&
            make_triangle(patch, &t, leaves) && goes_on(from, k, &t)) {
            return admit(patch, &t, leaves);
        }
    }
    return false;
}

/* The children whose boxes have both points. */
static uint32_t children_with(const sli_node_wide *node, const float a[3], const float b[3])
{
    uint32_t with = (1u << SLI_WIDTH) - 1;
    for (int axis = 0; axis < 3; axis++) {
        const float low = a[axis] < b[axis] ? a[axis] : b[axis];
        const float high = a[axis] < b[axis] ? b[axis] : a[axis];
        uint32_t here = 0;
        for (uint32_t child = 0; child < SLI_WIDTH; child++) {
            const bool has =
                (node->bounds[axis][0][child] <= low) & (node->bounds[axis][1][child] >= high);
            here |= (uint32_t)has << child;
        }
        with &= here;
    }
    return with;
}

static bool find_in_tree(sli_patch *patch, int i, int k)
{
    const sl_bvh *tree = patch->placed->tree;
    const sli_patch_triangle *from = &patch->triangle[i];
    uint32_t stack[SLI_STACK];
    int size = 0;
    stack[size++] = tree->root;
    while (size > 0 && patch->nodes < SLI_PATCH_NODES) {
        const uint32_t ref = stack[--size];
        patch->nodes++;
        if ((ref & SLI_REF_LEAF) != 0) {
            sli_tri_pack room;
            if (find_in_leaf(patch, i, k, sli_tree_pack(tree, ref, &room))) {
                return true;
            }
            continue;
        }
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const uint32_t with = children_with(node, from->x[k], from->x[(k + 1) % 3]);
        for (uint32_t child = 0; child < SLI_WIDTH; child++) {
            if ((with >> child & 1) != 0 && node->child[child] != SLI_REF_EMPTY) {
                stack[size++] = node->child[child];
            }
        }
    }
    return false;
}

static bool is_closed_across(sli_patch *patch, int i, int k)
{
    for (int other = 0; other < patch->count; other++) {
        if (other != i && goes_on(&patch->triangle[i], k, &patch->triangle[other])) {
            return true;
        }
    }
    return find_in_tree(patch, i, k);
}

/* ---- What is behind ---- */

static double row_at(const sli_row *row, const double x[3], double *slack)
{
    double at = row->at;
    *slack = SLACK * row->size_at;
    for (int axis = 0; axis < 3; axis++) {
        at += row->n[axis] * x[axis];
        *slack += SLACK * row->size[axis] * fabs(x[axis]);
    }
    return at;
}

/* Behind all planes on the four lines along the reach's corners, and so behind them wherever it is
 * farther than on any of these. */
static double all_behind(const sli_patch *patch)
{
    static const double exactly[3] = { 0, 0, 0 };
    double behind = -INFINITY;
    for (int i = 0; i < 4; i++) {
        double x[3], slack;
        for (int axis = 0; axis < 3; axis++) {
            x[axis] = patch->reach.near_point[i][axis] +
                      patch->farthest[i] * (1 + 0x1p-20) * patch->along[i][axis];
        }
        if (!appears_at(patch->screen, x, exactly, corner_place(&patch->reach, i))) {
            return INFINITY;
        }
        for (int k = 0; k < patch->count; k++) {
            if (!(row_at(&patch->triangle[k].plane, x, &slack) > slack)) {
                return INFINITY;
            }
        }
        const double near = row_at(&patch->screen->row[SLI_ROW_NEAR], x, &slack) + slack;
        if (!(near < INFINITY)) {
            return INFINITY;
        }
        behind = near > behind ? near : behind;
    }
    return behind;
}

double sli_patch_grow(const sli_screen *screen, const sli_placed *placed, uint32_t instance,
                      const sli_scene_ray *options, const double position[2], double radius,
                      uint32_t prim, sli_patch *patch)
{
    sl_triangle found;
    sli_patch_triangle t = { .prim = prim };
    double leaves[4];
    patch->screen = screen;
    patch->placed = placed;
    patch->instance = instance;
    patch->options = options;
    patch->count = patch->nodes = 0;
    if (!open_reach(patch, position, radius) || !sl_bvh_triangle(placed->tree, prim, &found)) {
        return INFINITY;
    }
    memcpy(t.x, found.v, sizeof t.x);
    if (!make_triangle(patch, &t, leaves) || !admit(patch, &t, leaves)) {
        return INFINITY;
    }
    for (int i = 0; i < patch->count; i++) {
        for (int k = 0; k < 3; k++) {
            if ((patch->triangle[i].outer >> k & 1) == 0 && !is_closed_across(patch, i, k)) {
                return INFINITY;
            }
        }
    }
    return all_behind(patch);
}
