/* sl_snap_at: looks again at what was snapped to, finds the best element near the mouse, and
 * decides between the two. */
#include "bvh/pick/snap/work.h"
#include "bvh/query/query.h"
#include "lib/geom/exact/arithmetic/vector.h"

/* ---- Options ---- */

/* A field's default where it is 0, and 0 where it is negative. */
static float snap_pixels(float given, float fallback)
{
    return given == 0 ? fallback : given < 0 ? 0 : given;
}

static void snap_def_take(const sl_snap_def *given, sl_snap_def *out)
{
    static const uint8_t ranks[SL_SNAP_KINDS] = { 7, 3, 5, 6, 5, 4, 4, 0, 2, 1, 7 };
    static const uint8_t none[SL_SNAP_KINDS];
    *out = given != NULL ? *given : (sl_snap_def){ 0 };
    out->kinds = out->kinds != 0 ? out->kinds : SL_SNAP_DEFAULT;
    if (memcmp(out->rank, none, sizeof none) == 0) {
        memcpy(out->rank, ranks, sizeof ranks);
    }
    out->radius = out->radius != 0 ? out->radius : 10;
    out->hold = snap_pixels(out->hold, 4);
    out->margin = snap_pixels(out->margin, 2);
}

static bool are_finite(const double x[3])
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static bool is_size(float x)
{
    return x >= 0 && x <= FLT_MAX;
}

static bool def_is_usable(const sl_snap_def *def)
{
    const double *dir = def->lock_dir;
    const bool some = sli_dot(dir, dir) > 0;
    const sl_snap_grid *grid = def->grid;
    return is_size(def->radius) && is_size(def->hold) && is_size(def->margin) &&
           (!def->has_from || are_finite(def->from)) && (unsigned)def->lock <= SL_SNAP_PLANE &&
           (def->lock == SL_SNAP_FREE ||
            (some && are_finite(def->lock_at) && are_finite(def->lock_dir))) &&
           (grid == NULL ||
            (are_finite(grid->origin) && are_finite(grid->x) && are_finite(grid->y)));
}

/* Leaves out kinds that there cannot be. */
static void snap_choose_kinds(sli_snap_work *work)
{
    sl_snap_def *def = &work->def;
    def->kinds &= (1u << SL_SNAP_KINDS) - 1;
    if (work->bvh == NULL) {
        def->kinds &= ~(uint32_t)SLI_SNAP_OF_TREES;
    }
    if (!def->has_from) {
        def->kinds &= ~(uint32_t)(SL_SNAP_EDGE_FOOT | SL_SNAP_FACE_FOOT);
    }
    if (def->grid == NULL) {
        def->kinds &= ~(uint32_t)(SL_SNAP_GRID | SL_SNAP_GRID_LINE);
    }
    if (def->marks == NULL) {
        def->kinds &= ~(uint32_t)SL_SNAP_MARK;
    }
}

static void snap_find_face(sli_snap_work *work)
{
    sli_world_ray ray;
    sl_hit_d hit;
    sl_ray_d unread;
    if (!sli_pick_ray(&work->query, &unread, &ray)) {
        return;
    }
    const sl_bvh *bvh = work->bvh;
    work->has_face =
        bvh->kernels->world_closest(sli_world_for_ray(bvh, &ray), &ray, &hit, &work->unread);
    if (work->has_face) {
        sli_pick_face(&work->query, &work->ray, &hit, &work->face);
    }
}

