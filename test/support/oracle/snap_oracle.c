#include "test/support/oracle/snap_oracle.h"

#include "bvh/scene/scene.h"
#include "test/support/oracle/picture_oracle.h"

#include <stdlib.h>

typedef struct piece {
    sl_triangle_d t;
    uint32_t instance, prim;
    bool there; /* the query leaves it in */
} piece;

/* What may be snapped to, and whose triangles do not hide it: those with both ends, or those of a
 * face. */
typedef struct element {
    sl_snap snap;
    double end[2][3];
    uint32_t instance, first, last; /* of the face */
    enum { ALWAYS, ENDS, FACE, KNOWN } seen;
    double near_pixels, near_distance; /* of an edge, at its own nearest point */
} element;

typedef struct job {
    const sl_bvh *scene;
    const sl_view *view;
    const double *xy;
    const sl_snap_def *def;
    piece *pieces;
    size_t piece_count;
    element *elements, *edges;
    size_t count, capacity, edge_count, edge_capacity;
    double limit;
    const sl_snap *only; /* things of this name alone; NULL: all */
} job;

static const sl_topology *topology_of(const job *j, uint32_t instance)
{
    return j->def->topologies != NULL ? j->def->topologies[instance] : NULL;
}

static bool same(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool is_there(const sl_bvh *scene, const sl_options *options, uint32_t instance,
                     uint32_t prim)
{
    const sli_transformed *transformed = &scene->world.transformed[instance];
    if (options == NULL) {
        return true;
    }
    if (options->mask != 0 && ((transformed->mask & options->mask) == 0 ||
                               (sli_tree_mask(transformed->tree, prim) & options->mask) == 0)) {
        return false;
    }
    for (size_t i = 0; i < options->ignore_count; i++) {
        if (instance >= options->ignore[i].first &&
            instance - options->ignore[i].first < options->ignore[i].count) {
            return false;
        }
    }
    return true;
}

static void gather(job *j)
{
    size_t capacity = 0;
    if (j->scene == NULL) {
        return;
    }
    for (uint32_t i = 0; i < j->scene->world.count; i++) {
        capacity += j->scene->world.transformed[i].tree != NULL
                        ? j->scene->world.transformed[i].tree->prim_count
                        : 0;
    }
    j->pieces = calloc(capacity + 1, sizeof *j->pieces);
    for (uint32_t i = 0; i < j->scene->world.count; i++) {
        const sl_bvh *tree = j->scene->world.transformed[i].tree;
        for (uint32_t prim = 0; tree != NULL && prim < tree->prim_count; prim++) {
            piece *p = &j->pieces[j->piece_count];
            if (sl_bvh_triangle(j->scene, (sl_triangle_ref){ i, prim }, p->t.v)) {
                p->instance = i;
                p->prim = prim;
                p->there = is_there(j->scene, j->def->options, i, prim);
                j->piece_count++;
            }
        }
    }
}

/* ---- Things ---- */

static int rank_of(const sl_snap_def *def, uint32_t kind)
{
    int bit = 0;
    while (kind >> bit != 1) {
        bit++;
    }
    return def->rank[bit];
}

static bool has_name(const sl_snap *a, const sl_snap *b)
{
    return a->kind == b->kind && a->instance == b->instance && a->prim == b->prim &&
           a->corner == b->corner && a->other_instance == b->other_instance &&
           a->other_prim == b->other_prim && a->other_corner == b->other_corner &&
           a->cell[0] == b->cell[0] && a->cell[1] == b->cell[1];
}

static void add(element **list, size_t *count, size_t *capacity, const element *one)
{
    if (*count == *capacity) {
        *capacity = 2 * *capacity + 64;
        *list = realloc(*list, *capacity * sizeof **list);
    }
    (*list)[(*count)++] = *one;
}

/* Fills in where the point appears; false where it does not. */
static bool find(const job *j, const double point[3], sl_snap *out)
{
    sl_segment_d sight;
    if (!sl_view_project(j->view, point, out->xy, NULL) || !sl_view_sight(j->view, point, &sight)) {
        return false;
    }
    const double x = out->xy[0] - j->xy[0], y = out->xy[1] - j->xy[1];
    const double d[3] = { sight.q[0] - sight.p[0], sight.q[1] - sight.p[1],
                          sight.q[2] - sight.p[2] };
    out->pixels = sqrt(x * x + y * y);
    out->distance = sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
    return true;
}

static void offer(job *j, element *one)
{
    if ((j->def->kinds & one->snap.kind) == 0 ||
        (j->only != NULL && !has_name(&one->snap, j->only)) ||
        !find(j, one->snap.point, &one->snap) || !(one->snap.pixels <= j->limit)) {
        return;
    }
    add(&j->elements, &j->count, &j->capacity, one);
}

static element named(uint32_t kind, uint32_t instance, uint32_t prim, uint32_t corner)
{
    element one;
    memset(&one, 0, sizeof one);
    one.seen = ALWAYS;
    one.snap.kind = kind;
    one.snap.instance = instance;
    one.snap.prim = prim;
    one.snap.corner = corner;
    one.snap.other_instance = one.snap.other_prim = SL_NONE;
    return one;
}

static void add_vertex(job *j, const piece *p, uint32_t corner)
{
    element one = named(SL_SNAP_VERTEX, p->instance, p->prim, corner);
    const sl_topology *topology = topology_of(j, p->instance);
    memcpy(one.snap.point, p->t.v[corner], sizeof one.snap.point);
    memcpy(one.end[0], p->t.v[corner], sizeof one.end[0]);
    memcpy(one.end[1], p->t.v[corner], sizeof one.end[0]);
    one.seen = ENDS;
    if (topology == NULL ||
        sl_topology_is_feature(topology, SL_VERTICES,
                               sl_topology_element_of(topology, p->prim, SL_VERTICES, corner))) {
        offer(j, &one);
    }
}

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static bool is_lower(const double a[3], const double b[3])
{
    return a[0] != b[0] ? a[0] < b[0] : a[1] != b[1] ? a[1] < b[1] : a[2] < b[2];
}

static void place(const double a[3], const double b[3], double s, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = s == 0 ? a[axis] : s == 1 ? b[axis] : a[axis] + s * (b[axis] - a[axis]);
    }
}

