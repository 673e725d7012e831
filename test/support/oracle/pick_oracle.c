/* Picking by brute force. */
#include "test/support/oracle/pick_oracle.h"

#include "bvh/scene/scene.h"
#include "test/support/oracle/eye_oracle.h"
#include "test/support/oracle/shown_box.h"

#include <stdlib.h>

typedef struct corner_triple {
    sl_triangle_d triangle;
    uint32_t instance, prim, mask, instance_mask;
    bool mirrored;
} corner_triple;

struct pick_oracle {
    const sl_bvh *scene;
    corner_triple *triangles;
    shown_box *boxes; /* of the triangles, in the picture that is looked at */
    bool has_boxes;
    size_t count;
};

pick_oracle *pick_oracle_make(const sl_bvh *scene)
{
    pick_oracle *oracle = calloc(1, sizeof *oracle);
    size_t capacity = 0;
    for (uint32_t i = 0; i < scene->world.count; i++) {
        capacity += scene->world.transformed[i].tree != NULL
                        ? scene->world.transformed[i].tree->prim_count
                        : 0;
    }
    oracle->scene = scene;
    oracle->triangles = calloc(capacity + 1, sizeof *oracle->triangles);
    oracle->boxes = calloc(capacity + 1, sizeof *oracle->boxes);
    for (uint32_t i = 0; i < scene->world.count; i++) {
        const sli_transformed *transformed = &scene->world.transformed[i];
        for (uint32_t prim = 0; transformed->tree != NULL && prim < transformed->tree->prim_count;
             prim++) {
            corner_triple *t = &oracle->triangles[oracle->count];
            if (sl_bvh_triangle(scene, (sl_triangle_ref){ i, prim }, t->triangle.v)) {
                t->instance = i;
                t->prim = prim;
                t->mask = sli_tree_mask(transformed->tree, prim);
                t->instance_mask = transformed->mask;
                t->mirrored = transformed->mirrored;
                oracle->count++;
            }
        }
    }
    return oracle;
}

void pick_oracle_look(pick_oracle *oracle, const sl_view *view)
{
    oracle->has_boxes = view != NULL;
    for (size_t i = 0; i < oracle->count && view != NULL; i++) {
        oracle->boxes[i] = shown_box_of(view, oracle->triangles[i].triangle.v);
    }
}

static bool is_near(const pick_oracle *oracle, size_t i, const double xy[2], double radius)
{
    return !oracle->has_boxes || shown_box_is_near(&oracle->boxes[i], xy, radius);
}

void pick_oracle_free(pick_oracle *oracle)
{
    free(oracle->boxes);
    free(oracle->triangles);
    free(oracle);
}

static bool is_there(const corner_triple *t, const sl_options *options)
{
    if (options == NULL) {
        return true;
    }
    if (options->mask != 0 &&
        ((t->mask & options->mask) == 0 || (t->instance_mask & options->mask) == 0)) {
        return false;
    }
    for (size_t i = 0; i < options->skip_count; i++) {
        if (options->skip[i].instance == t->instance && options->skip[i].prim == t->prim) {
            return false;
        }
    }
    for (size_t i = 0; i < options->ignore_count; i++) {
        const sl_instance_range range = options->ignore[i];
        if (t->instance >= range.first &&
            (uint64_t)t->instance < (uint64_t)range.first + range.count) {
            return false;
        }
    }
    return true;
}

