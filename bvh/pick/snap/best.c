/* Which of two snaps is better, and the best so far. */
#include "bvh/pick/snap/work.h"

int sli_snap_rank(const sl_snap_def *def, uint32_t kind)
{
    for (int i = 0; i < SL_SNAP_KINDS; i++) {
        if (kind == 1u << i) {
            return def->rank[i];
        }
    }
    return -1;
}

bool sli_snap_is_better(const sl_snap_def *def, const sl_snap *a, const sl_snap *b)
{
    const int rank_a = sli_snap_rank(def, a->kind), rank_b = sli_snap_rank(def, b->kind);
    if (rank_a != rank_b) {
        return rank_a > rank_b;
    }
    if (a->pixels != b->pixels || a->distance != b->distance) {
        return a->pixels != b->pixels ? a->pixels < b->pixels : a->distance < b->distance;
    }
    const uint32_t names_a[] = { a->kind,           a->instance,   a->prim,        a->corner,
                                 a->other_instance, a->other_prim, a->other_corner };
    const uint32_t names_b[] = { b->kind,           b->instance,   b->prim,        b->corner,
                                 b->other_instance, b->other_prim, b->other_corner };
    return sli_name_is_lower(names_a, names_b, 7);
}

void sli_snap_take(sli_snap_work *work, const sl_snap *snap)
{
    work->best = *snap;
    work->best_rank = sli_snap_rank(&work->def, snap->kind);
    work->found = true;
}
