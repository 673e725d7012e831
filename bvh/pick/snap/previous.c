/* What was snapped to, looked at again where it is now: by the numbers that name it, which may be
 * anything, since scenes change. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/pick/snap/work.h"

/* Whether there is such a triangle, and the options leave it in. */
static bool triangle_is_there(const sli_snap_work *work, uint32_t instance, uint32_t prim)
{
    const sli_world_ray *options = &work->query.options;
    const sl_triangle_ref ref = { instance, prim };
    if (work->bvh == NULL || instance >= work->bvh->world.count) {
        return false;
    }
    const sli_transformed *transformed = &work->bvh->world.transformed[instance];
    return transformed->tree != NULL && prim < transformed->tree->prim_count &&
           transformed->tree->slots[prim] != SL_NONE &&
           sli_world_selects(&options->item, transformed, instance) &&
           sli_item_has(&options->item, ref, sli_tree_mask(transformed->tree, prim));
}

/* The side or the corner of a triangle as the search would find it; false: it does not count. */
static bool previous_find(const sli_snap_work *work, uint32_t kind, uint32_t instance,
                          uint32_t prim, uint32_t corner, sli_candidate *out)
{
    const sli_view *view = &work->query.screen.view;
    double v[3][3];
    *out = (sli_candidate){ .kind = kind, .instance = instance, .prim = prim, .corner = corner };
    return corner <= 2 && triangle_is_there(work, instance, prim) &&
           sl_bvh_triangle(work->bvh, (sl_triangle_ref){ instance, prim }, v) &&
           sli_candidate_counts(sli_pick_topology(&work->query, instance), &work->pick, kind, prim,
                                corner) &&
           sli_candidate_appears(view, work->query.position, v, out) &&
           sli_candidate_find_sight(view, out) &&
           !sli_triangle_is_culled(&work->query.screen.eye, &work->query.options,
                                   &work->bvh->world.transformed[instance], (const double(*)[3])v);
}

static void previous_crossing(sli_snap_work *work, const sl_snap *previous)
{
    sli_candidate edge[2];
    sli_snap_side side[2];
    if (previous_find(work, SL_PICK_EDGE, previous->instance, previous->prim, previous->corner,
                      &edge[0]) &&
        previous_find(work, SL_PICK_EDGE, previous->other_instance, previous->other_prim,
                      previous->other_corner, &edge[1]) &&
        sli_snap_side_of(work, &edge[0], &side[0]) && sli_snap_side_of(work, &edge[1], &side[1])) {
        sli_snap_offer_crossing(work, &side[0], &side[1]);
    }
}

static void previous_face(sli_snap_work *work, const sl_snap *previous)
{
    sli_snap_face face;
    const bool under = previous->kind == SL_SNAP_FACE;
    const uint32_t instance = under ? work->face.instance : previous->instance;
    const uint32_t prim = under ? work->face.prim : previous->prim;
    if ((under && !work->has_face) || !triangle_is_there(work, instance, prim) ||
        !sli_snap_face_of(work->bvh, sli_pick_topology(&work->query, instance), instance, prim,
                          &face)) {
        return;
    }
    if (under) {
        sli_snap_offer_under(work, &face);
    } else {
        sli_snap_offer_face(work, &face, previous->kind);
    }
}

static void previous_grid(sli_snap_work *work, const sl_snap *previous)
{
    double steps[2] = { 0, 0 };
    if (previous->kind == SL_SNAP_GRID ||
        (work->has_ray && sli_snap_on_grid(work->def.grid, &work->ray, steps))) {
        sli_snap_offer_grid(work, previous->kind, previous->cell, steps);
    }
}

void sli_snap_offer_previous(sli_snap_work *work, const sl_snap *previous)
{
    sli_candidate element;
    switch (previous->kind & work->def.kinds) {
    case SL_SNAP_VERTEX:
        if (previous_find(work, SL_PICK_VERTEX, previous->instance, previous->prim,
                          previous->corner, &element)) {
            sli_snap_offer_vertex(work, &element);
        }
        break;
    case SL_SNAP_EDGE:
    case SL_SNAP_MIDPOINT:
    case SL_SNAP_EDGE_FOOT:
        if (previous_find(work, SL_PICK_EDGE, previous->instance, previous->prim, previous->corner,
                          &element)) {
            sli_snap_offer_edge(work, &element, previous->kind);
        }
        break;
    case SL_SNAP_CROSSING:
        previous_crossing(work, previous);
        break;
    case SL_SNAP_CENTRE:
    case SL_SNAP_FACE_FOOT:
    case SL_SNAP_FACE:
        previous_face(work, previous);
        break;
    case SL_SNAP_GRID:
    case SL_SNAP_GRID_LINE:
        previous_grid(work, previous);
        break;
    case SL_SNAP_MARK:
        sli_snap_offer_mark(work, previous->prim);
        break;
    default:
        break;
    }
    sli_snap_pool_settle(work, -1);
}