static void add_edge(job *j, const piece *p, uint32_t side)
{
    element one = named(SL_SNAP_EDGE, p->instance, p->prim, side);
    const double *from = p->t.v[side], *to = p->t.v[(side + 1) % 3];
    const bool turned = is_lower(to, from);
    const double *a = turned ? to : from, *b = turned ? from : to;
    const sl_topology *topology = topology_of(j, p->instance);
    picture_point at;
    if (same(a, b) ||
        (topology != NULL &&
         !sl_topology_is_feature(topology, SL_EDGES,
                                 sl_topology_element_of(topology, p->prim, SL_EDGES, side))) ||
        !picture_nearest(j->view, j->xy, a, b, &at) || !find(j, at.point, &one.snap) ||
        (j->only == NULL && one.snap.pixels > j->limit)) {
        return;
    }
    one.near_pixels = one.snap.pixels;
    one.near_distance = one.snap.distance;
    one.seen = ENDS;
    memcpy(one.end[0], a, sizeof one.end[0]);
    memcpy(one.end[1], b, sizeof one.end[1]);
    memcpy(one.snap.point, at.point, sizeof at.point);
    one.snap.along = turned ? 1 - at.s : at.s;
    element edge = one;
    add(&j->edges, &j->edge_count, &j->edge_capacity, &edge);
    offer(j, &one);
    one.snap.kind = SL_SNAP_MIDPOINT;
    one.snap.along = 0.5;
    for (int axis = 0; axis < 3; axis++) {
        one.snap.point[axis] = a[axis] / 2 + b[axis] / 2;
    }
    offer(j, &one);
    if (j->def->has_from) {
        const double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
        const double f[3] = { j->def->from[0] - a[0], j->def->from[1] - a[1],
                              j->def->from[2] - a[2] };
        const double s = dot(f, d) / dot(d, d);
        one.snap.kind = SL_SNAP_EDGE_FOOT;
        one.snap.along = turned ? 1 - s : s;
        place(a, b, s, one.snap.point);
        if (s >= 0 && s <= 1) {
            offer(j, &one);
        }
    }
}

