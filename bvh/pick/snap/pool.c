/* Corners and points of edges that wait until they are judged, the best one first; and what is
 * known of those that were: most belong to several triangles. */
#include "bvh/pick/snap/work.h"

/* ---- What is known ---- */

/* The entry of these ends, or that they would have. */
static sli_snap_known *known_of(sli_snap_work *work, const sli_snap_waiting *waiting)
{
    return &work->known[sli_ends_hash(0, waiting->at.end) & (SLI_SNAP_KNOWN - 1)];
}

/* Whether what waits is at the ends of an entry. */
static bool known_is_of(const sli_snap_known *known, const sli_snap_waiting *waiting)
{
    return sli_ends_equal(known->end, waiting->at.end);
}

static bool is_known(const sli_snap_known *known, const sli_snap_waiting *waiting, uint32_t kinds)
{
    return (kinds & waiting->snap.kind) != 0 && known_is_of(known, waiting);
}

static void known_remember(sli_snap_known *known, const sli_snap_waiting *waiting, bool seen)
{
    if ((known->seen | known->hidden) == 0 || !known_is_of(known, waiting)) {
        memcpy(known->end, waiting->at.end, sizeof known->end);
        known->seen = known->hidden = 0;
    }
    *(seen ? &known->seen : &known->hidden) |= waiting->snap.kind;
}

bool sli_snap_pool_sees(sli_snap_work *work, const sli_snap_waiting *waiting)
{
    if (waiting->snap.kind == SL_SNAP_CROSSING) { /* an edge has many */
        return sli_visibility_is_seen(&work->search.visibility, &waiting->at);
    }
    sli_snap_known *known = known_of(work, waiting);
    if (is_known(known, waiting, known->seen | known->hidden)) {
        return (known->seen & waiting->snap.kind) != 0;
    }
    const bool seen = sli_visibility_is_seen(&work->search.visibility, &waiting->at);
    known_remember(known, waiting, seen);
    return seen;
}

/* ---- The pool ---- */

void sli_snap_pool_clear(sli_snap_work *work)
{
    work->pool_count = 0;
    work->pool_instance = SL_NONE;
    for (int i = 0; i < SLI_SNAP_KNOWN; i++) {
        work->known[i].seen = work->known[i].hidden = 0;
    }
}

static void pool_remove(sli_snap_work *work, int at, int count)
{
    work->pool_count -= count;
    memmove(&work->pool[at], &work->pool[at + count],
            (size_t)(work->pool_count - at) * sizeof *work->pool);
}

/* Judges what waits, the best first, until one is seen, has no higher rank, or only `leave` are
 * left: what comes after the one that is seen is worse. */
static void pool_settle(sli_snap_work *work, int rank, int leave)
{
    int judged = 0;
    while (work->pool_count - judged > leave) {
        const sli_snap_waiting *first = &work->pool[judged];
        const bool better =
            !work->found || sli_snap_is_better(&work->def, &first->snap, &work->best);
        if (better && sli_snap_rank(&work->def, first->snap.kind) <= rank) {
            break;
        }
        if (!better || sli_snap_pool_sees(work, first)) {
            if (better) {
                sli_snap_take(work, &first->snap);
            }
            work->pool_count = judged = 0;
            return;
        }
        judged++;
    }
    pool_remove(work, 0, judged);
}

void sli_snap_pool_settle(sli_snap_work *work, int rank)
{
    pool_settle(work, rank, 0);
}

/* Whether the pool has the same element by a lower name; by a higher one it is taken out. */
static bool pool_has_already(sli_snap_work *work, const sli_snap_waiting *waiting)
{
    for (int i = 0; i < work->pool_count; i++) {
        const sli_snap_waiting *other = &work->pool[i];
        if (other->snap.kind == waiting->snap.kind &&
            sli_ends_equal(other->at.end, waiting->at.end)) {
            if (!sli_snap_is_better(&work->def, &waiting->snap, &other->snap)) {
                return true;
            }
            pool_remove(work, i, 1);
            return false;
        }
    }
    return false;
}

void sli_snap_pool_take(sli_snap_work *work, const sli_snap_waiting *waiting)
{
    const bool crossing = waiting->snap.kind == SL_SNAP_CROSSING;
    if (work->def.hidden) {
        sl_snap snap = waiting->snap;
        snap.flags |= sli_snap_pool_sees(work, waiting) ? 0 : (uint32_t)SL_PICK_HIDDEN;
        sli_snap_take(work, &snap);
        return;
    }
    sli_snap_known *known = known_of(work, waiting);
    if (!crossing && (is_known(known, waiting, known->hidden) || pool_has_already(work, waiting))) {
        return;
    }
    if (work->pool_count == SLI_SNAP_POOL) {
        pool_settle(work, -1, SLI_SNAP_POOL / 2);
        if (work->found && !sli_snap_is_better(&work->def, &waiting->snap, &work->best)) {
            return;
        }
    }
    int at = work->pool_count++;
    for (; at > 0 && sli_snap_is_better(&work->def, &waiting->snap, &work->pool[at - 1].snap);
         at--) {
        work->pool[at] = work->pool[at - 1];
    }
    work->pool[at] = *waiting;
}
