/* plain_contact.c: what plain walks look at for mesh against mesh and for sweeps.
 *
 * Gottschalk, Lin and Manocha, OBBTree (1996), for the descent down two trees, here of boxes along
 * the axes; Ericson, Real-Time Collision Detection (2005), 5.5.7, for boxes that are grown by the
 * shape.  Triangles are decided by the library's functions for two shapes. */
#include "test/cliffs/plain_tree.h"

#include <math.h>

/* Pairs that are held against one another exactly, after which a walk gives up, and all of its
 * work. */
enum { EXACT_MAX = 20000, WORK_MAX = 4000000 };

typedef struct pair {
    uint32_t node[2];
    double low;
} pair;

typedef struct meeting {
    const plain_tree *tree[2];
    plain_wanted wanted;
    double limit; /* distances beyond are of no interest */
    uint64_t exact;
    plain_found found;
} meeting;

static double gap_of(const plain_box *a, const plain_box *b)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double gap = fmax(fmax(a->min[axis] - b->max[axis], b->min[axis] - a->max[axis]), 0);
        square += gap * gap;
    }
    return sqrt(square);
}

static double size_of(const plain_box *b)
{
    return b->max[0] - b->min[0] + b->max[1] - b->min[1] + b->max[2] - b->min[2];
}

/* Distances are compared as they are answered, rounded to floats. */
static bool is_beyond(const meeting *m, double low)
{
    return !((double)(float)low <= m->limit);
}

static sl_triangle_d in_doubles(const sl_triangle *t)
{
    sl_triangle_d d;
    for (int k = 0; k < 9; k++) {
        d.v[k / 3][k % 3] = (double)t->v[k / 3][k % 3];
    }
    return d;
}

static void look_at_pair(meeting *m, uint32_t i, uint32_t j)
{
    m->found.work++;
    if (is_beyond(m, gap_of(&m->tree[0]->boxes[i], &m->tree[1]->boxes[j]))) {
        return;
    }
    const sl_triangle_d a = in_doubles(&m->tree[0]->triangles[i]);
    const sl_triangle_d b = in_doubles(&m->tree[1]->triangles[j]);
    double distance = 0;
    if (sl_triangle_triangle(&a, &b, NULL) == SL_APART) {
        sl_closest_points nearest;
        if (m->limit == 0) {
            return;
        }
        m->exact++;
        (void)sl_triangle_distance(&a, &b, &nearest);
        distance = (double)nearest.distance;
    }
    if (is_beyond(m, distance)) {
        return;
    }
    m->found.pairs++;
    if (m->wanted == PLAIN_DISTANCE) {
        m->limit = m->found.distance = distance;
    }
}

static void look_at_leaves(meeting *m, const plain_node *a, const plain_node *b)
{
    for (uint32_t i = a->first; i < a->first + a->count; i++) {
        for (uint32_t j = b->first; j < b->first + b->count; j++) {
            look_at_pair(m, m->tree[0]->order[i], m->tree[1]->order[j]);
        }
    }
}

static double low_of(const meeting *m, const uint32_t node[2])
{
    return gap_of(&m->tree[0]->nodes[node[0]].bounds, &m->tree[1]->nodes[node[1]].bounds);
}

static bool is_done(meeting *m)
{
    m->found.given_up = m->exact > EXACT_MAX || m->found.work > WORK_MAX;
    return m->found.given_up || (m->wanted == PLAIN_ANY && m->found.pairs > 0);
}

static void descend(meeting *m)
{
    pair stack[PLAIN_STACK];
    size_t top = 0;
    stack[top++] = (pair){ .low = 0 };
    while (top > 0 && !is_done(m)) {
        const pair next = stack[--top];
        const plain_node *n[2];
        for (int side = 0; side < 2; side++) {
            n[side] = &m->tree[side]->nodes[next.node[side]];
        }
        if (is_beyond(m, next.low)) {
            continue;
        }
        m->found.work++;
        if (n[0]->count > 0 && n[1]->count > 0) {
            look_at_leaves(m, n[0], n[1]);
            continue;
        }
        if (top + 2 > PLAIN_STACK) {
            m->found.given_up = true;
            return;
        }
        const int side = n[0]->count > 0   ? 1
                         : n[1]->count > 0 ? 0
                                           : size_of(&n[1]->bounds) > size_of(&n[0]->bounds);
        pair child[2] = { next, next };
        for (uint32_t i = 0; i < 2; i++) {
            child[i].node[side] = n[side]->first + i;
            child[i].low = low_of(m, child[i].node);
        }
        const int nearer = child[1].low < child[0].low;
        stack[top++] = child[1 - nearer];
        stack[top++] = child[nearer];
    }
}