/* ---- Seen ---- */

static bool is_hidden(const job *j, const element *one)
{
    sl_segment_d sight;
    const sl_options open = { .flags = SL_OPEN_END };
    if (one->seen == ALWAYS || !sl_view_sight(j->view, one->snap.point, &sight)) {
        return false;
    }
    for (size_t i = 0; i < j->piece_count; i++) {
        const piece *p = &j->pieces[i];
        bool own = one->seen == FACE && p->instance == one->instance && p->prim >= one->first &&
                   p->prim <= one->last;
        if (one->seen == ENDS) {
            bool has[2] = { false, false };
            for (int k = 0; k < 6; k++) {
                has[k / 3] |= same(p->t.v[k % 3], one->end[k / 3]);
            }
            own = has[0] && has[1];
        }
        if (p->there && !own && sl_segment_d_triangle(&sight, &p->t, &open, NULL)) {
            return true;
        }
    }
    return false;
}

/* ---- Crossings ---- */

static int by_nearness(const void *one, const void *other)
{
    const element *a = one, *b = other;
    if (a->near_pixels != b->near_pixels) {
        return a->near_pixels < b->near_pixels ? -1 : 1;
    }
    if (a->near_distance != b->near_distance) {
        return a->near_distance < b->near_distance ? -1 : 1;
    }
    if (a->snap.instance != b->snap.instance) {
        return a->snap.instance < b->snap.instance ? -1 : 1;
    }
    if (a->snap.prim != b->snap.prim) {
        return a->snap.prim < b->snap.prim ? -1 : 1;
    }
    return a->snap.corner < b->snap.corner ? -1 : a->snap.corner > b->snap.corner;
}

static bool has_lower_name(const element *a, const element *b)
{
    const sl_snap *p = &a->snap, *q = &b->snap;
    return p->instance != q->instance ? p->instance < q->instance
           : p->prim != q->prim       ? p->prim < q->prim
                                      : p->corner < q->corner;
}

static void add_crossing(job *j, const element *one, const element *other)
{
    const element *of[2] = { one, other };
    double at[2][2][2], s[2][2], w[2][2], point[2][3], share[2];
    sl_snap found[2];
    if (has_lower_name(other, one)) {
        of[0] = other;
        of[1] = one;
    }
    for (int i = 0; i < 2; i++) {
        if (!picture_part(j->view, of[i]->end[0], of[i]->end[1], at[i], s[i], w[i])) {
            return;
        }
        for (int k = 0; k < 2; k++) {
            if (same(of[0]->end[i], of[1]->end[k])) {
                return;
            }
        }
    }
    const double u[2] = { at[0][1][0] - at[0][0][0], at[0][1][1] - at[0][0][1] };
    const double v[2] = { at[1][1][0] - at[1][0][0], at[1][1][1] - at[1][0][1] };
    const double e[2] = { at[1][0][0] - at[0][0][0], at[1][0][1] - at[0][0][1] };
    const double d = u[0] * v[1] - u[1] * v[0];
    const double r[2] = { (e[0] * v[1] - e[1] * v[0]) / d, (e[0] * u[1] - e[1] * u[0]) / d };
    for (int i = 0; i < 2; i++) {
        if (!(r[i] >= 0) || !(r[i] <= 1)) {
            return;
        }
        share[i] = s[i][0] +
                   r[i] * w[i][0] / ((1 - r[i]) * w[i][1] + r[i] * w[i][0]) * (s[i][1] - s[i][0]);
        place(of[i]->end[0], of[i]->end[1], share[i], point[i]);
        if (!find(j, point[i], &found[i])) {
            return;
        }
    }
    const int near = found[1].distance < found[0].distance;
    element made = *of[near];
    const sl_snap *far = &of[1 - near]->snap;
    const double *from = of[near]->end[0];
    bool turned = false;
    for (size_t i = 0; i < j->piece_count; i++) {
        const piece *p = &j->pieces[i];
        if (p->instance == made.snap.instance && p->prim == made.snap.prim) {
            turned = !same(p->t.v[made.snap.corner], from);
        }
    }
    made.snap.kind = SL_SNAP_CROSSING;
    made.snap.along = turned ? 1 - share[near] : share[near];
    memcpy(made.snap.point, point[near], sizeof made.snap.point);
    made.snap.other_instance = far->instance;
    made.snap.other_prim = far->prim;
    made.snap.other_corner = far->corner;
    offer(j, &made);
}

