/* What may be snapped to, as a point with names, and whether it is the best so far. */
#include "bvh/pick/marks/walk.h"
#include "bvh/pick/snap/work.h"
#include "lib/geom/exact/arithmetic/vector.h"

/* ---- Seen ---- */

typedef struct own_face {
    uint32_t instance, first, last;
} own_face;

static bool is_of_another_face(void *user, size_t index, const sl_hit_d *hit)
{
    const own_face *own = user;
    (void)index;
    return hit->instance != own->instance || hit->prim < own->first || hit->prim > own->last;
}

static bool face_is_seen(const sli_snap_work *work, const sl_segment_d *sight,
                         const sli_snap_face *face)
{
    own_face own = { face->instance, face->first, face->last };
    sli_world_ray ray = work->query.options;
    sl_triangle_ref occluder;
    ray.accepts = is_of_another_face;
    ray.accepts_user = &own;
    sl_stats stats = { .rays = 0 };
    return !sli_exact_ray_from_segment_d(sight, SL_OPEN_END, &ray.exact) ||
           !work->bvh->kernels->world_any(&work->bvh->world, &ray, &occluder, &stats);
}

static bool face_is_culled(const sli_snap_work *work, const sli_snap_face *face)
{
    double v[3][3];
    return !sl_bvh_triangle(work->bvh, (sl_triangle_ref){ face->instance, face->prim }, v) ||
           sli_triangle_is_culled(&work->query.screen.eye, &work->query.options,
                                  &work->bvh->world.transformed[face->instance],
                                  (const double(*)[3])v);
}

/* Where it appears, and its line of sight: those of a candidate at the same point are the same.
 * False: it does not count. */
static bool offer_find_sight(const sli_snap_work *work, const sli_candidate *at, sl_snap *snap,
                             sl_segment_d *sight)
{
    const sli_view *view = &work->query.screen.view;
    sli_along shown;
    if (at != NULL) {
        memcpy(snap->xy, at->shown.xy, sizeof snap->xy);
        memcpy(sight->p, at->from, sizeof sight->p);
        memcpy(sight->q, snap->point, sizeof sight->q);
        snap->pixels = at->shown.pixels;
        snap->distance = at->distance;
        return snap->pixels <= work->limit;
    }
    if (!sli_along_point(view, work->query.position, snap->point, &shown) ||
        !(shown.pixels <= work->limit) || !sli_view_sight(view, snap->point, sight)) {
        return false;
    }
    memcpy(snap->xy, shown.xy, sizeof snap->xy);
    snap->pixels = shown.pixels;
    snap->distance = sli_along_length(sight);
    return true;
}

static void offer_to_pool(sli_snap_work *work, const sl_snap *snap, const sl_segment_d *sight,
                          const sli_candidate *edge)
{
    const bool corner = snap->kind == SL_SNAP_VERTEX;
    sli_snap_waiting waiting = { .snap = *snap,
                                 .at = { .kind = corner ? SL_PICK_VERTEX : SL_PICK_EDGE } };
    memcpy(waiting.at.shown.point, snap->point, sizeof snap->point);
    memcpy(waiting.at.shown.xy, snap->xy, sizeof snap->xy);
    memcpy(waiting.at.from, sight->p, sizeof sight->p);
    for (int end = 0; end < 2; end++) {
        memcpy(waiting.at.end[end], edge != NULL ? edge->end[end] : snap->point,
               sizeof snap->point);
    }
    sli_snap_pool_take(work, &waiting);
}

void sli_snap_offer(sli_snap_work *work, sl_snap *snap, const sli_snap_seen *seen)
{
    sl_segment_d sight;
    if (work->found && sli_snap_rank(&work->def, snap->kind) < work->best_rank) {
        return;
    }
    /* A face is under the mouse by definition. */
    if ((snap->kind != SL_SNAP_FACE && !offer_find_sight(work, seen->at, snap, &sight)) ||
        (work->found && !sli_snap_is_better(&work->def, snap, &work->best))) {
        return;
    }
    if (!seen->always && seen->face == NULL) {
        offer_to_pool(work, snap, &sight, seen->edge);
        return;
    }
    if (!seen->always && face_is_culled(work, seen->face)) {
        return;
    }
    if (!seen->always && !face_is_seen(work, &sight, seen->face)) {
        if (!work->def.hidden) {
            return;
        }
        snap->flags |= SL_PICK_HIDDEN;
    }
    sli_snap_take(work, snap);
}

