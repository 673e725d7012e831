#include "test/cliffs/plain_tree.h"

#include "lib/geom/exact/valid.h"
#include "test/cliffs/case.h"

#include <sightline/closest.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF_MAX = 4, BINS = 16 };

static const plain_box empty = { { INFINITY, INFINITY, INFINITY },
                                 { -INFINITY, -INFINITY, -INFINITY } };

static void grow(plain_box *b, const plain_box *by)
{
    for (int axis = 0; axis < 3; axis++) {
        b->min[axis] = fmin(b->min[axis], by->min[axis]);
        b->max[axis] = fmax(b->max[axis], by->max[axis]);
    }
}

static double half_area(const plain_box *b)
{
    const double x = b->max[0] - b->min[0], y = b->max[1] - b->min[1], z = b->max[2] - b->min[2];
    return x >= 0 ? x * y + y * z + z * x : 0;
}

static double middle(const plain_tree *tree, uint32_t i, int axis)
{
    return tree->boxes[i].min[axis] + tree->boxes[i].max[axis];
}

/* A plane and what it costs. */
typedef struct cut {
    int axis;
    double at, cost;
} cut;

/* The best of BINS - 1 planes of an axis, by SAH. */
static cut best_on_axis(const plain_tree *tree, const plain_node *n, int axis, double low,
                        double high)
{
    plain_box left[BINS], bins[BINS], all = empty;
    size_t count[BINS] = { 0 }, before[BINS], sum = 0;
    cut best = { axis, (low + high) / 2, INFINITY };
    for (int b = 0; b < BINS; b++) {
        bins[b] = empty;
    }
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        const double share = (middle(tree, tree->order[i], axis) - low) / (high - low);
        const int b = share >= 1 ? BINS - 1 : (int)(share * (double)BINS);
        grow(&bins[b], &tree->boxes[tree->order[i]]);
        count[b]++;
    }
    for (int b = 0; b < BINS; b++) {
        grow(&all, &bins[b]);
        left[b] = all;
        before[b] = sum += count[b];
    }
    all = empty;
    for (int b = BINS - 1; b > 0; b--) {
        grow(&all, &bins[b]);
        const double cost = half_area(&left[b - 1]) * (double)before[b - 1] +
                            half_area(&all) * (double)(sum - before[b - 1]);
        if (before[b - 1] > 0 && before[b - 1] < sum && cost < best.cost) {
            best = (cut){ axis, low + (high - low) * b / (double)BINS, cost };
        }
    }
    return best;
}

static cut choose(const plain_tree *tree, const plain_node *n)
{
    plain_box centres = empty;
    cut best = { 0, 0, INFINITY };
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        plain_box b;
        for (int axis = 0; axis < 3; axis++) {
            b.min[axis] = b.max[axis] = middle(tree, tree->order[i], axis);
        }
        grow(&centres, &b);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double low = centres.min[axis], high = centres.max[axis];
        if (!(high > low)) {
            continue;
        }
        const cut c = tree->split == PLAIN_SAH ? best_on_axis(tree, n, axis, low, high)
                                               : (cut){ axis, (low + high) / 2, low - high };
        best = c.cost < best.cost ? c : best;
    }
    return best;
}

/* Moves triangles below the cut to the front; at least one on each side. */
static uint32_t partition(plain_tree *tree, const plain_node *n, const cut *c)
{
    uint32_t from = n->first, to = n->first + n->count;
    while (c->cost < INFINITY && from < to) {
        if (middle(tree, tree->order[from], c->axis) < c->at) {
            from++;
        } else {
            const uint32_t other = tree->order[--to];
            tree->order[to] = tree->order[from];
            tree->order[from] = other;
        }
    }
    const uint32_t left = from - n->first;
    return left > 0 && left < n->count ? left : n->count / 2;
}

static void set_bounds(plain_tree *tree, plain_node *n)
{
    n->bounds = empty;
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        grow(&n->bounds, &tree->boxes[tree->order[i]]);
    }
}

/* Nodes are split in the order of their making, so there is no recursion. */
static void split_all(plain_tree *tree)
{
    for (size_t i = 0; i < tree->node_count; i++) {
        plain_node *n = &tree->nodes[i];
        if (n->count <= LEAF_MAX) {
            continue;
        }
        const cut c = choose(tree, n);
        const uint32_t left = partition(tree, n, &c), child = (uint32_t)tree->node_count;
        tree->nodes[child] = (plain_node){ .first = n->first, .count = left };
        tree->nodes[child + 1] = (plain_node){ .first = n->first + left, .count = n->count - left };
        set_bounds(tree, &tree->nodes[child]);
        set_bounds(tree, &tree->nodes[child + 1]);
        n->first = child;
        n->count = 0;
        tree->node_count += 2;
    }
}

