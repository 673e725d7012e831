/* Down two trees, one at a time: of a pair of nodes the larger one is opened, of a node and a leaf
 * the node.
 *
 * Two volumes (side.h) are as far apart as their boxes along the axes are, and as they are along
 * the line between their centres, whichever is more.
 *
 * Two large trees that a plane separates are searched in another order.  Between two parallel
 * planes lies nothing; a leaf of a that is farther from the plane at b than the margin needs no
 * partner at all, so a is opened first, down to its leaves, and few of these are left to be held
 * against b.  The planes come from points that Gilbert's algorithm finds in the hulls of both.
 *
 * What is computed is off by less than 2^-48 of the sum of all sizes, which is taken off.
 * Source   Gottschalk, Lin and Manocha, OBBTree (1996); Larsen et al., Fast Proximity Queries with
 *          Swept Sphere Volumes (1999); Gilbert, An Iterative Procedure for Computing the Minimum
 *          of a Quadratic Form on a Convex Set (1966). */
#include "bvh/contact/nearest_first.h"

#include "bvh/contact/side.h"
#include "bvh/query/visit.h"

#define SLACK 0x1p-48

/* An opened node leaves seven more than it takes, each level of either tree. */
enum { PAIRS = (SLI_WIDTH - 1) * 2 * SLI_MAX_DEPTH + SLI_WIDTH };

#define ROOT UINT32_MAX

/* A pair on the way. */
typedef struct node_pair {
    uint32_t ref[2];
    uint32_t box[2]; /* of which child each is: 8 * line + child; ROOT: of none */
    double low;      /* no triangles of both are nearer */
} node_pair;

typedef struct pair_walk {
    sli_walk *walk;
    sli_contact_side of[2];
    double slack;
    const uint32_t *last; /* of the first side */
    bool separated;
    double n[3], end[2]; /* if so: x . n of a is no less than end[0], of b no more than end[1] */
    uint32_t leaf[2];    /* that reach there */
} pair_walk;

/* The direction from b to a. */
static void direction_between(const sli_bounding *a, const sli_bounding *b, double n[3])
{
    sli_subtract(a->at, b->at, n);
    sli_norm_divide(n, n);
}

static void turn_back(const double n[3], double back[3])
{
    sli_subtract((const double[3]){ 0 }, n, back);
}

/* ---- Planes between ---- */

/* How far a volume is from the other side's plane, at least. */
static double gap_to_plane(const pair_walk *w, int of, const sli_bounding *v)
{
    double back[3];
    const double at = sli_dot(w->n, v->at);
    turn_back(w->n, back);
    return of == 0 ? at - sli_bounding_reach(&w->of[0], v, back) - w->end[1] - w->slack
                   : w->end[0] - at - sli_bounding_reach(&w->of[1], v, w->n) - w->slack;
}

/* The difference of the corners of both that are nearest along n; keeps n where its planes are the
 * farthest apart so far, and returns how far they are. */
static double look_along(pair_walk *w, const double n[3], double *best, double difference[3])
{
    double a[3] = { 0 }, b[3] = { 0 }, back[3], end[2];
    uint32_t leaf[2];
    turn_back(n, back);
    const bool some = sli_side_support(&w->of[0], back, a, &end[0], &leaf[0]) &&
                      sli_side_support(&w->of[1], n, b, &end[1], &leaf[1]);
    const double gap = some ? -end[0] - end[1] : -INFINITY;
    sli_subtract(a, b, difference);
    if (gap > *best) {
        *best = gap;
        w->end[0] = -end[0];
        w->end[1] = end[1];
        w->leaf[0] = leaf[0];
        w->leaf[1] = leaf[1];
        for (int axis = 0; axis < 3; axis++) {
            w->n[axis] = n[axis];
        }
    }
    return gap;
}

/* Tries to separate the sides by more than an eighth of their sizes: x is a difference of points in
 * the hulls, but for the first one, and moves towards 0.  The planes are never farther apart than
 * x is long then. */