/* ---- Names ---- */

static uint64_t name_mix(uint64_t z, uint64_t more)
{
    return sli_mix((z ^ more) + 0x9E3779B97F4A7C15u);
}

static sl_snap snap_of(uint32_t kind, uint32_t instance, uint32_t prim, uint32_t corner)
{
    return (sl_snap){ .kind = kind,
                      .instance = instance,
                      .prim = prim,
                      .corner = corner,
                      .other_instance = SL_NONE,
                      .other_prim = SL_NONE,
                      .target = name_mix(name_mix(name_mix(kind, instance), prim), corner) };
}

/* ---- Corners and edges ---- */

void sli_snap_offer_vertex(sli_snap_work *work, const sli_candidate *vertex)
{
    const sli_snap_seen seen = { .at = vertex };
    sl_snap snap = snap_of(SL_SNAP_VERTEX, vertex->instance, vertex->prim, vertex->corner);
    memcpy(snap.point, vertex->end[0], sizeof snap.point);
    sli_snap_offer(work, &snap, &seen);
}

static double along_from_corner(const sli_candidate *edge, double s)
{
    return edge->reversed ? 1 - s : s;
}

void sli_snap_offer_edge(sli_snap_work *work, const sli_candidate *edge, uint32_t kinds)
{
    sli_snap_seen seen = { .edge = edge };
    const double *lower = edge->end[0], *higher = edge->end[1];
    for (uint32_t kind = SL_SNAP_EDGE; kind <= SL_SNAP_EDGE_FOOT; kind *= 2) {
        sl_snap snap = snap_of(kind, edge->instance, edge->prim, edge->corner);
        double s = 0.5;
        seen.at = NULL;
        if ((kinds & kind) == 0 || kind == SL_SNAP_CROSSING) {
            continue;
        }
        if (kind == SL_SNAP_EDGE) {
            s = edge->shown.s;
            seen.at = edge;
            memcpy(snap.point, edge->shown.point, sizeof snap.point);
        } else if (kind == SL_SNAP_MIDPOINT) {
            sli_snap_midpoint(lower, higher, snap.point);
        } else if (!sli_snap_edge_foot(lower, higher, work->def.from, &s, snap.point)) {
            continue;
        }
        snap.along = along_from_corner(edge, s);
        sli_snap_offer(work, &snap, &seen);
    }
}

bool sli_snap_side_of(const sli_snap_work *work, const sli_candidate *edge, sli_snap_side *out)
{
    out->edge = *edge;
    return sli_along_part_of(&work->query.screen.view, edge->end[0], edge->end[1], &out->part);
}

void sli_snap_offer_crossing(sli_snap_work *work, const sli_snap_side *one,
                             const sli_snap_side *other)
{
    const sli_view *view = &work->query.screen.view;
    const bool in_order =
        sli_name_is_lower(SLI_PICK_NAME(&one->edge), SLI_PICK_NAME(&other->edge), 3);
    const sli_snap_side *sides[2] = { in_order ? one : other, in_order ? other : one };
    double s[2], point[2][3], length[2];
    if (!sli_snap_cross(sides[0], sides[1], s, point)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        sl_segment_d sight;
        if (!sli_view_sight(view, point[i], &sight)) {
            return;
        }
        length[i] = sli_along_length(&sight);
    }
    const int near = length[1] < length[0] ? 1 : 0;
    const sli_candidate *side = &sides[near]->edge, *far = &sides[1 - near]->edge;
    const sli_snap_seen seen = { .edge = side };
    sl_snap snap = snap_of(SL_SNAP_CROSSING, side->instance, side->prim, side->corner);
    memcpy(snap.point, point[near], sizeof snap.point);
    snap.along = along_from_corner(side, s[near]);
    snap.other_instance = far->instance;
    snap.other_prim = far->prim;
    snap.other_corner = far->corner;
    snap.target = name_mix(name_mix(name_mix(snap.target, far->instance), far->prim), far->corner);
    sli_snap_offer(work, &snap, &seen);
}

