/* The walk to corners and sides near a position. */
#include "bvh/pick/search.h"
#include "bvh/kernel/instance/intersect.h"
#include "bvh/pick/nodes.h"
#include "bvh/pick/patch.h"
#include "lib/base/fpenv.h"

/* The trees of the instances: the nearest in the picture first, and of equals the foremost. */
static bool search_wants(void *context, const sli_spot *spot)
{
    sli_pick_search *s = context;
    const double distance2 = spot->order[!SLI_NODES_NEAREST];
    if (s->met || sli_pick_search_is_late(s)) {
        return false;
    }
    sli_pick_search_resolve(s, distance2, 0); /* most of what follows in this tree is not nearer */
    if (spot->node == NULL) {
        return true;
    }
    if (distance2 > s->limit2 || spot->order[SLI_NODES_NEAREST] > s->behind) {
        return false;
    }
    const sl_aabb box = sli_child_box(spot->node, spot->child);
    return !sli_pick_search_hides(s, &box);
}

static int search_children(void *context, const sli_spot *spot, const sli_node_wide *node,
                           sli_spot out[SLI_WIDTH])
{
    sli_pick_search *s = context;
    (void)spot;
    s->stats->nodes++;
    return sli_nodes_near(s->transformed->tree, &s->options, &s->local, node, s->limit2,
                          SLI_NODES_NEAREST, out);
}

static bool search_leaf(void *context, const sli_spot *spot)
{
    sli_pick_search *s = context;
    sli_tri_pack pool;
    sli_pick_search_look_at(s, sli_tree_pack(s->transformed->tree, spot->ref, &pool));
    return true;
}

static void search_tree(sli_pick_search *s)
{
    static const sli_descent down = { search_wants, search_children, search_leaf, true };
    sli_descend(s->transformed->tree, (sli_spot){ .ref = 0 }, &down, s);
}

static void search_to_local(sli_pick_search *s, uint32_t instance)
{
    s->transformed = &s->bvh->world.transformed[instance];
    s->instance = instance;
    s->topology = s->def->topologies != NULL ? s->def->topologies[instance] : NULL;
    sli_screen_to_object(s->screen, s->transformed, &s->space);
    sli_screen_at_to_local(s->screen, &s->at, &s->space, &s->local);
    s->occluder_version = s->visibility.version - 1; /* in_world when they are asked */
}

/* Sets behind; returns how many triangles the patch has.  It leaves the stack before these are
 * looked at. */
static SLI_NOINLINE int search_patch(sli_pick_search *s, uint32_t prims[SLI_PATCH])
{
    sli_patch patch;
    const uint32_t instance = s->front.instance;
    s->behind = sli_patch_grow(s->screen, &s->bvh->world.transformed[instance], instance,
                               &s->options, s->position, s->limit, s->front.prim, &patch);
    s->stats->nodes += (uint64_t)patch.nodes;
    for (int k = 0; k < patch.count; k++) {
        prims[k] = patch.triangle[k].known.prim;
    }
    return patch.count;
}

/* Grows what is in front to a patch that hides the rest; again, if it was too small, when less is
 * to be covered.  What it consists of is mostly seen, and looked at at once; of one that is too
 * small much may be hidden by what is not known yet. */
static void search_cover(sli_pick_search *s)
{
    uint32_t prims[SLI_PATCH];
    /* Neighbours that are culled hide nothing. */
    if (s->options.cull != SL_CULL_NONE || s->front.prim == SL_NONE || s->behind < INFINITY ||
        s->covered == 0 || (s->covered > 0 && s->limit > s->covered / 2)) {
        return;
    }
    s->covered = s->limit;
    const int count = search_patch(s, prims);
    if (s->behind == INFINITY) {
        return;
    }
    search_to_local(s, s->front.instance);
    for (int k = 0; k < count; k++) {
        sli_pick_search_look_at_prim(s, prims[k]);
    }
    sli_pick_search_resolve(s, INFINITY, 0);
}

/* What is in front at the position itself comes first: mostly it is seen, and then little else is
 * nearer. */
static void search_in_front(sli_pick_search *s, sl_triangle_ref in_front)
{
    if (in_front.prim == SL_NONE) {
        return;
    }
    search_to_local(s, in_front.instance);
    sli_pick_search_look_at_prim(s, in_front.prim);
    sli_pick_search_resolve(s, INFINITY, 0);
    if (!s->def->hidden) {
        s->front = in_front;
        search_cover(s);
    }
}

/* Whether the present instance has anything that counts. */
static bool search_has_any(const sli_pick_search *s)
{
    if (s->topology == NULL || s->def->all_vertices) {
        return true;
    }
    const sl_topology_info info = sl_topology_get_info(s->topology);
    return info.feature_edge_count + info.feature_vertex_count > 0;
}

