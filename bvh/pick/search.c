/* The walk to corners and sides near a position, and the pool that they wait in. */
#include "bvh/pick/search.h"

#include "bvh/kernel/scene/decide.h"
#include "bvh/pick/nodes.h"
#include "bvh/pick/patch.h"
#include "lib/base/fpenv.h"
#include "lib/base/thread/thread.h"

#include <math.h>
#include <string.h>

bool sli_pick_search_is_late(sli_pick_search *s)
{
    if (s->deadline != 0 && (++s->steps & 127) == 0 && sli_clock_ns() >= s->deadline) {
        s->cut_short = true;
    }
    return s->cut_short;
}

void sli_pick_search_limit(sli_pick_search *s, double pixels)
{
    s->limit = pixels;
    s->limit2 = pixels * pixels * (1 + 0x1p-40) + 0x1p-1000;
}

/* ---- The pool ---- */

/* The best so far. */
static void take_best(sli_pick_search *s, const sli_candidate *candidate)
{
    s->best = *candidate;
    s->found = true;
    sli_pick_search_limit(s, candidate->shown.pixels);
    sli_sights_shrink(&s->sights, candidate->shown.pixels);
}

/* Asks for what waits within a distance, nearest first, until one is seen: what is behind that one
 * is worse. */
static void resolve(sli_pick_search *s, double distance2, int leave)
{
    int asked = 0;
    while (asked < s->pool_count && s->pool_count - asked > leave) {
        const sli_candidate *first = &s->pool[asked];
        if (first->shown.pixels * first->shown.pixels > distance2 || sli_pick_search_is_late(s)) {
            break;
        }
        asked++;
        if ((s->found && !sli_candidate_is_better(first, &s->best)) ||
            sli_sights_see(&s->sights, first)) {
            if (!s->found || sli_candidate_is_better(first, &s->best)) {
                take_best(s, first);
            }
            s->pool_count = asked = 0;
        }
    }
    s->pool_count -= asked;
    memmove(s->pool, s->pool + asked, (size_t)s->pool_count * sizeof *s->pool);
}

/* Whether the pool has the same corner or side by a lower name; by a higher one it is taken out. */
static bool has_already(sli_pick_search *s, const sli_candidate *candidate)
{
    for (int i = 0; i < s->pool_count; i++) {
        const sli_candidate *other = &s->pool[i];
        if (sli_candidate_is_at(candidate, other)) {
            if (!sli_candidate_is_better(candidate, other)) {
                return true;
            }
            s->pool_count--;
            memmove(&s->pool[i], &s->pool[i + 1], (size_t)(s->pool_count - i) * sizeof *s->pool);
            return false;
        }
    }
    return false;
}

static void insert(sli_pick_search *s, const sli_candidate *candidate)
{
    if (s->pool_count == SLI_POOL) {
        resolve(s, INFINITY, SLI_POOL / 2);
        if (s->pool_count == SLI_POOL ||
            (s->found && !sli_candidate_is_better(candidate, &s->best))) {
            return; /* late, or too far by now */
        }
    }
    int at = s->pool_count++;
    for (; at > 0 && sli_candidate_is_better(candidate, &s->pool[at - 1]); at--) {
        s->pool[at] = s->pool[at - 1];
    }
    s->pool[at] = *candidate;
}

/* A candidate that appears within the limit; all but its line of sight is set. */
static void offer(sli_pick_search *s, sli_candidate *candidate)
{
    sl_segment_d sight;
    if (!sli_view_sight(&s->screen->view, candidate->shown.point, &sight)) {
        return;
    }
    memcpy(candidate->from, sight.p, sizeof candidate->from);
    candidate->distance = sli_along_length(&sight);
    if (s->take != NULL) {
        s->take(s->take_context, candidate);
        return;
    }
    if (s->found && !sli_candidate_is_better(candidate, &s->best)) {
        return;
    }
    if (s->def->hidden) {
        take_best(s, candidate);
    } else if (s->found && sli_candidate_is_at(candidate, &s->best)) {
        s->best = *candidate; /* the same by a lower name */
    } else if (!sli_sights_know_hidden(&s->sights, candidate) && !has_already(s, candidate)) {
        insert(s, candidate);
    }
}