/* Of the nearest 32 that are seen, each once. */
static void add_crossings(job *j)
{
    element *kept = calloc(j->edge_count + 1, sizeof *kept);
    size_t count = 0;
    if (j->edge_count > 0) {
        qsort(j->edges, j->edge_count, sizeof *j->edges, by_nearness);
    }
    for (size_t i = 0; i < j->edge_count && (j->only != NULL || count < 32); i++) {
        bool known = false;
        for (size_t k = 0; k < count && j->only == NULL; k++) {
            known |= same(kept[k].end[0], j->edges[i].end[0]) &&
                     same(kept[k].end[1], j->edges[i].end[1]);
        }
        if (!known && (j->only != NULL || j->def->hidden || !is_hidden(j, &j->edges[i]))) {
            kept[count++] = j->edges[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            add_crossing(j, &kept[i], &kept[k]);
        }
    }
    free(kept);
}

/* ---- Faces ---- */

static const piece *piece_of(const job *j, uint32_t instance, uint32_t prim)
{
    for (size_t i = 0; i < j->piece_count; i++) {
        if (j->pieces[i].instance == instance && j->pieces[i].prim == prim) {
            return &j->pieces[i];
        }
    }
    return NULL;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void across(const piece *p, double out[3])
{
    double u[3], v[3];
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = p->t.v[1][axis] - p->t.v[0][axis];
        v[axis] = p->t.v[2][axis] - p->t.v[0][axis];
    }
    cross(u, v, out);
}

static bool holds(const piece *p, const double n[3], const double x[3])
{
    for (int k = 0; k < 3; k++) {
        double e[3], f[3], c[3];
        for (int axis = 0; axis < 3; axis++) {
            e[axis] = p->t.v[(k + 1) % 3][axis] - p->t.v[k][axis];
            f[axis] = x[axis] - p->t.v[k][axis];
        }
        cross(e, f, c);
        if (!(dot(n, c) >= 0)) {
            return false;
        }
    }
    return true;
}

static void add_centre(job *j, const piece *p, element *one)
{
    double all[3] = { 0, 0, 0 }, sum[3] = { 0, 0, 0 }, total = 0, n[3];
    for (uint32_t prim = one->first; prim <= one->last; prim++) {
        across(piece_of(j, p->instance, prim), n);
        for (int axis = 0; axis < 3; axis++) {
            all[axis] += n[axis];
        }
    }
    for (uint32_t prim = one->first; prim <= one->last; prim++) {
        const piece *q = piece_of(j, p->instance, prim);
        across(q, n);
        const double weight = dot(n, all);
        total += weight;
        for (int axis = 0; axis < 3; axis++) {
            const double *o = p->t.v[0];
            sum[axis] += weight * (((q->t.v[0][axis] - o[axis]) + (q->t.v[1][axis] - o[axis])) +
                                   (q->t.v[2][axis] - o[axis]));
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        one->snap.point[axis] = p->t.v[0][axis] + sum[axis] / (3 * total);
    }
    if (total > 0) {
        offer(j, one);
    }
}

static void add_face_foot(job *j, const piece *p, element *one)
{
    double n[3], to[3];
    across(p, n);
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = j->def->from[axis] - p->t.v[0][axis];
    }
    const double height = dot(n, to) / dot(n, n);
    for (int axis = 0; axis < 3; axis++) {
        one->snap.point[axis] = j->def->from[axis] - height * n[axis];
    }
    for (uint32_t prim = one->first; prim <= one->last; prim++) {
        if (holds(piece_of(j, p->instance, prim), n, one->snap.point)) {
            offer(j, one);
            return;
        }
    }
}

/* The triangles about one that are of the same face. */
static void set_run(const job *j, const piece *p, element *one)
{
    const sl_topology *topology = topology_of(j, p->instance);
    one->seen = FACE;
    one->instance = p->instance;
    one->first = one->last = p->prim;
    if (topology != NULL) {
        const uint32_t face = sl_topology_element_of(topology, p->prim, SL_FACES, 0);
        while (one->first > 0 &&
               sl_topology_element_of(topology, one->first - 1, SL_FACES, 0) == face) {
            one->first--;
        }
        while (sl_topology_element_of(topology, one->last + 1, SL_FACES, 0) == face) {
            one->last++;
        }
    }
}

static void add_face(job *j, const piece *p)
{
    element one = named(SL_SNAP_CENTRE, p->instance, p->prim, 0);
    set_run(j, p, &one);
    add_centre(j, p, &one);
    if (j->def->has_from) {
        one.snap.kind = SL_SNAP_FACE_FOOT;
        add_face_foot(j, p, &one);
    }
}

/* The triangle under the mouse. */
static const piece *under(const job *j, sl_snap *out)
{
    sl_ray_d ray;
    sl_hit_d best = { .prim = SL_NONE }, hit;
    const piece *found = NULL;
    if (!sl_view_ray(j->view, j->xy, &ray)) {
        return NULL;
    }
    for (size_t i = 0; i < j->piece_count; i++) {
        if (j->pieces[i].there && sl_ray_d_triangle(&ray, &j->pieces[i].t, NULL, &hit) &&
            (found == NULL || hit.t < best.t)) {
            best = hit;
            found = &j->pieces[i];
        }
    }
    if (found != NULL) {
        for (int axis = 0; axis < 3; axis++) {
            out->point[axis] = ray.origin[axis] + best.t * ray.dir[axis];
        }
        out->xy[0] = j->xy[0];
        out->xy[1] = j->xy[1];
        out->distance = best.t * sqrt((ray.dir[0] * ray.dir[0] + ray.dir[1] * ray.dir[1]) +
                                      ray.dir[2] * ray.dir[2]);
    }
    return found;
}

/* ---- Grids and marks ---- */

static bool steps_of(const job *j, double steps[2])
{
    const sl_snap_grid *g = j->def->grid;
    sl_ray_d ray;
    double n[3], to[3], e[3];
    if (!sl_view_ray(j->view, j->xy, &ray)) {
        return false;
    }
    cross(g->x, g->y, n);
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = g->origin[axis] - ray.origin[axis];
    }
    const double t = dot(n, to) / dot(n, ray.dir);
    if (!(t >= 0) || !(t <= ray.tmax)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        e[axis] = (ray.origin[axis] + t * ray.dir[axis]) - g->origin[axis];
    }
    const double xx = dot(g->x, g->x), xy = dot(g->x, g->y), yy = dot(g->y, g->y);
    const double ex = dot(e, g->x), ey = dot(e, g->y), d = xx * yy - xy * xy;
    steps[0] = (ex * yy - ey * xy) / d;
    steps[1] = (ey * xx - ex * xy) / d;
    return d > 0;
}

