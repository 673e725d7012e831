/* Patches of surfaces that hide what is behind them. */
#include "bvh/pick/patch.h"

#include "bvh/kernel/instance/intersect.h"
#include "bvh/query/visit.h"

#include <string.h>

#define SLACK 0x1p-48
/* In pixels: what the corners of the reach may be off by; it is larger than it has to be by four
 * times that. */
#define OFF 0x1p-12

/* ---- The corners of the reach ---- */

/* Whether a point, less the origin, appears at a position. */
static bool appears_at(const sli_screen *screen, const double x[3], const double error[3],
                       const double position[2])
{
    double at[3], slack[3];
    for (int i = 0; i < 3; i++) {
        at[i] = sli_row_at(&screen->row[SLI_ROW_X + i], x, error, &slack[i]);
    }
    const double least = at[2] - slack[2];
    for (int i = 0; i < 2; i++) {
        const double far = fabs(at[i] - position[i] * at[2]);
        const double error_here = slack[i] + fabs(position[i]) * (slack[2] + SLACK * fabs(at[2]));
        if (!(far + error_here <= OFF * least)) {
            return false;
        }
    }
    return least > 0;
}

static const double *reach_corner(const sli_reach *reach, int i)
{
    static const int corners[4] = { 0, 4, 20, 24 };
    return reach->position[corners[i]];
}

static bool patch_open_reach(sli_patch *patch, const double position[2], double radius)
{
    sli_reach *reach = &patch->reach;
    sli_reach_make(patch->screen, position, radius, reach);
    if (!reach->usable || !(reach->margin <= SLI_REACH_WITHIN + OFF)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        sl_ray_d ray;
        const double *corner = reach_corner(reach, i);
        if (!sli_view_ray(&patch->screen->view, corner, &ray) ||
            !appears_at(patch->screen, reach->near_point[i], reach->near_error, corner)) {
            return false;
        }
        memcpy(patch->along[i], ray.dir, sizeof ray.dir);
        patch->farthest[i] = 0;
    }
    return true;
}

/* ---- Triangles ---- */

/* Sets all but what is known.  False: it cannot be of the patch. */
static bool patch_triangle(const sli_patch *patch, sli_patch_triangle *t, double leaves[4])
{
    double v[3][3], line[3][3];
    const sli_reach *reach = &patch->reach;
    sli_world_corners(patch->transformed, t->known.x, v);
    t->turn = sli_occluder_plane(patch->screen, reach, v, &t->plane);
    if (t->turn == 0 || !sli_occluder_lines(patch->screen, reach, v, line)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        const double at = t->plane.at + sli_row_rise(&t->plane, reach->near_point[i]);
        const double rise = sli_row_rise(&t->plane, patch->along[i]);
        leaves[i] = -at / rise;
        if (!(rise > 0) || !(leaves[i] < 0x1p60)) {
            return false;
        }
    }
    t->closed = 0;
    for (int k = 0; k < 3; k++) {
        bool within = true;
        for (int i = 0; i < 4; i++) {
            const double *p = reach_corner(reach, i);
            within = within && line[k][0] * p[0] + line[k][1] * p[1] + line[k][2] > 0;
        }
        t->closed |= (uint32_t)within << k;
    }
    return true;
}

static bool corners_are_same(const sli_patch_known *a, int i, const sli_patch_known *b, int j)
{
    return a->key[i] == b->key[j] && a->x[i][0] == b->x[j][0] && a->x[i][1] == b->x[j][1] &&
           a->x[i][2] == b->x[j][2];
}

/* The side of another triangle that is the side k of one; -1: none.  *same_way: it begins with the
 * same corner. */
static int common_side(const sli_patch_known *t, int k, const sli_patch_known *other,
                       bool *same_way)
{
    const int next = (k + 1) % 3;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        *same_way = corners_are_same(t, k, other, i) && corners_are_same(t, next, other, j);
        if (*same_way ||
            (corners_are_same(t, k, other, j) && corners_are_same(t, next, other, i))) {
            return i;
        }
    }
    return -1;
}

static bool patch_admit(sli_patch *patch, const sli_patch_triangle *t, const double leaves[4])
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

static uint32_t key_of(const float x[3])
{
    uint32_t key = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float value = x[axis] + 0.0f; /* no -0 */
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        key = (key ^ bits) * 0x9E3779B1u;
    }
    return key;
}

static void set_keys(sli_patch_known *known)
{
    for (int corner = 0; corner < 3; corner++) {
        known->key[corner] = key_of(known->x[corner]);
    }
}

/* Whether triangle j of the patch goes on across side k of triangle i, without a fold. */
static bool patch_join(sli_patch *patch, int i, int k, int j)
{
    sli_patch_triangle *t = &patch->triangle[i], *other = &patch->triangle[j];
    bool same_way;
    const int side = common_side(&t->known, k, &other->known, &same_way);
    if (side < 0 || (t->turn == other->turn) == same_way) {
        return false;
    }
    t->closed |= 1u << k;
    other->closed |= 1u << side;
    return true;
}