/* ---- What is hidden ---- */

static void carry_occluders(sli_pick_search *s)
{
    s->occluder_count = s->sights.occluder_count;
    s->occluder_version = s->sights.version;
    for (int i = 0; i < s->occluder_count; i++) {
        sli_occluder_carry(&s->sights.occluder[i], &s->space, &s->occluder[i]);
    }
}

static bool is_hidden(sli_pick_search *s, const sl_aabb *box)
{
    if (sli_row_low(&s->there.near, box) > s->behind) {
        return true;
    }
    if (s->occluder_version != s->sights.version) {
        carry_occluders(s);
    }
    for (int i = 0; i < s->occluder_count; i++) {
        if (sli_occluder_hides(&s->occluder[i], box)) {
            return true;
        }
    }
    return false;
}

/* ---- Triangles ---- */

typedef struct leaf_triangle {
    uint32_t prim;
    double x[3][3];                     /* in the tree's space */
    double low[2][3], high[2][3], w[3]; /* of each corner: L of x and y, and the highest W */
    bool carried;
    double v[3][3];
} leaf_triangle;

static double row_at(const sli_row_there *row, const double x[3])
{
    return (row->n[0] * x[0] + row->n[1] * x[1]) + row->n[2] * x[2];
}

/* A lower bound of the squared distance of the hull of some corners (bits). */
static double hull_distance2(const leaf_triangle *t, uint32_t corners)
{
    double gap[2], w = -INFINITY;
    for (int i = 0; i < 2; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 3; k++) {
            if ((corners >> k & 1) != 0) {
                low = t->low[i][k] < low ? t->low[i][k] : low;
                high = t->high[i][k] > high ? t->high[i][k] : high;
            }
        }
        gap[i] = low > 0 ? low : high < 0 ? -high : 0;
    }
    for (int k = 0; k < 3; k++) {
        w = (corners >> k & 1) != 0 && t->w[k] > w ? t->w[k] : w;
    }
    if (w <= 0) {
        return INFINITY;
    }
    const double square = (gap[0] * gap[0] + gap[1] * gap[1]) / (w * w) * (1 - 0x1p-40);
    return square > 0 ? square : 0;
}

/* Whether all between some corners (bits) is hidden. */
static bool hull_is_hidden(sli_pick_search *s, const leaf_triangle *t, uint32_t corners)
{
    sl_aabb box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    if (s->sights.occluder_count == 0 && s->behind == INFINITY) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3 && (corners >> k & 1) != 0; axis++) {
            const float x = (float)t->x[k][axis];
            box.min[axis] = x < box.min[axis] ? x : box.min[axis];
            box.max[axis] = x > box.max[axis] ? x : box.max[axis];
        }
    }
    return is_hidden(s, &box);
}

static void carry_corners(sli_pick_search *s, leaf_triangle *t)
{
    if (!t->carried) {
        float x[3][3];
        for (int corner = 0; corner < 3; corner++) {
            for (int axis = 0; axis < 3; axis++) {
                x[corner][axis] = (float)t->x[corner][axis];
            }
        }
        sli_scene_corners(s->placed, x, t->v);
        t->carried = true;
    }
}

static bool corner_counts(const sli_pick_search *s, uint32_t prim, uint32_t corner)
{
    if (s->topology == NULL) {
        return true;
    }
    const uint32_t vertex = sl_topology_vertex_of(s->topology, prim, corner);
    return vertex != SL_NONE && sl_topology_is_feature_vertex(s->topology, vertex);
}

