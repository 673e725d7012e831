/* What was found waits here, nearest first, until it is judged. */
#include "bvh/pick/search.h"

static bool pool_is_late(sli_pick_search *s)
{
    s->cut_short = s->cut_short || (s->deadline != 0 && sli_clock_ns() >= s->deadline);
    return s->cut_short;
}

/* Steps are short, so most do not look at the clock. */
bool sli_pick_search_is_late(sli_pick_search *s)
{
    return (++s->steps & 127) == 0 ? pool_is_late(s) : s->cut_short;
}

void sli_pick_search_limit(sli_pick_search *s, double pixels)
{
    s->limit = pixels;
    s->limit2 = pixels * pixels * (1 + 0x1p-40) + 0x1p-1000;
}

void sli_pick_search_within(sli_pick_search *s, double pixels, sl_triangle_ref in_front,
                            sli_hidden *hidden)
{
    s->behind = INFINITY;
    s->covered = -1;
    sli_visibility_begin(&s->visibility, s->bvh, s->screen, &s->options, s->position, pixels,
                         hidden, s->stats);
    if (s->def->hidden) {
        s->visibility.reach.usable = false;
    } else if (in_front.prim != SL_NONE) {
        sli_visibility_learn(&s->visibility, in_front);
    }
}

/* The best so far. */
static void pool_take_best(sli_pick_search *s, const sli_candidate *candidate)
{
    s->best = *candidate;
    s->found = true;
    sli_pick_search_limit(s, candidate->shown.pixels);
    sli_visibility_shrink(&s->visibility, candidate->shown.pixels);
}

void sli_pick_search_resolve(sli_pick_search *s, double distance2, int leave)
{
    int judged = 0;
    while (judged < s->pool_count && s->pool_count - judged > leave) {
        const sli_candidate *first = &s->pool[judged];
        if (first->shown.pixels * first->shown.pixels > distance2 || pool_is_late(s)) {
            break;
        }
        judged++;
        if ((s->found && !sli_candidate_is_better(first, &s->best)) ||
            sli_visibility_is_seen(&s->visibility, first)) {
            if (!s->found || sli_candidate_is_better(first, &s->best)) {
                pool_take_best(s, first);
            }
            s->pool_count = judged = 0;
        }
    }
    s->pool_count -= judged;
    if (judged > 0 && s->pool_count > 0) {
        memmove(s->pool, s->pool + judged, (size_t)s->pool_count * sizeof *s->pool);
    }
}

/* Whether the pool has the same corner or side by a lower name; by a higher one it is taken out. */
static bool pool_has_already(sli_pick_search *s, const sli_candidate *candidate)
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

static void pool_insert(sli_pick_search *s, const sli_candidate *candidate)
{
    if (s->pool_count == SLI_POOL) {
        sli_pick_search_resolve(s, INFINITY, SLI_POOL / 2);
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

void sli_pick_search_offer(sli_pick_search *s, const double v[3][3], sli_candidate *candidate)
{
    s->met = s->scouts;
    if (s->scouts || !sli_candidate_find_sight(&s->screen->view, candidate) ||
        sli_triangle_is_culled(&s->screen->eye, &s->options, s->transformed, v)) {
        return;
    }
    if (s->take != NULL) {
        s->take(s->take_context, candidate);
        return;
    }
    if (s->found && !sli_candidate_is_better(candidate, &s->best)) {
        return;
    }
    if (s->def->hidden) {
        pool_take_best(s, candidate);
    } else if (s->found && sli_candidate_is_at(candidate, &s->best)) {
        s->best = *candidate; /* the same by a lower name */
    } else if (!sli_visibility_knows_hidden(&s->visibility, candidate) &&
               !pool_has_already(s, candidate)) {
        pool_insert(s, candidate);
    }
}