static bool same(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool has(const corner_triple *t, const double x[3])
{
    return same(t->triangle.v[0], x) || same(t->triangle.v[1], x) || same(t->triangle.v[2], x);
}

/* ---- The definition of along.h, once more ---- */

static void to_clip(const sl_view *view, const double p[3], double clip[4])
{
    double eye[4];
    const double s[4] = { p[0] - view->origin[0], p[1] - view->origin[1], p[2] - view->origin[2],
                          1 };
    const float *v = view->camera.view, *m = view->camera.projection;
    for (int r = 0; r < 4; r++) {
        eye[r] = (((double)v[r] * s[0] + (double)v[4 + r] * s[1]) + (double)v[8 + r] * s[2]) +
                 (double)v[12 + r] * s[3];
    }
    for (int r = 0; r < 4; r++) {
        clip[r] =
            (((double)m[r] * eye[0] + (double)m[4 + r] * eye[1]) + (double)m[8 + r] * eye[2]) +
            (double)m[12 + r] * eye[3];
    }
}

static bool to_picture(const sl_view *view, const double clip[4], double xy[2])
{
    const double up = view->camera.clip == SL_CLIP_SPACE_VULKAN ? -1 : 1;
    xy[0] = (clip[0] / clip[3] + 1) / 2 * view->camera.width;
    xy[1] = (1 - clip[1] / clip[3] * up) / 2 * view->camera.height;
    return clip[3] > 0 && isfinite(xy[0]) && isfinite(xy[1]) && isfinite(clip[2] / clip[3]);
}

static double in_front(const sl_view *view, const double clip[4])
{
    switch (view->camera.clip) {
    case SL_CLIP_SPACE_GL:
        return clip[2] - -1.0 * clip[3];
    case SL_CLIP_SPACE_REVERSED:
        return -(clip[2] - clip[3]);
    default:
        return clip[2] - 0.0 * clip[3];
    }
}

/* s of the point of the side; false: none. */
static bool side_place(const sl_view *view, const double a[3], const double b[3],
                       const double xy[2], double *s)
{
    double ca[4], cb[4], ea[4], eb[4], pa[2], pb[2], sa = 0, sb = 1;
    to_clip(view, a, ca);
    to_clip(view, b, cb);
    memcpy(ea, ca, sizeof ea);
    memcpy(eb, cb, sizeof eb);
    const double na = in_front(view, ca), nb = in_front(view, cb);
    if (!(na >= 0) && !(nb >= 0)) {
        return false;
    }
    const double cut = na / (na - nb);
    for (int k = 0; k < 4; k++) {
        ea[k] = na < 0 ? ca[k] + cut * (cb[k] - ca[k]) : ea[k];
        eb[k] = nb < 0 ? ca[k] + cut * (cb[k] - ca[k]) : eb[k];
    }
    sa = na < 0 ? cut : sa;
    sb = nb < 0 ? cut : sb;
    if (!to_picture(view, ea, pa) || !to_picture(view, eb, pb)) {
        return false;
    }
    const double x = pb[0] - pa[0], y = pb[1] - pa[1], square = x * x + y * y;
    double r = square > 0 ? ((xy[0] - pa[0]) * x + (xy[1] - pa[1]) * y) / square : 0;
    r = r > 0 ? (r < 1 ? r : 1) : 0;
    const double t = r * ea[3] / ((1 - r) * eb[3] + r * ea[3]);
    *s = sa + t * (sb - sa);
    return true;
}

/* ---- Candidates ---- */

typedef struct item {
    sl_pick pick;
    double a[3], b[3], from[3];
    double t; /* of faces */
} item;

static bool lower(const double a[3], const double b[3])
{
    return a[0] != b[0] ? a[0] < b[0] : a[1] != b[1] ? a[1] < b[1] : a[2] < b[2];
}

static int compare_nearer(const item *p, const item *q)
{
    const sl_pick *a = &p->pick, *b = &q->pick;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    if (a->instance != b->instance) {
        return a->instance < b->instance ? -1 : 1;
    }
    if (a->prim != b->prim) {
        return a->prim < b->prim ? -1 : 1;
    }
    if (a->corner != b->corner) {
        return a->corner < b->corner ? -1 : 1;
    }
    return a->kind > b->kind ? -1 : a->kind < b->kind;
}

static int rank_of(const sl_pick_def *def, uint32_t kind)
{
    return def->rank[kind == SL_PICK_FACE ? 0 : kind == SL_PICK_EDGE ? 1 : 2];
}

typedef struct items {
    item *list;
    size_t count, capacity;
} items;

static void add(items *to, const item *one)
{
    if (to->count == to->capacity) {
        to->capacity = 2 * to->capacity + 64;
        to->list = realloc(to->list, to->capacity * sizeof *to->list);
    }
    to->list[to->count++] = *one;
}

static void name(const sl_pick_def *def, item *one, const corner_triple *t, uint32_t corner)
{
    const sl_topology *topology = def->topologies != NULL ? def->topologies[t->instance] : NULL;
    sl_pick *p = &one->pick;
    p->instance = t->instance;
    p->prim = t->prim;
    p->corner = corner;
    p->part = p->face = p->edge = p->vertex = SL_NONE;
    if (topology != NULL) {
        p->part = sl_topology_element_of(topology, t->prim, SL_PARTS, 0);
        p->face = sl_topology_element_of(topology, t->prim, SL_FACES, 0);
        p->edge = p->kind == SL_PICK_EDGE
                      ? sl_topology_element_of(topology, t->prim, SL_EDGES, corner)
                      : SL_NONE;
        p->vertex = p->kind == SL_PICK_VERTEX
                        ? sl_topology_element_of(topology, t->prim, SL_VERTICES, corner)
                        : SL_NONE;
    }
}

static bool counts(const sl_pick_def *def, const item *one)
{
    const sl_topology *topology =
        def->topologies != NULL ? def->topologies[one->pick.instance] : NULL;
    if (topology == NULL) {
        return true;
    }
    return one->pick.kind == SL_PICK_EDGE
               ? one->pick.edge != SL_NONE &&
                     sl_topology_is_feature(topology, SL_EDGES, one->pick.edge)
               : one->pick.vertex != SL_NONE &&
                     sl_topology_is_feature(topology, SL_VERTICES, one->pick.vertex);
}

static sl_cull cull_of(const corner_triple *t, const sl_options *options)
{
    const sl_cull cull = options != NULL ? options->cull : SL_CULL_NONE;
    return !t->mirrored || cull == SL_CULL_NONE ? cull
           : cull == SL_CULL_BACK               ? SL_CULL_FRONT
                                                : SL_CULL_BACK;
}

/* With kind, point, ends and names set. */
static void add_if_near(const sl_view *view, const double xy[2], const sl_pick_def *def,
                        const corner_triple *t, item *one, items *to)
{
    sl_segment_d sight;
    double square = 0;
    if (!counts(def, one) || !sl_view_project(view, one->pick.point, one->pick.xy, NULL)) {
        return;
    }
    const double x = one->pick.xy[0] - xy[0], y = one->pick.xy[1] - xy[1];
    one->pick.pixels = sqrt(x * x + y * y);
    if (!(one->pick.pixels <= (double)def->radius) ||
        !sl_view_sight(view, one->pick.point, &sight) ||
        (def->options != NULL &&
         eye_oracle_culls(view, def->options->cull, t->mirrored, t->triangle.v))) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        one->from[axis] = sight.p[axis];
        square += (sight.q[axis] - sight.p[axis]) * (sight.q[axis] - sight.p[axis]);
    }
    one->pick.distance = sqrt(square);
    add(to, one);
}