static bool side_counts(const sli_pick_search *s, uint32_t prim, uint32_t side)
{
    if (s->topology == NULL) {
        return true;
    }
    const uint32_t edge = sl_topology_edge_of(s->topology, prim, side);
    return edge != SL_NONE && sl_topology_is_feature_edge(s->topology, edge);
}

static void offer_corner(sli_pick_search *s, leaf_triangle *t, uint32_t corner)
{
    sli_candidate candidate = {
        .kind = SL_PICK_VERTEX, .instance = s->instance, .prim = t->prim, .corner = corner
    };
    if (hull_distance2(t, 1u << corner) > s->limit2 || hull_is_hidden(s, t, 1u << corner) ||
        !corner_counts(s, t->prim, corner)) {
        return;
    }
    carry_corners(s, t);
    if (sli_along_point(&s->screen->view, s->position, t->v[corner], &candidate.shown) &&
        candidate.shown.pixels <= s->limit) {
        memcpy(candidate.end[0], t->v[corner], sizeof candidate.end[0]);
        memcpy(candidate.end[1], t->v[corner], sizeof candidate.end[1]);
        offer(s, &candidate);
    }
}

static void offer_side(sli_pick_search *s, leaf_triangle *t, uint32_t side)
{
    const uint32_t next = (side + 1) % 3;
    sli_candidate candidate = {
        .kind = SL_PICK_EDGE, .instance = s->instance, .prim = t->prim, .corner = side
    };
    if (hull_distance2(t, 1u << side | 1u << next) > s->limit2 ||
        hull_is_hidden(s, t, 1u << side | 1u << next) || !side_counts(s, t->prim, side)) {
        return;
    }
    carry_corners(s, t);
    candidate.reversed = sli_corner_is_lower(t->v[next], t->v[side]);
    const double *lower = t->v[candidate.reversed ? next : side];
    const double *higher = t->v[candidate.reversed ? side : next];
    if (!sli_corner_equals(lower, higher) &&
        sli_along_segment(&s->screen->view, s->position, lower, higher, &candidate.shown) &&
        candidate.shown.pixels <= s->limit) {
        memcpy(candidate.end[0], lower, sizeof candidate.end[0]);
        memcpy(candidate.end[1], higher, sizeof candidate.end[1]);
        offer(s, &candidate);
    }
}

/* Remembers roughly where the triangle appears: it may hide something. */
static void note_blocker(sli_pick_search *s, const leaf_triangle *t)
{
    double least[2] = { INFINITY, INFINITY }, most[2] = { -INFINITY, -INFINITY };
    for (int corner = 0; corner < 3; corner++) {
        if (!(t->w[corner] > 0)) {
            return;
        }
        for (int i = 0; i < 2; i++) {
            const double x = t->low[i][corner] / t->w[corner];
            least[i] = x < least[i] ? x : least[i];
            most[i] = x > most[i] ? x : most[i];
        }
    }
    sli_sights_note(&s->sights, (sl_triangle_ref){ s->instance, t->prim }, least, most);
}

/* With prim and x set. */
static void look_at_triangle(sli_pick_search *s, leaf_triangle *t)
{
    t->carried = false;
    for (int corner = 0; corner < 3; corner++) {
        for (int i = 0; i < 2; i++) {
            const sli_row_there *row = i == 0 ? &s->there.x : &s->there.y;
            const double at = row_at(row, t->x[corner]);
            t->low[i][corner] = at + row->low;
            t->high[i][corner] = at + row->high;
        }
        t->w[corner] = row_at(&s->there.w, t->x[corner]) + s->there.w.high;
    }
    if (hull_distance2(t, 7) > s->limit2 || hull_is_hidden(s, t, 7)) {
        return;
    }
    if (!s->def->hidden) {
        note_blocker(s, t);
    }
    for (uint32_t k = 0; k < 3; k++) {
        if ((s->kinds & SL_PICK_VERTEX) != 0) {
            offer_corner(s, t, k);
        }
        if ((s->kinds & SL_PICK_EDGE) != 0) {
            offer_side(s, t, k);
        }
    }
}

