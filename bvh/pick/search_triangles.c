/* The corners and sides of triangles: which of them may count, and are offered. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/pick/search.h"
#include "bvh/pick/shown.h"
#include "bvh/query/visit.h"

/* ---- What is hidden ---- */

static void occluders_to_local(sli_pick_search *s)
{
    s->occluder_count = s->visibility.occluder_count;
    s->occluder_version = s->visibility.version;
    for (int i = 0; i < s->occluder_count; i++) {
        sli_occluder_to_local(&s->visibility.occluder[i], &s->space, &s->occluder[i]);
    }
}

bool sli_pick_search_hides(sli_pick_search *s, const sl_aabb *box)
{
    if (sli_row_low(&s->local.near, box) > s->behind) {
        return true;
    }
    if (s->occluder_version != s->visibility.version) {
        occluders_to_local(s);
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
    sl_triangle x; /* in the tree's space */
    sli_shown shown;
    bool in_world; /* v is set */
    double v[3][3];
} leaf_triangle;

/* Whether all between some corners (bits) is hidden. */
static bool hull_is_hidden(sli_pick_search *s, const leaf_triangle *t, uint32_t corners)
{
    sl_aabb box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    if (s->visibility.occluder_count == 0 && s->behind == INFINITY) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3 && (corners >> k & 1) != 0; axis++) {
            const float x = t->x.v[k][axis];
            box.min[axis] = x < box.min[axis] ? x : box.min[axis];
            box.max[axis] = x > box.max[axis] ? x : box.max[axis];
        }
    }
    return sli_pick_search_hides(s, &box);
}

static void corners_to_world(sli_pick_search *s, leaf_triangle *t)
{
    if (!t->in_world) {
        sli_world_corners(s->transformed, t->x.v, t->v);
        t->in_world = true;
    }
}

static bool is_of_part(const sli_pick_search *s, uint32_t prim)
{
    return s->only.prim == SL_NONE ||
           (s->only.instance == s->instance &&
            (s->topology == NULL ||
             sl_topology_element_of(s->topology, prim, SL_PARTS, 0) ==
                 sl_topology_element_of(s->topology, s->only.prim, SL_PARTS, 0)));
}

/* A corner, or the side from it to the next one. */
static SLI_FORCE_INLINE void offer_part(sli_pick_search *s, leaf_triangle *t, uint32_t kind,
                                        uint32_t k)
{
    const bool vertex = kind == SL_PICK_VERTEX;
    const uint32_t corners = 1u << k | (vertex ? 0 : 1u << (k + 1) % 3);
    if ((vertex && sli_shown_corner_is_beyond(&t->shown, k, s->limit)) ||
        hull_is_hidden(s, t, corners) ||
        !sli_candidate_counts(s->topology, s->def, kind, t->prim, k) || !is_of_part(s, t->prim)) {
        return;
    }
    sli_candidate candidate = {
        .kind = kind, .instance = s->instance, .prim = t->prim, .corner = k
    };
    corners_to_world(s, t);
    if (sli_candidate_appears(&s->screen->view, s->position, t->v, &candidate) &&
        candidate.shown.pixels <= s->limit) {
        sli_pick_search_offer(s, (const double(*)[3])t->v, &candidate);
    }
}

/* Remembers roughly where the triangle appears: it may hide something. */
static void note_occluder(sli_pick_search *s, const leaf_triangle *t)
{
    double least[2] = { INFINITY, INFINITY }, most[2] = { -INFINITY, -INFINITY };
    for (int corner = 0; corner < 3; corner++) {
        if (!(t->shown.w[corner] > 0)) {
            return;
        }
        for (int i = 0; i < 2; i++) {
            const double x = t->shown.low[i][corner] / t->shown.w[corner];
            least[i] = x < least[i] ? x : least[i];
            most[i] = x > most[i] ? x : most[i];
        }
    }
    sli_visibility_note(&s->visibility, (sl_triangle_ref){ s->instance, t->prim }, least, most);
}

