/* The walk to corners and sides near a position. */
#include "bvh/kernel/scene/decide.h"
#include "bvh/pick/nodes.h"
#include "bvh/pick/patch.h"
#include "bvh/pick/search_steps.h"
#include "lib/base/fpenv.h"

#include <math.h>

/* The trees of the instances: the nearest in the picture first, and of equals the foremost. */
static void walk_object(sli_pick_search *s)
{
    sli_spot stack[SLI_STACK];
    const sl_bvh *tree = s->placed->tree;
    int size = 0;
    sli_nodes_push_root(tree, stack, &size);
    while (size > 0 && !sli_pick_search_is_late(s)) {
        const sli_spot spot = stack[--size];
        sli_pick_search_resolve(s, spot.distance2,
                                0); /* most of what follows in this tree is not nearer */
        if (spot.distance2 > s->limit2 || (spot.node != NULL && spot.front > s->behind)) {
            continue;
        }
        if (spot.node != NULL) {
            const sl_aabb box = sli_spot_box(&spot);
            if (sli_pick_search_hides(s, &box)) {
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
        sli_pick_search_look_at(s, pack);
    }
}

static void carry(sli_pick_search *s, uint32_t instance)
{
    s->placed = &s->scene->world.placed[instance];
    s->instance = instance;
    s->topology = s->def->topologies != NULL ? s->def->topologies[instance] : NULL;
    sli_screen_to_object(s->screen, s->placed, &s->space);
    sli_screen_at_carry(s->screen, &s->at, &s->space, &s->there);
    s->occluder_version = s->sights.version - 1; /* carried when they are asked */
}

/* Sets behind; returns how many triangles the patch has.  It leaves the stack before these are
 * looked at. */
static SLI_NOINLINE int grow_patch(sli_pick_search *s, uint32_t prims[SLI_PATCH])
{
    sli_patch patch;
    const uint32_t instance = s->front.instance;
    s->behind = sli_patch_grow(s->screen, &s->scene->world.placed[instance], instance, &s->options,
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
        sli_pick_search_look_at_prim(s, prims[k]);
    }
    sli_pick_search_resolve(s, INFINITY, 0);
}

/* What is in front at the position itself comes first: mostly it is seen, and then little else is
 * nearer. */
static void begin_in_front(sli_pick_search *s, sl_triangle_ref in_front)
{
    if (in_front.prim == SL_NONE) {
        return;
    }
    carry(s, in_front.instance);
    sli_pick_search_look_at_prim(s, in_front.prim);
    sli_pick_search_resolve(s, INFINITY, 0);
    if (!s->def->hidden) {
        s->front = in_front;
        cover(s);
    }
}

static void enter(sli_pick_search *s, uint32_t instance)
{
    const sli_placed *placed = &s->scene->world.placed[instance];
    if (!sli_scene_selects(&s->options, placed, instance)) {
        return;
    }
    carry(s, instance);
    if (sli_screen_distance2(&s->there, &placed->tree->bounds) > s->limit2) {
        return;
    }
    if (sli_pick_search_hides(s, &placed->tree->bounds)) {
        return;
    }
    s->stats->instances++;
    walk_object(s);
    if (!s->found) {
        sli_pick_search_resolve(s, INFINITY, 0);
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
    sli_pick_search_resolve(s, INFINITY, 0);
}

void sli_pick_search_run(sli_pick_search *s)
{
    s->behind = INFINITY;
    s->covered = -1;
    sli_pick_search_run_from(s, (sl_triangle_ref){ 0, SL_NONE });
}