static void find_planes(pair_walk *w)
{
    enum { LARGE = 512, STEPS = 64, HOPELESS = 4 };
    const sli_transformed *a = w->of[0].transformed, *b = w->of[1].transformed;
    const double enough = 0.125 * (a->half + b->half);
    double x[3], n[3], to[3], best = -INFINITY;
    w->separated = false;
    if (a->tree->prim_count < LARGE || b->tree->prim_count < LARGE) {
        return;
    }
    sli_subtract(w->of[0].at, w->of[1].at, x);
    for (int i = 0; i < STEPS && (i < HOPELESS || best > 0) && sli_norm(x) > enough; i++) {
        sli_norm_divide(x, n);
        if (look_along(w, n, &best, to) >= sli_norm(x) * (1 - 0x1p-12)) {
            break;
        }
        sli_subtract(to, x, to);
        const double step = -sli_dot(x, to) / sli_dot(to, to);
        for (int axis = 0; axis < 3; axis++) {
            x[axis] += (step > 0 ? step < 1 ? step : 1 : 0) * to[axis];
        }
    }
    w->separated = best > enough;
}

/* ---- Pairs of nodes ---- */

static void pair_bounding(pair_walk *w, const node_pair *at, int of, sli_bounding *out)
{
    sli_contact_side *s = &w->of[of];
    const sl_bvh *tree = s->transformed->tree;
    const uint32_t ref = at->ref[of], box = at->box[of];
    if ((ref & SLI_REF_LEAF) != 0) {
        sli_bounding_of_leaf(s, sli_side_leaf(s, ref), out);
    } else if (box == ROOT) {
        sli_bounding_of_box(s, &tree->bounds, out);
    } else {
        const sl_aabb child = sli_child_box(sli_tree_node(tree, box / SLI_WIDTH), box % SLI_WIDTH);
        sli_bounding_of_box(s, &child, out);
    }
}

/* Writes the children of a side's node that are near enough to the other volume, the nearest last;
 * returns how many there are. */
static int pair_open(pair_walk *w, const node_pair *at, int of, const sli_bounding volumes[2],
                     node_pair *out)
{
    const sli_contact_side *s = &w->of[of];
    const sl_bvh *tree = s->transformed->tree;
    const sli_node_wide *node = sli_tree_node(tree, at->ref[of]);
    const uint32_t left_in = sli_children_left_in(tree, node, s->options->mask);
    const sli_bounding *other = &volumes[1 - of];
    double n[3], back[3], away[3];
    direction_between(&volumes[of], other, n);
    turn_back(n, back);
    const double reach = sli_bounding_reach(&w->of[1 - of], other, n);
    int count = 0;
    w->walk->stats->nodes++;
    w->walk->stats->boxes += SLI_WIDTH;
    for (uint32_t left = left_in; left != 0; left &= left - 1) {
        const uint32_t child = (uint32_t)__builtin_ctz(left);
        const sl_aabb box = sli_child_box(node, child);
        sli_bounding inner;
        sli_bounding_of_box(s, &box, &inner);
        sli_subtract(inner.at, other->at, away);
        const double along = sli_dot(n, away) - sli_bounding_reach(s, &inner, back) - reach;
        const double gap = sli_bounding_gap(&inner, other);
        node_pair next = *at;
        next.low = (along > gap ? along : gap) - w->slack;
        if (w->separated) {
            const double to_plane = gap_to_plane(w, of, &inner);
            next.low = to_plane > next.low ? to_plane : next.low;
        }
        next.ref[of] = node->child[child];
        next.box[of] = (at->ref[of] & SLI_REF_LINE) * SLI_WIDTH + child;
        if (next.low > w->walk->margin) {
            continue;
        }
        int to = count++;
        for (; to > 0 && out[to - 1].low < next.low; to--) {
            out[to] = out[to - 1];
        }
        out[to] = next;
    }
    return count;
}

/* Bits of the triangles with numbers up to the last. */
static uint32_t lanes_up_to(const sli_leaf4 *leaf, uint32_t last)
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < SLI_PACK; lane++) {
        lanes |= (uint32_t)(leaf->prim[lane] <= last) << lane;
    }
    return lanes & leaf->there;
}