static void look_at_lane(sli_pick_search *s, const sli_tri_pack *pack, int lane)
{
    const sl_triangle_ref ref = { s->instance, pack->prim[lane] };
    leaf_triangle t = { .prim = ref.prim };
    s->stats->triangles++;
    if (!sli_scene_has(&s->options, ref, pack->mask[lane])) {
        return;
    }
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            t.x[corner][axis] = pack->axis[axis].vertex[corner][lane];
        }
    }
    look_at_triangle(s, &t);
}

/* ---- The walk ---- */

/* The trees of the instances: the nearest in the picture first, and of equals the foremost. */
static void walk_object(sli_pick_search *s)
{
    sli_spot stack[SLI_STACK];
    const sl_bvh *tree = s->placed->tree;
    int size = 0;
    sli_nodes_push_root(tree, stack, &size);
    while (size > 0 && !sli_pick_search_is_late(s)) {
        const sli_spot spot = stack[--size];
        resolve(s, spot.distance2, 0); /* most of what follows in this tree is not nearer */
        if (spot.distance2 > s->limit2 || (spot.node != NULL && spot.front > s->behind)) {
            continue;
        }
        if (spot.node != NULL) {
            const sl_aabb box = sli_spot_box(&spot);
            if (is_hidden(s, &box)) {
                continue;
            }
        }
        if ((spot.ref & SLI_REF_LEAF) == 0) {
            s->stats->nodes++;
            sli_nodes_push(tree, &s->options, &s->there, spot.ref, s->limit2, false, stack, &size);
            continue;
        }
        sli_tri_pack room;
        const sli_tri_pack *pack = sli_tree_pack(tree, spot.ref, &room);
        for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
            look_at_lane(s, pack, lane);
        }
    }
}

static void carry(sli_pick_search *s, uint32_t instance)
{
    s->placed = &s->scene->placed[instance];
    s->instance = instance;
    s->topology = s->def->topologies != NULL ? s->def->topologies[instance] : NULL;
    sli_screen_to_object(s->screen, s->placed, &s->space);
    sli_screen_at_carry(s->screen, &s->at, &s->space, &s->there);
    s->occluder_version = s->sights.version - 1; /* carried when they are asked */
}

/* A triangle of the present instance by its number. */
static void look_at_prim(sli_pick_search *s, uint32_t prim)
{
    sl_triangle found;
    leaf_triangle t = { .prim = prim };
    if (!sl_bvh_triangle(s->placed->tree, prim, &found)) {
        return;
    }
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            t.x[corner][axis] = (double)found.v[corner][axis];
        }
    }
    look_at_triangle(s, &t);
}

/* Sets behind; returns how many triangles the patch has.  It leaves the stack before these are
 * looked at. */
static SLI_NOINLINE int grow_patch(sli_pick_search *s, uint32_t prims[SLI_PATCH])
{
    sli_patch patch;
    const uint32_t instance = s->front.instance;
    s->behind = sli_patch_grow(s->screen, &s->scene->placed[instance], instance, &s->options,
                               s->position, s->limit, s->front.prim, &patch);
    s->stats->nodes += (uint64_t)patch.nodes;
    for (int k = 0; k < patch.count; k++) {
        prims[k] = patch.triangle[k].known.prim;
    }
    return patch.count;
}

/* Grows what is in front to a patch that hides the rest; again, if it was too small, when less is
 * to be covered.  What it consists of is mostly seen, and looked at at once; of one that is too
 * small much may be hidden by what is not known yet. */
static void cover(sli_pick_search *s)
{
    uint32_t prims[SLI_PATCH];
    if (s->front.prim == SL_NONE || s->behind < INFINITY || s->covered == 0 ||
        (s->covered > 0 && s->limit > s->covered / 2)) {
        return;
    }
    s->covered = s->limit;
    const int count = grow_patch(s, prims);
    if (s->behind == INFINITY) {
        return;
    }
    carry(s, s->front.instance);
    for (int k = 0; k < count; k++) {
        look_at_prim(s, prims[k]);
    }
    resolve(s, INFINITY, 0);
}