/* ---- Faces ---- */

/* Across the triangle, towards where the ray comes from. */
static void face_set_normal(const sli_snap_work *work, const sli_snap_face *face, sl_snap *snap)
{
    const double *n = face->normal, *dir = work->ray.dir;
    const double length = sli_norm(n);
    const double towards = sli_dot(n, dir);
    for (int axis = 0; axis < 3 && length > 0; axis++) {
        snap->normal[axis] = (towards > 0 ? -n[axis] : n[axis]) / length + 0.0;
    }
}

static sl_snap snap_of_face(const sli_snap_work *work, const sli_snap_face *face, uint32_t kind)
{
    sl_snap snap = snap_of(kind, face->instance, face->first, 0);
    snap.prim = face->prim;
    face_set_normal(work, face, &snap);
    return snap;
}

void sli_snap_offer_face(sli_snap_work *work, const sli_snap_face *face, uint32_t kinds)
{
    const sli_snap_seen seen = { .face = face };
    sl_snap snap;
    if ((kinds & SL_SNAP_CENTRE) != 0) {
        snap = snap_of_face(work, face, SL_SNAP_CENTRE);
        if (sli_snap_centre(face, snap.point)) {
            sli_snap_offer(work, &snap, &seen);
        }
    }
    if ((kinds & SL_SNAP_FACE_FOOT) != 0) {
        snap = snap_of_face(work, face, SL_SNAP_FACE_FOOT);
        if (sli_snap_face_foot(face, work->def.from, snap.point)) {
            sli_snap_offer(work, &snap, &seen);
        }
    }
}

void sli_snap_offer_under(sli_snap_work *work, const sli_snap_face *face)
{
    const sli_snap_seen seen = { .always = true };
    sl_snap snap = snap_of_face(work, face, SL_SNAP_FACE);
    memcpy(snap.point, work->face.shown.point, sizeof snap.point);
    memcpy(snap.xy, work->face.shown.xy, sizeof snap.xy);
    snap.distance = work->face.distance;
    sli_snap_offer(work, &snap, &seen);
}

/* ---- Grids ---- */

void sli_snap_offer_grid(sli_snap_work *work, uint32_t kind, const int32_t cell[2],
                         const double steps[2])
{
    const sli_snap_seen seen = { .always = true };
    sl_snap snap = snap_of(kind, SL_NONE, SL_NONE, 0);
    const double i = cell[0] != INT32_MIN ? cell[0] : steps[0];
    const double j = cell[1] != INT32_MIN ? cell[1] : steps[1];
    sli_snap_grid_point(work->def.grid, i, j, snap.point);
    memcpy(snap.cell, cell, sizeof snap.cell);
    snap.target = name_mix(name_mix(snap.target, (uint32_t)cell[0]), (uint32_t)cell[1]);
    sli_snap_offer(work, &snap, &seen);
}

/* ---- Marks ---- */

void sli_snap_offer_mark(sli_snap_work *work, uint32_t index)
{
    sli_marks_query query;
    sli_mark_found found;
    if (!sli_marks_query_open(work->def.marks, work->bvh, work->view, work->query.position,
                              &work->pick, &query)) {
        return;
    }
    query.radius = work->limit;
    if (index == SL_NONE ? !sli_marks_best(&query, &found)
                         : !sli_marks_one(&query, index, &found)) {
        return;
    }
    sl_snap snap = snap_of(SL_SNAP_MARK, SL_NONE, found.index, 0);
    memcpy(snap.point, found.shown.point, sizeof snap.point);
    memcpy(snap.xy, found.shown.xy, sizeof snap.xy);
    snap.pixels = found.shown.pixels;
    snap.distance = found.distance;
    snap.along = found.shown.s;
    snap.flags = found.hidden ? SL_PICK_HIDDEN : 0;
    if (!work->found || sli_snap_is_better(&work->def, &snap, &work->best)) {
        sli_snap_take(work, &snap);
    }
}