static void add_corner(const sl_view *view, const double xy[2], const sl_pick_def *def,
                       const corner_triple *t, uint32_t corner, items *to)
{
    item one;
    memset(&one, 0, sizeof one);
    one.pick.kind = SL_PICK_VERTEX;
    name(def, &one, t, corner);
    memcpy(one.pick.point, t->triangle.v[corner], sizeof one.a);
    memcpy(one.a, t->triangle.v[corner], sizeof one.a);
    memcpy(one.b, t->triangle.v[corner], sizeof one.a);
    one.pick.u = corner == 1;
    one.pick.v = corner == 2;
    add_if_near(view, xy, def, t, &one, to);
}

static void add_side(const sl_view *view, const double xy[2], const sl_pick_def *def,
                     const corner_triple *t, uint32_t side, items *to)
{
    item one;
    double s;
    const double *p = t->triangle.v[side], *q = t->triangle.v[(side + 1) % 3];
    const bool turned = lower(q, p);
    memset(&one, 0, sizeof one);
    one.pick.kind = SL_PICK_EDGE;
    memcpy(one.a, turned ? q : p, sizeof one.a);
    memcpy(one.b, turned ? p : q, sizeof one.b);
    if (same(p, q) || !side_place(view, one.a, one.b, xy, &s)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        one.pick.point[axis] = s == 0   ? one.a[axis]
                               : s == 1 ? one.b[axis]
                                        : one.a[axis] + s * (one.b[axis] - one.a[axis]);
    }
    name(def, &one, t, side);
    one.pick.along = turned ? 1 - s : s;
    const float first = (float)(1 - one.pick.along), next = (float)one.pick.along;
    one.pick.u = side == 0 ? next : side == 1 ? first : 0;
    one.pick.v = side == 1 ? next : side == 2 ? first : 0;
    add_if_near(view, xy, def, t, &one, to);
}