/* What is in front at the position itself comes first: mostly it is seen, and then little else is
 * nearer. */
static void begin_in_front(sli_pick_search *s, sl_triangle_ref in_front)
{
    if (in_front.prim == SL_NONE) {
        return;
    }
    carry(s, in_front.instance);
    look_at_prim(s, in_front.prim);
    resolve(s, INFINITY, 0);
    if (!s->def->hidden) {
        s->front = in_front;
        cover(s);
    }
}

static void enter(sli_pick_search *s, uint32_t instance)
{
    const sli_placed *placed = &s->scene->placed[instance];
    if (!sli_scene_selects(&s->options, placed, instance)) {
        return;
    }
    carry(s, instance);
    if (sli_screen_distance2(&s->there, &placed->tree->bounds) > s->limit2) {
        return;
    }
    if (is_hidden(s, &placed->tree->bounds)) {
        return;
    }
    s->stats->instances++;
    walk_object(s);
    if (!s->found) {
        resolve(s, INFINITY, 0);
    }
}

/* A leaf of the tree over the instances: the foremost first. */
static void enter_all(sli_pick_search *s, const sli_screen_at_there *top, const sli_tri_pack *pack)
{
    struct entry {
        double front;
        uint32_t instance;
    } entries[SLI_PACK];
    int count = 0;
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        sl_aabb box;
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] = pack->axis[axis].vertex[0][lane];
            box.max[axis] = pack->axis[axis].vertex[1][lane];
        }
        if (sli_screen_distance2(top, &box) > s->limit2) {
            continue;
        }
        const double front = sli_row_low(&top->near, &box);
        if (front > s->behind) {
            continue;
        }
        int at = count++;
        for (; at > 0 && front < entries[at - 1].front; at--) {
            entries[at] = entries[at - 1];
        }
        entries[at].front = front;
        entries[at].instance = pack->prim[lane];
    }
    for (int i = 0; i < count; i++) {
        enter(s, entries[i].instance);
    }
}

static void walk_top(sli_pick_search *s)
{
    sli_spot stack[SLI_STACK];
    sli_screen_space space;
    sli_screen_at_there there;
    const sl_bvh *top = s->scene->world.top;
    int size = 0;
    sli_screen_to_top(s->screen, &s->scene->world, &space);
    sli_screen_at_carry(s->screen, &s->at, &space, &there);
    sli_nodes_push_root(top, stack, &size);
    while (size > 0 && !sli_pick_search_is_late(s)) {
        const sli_spot spot = stack[--size];
        if (spot.distance2 > s->limit2 || (spot.node != NULL && spot.front > s->behind)) {
            continue;
        }
        if ((spot.ref & SLI_REF_LEAF) == 0) {
            s->stats->nodes++;
            sli_nodes_push(top, &s->options, &there, spot.ref, s->limit2, true, stack, &size);
            continue;
        }
        cover(s);
        sli_tri_pack room;
        enter_all(s, &there, sli_tree_pack(top, spot.ref, &room));
    }
}

void sli_pick_search_run_from(sli_pick_search *s, sl_triangle_ref in_front)
{
    s->pool_count = 0;
    s->front.prim = SL_NONE;
    s->at = sli_screen_at_of(s->screen, s->position);
    sli_pick_search_limit(s, s->found ? s->best.shown.pixels : (double)s->def->radius);
    begin_in_front(s, in_front);
    walk_top(s);
    resolve(s, INFINITY, 0);
}

void sli_pick_search_run(sli_pick_search *s)
{
    s->behind = INFINITY;
    s->covered = -1;
    sli_pick_search_run_from(s, (sl_triangle_ref){ 0, SL_NONE });
}