static void add_cell(job *j, uint32_t kind, const int32_t cell[2], const double steps[2])
{
    const sl_snap_grid *g = j->def->grid;
    element one = named(kind, SL_NONE, SL_NONE, 0);
    const double i = cell[0] == INT32_MIN ? steps[0] : cell[0];
    const double k = cell[1] == INT32_MIN ? steps[1] : cell[1];
    memcpy(one.snap.cell, cell, sizeof one.snap.cell);
    for (int axis = 0; axis < 3; axis++) {
        one.snap.point[axis] = (g->origin[axis] + i * g->x[axis]) + k * g->y[axis];
    }
    offer(j, &one);
}

static void add_grid(job *j)
{
    double steps[2] = { 0, 0 };
    const bool there = steps_of(j, steps);
    if (j->only != NULL) {
        if (there || j->only->kind == SL_SNAP_GRID) {
            add_cell(j, j->only->kind, j->only->cell, steps);
        }
        return;
    }
    if (there) {
        const int32_t cell[2] = { (int32_t)floor(steps[0] + 0.5), (int32_t)floor(steps[1] + 0.5) };
        const int32_t first[2] = { cell[0], INT32_MIN }, second[2] = { INT32_MIN, cell[1] };
        add_cell(j, SL_SNAP_GRID, cell, steps);
        add_cell(j, SL_SNAP_GRID_LINE, first, steps);
        add_cell(j, SL_SNAP_GRID_LINE, second, steps);
    }
}