static void add_face(const sl_ray_d *ray, const double xy[2], const sl_pick_def *def,
                     const corner_triple *t, items *to)
{
    item one;
    sl_hit_d hit;
    const sl_options options = { .cull = cull_of(t, def->options) };
    double square = 0;
    memset(&one, 0, sizeof one);
    if (!sl_ray_d_triangle(ray, &t->triangle, &options, &hit)) {
        return;
    }
    one.pick.kind = SL_PICK_FACE;
    name(def, &one, t, 0);
    for (int axis = 0; axis < 3; axis++) {
        one.pick.point[axis] = ray->origin[axis] + hit.t * ray->dir[axis];
        square += ray->dir[axis] * ray->dir[axis];
    }
    one.pick.distance = hit.t * sqrt(square);
    one.pick.xy[0] = xy[0];
    one.pick.xy[1] = xy[1];
    one.t = hit.t;
    one.pick.u = hit.u;
    one.pick.v = hit.v;
    one.pick.flags = (hit.flags ^ (t->mirrored ? (uint32_t)SL_HIT_BACK : 0u)) & SL_HIT_BACK;
    add(to, &one);
}

static void gather(const pick_oracle *oracle, const sl_view *view, const double xy[2],
                   const sl_pick_def *def, items *to)
{
    sl_ray_d ray;
    const bool has_ray = sl_view_ray(view, xy, &ray);
    for (size_t i = 0; i < oracle->count; i++) {
        const corner_triple *t = &oracle->triangles[i];
        if (!is_near(oracle, i, xy, (double)def->radius) || !is_there(t, def->options)) {
            continue;
        }
        if (has_ray && (def->kinds & SL_PICK_FACE) != 0) {
            add_face(&ray, xy, def, t, to);
        }
        for (uint32_t k = 0; k < 3; k++) {
            if ((def->kinds & SL_PICK_VERTEX) != 0) {
                add_corner(view, xy, def, t, k, to);
            }
            if ((def->kinds & SL_PICK_EDGE) != 0) {
                add_side(view, xy, def, t, k, to);
            }
        }
    }
}

static bool is_seen(const pick_oracle *oracle, const sl_pick_def *def, const item *one)
{
    sl_segment_d sight;
    sl_options open_end = { .flags = SL_OPEN_END };
    memcpy(sight.p, one->from, sizeof sight.p);
    memcpy(sight.q, one->pick.point, sizeof sight.q);
    for (size_t i = 0; i < oracle->count; i++) {
        const corner_triple *t = &oracle->triangles[i];
        sl_hit_d hit;
        open_end.cull = cull_of(t, def->options);
        if (is_near(oracle, i, one->pick.xy, 0) && is_there(t, def->options) &&
            !(has(t, one->a) && has(t, one->b)) &&
            sl_segment_d_triangle(&sight, &t->triangle, &open_end, &hit)) {
            return false;
        }
    }
    return true;
}

/* With the defaults that pick.h names. */
static sl_pick_def filled(const sl_pick_def *given)
{
    sl_pick_def def = *given;
    def.kinds = def.kinds == 0 ? 7 : def.kinds;
    def.radius = def.radius == 0 ? 5 : def.radius;
    const uint8_t *r = def.rank;
    for (uint8_t i = 0, none = (r[0] | r[1] | r[2] | r[3]) == 0; none && i < 4; i++) {
        def.rank[i] = i;
    }
    return def;
}

static bool is_usable(const sl_pick_def *def, const double xy[2])
{
    return def->radius >= 0 && def->radius <= FLT_MAX && def->budget_ms >= 0 &&
           fabs(xy[0]) <= 0x1p100 && fabs(xy[1]) <= 0x1p100;
}

static const sl_pick_def *current_def; /* for qsort */