/* What has no side within the square that the search may still reach hides what is behind it,
 * unless it may be culled. */
static void learn_if_covers(sli_pick_search *s, const leaf_triangle *t)
{
    const double reach = 1.5 * s->visibility.reach.radius;
    if (s->options.cull != SL_CULL_NONE) {
        return;
    }
    for (uint32_t k = 0; k < 3; k++) {
        if (s->def->hidden || !sli_shown_side_is_beyond(&t->shown, k, reach)) {
            return;
        }
    }
    sli_visibility_learn(&s->visibility, (sl_triangle_ref){ s->instance, t->prim });
}

/* With prim, x and shown set; it is not beyond. */
static void triangle_look_at(sli_pick_search *s, leaf_triangle *t)
{
    bool within[3];
    if (hull_is_hidden(s, t, 7)) {
        return;
    }
    for (uint32_t k = 0; k < 3; k++) {
        within[k] = !sli_shown_side_is_beyond(&t->shown, k, s->limit);
    }
    if (!within[0] && !within[1] && !within[2]) {
        learn_if_covers(s, t);
        return;
    }
    if (!s->def->hidden) {
        note_occluder(s, t);
    }
    for (uint32_t k = 0; k < 3; k++) {
        if ((s->kinds & SL_PICK_VERTEX) != 0 && within[k] && within[(k + 2) % 3]) {
            offer_part(s, t, SL_PICK_VERTEX, k);
        }
        if ((s->kinds & SL_PICK_EDGE) != 0 && within[k]) {
            offer_part(s, t, SL_PICK_EDGE, k);
        }
    }
}

/* The lanes of triangles of which something that is sought counts. */
static uint32_t lanes_that_count(const sli_pick_search *s, const sli_tri_pack *pack)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < 3 * SLI_PACK; i++) {
        const uint32_t lane = i / 3, k = i % 3, prim = pack->prim[lane];
        const bool counts = prim != SL_NONE &&
                            (((s->kinds & SL_PICK_VERTEX) != 0 &&
                              sli_candidate_counts(s->topology, s->def, SL_PICK_VERTEX, prim, k)) ||
                             ((s->kinds & SL_PICK_EDGE) != 0 &&
                              sli_candidate_counts(s->topology, s->def, SL_PICK_EDGE, prim, k)));
        lanes |= (uint32_t)counts << lane;
    }
    return lanes;
}

/* Bits of lanes: those to look at. */
static void lanes_look_at(sli_pick_search *s, const sli_tri_pack *pack, uint32_t lanes)
{
    sli_shown_pack shown;
    lanes &= s->scouts ? lanes_that_count(s, pack) : lanes;
    if (lanes == 0) {
        return;
    }
    sli_shown_pack_make(&s->local, pack, &shown);
    const uint32_t within = sli_shown_pack_within(&shown, s->limit) & lanes;
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        const sl_triangle_ref ref = { s->instance, pack->prim[lane] };
        s->stats->triangles += lanes >> lane & 1;
        if ((within >> lane & 1) != 0 && sli_item_has(&s->options.item, ref, pack->mask[lane])) {
            leaf_triangle t;
            t.prim = ref.prim;
            t.x = sli_lane_triangle(pack, lane);
            t.in_world = false;
            sli_shown_pack_get(&shown, lane, &t.shown);
            triangle_look_at(s, &t);
        }
    }
}

void sli_pick_search_look_at(sli_pick_search *s, const sli_tri_pack *pack)
{
    lanes_look_at(s, pack, (1u << SLI_PACK) - 1);
}

void sli_pick_search_look_at_prim(sli_pick_search *s, uint32_t prim)
{
    const sl_bvh *tree = s->transformed->tree;
    const uint32_t at = prim < tree->prim_count ? tree->slots[prim] : SL_NONE;
    sli_tri_pack pool;
    if (at != SL_NONE) {
        lanes_look_at(s, sli_tree_pack(tree, at / SLI_PACK, &pool), 1u << at % SLI_PACK);
    }
}