/* By the marks' own question, or of one mark by asking for all. */
static void add_mark(job *j)
{
    enum { MOST = 1000 };
    static sl_pick picks[MOST];
    sl_pick_def def = { .radius = (float)j->limit };
    def.hidden = j->def->hidden;
    def.options = j->def->options;
    size_t count =
        j->only == NULL
            ? sl_marks_pick(j->def->marks, j->scene, j->view, j->xy, &def, picks)
            : sl_marks_pick_all(j->def->marks, j->scene, j->view, j->xy, &def, picks, MOST);
    for (size_t i = 0; i < count; i++) {
        element one = named(SL_SNAP_MARK, SL_NONE, picks[i].prim, 0);
        one.seen = KNOWN;
        memcpy(one.snap.point, picks[i].point, sizeof one.snap.point);
        memcpy(one.snap.xy, picks[i].xy, sizeof one.snap.xy);
        one.snap.pixels = picks[i].pixels;
        one.snap.distance = picks[i].distance;
        one.snap.along = picks[i].along;
        one.snap.flags = picks[i].flags;
        if (j->only == NULL || has_name(&one.snap, j->only)) {
            add(&j->elements, &j->count, &j->capacity, &one);
        }
    }
}

/* ---- The best ---- */

static const sl_snap_def *current; /* for qsort */