/* The query, and the face under the mouse. */
static bool open_query(const sl_bvh *bvh, const sl_view *view, const double xy[2],
                       const sl_snap_def *given, sli_snap_work *work)
{
    snap_def_take(given, &work->def);
    if (!def_is_usable(&work->def) || !isfinite(xy[0]) || !isfinite(xy[1]) ||
        !sli_screen_open(view, &work->query.screen)) {
        return false;
    }
    work->pick = (sl_pick_def){ .radius = work->def.radius,
                                .hidden = work->def.hidden,
                                .all_vertices = work->def.all_vertices,
                                .topologies = work->def.topologies,
                                .options = work->def.options };
    work->view = view;
    work->found = false;
    sli_snap_pool_clear(work);
    work->unread = (sl_stats){ .rays = 0 };
    memcpy(work->query.position, xy, sizeof work->query.position);
    const bool opened =
        bvh != NULL && sli_pick_query_open(bvh, view, xy, &work->pick, &work->unread, &work->query);
    work->bvh = opened ? bvh : NULL;
    snap_choose_kinds(work);
    work->has_ray = sli_view_ray(&work->query.screen.view, xy, &work->ray);
    work->has_face = false;
    if (work->bvh != NULL && work->has_ray) {
        snap_find_face(work);
    }
    return true;
}

/* ---- The search ---- */

/* Edges that cross: beyond the last of as many as there may be, none takes part. */
static double reach_of_crossings(const sli_snap_work *work)
{
    return work->side_count == SLI_SNAP_SIDES
               ? fmin(work->side[SLI_SNAP_SIDES - 1].edge.shown.pixels, work->limit)
               : work->limit;
}

/* Pixels within which elements of some kinds may still be better than the best one; what edges make
 * of themselves is as far away as they are, or farther, but for roundings.  Less than zero: none
 * may. */
static double snap_reach(const sli_snap_work *work, uint32_t kinds)
{
    const double near = work->best.pixels * (1 + 0x1p-20) + 0x1p-20;
    double reach = -1;
    for (int i = 0; i < SL_SNAP_KINDS; i++) {
        const uint32_t kind = kinds & 1u << i;
        if (kind == 0 || (work->found && work->def.rank[i] < work->best_rank)) {
            continue;
        }
        double within = kind == SL_SNAP_CROSSING ? reach_of_crossings(work) : work->limit;
        if (work->found && work->def.rank[i] == work->best_rank) {
            within = fmin(within, near);
        }
        reach = fmax(reach, within);
    }
    return reach;
}

/* Leaves out what cannot be better any more. */
static void snap_narrow(sli_snap_work *work)
{
    sli_pick_search *s = &work->search;
    const double vertices = snap_reach(work, work->def.kinds & SL_SNAP_VERTEX);
    const double edges = snap_reach(work, work->def.kinds & SLI_SNAP_OF_EDGES);
    const double reach = fmax(fmax(vertices, edges), 0);
    s->kinds = (vertices >= 0 ? SL_PICK_VERTEX : 0u) | (edges >= 0 ? SL_PICK_EDGE : 0u);
    if (reach < s->limit) {
        sli_pick_search_limit(s, reach);
        sli_visibility_shrink(&s->visibility, reach);
    }
}

static bool edge_is_seen(sli_snap_work *work, const sli_candidate *edge)
{
    const sli_snap_waiting at = { .snap = { .kind = SL_SNAP_EDGE }, .at = *edge };
    return work->def.hidden || sli_snap_pool_sees(work, &at);
}

/* Where the list has this edge, by another name maybe; or its end. */
static int side_slot(const sli_snap_work *work, const sli_candidate *edge)
{
    int at = 0;
    while (at < work->side_count && !sli_ends_equal(work->side[at].edge.end, edge->end)) {
        at++;
    }
    return at;
}

/* Keeps an edge that is seen with those that may cross, each once, under its lowest name; of more,
 * the last one goes. */
static void snap_keep_side(sli_snap_work *work, const sli_candidate *edge)
{
    sli_snap_side side;
    if (!sli_snap_side_of(work, edge, &side)) {
        return;
    }
    int at = side_slot(work, edge);
    const bool known = at < work->side_count;
    at -= at == SLI_SNAP_SIDES;
    if (((known || work->side_count == SLI_SNAP_SIDES) &&
         !sli_candidate_is_better(edge, &work->side[at].edge)) ||
        (!known && !edge_is_seen(work, edge))) {
        return;
    }
    work->side_count += at == work->side_count;
    for (; at > 0 && sli_candidate_is_better(edge, &work->side[at - 1].edge); at--) {
        work->side[at] = work->side[at - 1];
    }
    work->side[at] = side;
}