plain_found plain_meet(const plain_tree *a, const plain_tree *b, plain_wanted wanted, double margin)
{
    meeting m = { .tree = { a, b },
                  .wanted = wanted,
                  .limit = wanted == PLAIN_DISTANCE ? (double)INFINITY : margin,
                  .found = { .distance = INFINITY } };
    descend(&m);
    return m.found;
}

/* ---- Sweeps ---- */

/* Grows a box by a point, or a ball about it. */
static void add_ball(plain_box *b, const double p[3], double radius)
{
    for (int axis = 0; axis < 3; axis++) {
        b->min[axis] = fmin(b->min[axis], p[axis] - radius);
        b->max[axis] = fmax(b->max[axis], p[axis] + radius);
    }
}

/* Of spheres, capsules, oriented boxes and hulls. */
static plain_box bounds_of(const sl_volume_d *v)
{
    plain_box b = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    if (v->kind == SL_VOLUME_SPHERE) {
        add_ball(&b, v->shape.sphere.centre, v->shape.sphere.radius);
    } else if (v->kind == SL_VOLUME_CAPSULE) {
        add_ball(&b, v->shape.capsule.p, v->shape.capsule.radius);
        add_ball(&b, v->shape.capsule.q, v->shape.capsule.radius);
    } else if (v->kind == SL_VOLUME_HULL) {
        for (uint32_t i = 0; i < v->shape.hull.count; i++) {
            add_ball(&b, v->shape.hull.xyz + 3 * (size_t)i, 0);
        }
    } else {
        const sl_obb_d *obb = &v->shape.obb;
        for (int corner = 0; corner < 8; corner++) {
            double p[3];
            for (int axis = 0; axis < 3; axis++) {
                p[axis] = obb->centre[axis];
                for (int k = 0; k < 3; k++) {
                    const double way = obb->axis[k][axis] * obb->half[k];
                    p[axis] += (corner >> k & 1) != 0 ? way : -way;
                }
            }
            add_ball(&b, p, 0);
        }
    }
    return b;
}

/* When a box that moves comes to another one; beyond best: not at all. */
static double enter(const plain_box *moving, const double dir[3], const plain_box *b, double best)
{
    double from = 0, to = best;
    for (int axis = 0; axis < 3; axis++) {
        const double low = b->min[axis] - moving->max[axis],
                     high = b->max[axis] - moving->min[axis];
        if (dir[axis] == 0) {
            from = low > 0 || high < 0 ? INFINITY : from;
        } else {
            const double one = low / dir[axis], other = high / dir[axis];
            from = fmax(from, fmin(one, other));
            to = fmin(to, fmax(one, other));
        }
    }
    return from <= to ? from : INFINITY;
}

/* Adds its work; returns when it comes to a triangle. */
static double sweep_one(const plain_tree *tree, const sl_sweep_d *sweep, plain_found *found)
{
    pair stack[PLAIN_STACK];
    const plain_box moving = bounds_of(&sweep->volume);
    double best = 1;
    size_t top = 0;
    stack[top++] = (pair){ .low = enter(&moving, sweep->dir, &tree->nodes[0].bounds, best) };
    while (top > 0) {
        const pair next = stack[--top];
        const plain_node *n = &tree->nodes[next.node[0]];
        if (!(next.low <= best)) {
            continue;
        }
        found->work++;
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            sl_volume_d triangle = { .kind = SL_VOLUME_TRIANGLE };
            sl_contact contact;
            triangle.shape.triangle = in_doubles(&tree->triangles[tree->order[i]]);
            found->work++;
            if (sl_sweep_volume(sweep, &triangle, &contact)) {
                found->pairs++;
                best = fmin(best, contact.t);
            }
        }
        if (n->count > 0) {
            continue;
        }
        if (top + 2 > PLAIN_STACK) {
            found->given_up = true;
            break;
        }
        pair child[2];
        for (uint32_t i = 0; i < 2; i++) {
            child[i].node[0] = n->first + i;
            child[i].low = enter(&moving, sweep->dir, &tree->nodes[n->first + i].bounds, best);
        }
        const int nearer = child[1].low < child[0].low;
        stack[top++] = child[1 - nearer];
        stack[top++] = child[nearer];
    }
    return best;
}

plain_found plain_sweep(const plain_tree *tree, const sl_sweep_d *sweeps, size_t count, double *t)
{
    plain_found found = { .distance = INFINITY };
    for (size_t i = 0; i < count && !found.given_up; i++) {
        t[i] = sweep_one(tree, &sweeps[i], &found);
        found.given_up = found.given_up || found.work > WORK_MAX / 40;
    }
    return found;
}