static int by_goodness(const void *one, const void *other)
{
    const sl_snap *a = &((const element *)one)->snap, *b = &((const element *)other)->snap;
    const int ranks = rank_of(current, b->kind) - rank_of(current, a->kind);
    if (ranks != 0) {
        return ranks;
    }
    if (a->pixels != b->pixels) {
        return a->pixels < b->pixels ? -1 : 1;
    }
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    const uint32_t p[] = { a->kind,           a->instance,   a->prim,        a->corner,
                           a->other_instance, a->other_prim, a->other_corner };
    const uint32_t q[] = { b->kind,           b->instance,   b->prim,        b->corner,
                           b->other_instance, b->other_prim, b->other_corner };
    for (int i = 0; i < 7; i++) {
        if (p[i] != q[i]) {
            return p[i] < q[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool choose(job *j, sl_snap *out)
{
    current = j->def;
    if (j->count > 0) {
        qsort(j->elements, j->count, sizeof *j->elements, by_goodness);
    }
    for (size_t i = 0; i < j->count; i++) {
        element *one = &j->elements[i];
        const bool hidden = one->seen != KNOWN && is_hidden(j, one);
        if (!hidden || j->def->hidden) {
            *out = one->snap;
            out->flags |= hidden ? (uint32_t)SL_PICK_HIDDEN : 0;
            return true;
        }
    }
    return false;
}

static bool look(job *j, double limit, const sl_snap *only, sl_snap *out)
{
    element face = named(SL_SNAP_FACE, SL_NONE, SL_NONE, 0);
    j->count = j->edge_count = 0;
    j->limit = limit;
    j->only = only;
    const piece *front = under(j, &face.snap);
    for (size_t i = 0; i < j->piece_count; i++) {
        const piece *p = &j->pieces[i];
        for (uint32_t k = 0; k < 3 && p->there; k++) {
            add_vertex(j, p, k);
            const bool one_of = only != NULL && p->instance == only->other_instance &&
                                p->prim == only->other_prim && k == only->other_corner;
            if (only == NULL || one_of ||
                (p->instance == only->instance && p->prim == only->prim && k == only->corner)) {
                add_edge(j, p, k);
            }
        }
        if (p->there && (only != NULL || p == front)) {
            if (only == NULL || (only->instance == p->instance && only->prim == p->prim)) {
                add_face(j, p);
            }
        }
    }
    if ((j->def->kinds & SL_SNAP_CROSSING) != 0) {
        add_crossings(j);
    }
    if (front != NULL && (j->def->kinds & SL_SNAP_FACE) != 0) {
        set_run(j, front, &face);
        face.seen = ALWAYS;
        face.snap.instance = front->instance;
        face.snap.prim = front->prim;
        if (only == NULL || (only->kind == SL_SNAP_FACE && only->instance == front->instance &&
                             only->prim >= face.first && only->prim <= face.last)) {
            add(&j->elements, &j->count, &j->capacity, &face);
        }
    }
    if (j->def->grid != NULL &&
        (only == NULL || only->kind == SL_SNAP_GRID || only->kind == SL_SNAP_GRID_LINE)) {
        add_grid(j);
    }
    if (j->def->marks != NULL && (j->def->kinds & SL_SNAP_MARK) != 0 &&
        (only == NULL || only->kind == SL_SNAP_MARK)) {
        add_mark(j);
    }
    return choose(j, out);
}

/* With the defaults that snap.h names. */
static sl_snap_def filled(const sl_snap_def *given)
{
    static const uint8_t ranks[SL_SNAP_KINDS] = { 7, 3, 5, 6, 5, 4, 4, 0, 2, 1, 7 };
    sl_snap_def def = *given;
    unsigned any = 0;
    for (int i = 0; i < SL_SNAP_KINDS; i++) {
        any |= def.rank[i];
    }
    if (any == 0) {
        memcpy(def.rank, ranks, sizeof ranks);
    }
    def.kinds = def.kinds == 0 ? 1 + 2 + 4 + 32 + 128 : def.kinds;
    def.radius = def.radius == 0 ? 10 : def.radius;
    def.hold = def.hold == 0 ? 4 : fmaxf(def.hold, 0);
    def.margin = def.margin == 0 ? 2 : fmaxf(def.margin, 0);
    return def;
}

bool snap_oracle_at(const sl_bvh *scene, const sl_view *view, const double xy[2],
                    const sl_snap_def *given, const sl_snap *previous, sl_snap *out)
{
    const sl_snap_def whole = filled(given), *def = &whole;
    job j = { .scene = scene, .view = view, .xy = xy, .def = def };
    sl_snap kept, best;
    gather(&j);
    const bool has_kept = previous != NULL && previous->kind != 0 &&
                          (previous->kind & def->kinds) != 0 &&
                          look(&j, (double)def->radius + (double)def->hold, previous, &kept);
    const bool found = look(&j, (double)def->radius, NULL, &best);
    const int ranks = found && has_kept ? rank_of(def, best.kind) - rank_of(def, kept.kind) : -1;
    const bool stays =
        has_kept && (!found || has_name(&best, &kept) || ranks < 0 ||
                     (ranks == 0 && !(best.pixels < kept.pixels - (double)def->margin)));
    if (found || has_kept) {
        *out = stays ? kept : best;
        out->kept = stays;
    }
    free(j.pieces);
    free(j.elements);
    free(j.edges);
    return found || has_kept;
}