/* Whether an edge may have a crossing that is better than the best one. */
static bool edge_may_cross(const sli_snap_work *work, const sli_candidate *edge)
{
    return (work->def.kinds & SL_SNAP_CROSSING) != 0 &&
           edge->shown.pixels <= snap_reach(work, SL_SNAP_CROSSING);
}

/* What has a higher rank than crossings is judged before edges that may cross are. */
static void snap_take(void *context, const sli_candidate *candidate)
{
    sli_snap_work *work = context;
    if (candidate->instance != work->pool_instance) {
        sli_snap_pool_settle(work, -1);
        work->pool_instance = candidate->instance;
        snap_narrow(work);
    }
    if (candidate->kind == SL_PICK_VERTEX) {
        sli_snap_offer_vertex(work, candidate);
    } else {
        sli_snap_offer_edge(work, candidate, work->def.kinds);
        if (edge_may_cross(work, candidate)) {
            sli_snap_pool_settle(work, sli_snap_rank(&work->def, SL_SNAP_CROSSING));
            if (edge_may_cross(work, candidate)) {
                snap_keep_side(work, candidate);
            }
        }
    }
    snap_narrow(work);
}

static sl_triangle_ref snap_front(const sli_snap_work *work)
{
    return work->has_face ? (sl_triangle_ref){ work->face.instance, work->face.prim }
                          : (sl_triangle_ref){ 0, SL_NONE };
}

static void snap_begin_search(sli_snap_work *work)
{
    sli_pick_search_begin(&work->query, snap_front(work), NULL, &work->search);
    work->search.take = snap_take;
    work->search.take_context = work;
}

/* Sets what may still be better: kinds, and within how many pixels, which are returned. */
static double snap_begin_look(sli_snap_work *work)
{
    sli_pick_search *s = &work->search;
    s->limit = INFINITY; /* the search sets it, to the pixels of what it takes for its best one */
    s->found = true;
    snap_narrow(work);
    return fmin(s->limit, work->limit);
}

/* Looks within a share of the radius for what may be better than the best so far.  What is left out
 * is hidden within that reach alone.  False: it is the last time, for nothing that is farther away
 * may be better. */
static bool snap_look_within(sli_snap_work *work, double share, double *looked)
{
    sli_pick_search *s = &work->search;
    const double reach = snap_begin_look(work);
    if (s->kinds == 0 || reach <= *looked) {
        return false;
    }
    *looked = fmin(reach, share * work->limit);
    sli_pick_search_within(s, *looked, snap_front(work), NULL);
    s->best.shown.pixels = *looked;
    sli_pick_search_run_from(s, snap_front(work));
    sli_snap_pool_settle(work, -1);
    return true;
}

/* Where triangles are small, little of the picture has enough, and patches cover that. */
static void snap_search(sli_snap_work *work)
{
    static const double shares[] = { 0x1p-5, 0x1p-3, 1 };
    const int steps = sizeof shares / sizeof *shares;
    sli_pick_search *s = &work->search;
    const sl_triangle_ref front = snap_front(work);
    double looked = -1;
    work->side_count = 0;
    work->pool_instance = SL_NONE;
    int step = steps - 1;
    if (!sli_pick_search_may_find(s, snap_begin_look(work), front)) {
        step = steps;
    } else if (!work->def.hidden && sli_pick_search_front_is_within(s, work->limit / 4, front)) {
        step = 0;
    }
    for (; step < steps; step++) {
        if (!snap_look_within(work, shares[step], &looked)) {
            break;
        }
    }
    sli_snap_pool_settle(work, -1);
    for (int i = 0; i < work->side_count; i++) {
        for (int j = 0; j < i; j++) {
            sli_snap_offer_crossing(work, &work->side[i], &work->side[j]);
        }
    }
    sli_snap_pool_settle(work, -1);
}