static void search_instance(sli_pick_search *s, uint32_t instance)
{
    const sli_transformed *transformed = &s->bvh->world.transformed[instance];
    if (!sli_world_selects(&s->options.item, transformed, instance)) {
        return;
    }
    search_to_local(s, instance);
    if ((s->scouts && !search_has_any(s)) ||
        sli_screen_distance2(&s->local, &transformed->tree->bounds) > s->limit2 ||
        sli_pick_search_hides(s, &transformed->tree->bounds)) {
        return;
    }
    s->stats->instances++;
    search_tree(s);
    if (!s->found) {
        sli_pick_search_resolve(s, INFINITY, 0);
    }
}

/* The tree over the instances: the foremost first. */
typedef struct search_top {
    sli_pick_search *search;
    sli_screen_at_local local;
} search_top;

static bool top_wants(void *context, const sli_spot *spot)
{
    sli_pick_search *s = ((search_top *)context)->search;
    return !s->met && !sli_pick_search_is_late(s) &&
           (spot->node == NULL || !(spot->order[!SLI_NODES_FOREMOST] > s->limit2 ||
                                    spot->order[SLI_NODES_FOREMOST] > s->behind));
}

static int top_children(void *context, const sli_spot *spot, const sli_node_wide *node,
                        sli_spot out[SLI_WIDTH])
{
    const search_top *top = context;
    sli_pick_search *s = top->search;
    (void)spot;
    s->stats->nodes++;
    return sli_nodes_near(s->bvh->world.top, &s->options, &top->local, node, s->limit2,
                          SLI_NODES_FOREMOST, out);
}

static bool top_leaf(void *context, const sli_spot *spot)
{
    const search_top *top = context;
    sli_pick_search *s = top->search;
    struct entry {
        double front;
        uint32_t instance;
    } entries[SLI_PACK];
    sli_tri_pack pool;
    int count = 0;
    search_cover(s);
    const sli_tri_pack *pack = sli_tree_pack(s->bvh->world.top, spot->ref, &pool);
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        const sl_triangle corners = sli_lane_triangle(pack, lane);
        sl_aabb box;
        memcpy(box.min, corners.v[0], sizeof box.min);
        memcpy(box.max, corners.v[1], sizeof box.max);
        const double front = sli_row_low(&top->local.near, &box);
        if (sli_screen_distance2(&top->local, &box) > s->limit2 || front > s->behind) {
            continue;
        }
        int at = count++;
        for (; at > 0 && front < entries[at - 1].front; at--) {
            entries[at] = entries[at - 1];
        }
        entries[at] = (struct entry){ front, pack->prim[lane] };
    }
    for (int i = 0; i < count; i++) {
        search_instance(s, entries[i].instance);
    }
    return true;
}

static void search_world(sli_pick_search *s)
{
    static const sli_descent down = { top_wants, top_children, top_leaf, true };
    search_top top = { .search = s };
    sli_screen_space space;
    sli_screen_to_top(s->screen, &s->bvh->world, &space);
    sli_screen_at_to_local(s->screen, &s->at, &space, &top.local);
    sli_descend(s->bvh->world.top, (sli_spot){ .ref = 0 }, &down, &top);
}

bool sli_pick_search_front_is_within(const sli_pick_search *s, double pixels,
                                     sl_triangle_ref in_front)
{
    sl_triangle found;
    double v[3][3];
    sli_along at;
    if (in_front.prim == SL_NONE || !sli_triangle_corners(s->bvh, in_front, &found, v)) {
        return false;
    }
    for (int corner = 0; corner < 3; corner++) {
        if (!sli_along_point(&s->screen->view, s->position, v[corner], &at) || at.pixels > pixels) {
            return false;
        }
    }
    return true;
}

bool sli_pick_search_may_find(sli_pick_search *s, double pixels, sl_triangle_ref in_front)
{
    if (s->def->topologies == NULL || !sli_pick_search_front_is_within(s, pixels, in_front)) {
        return true;
    }
    s->pool_count = 0;
    s->front.prim = SL_NONE; /* so that no patch is grown */
    s->at = sli_screen_at_of(s->screen, s->position);
    sli_pick_search_limit(s, pixels);
    s->scouts = true;
    search_world(s);
    const bool may = s->met || s->cut_short;
    s->scouts = s->met = false;
    return may;
}

void sli_pick_search_run_from(sli_pick_search *s, sl_triangle_ref in_front)
{
    s->pool_count = 0;
    s->front.prim = SL_NONE;
    s->at = sli_screen_at_of(s->screen, s->position);
    sli_pick_search_limit(s, s->found ? s->best.shown.pixels : (double)s->def->radius);
    search_in_front(s, in_front);
    search_world(s);
    sli_pick_search_resolve(s, INFINITY, 0);
}

void sli_pick_search_run(sli_pick_search *s)
{
    s->behind = INFINITY;
    s->covered = -1;
    sli_pick_search_run_from(s, (sl_triangle_ref){ 0, SL_NONE });
}