/* False where a callback ends the walk. */
static bool pair_triangles(pair_walk *w, const sli_bounding volumes[2])
{
    const sli_leaf4 *a = volumes[0].leaf, *b = volumes[1].leaf;
    sli_walk *walk = w->walk;
    double n[3], back[3], away[3];
    direction_between(&volumes[0], &volumes[1], n);
    turn_back(n, back);
    sli_subtract(volumes[0].at, volumes[1].at, away);
    if (sli_dot(n, away) - sli_bounding_reach(&w->of[0], &volumes[0], back) -
                sli_bounding_reach(&w->of[1], &volumes[1], n) - w->slack >
            walk->margin ||
        sli_bounding_gap(&volumes[0], &volumes[1]) - w->slack > walk->margin) {
        return true;
    }
    for (uint32_t left = lanes_up_to(a, *w->last); left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        sl_triangle_d at_a, at_b;
        sli_leaf_triangle(a, i, &at_a);
        walk->stats->triangles += SLI_PACK;
        uint32_t near = sli_leaf_near(a, 1u << i, b, walk->margin) >> SLI_PACK * i;
        for (near &= (1u << SLI_PACK) - 1; near != 0; near &= near - 1) {
            const uint32_t j = (uint32_t)__builtin_ctz(near);
            sli_leaf_triangle(b, j, &at_b);
            const sli_walk_pair pair = { .a = { w->of[0].number, a->prim[i] },
                                         .b = { w->of[1].number, b->prim[j] },
                                         .at_a = &at_a,
                                         .at_b = &at_b };
            if (!walk->triangles(walk->context, &pair)) {
                return false;
            }
        }
    }
    return true;
}

static double volume_size(const sli_bounding *v)
{
    return v->half[0] + v->half[1] + v->half[2];
}

/* Whether a leaf has triangles that may be near something. */
static bool is_wanted(const pair_walk *w, int of, const sli_bounding *leaf)
{
    return lanes_up_to(leaf->leaf, of == 0 ? *w->last : SL_NONE) != 0 &&
           !(w->separated && gap_to_plane(w, of, leaf) > w->walk->margin);
}

/* Where sides are separated, what reaches the planes goes first, so that the margin is small when
 * all else comes: what is nearest are the corners of boxes, which are not those of triangles. */
static bool pair_down(pair_walk *w, node_pair root)
{
    node_pair stack[PAIRS + 2];
    int size = 1;
    stack[0] = root;
    if (w->separated) {
        stack[size++] = (node_pair){ .ref = { w->leaf[0], root.ref[1] }, .box = { ROOT, ROOT } };
        stack[size++] = (node_pair){ .ref = { w->leaf[0], w->leaf[1] }, .box = { ROOT, ROOT } };
    }
    while (size > 0) {
        const node_pair next = stack[--size];
        if (next.low > w->walk->margin) {
            continue;
        }
        sli_bounding volumes[2];
        pair_bounding(w, &next, 0, &volumes[0]);
        pair_bounding(w, &next, 1, &volumes[1]);
        const bool leaf[2] = { volumes[0].leaf != NULL, volumes[1].leaf != NULL };
        if ((leaf[0] && !is_wanted(w, 0, &volumes[0])) ||
            (leaf[1] && !is_wanted(w, 1, &volumes[1]))) {
            continue;
        }
        if (leaf[0] && leaf[1]) {
            if (!pair_triangles(w, volumes)) {
                return false;
            }
            continue;
        }
        const int of = leaf[0] ? 1
                       : leaf[1] || w->separated
                           ? 0
                           : volume_size(&volumes[1]) > volume_size(&volumes[0]);
        size += pair_open(w, &next, of, volumes, stack + size);
    }
    return true;
}

bool sli_walk_nearest_first(sli_walk *walk, const sli_transformed *a, uint32_t number_a,
                            const sli_transformed *b, uint32_t number_b, const uint32_t *last)
{
    pair_walk w;
    w.walk = walk;
    w.last = last;
    sli_side_start(&w.of[0], a, number_a, &walk->a, a->centre);
    sli_side_start(&w.of[1], b, number_b, &walk->b, a->centre);
    double sizes = 0;
    for (int axis = 0; axis < 3; axis++) {
        sizes += fabs(w.of[1].at[axis]) + 2 * (a->half + b->half);
    }
    w.slack = SLACK * sizes;
    walk->stats->instances++;
    if (a->tree->root == SLI_REF_EMPTY || b->tree->root == SLI_REF_EMPTY) {
        return true;
    }
    find_planes(&w);
    return pair_down(&w,
                     (node_pair){ .ref = { a->tree->root, b->tree->root }, .box = { ROOT, ROOT } });
}