static void snap_look_at_face(sli_snap_work *work)
{
    sli_snap_face face;
    const uint32_t instance = work->face.instance;
    const sl_topology *topology = sli_pick_topology(&work->query, instance);
    if ((work->def.kinds & SLI_SNAP_OF_FACES) != 0 &&
        sli_snap_face_of(work->bvh, topology, instance, work->face.prim, &face)) {
        sli_snap_offer_face(work, &face, work->def.kinds);
        if ((work->def.kinds & SL_SNAP_FACE) != 0) {
            sli_snap_offer_under(work, &face);
        }
    }
}

static void snap_look_at_grid(sli_snap_work *work)
{
    double steps[2];
    if (!work->has_ray || !sli_snap_on_grid(work->def.grid, &work->ray, steps)) {
        return;
    }
    const int32_t cell[2] = { (int32_t)floor(steps[0] + 0.5), (int32_t)floor(steps[1] + 0.5) };
    const int32_t lines[2][2] = { { cell[0], INT32_MIN }, { INT32_MIN, cell[1] } };
    if ((work->def.kinds & SL_SNAP_GRID) != 0) {
        sli_snap_offer_grid(work, SL_SNAP_GRID, cell, steps);
    }
    for (int i = 0; i < 2 && (work->def.kinds & SL_SNAP_GRID_LINE) != 0; i++) {
        sli_snap_offer_grid(work, SL_SNAP_GRID_LINE, lines[i], steps);
    }
}

static void snap_find_best(sli_snap_work *work)
{
    work->found = false;
    work->limit = (double)work->def.radius;
    if ((work->def.kinds & SL_SNAP_MARK) != 0) {
        sli_snap_offer_mark(work, SL_NONE);
    }
    if (work->has_face) {
        snap_look_at_face(work);
    }
    if (work->def.grid != NULL) {
        snap_look_at_grid(work);
    }
    if (work->bvh != NULL) {
        snap_search(work);
    }
}

/* ---- The answer ---- */

/* Whether what was kept stays, whatever else is there. */
static bool snap_stays(const sli_snap_work *work, const sl_snap *kept)
{
    if (!work->found || work->best.target == kept->target) {
        return true;
    }
    const int rank = sli_snap_rank(&work->def, kept->kind);
    const int best = sli_snap_rank(&work->def, work->best.kind);
    return best != rank ? best < rank
                        : !(work->best.pixels < kept->pixels - (double)work->def.margin);
}

static SLI_NOINLINE bool snap_at(const sl_bvh *bvh, const sl_view *view, const double xy[2],
                                 const sl_snap_def *def, const sl_snap *previous, sl_snap *out)
{
    sli_snap_work work; /* what is not set is written before it is read */
    sl_snap kept = { .kind = SL_SNAP_NONE };
    bool has_kept = false;
    if (!open_query(bvh, view, xy, def, &work)) {
        return false;
    }
    if (work.bvh != NULL) {
        snap_begin_search(&work);
    }
    if (previous->kind != SL_SNAP_NONE) {
        work.found = false;
        work.limit = (double)work.def.radius + (double)work.def.hold;
        sli_snap_offer_previous(&work, previous);
        has_kept = work.found && work.best.target == previous->target;
        kept = work.found ? work.best : kept;
    }
    snap_find_best(&work);
    if (!work.found && !has_kept) {
        return false;
    }
    const bool stay = has_kept && snap_stays(&work, &kept);
    *out = stay ? kept : work.best;
    out->kept = stay;
    sli_snap_locked(&work.def, out->point, out->locked);
    return true;
}

bool sl_snap_at(const sl_bvh *bvh, const sl_view *view, const double xy[2], const sl_snap_def *def,
                const sl_snap *previous, sl_snap *out)
{
    const sl_snap nothing = { .kind = SL_SNAP_NONE };
    const sl_snap before = previous != NULL ? *previous : nothing;
    *out = nothing;
    return SLI_IN_FPENV(snap_at(bvh, view, xy, def, &before, out));
}