/* Of the triangles that are known from some on. */
static bool patch_find_known(sli_patch *patch, int i, int k, int from)
{
    for (int n = from; n < patch->known_count; n++) {
        sli_patch_triangle t = { .known = { .prim = SL_NONE } };
        const sli_patch_known *known = &patch->known[n];
        bool same_way;
        double leaves[4];
        if (known->prim == patch->triangle[i].known.prim ||
            common_side(&patch->triangle[i].known, k, known, &same_way) < 0) {
            continue;
        }
        t.known = *known;
        if (patch_triangle(patch, &t, leaves) && (patch->triangle[i].turn == t.turn) != same_way) {
            return patch_admit(patch, &t, leaves) && patch_join(patch, i, k, patch->count - 1);
        }
    }
    return false;
}

/* False: there is no room, or it is known already. */
static bool patch_know_leaf(sli_patch *patch, uint32_t ref)
{
    sli_tri_pack unpacked;
    for (int i = 0; i < patch->leaf_count; i++) {
        if (patch->leaves[i] == ref) {
            return false;
        }
    }
    if (patch->leaf_count == SLI_PATCH_LEAVES || patch->known_count + SLI_PACK > SLI_PATCH_KNOWN) {
        return false;
    }
    patch->leaves[patch->leaf_count++] = ref;
    const sli_tri_pack *pack = sli_tree_pack(patch->transformed->tree, ref, &unpacked);
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        sli_patch_known *known = &patch->known[patch->known_count];
        known->prim = pack->prim[lane];
        if (!sli_item_has(&patch->options->item, (sl_triangle_ref){ patch->instance, known->prim },
                          pack->mask[lane])) {
            continue;
        }
        const sl_triangle triangle = sli_lane_triangle(pack, lane);
        memcpy(known->x, triangle.v, sizeof known->x);
        set_keys(known);
        patch->known_count++;
    }
    return true;
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

/* A walk of numbers alone, within a budget of nodes: what query/visit.h keeps of a child is not
 * needed here. */
static bool patch_find_in_tree(sli_patch *patch, int i, int k)
{
    const sl_bvh *tree = patch->transformed->tree;
    const sli_patch_known *known = &patch->triangle[i].known;
    uint32_t stack[SLI_STACK];
    int size = 0;
    stack[size++] = tree->root;
    while (size > 0 && patch->nodes < SLI_PATCH_NODES) {
        const uint32_t ref = stack[--size];
        patch->nodes++;
        if ((ref & SLI_REF_LEAF) != 0) {
            const int from = patch->known_count;
            if (patch_know_leaf(patch, ref) && patch_find_known(patch, i, k, from)) {
                return true;
            }
            continue;
        }
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const uint32_t with = children_with(node, known->x[k], known->x[(k + 1) % 3]);
        for (uint32_t child = 0; child < SLI_WIDTH; child++) {
            if ((with >> child & 1) != 0 && node->child[child] != SLI_REF_EMPTY) {
                stack[size++] = node->child[child];
            }
        }
    }
    return false;
}

/* Side k of triangle i: has a neighbour in the patch, or gets one. */
static bool patch_close_side(sli_patch *patch, int i, int k)
{
    for (int other = 0; other < patch->count; other++) {
        if (other != i && patch_join(patch, i, k, other)) {
            return true;
        }
    }
    return patch_find_known(patch, i, k, 0) || patch_find_in_tree(patch, i, k);
}

/* ---- What is behind ---- */

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
        if (!appears_at(patch->screen, x, exactly, reach_corner(&patch->reach, i))) {
            return INFINITY;
        }
        for (int k = 0; k < patch->count; k++) {
            if (!(sli_row_at(&patch->triangle[k].plane, x, exactly, &slack) > slack)) {
                return INFINITY;
            }
        }
        const double near =
            sli_row_at(&patch->screen->row[SLI_ROW_NEAR], x, exactly, &slack) + slack;
        if (!(near < INFINITY)) {
            return INFINITY;
        }
        behind = near > behind ? near : behind;
    }
    return behind;
}

double sli_patch_grow(const sli_screen *screen, const sli_transformed *transformed,
                      uint32_t instance, const sli_world_ray *options, const double position[2],
                      double radius, uint32_t prim, sli_patch *patch)
{
    sl_triangle found;
    sli_patch_triangle t = { .known = { .prim = prim } };
    double leaves[4];
    patch->screen = screen;
    patch->transformed = transformed;
    patch->instance = instance;
    patch->options = options;
    patch->count = patch->nodes = patch->known_count = patch->leaf_count = 0;
    if (!patch_open_reach(patch, position, radius) ||
        !sli_tree_triangle(transformed->tree, prim, &found)) {
        return INFINITY;
    }
    memcpy(t.known.x, found.v, sizeof t.known.x);
    set_keys(&t.known);
    if (!patch_triangle(patch, &t, leaves) || !patch_admit(patch, &t, leaves)) {
        return INFINITY;
    }
    for (int i = 0; i < patch->count; i++) {
        for (int k = 0; k < 3; k++) {
            if ((patch->triangle[i].closed >> k & 1) == 0 && !patch_close_side(patch, i, k)) {
                return INFINITY;
            }
        }
    }
    return all_behind(patch);
}