static int compare_at(const void *a, const void *b)
{
    const item *p = a, *q = b;
    const int ranks = rank_of(current_def, q->pick.kind) - rank_of(current_def, p->pick.kind);
    if (ranks != 0) {
        return ranks;
    }
    if (p->pick.kind == SL_PICK_FACE && q->pick.kind == SL_PICK_FACE && p->t != q->t) {
        return p->t < q->t ? -1
                           : 1; /* the closest hit, whose distance may be rounded to another's */
    }
    return p->pick.pixels != q->pick.pixels ? (p->pick.pixels < q->pick.pixels ? -1 : 1)
                                            : compare_nearer(p, q);
}

bool pick_oracle_at(const pick_oracle *oracle, const sl_view *view, const double xy[2],
                    const sl_pick_def *given, sl_pick *out)
{
    items all = { .list = NULL };
    bool found = false;
    const sl_pick_def whole = filled(given), *def = &whole;
    if (!is_usable(def, xy)) {
        return false;
    }
    gather(oracle, view, xy, def, &all);
    current_def = def;
    if (all.count > 0) {
        qsort(all.list, all.count, sizeof *all.list, compare_at);
    }
    for (size_t i = 0; i < all.count && !found; i++) {
        const item *one = &all.list[i];
        const bool seen = one->pick.kind == SL_PICK_FACE || is_seen(oracle, def, one);
        if (seen || def->hidden) {
            *out = one->pick;
            out->flags |= seen ? 0 : (uint32_t)SL_PICK_HIDDEN;
            found = true;
        }
    }
    free(all.list);
    return found;
}

/* ---- Lists ---- */

static uint64_t unit_of(const pick_oracle *oracle, const sl_pick_def *def, const sl_pick *p)
{
    sl_path_step step = { .index = 0 };
    size_t steps;
    switch (def->unit) {
    case SL_PICK_OBJECTS:
        (void)sl_bvh_path(oracle->scene, p->instance, &step, 1, &steps);
        return step.index;
    case SL_PICK_INSTANCES:
        return p->instance;
    case SL_PICK_PARTS:
        return (uint64_t)p->instance << 32 | p->part;
    default:
        return (uint64_t)p->instance << 32 |
               (def->topologies != NULL && def->topologies[p->instance] != NULL ? p->face
                                                                                : p->prim);
    }
}

static int compare_all(const void *a, const void *b)
{
    return compare_nearer(a, b);
}

size_t pick_oracle_all(const pick_oracle *oracle, const sl_view *view, const double xy[2],
                       const sl_pick_def *given, sl_pick *out, size_t capacity)
{
    items all = { .list = NULL };
    size_t total = 0;
    const sl_pick_def whole = filled(given), *def = &whole;
    if (!is_usable(def, xy)) {
        return 0;
    }
    gather(oracle, view, xy, def, &all);
    if (all.count > 0) {
        qsort(all.list, all.count, sizeof *all.list, compare_all);
    }
    uint64_t *units = calloc(all.count + 1, sizeof *units);
    for (size_t i = 0; i < all.count; i++) {
        const item *one = &all.list[i];
        const uint64_t unit = unit_of(oracle, def, &one->pick);
        size_t k = 0;
        while (k < total && units[k] != unit) {
            k++;
        }
        if (k < total) {
            continue;
        }
        const bool seen = one->pick.kind == SL_PICK_FACE || is_seen(oracle, def, one);
        if (seen || def->hidden) {
            if (total < capacity) {
                out[total] = one->pick;
                out[total].flags |= seen ? 0 : (uint32_t)SL_PICK_HIDDEN;
            }
            units[total++] = unit;
        }
    }
    free(units);
    free(all.list);
    return total;
}

const char *pick_oracle_difference(const sl_pick *a, const sl_pick *b)
{
#define FIELD(field)                                                                               \
    if (memcmp(&a->field, &b->field, sizeof a->field) != 0) {                                      \
        return #field;                                                                             \
    }
    FIELD(kind)
    FIELD(instance)
    FIELD(prim)
    FIELD(corner)
    FIELD(pixels)
    FIELD(distance)
    FIELD(point)
    FIELD(xy)
    FIELD(along)
    FIELD(u)
    FIELD(v)
    FIELD(part)
    FIELD(face)
    FIELD(edge)
    FIELD(vertex)
    FIELD(flags)
#undef FIELD
    return NULL;
}