plain_tree *plain_build(const sl_mesh *mesh, plain_split split)
{
    const uint32_t count = (uint32_t)sl_mesh_soup(mesh).triangle_count;
    plain_tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL) {
        return NULL;
    }
    tree->split = split;
    tree->nodes = malloc(2 * (size_t)count * sizeof *tree->nodes);
    tree->order = malloc(count * sizeof *tree->order);
    tree->triangles = malloc(count * sizeof *tree->triangles);
    tree->boxes = malloc(count * sizeof *tree->boxes);
    if (tree->nodes == NULL || tree->order == NULL || tree->triangles == NULL ||
        tree->boxes == NULL) {
        plain_free(tree);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        tree->order[i] = i;
        tree->boxes[i] = empty;
        (void)sl_mesh_triangle(mesh, i, &tree->triangles[i]);
        for (int corner = 0; corner < 3; corner++) {
            plain_box b;
            for (int axis = 0; axis < 3; axis++) {
                b.min[axis] = b.max[axis] = (double)tree->triangles[i].v[corner][axis];
            }
            grow(&tree->boxes[i], &b);
        }
    }
    tree->nodes[0] = (plain_node){ .first = 0, .count = count };
    tree->node_count = 1;
    set_bounds(tree, &tree->nodes[0]);
    split_all(tree);
    return tree;
}

void plain_free(plain_tree *tree)
{
    if (tree != NULL) {
        free(tree->nodes);
        free(tree->order);
        free(tree->triangles);
        free(tree->boxes);
        free(tree);
    }
}

/* One question on its way down. */
typedef struct walk {
    const plain_tree *tree;
    bool segment, any, nearest;
    sl_ray ray;
    sl_segment as_segment;
    float point[3];
    double origin[3], dir[3];
    double best; /* t, or a distance */
    uint64_t triangles;
    bool done;
} walk;

/* Where the ray enters a box, or how far the point is from it; more than best: not at all. */
static double enter(const walk *w, const plain_box *b)
{
    double from = w->segment ? 0 : (double)w->ray.tmin, to = w->best, square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double o = w->origin[axis], d = w->dir[axis];
        if (w->nearest) {
            const double beyond = fmax(fmax(b->min[axis] - o, o - b->max[axis]), 0);
            square += beyond * beyond;
        } else if (d == 0) {
            from = o < b->min[axis] || o > b->max[axis] ? INFINITY : from;
        } else {
            const double a = (b->min[axis] - o) / d, c = (b->max[axis] - o) / d;
            from = fmax(from, fmin(a, c));
            to = fmin(to, fmax(a, c));
        }
    }
    return w->nearest ? sqrt(square) : from <= to ? from : INFINITY;
}

static void look_at(walk *w, const sl_triangle *triangle)
{
    sl_hit hit;
    sl_closest closest;
    w->triangles++;
    if (w->nearest) {
        if (sl_triangle_closest(triangle, w->point, &closest)) {
            w->best = fmin(w->best, (double)closest.distance);
        }
        return;
    }
    if (w->segment ? sl_segment_triangle(&w->as_segment, triangle, NULL, &hit)
                   : sl_ray_triangle(&w->ray, triangle, NULL, &hit)) {
        w->best = fmin(w->best, (double)hit.t);
        w->done = w->any;
    }
}

static void descend(walk *w)
{
    struct {
        uint32_t node;
        double from;
    } stack[PLAIN_STACK];
    const plain_tree *tree = w->tree;
    size_t top = 0;
    stack[top].node = 0;
    stack[top++].from = enter(w, &tree->nodes[0].bounds);
    while (top > 0 && !w->done) {
        const double from = stack[--top].from;
        const plain_node *n = &tree->nodes[stack[top].node];
        /* Distances are compared as they are answered, rounded: of equal ones the lowest prim
         * counts, so what is as near has to be looked at. */
        if (!((double)(float)from <= w->best) || from == (double)INFINITY) {
            continue;
        }
        for (uint32_t i = n->first; i < n->first + n->count && !w->done; i++) {
            look_at(w, &tree->triangles[tree->order[i]]);
        }
        if (n->count > 0 || top + 2 > PLAIN_STACK) {
            continue;
        }
        const double a = enter(w, &tree->nodes[n->first].bounds);
        const double b = enter(w, &tree->nodes[n->first + 1].bounds);
        stack[top].node = n->first + (a <= b);
        stack[top++].from = a <= b ? b : a;
        stack[top].node = n->first + !(a <= b);
        stack[top++].from = a <= b ? a : b;
    }
}

uint64_t plain_triangles(const plain_tree *tree, const bench_rays *rays)
{
    const bench_query query = query_plain(rays->query);
    walk w = { .tree = tree,
               .segment = query == BENCH_BLOCKED || query == BENCH_CLOSEST_SEGMENT,
               .nearest = query == BENCH_NEAREST,
               .any = query == BENCH_ANY || query == BENCH_BLOCKED };
    for (size_t i = 0; i < rays->count; i++) {
        w.ray = rays->rays[i];
        w.as_segment = rays->segments[i];
        w.best = w.nearest ? (double)INFINITY : w.segment ? 1 : (double)w.ray.tmax;
        w.done = !w.segment && !w.nearest && !sli_ray_is_valid(&w.ray);
        for (int axis = 0; axis < 3; axis++) {
            const float *p = w.segment ? w.as_segment.p : w.ray.origin;
            w.point[axis] = rays->points[3 * i + (size_t)axis];
            w.origin[axis] = (double)(w.nearest ? w.point[axis] : p[axis]);
            w.dir[axis] = w.segment ? (double)w.as_segment.q[axis] - (double)w.as_segment.p[axis]
                                    : (double)w.ray.dir[axis];
        }
        descend(&w);
    }
    return w.triangles;
}
