/* Lines of sight, in batches. */
#include "bvh/select/visibility_batch.h"

#include "bvh/pick/candidate.h"
#include "bvh/select/elements.h"
#include "bvh/select/region/planar.h"
#include "lib/base/inline.h"

enum { QUOTA_MAX = 64 };

void sli_visibility_batch_begin(sli_visibility_batch *batch)
{
    batch->count = batch->target_count = 0;
    batch->occluder = (sl_triangle_ref){ 0, SL_NONE };
    batch->traced = 0;
}

void sli_visibility_batch_cut(sli_visibility_batch *batch, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (batch->of[i] < count) {
            batch->sights[kept] = batch->sights[i];
            batch->of[kept++] = batch->of[i];
        }
    }
    batch->count = kept;
    batch->target_count = batch->target_count < count ? batch->target_count : count;
}

/* ---- What does not block ---- */

static bool has_ends(const sl_selection *s, const sli_samples *side, sl_triangle_ref triangle)
{
    sl_triangle found;
    double v[3][3];
    return sli_triangle_corners(s->bvh, triangle, &found, v) && sli_corners_have_ends(v, side->end);
}

/* ---- Alone ---- */

typedef struct lone {
    const sl_selection *s;
    const sli_samples *side;
} lone;

/* The caller's filter, and nothing that has both ends. */
static bool hit_blocks(void *user, size_t index, const sl_hit *hit)
{
    const lone *l = user;
    const sl_options *options = &l->s->options;
    return (options->filter == NULL || options->filter(options->filter_user, index, hit)) &&
           !has_ends(l->s, l->side, (sl_triangle_ref){ hit->instance, hit->prim });
}

static SLI_NOINLINE bool sight_is_occluded_alone(const sl_selection *s, const sl_segment_d *sight,
                                                 const sli_samples *side)
{
    lone l = { .s = s, .side = side };
    sl_options options = s->options;
    options.flags |= SL_OPEN_END;
    options.filter = hit_blocks;
    options.filter_user = &l;
    return sl_bvh_occluded_d(s->bvh, sight->p, sight->q, &options);
}

/* ---- Rounds ---- */

/* Whether the query's skips are free to leave out what a side has of its own. */
static bool can_skip(const sl_selection *s)
{
    return s->unit == SL_SELECT_EDGES && s->options.skip_count == 0;
}

/* The next samples of a target that are in the region and in front of the eye. */
static void batch_put_in(const sl_selection *s, sli_visibility_batch *b, uint32_t i)
{
    sli_visibility_target *target = &b->targets[i];
    const sli_view *view = &s->screen.view;
    for (uint32_t left = target->quota; left > 0 && sli_samples_are_left(&target->samples);) {
        double at[3], xy[1][2];
        sli_samples_take(&target->samples, at);
        if (!target->whole) {
            if (!sli_view_project(view, at, xy[0], NULL)) {
                continue;
            }
            xy[0][0] = sli_planar_number(xy[0][0]);
            xy[0][1] = sli_planar_number(xy[0][1]);
            if (!sli_region_holds(&s->regions[s->current], (const double(*)[2])xy, 1)) {
                continue;
            }
        }
        if (sli_view_sight(view, at, &b->sights[b->count])) {
            b->of[b->count++] = i;
            b->traced++;
            left--;
        }
    }
    target->quota = target->quota < QUOTA_MAX ? 2 * target->quota : QUOTA_MAX;
}

static SLI_NOINLINE void batch_trace(const sl_selection *s, sli_visibility_batch *b)
{
    sl_options options = s->options;
    options.flags |= SL_OPEN_END;
    for (uint32_t i = 0; i < b->count; i++) {
        const sl_triangle_ref own = b->targets[b->of[i]].occluder;
        b->occluders[i] = own.prim != SL_NONE ? own : b->occluder;
    }
    if (can_skip(s)) {
        for (uint32_t i = 0; i < b->count; i++) {
            b->options[i] = (sl_item_options){ .mask = options.mask,
                                               .skip = b->targets[b->of[i]].own,
                                               .skip_count = 2,
                                               .ignore = options.ignore,
                                               .ignore_count = options.ignore_count };
        }
        options.items = b->options;
    }
    sl_bvh_any_many(s->bvh, sl_segments_of_d(b->sights, b->count), &options, b->occluded,
                    b->occluders, NULL, NULL);
}

/* What came of a line of sight to a side that was occluded.  True: it is to be traced again. */
static bool target_is_traced_again(const sl_selection *s, sli_visibility_batch *b, uint32_t i)
{
    sli_visibility_target *target = &b->targets[b->of[i]];
    const sl_triangle_ref occluder = b->occluders[i];
    if (s->unit != SL_SELECT_EDGES || !has_ends(s, &target->samples, occluder)) {
        b->occluder = target->occluder = occluder;
        return false;
    }
    if (can_skip(s) && target->own[1].prim == SL_NONE) {
        target->own[1] = occluder;
        return true;
    }
    if (can_skip(s) && target->own[1].prim == occluder.prim &&
        target->own[1].instance == occluder.instance) {
        return true; /* which another sample has learnt of in this round */
    }
    target->seen = !sight_is_occluded_alone(s, &b->sights[i], &target->samples);
    return false;
}

/* Leaves those that are traced again at the front. */
static void batch_take_answers(const sl_selection *s, sli_visibility_batch *b)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->target_count; i++) {
        b->targets[i].waiting = 0;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        sli_visibility_target *target = &b->targets[b->of[i]];
        if (target->seen) {
            continue;
        }
        if (b->occluded[i] == 0) {
            target->seen = true;
        } else if (target_is_traced_again(s, b, i)) {
            target->waiting++;
            b->sights[kept] = b->sights[i];
            b->of[kept++] = b->of[i];
        }
    }
    b->count = kept;
}

static bool target_is_settled(const sli_visibility_target *target)
{
    return target->seen || (target->waiting == 0 && !sli_samples_are_left(&target->samples));
}

static void batch_settle(sli_visibility_batch *b, sli_visibility_settle *settle, void *context)
{
    uint32_t kept = 0, kept_sights = 0;
    for (uint32_t i = 0; i < b->target_count; i++) {
        b->slot[i] = SL_NONE;
        if (target_is_settled(&b->targets[i])) {
            settle(context, &b->targets[i]);
            continue;
        }
        if (kept != i) {
            b->targets[kept] = b->targets[i];
        }
        b->slot[i] = kept++;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->slot[b->of[i]] != SL_NONE) {
            b->sights[kept_sights] = b->sights[i];
            b->of[kept_sights++] = b->slot[b->of[i]];
        }
    }
    b->target_count = kept;
    b->count = kept_sights;
}

void sli_visibility_batch_trace(const sl_selection *s, sli_visibility_batch *batch,
                                sli_visibility_settle *settle, void *context)
{
    for (uint32_t i = 0; i < batch->target_count; i++) {
        const sli_visibility_target *target = &batch->targets[i];
        if (target->quota > SLI_VISIBILITY_BATCH - batch->count) {
            break;
        }
        if (target->waiting == 0) {
            batch_put_in(s, batch, i);
        }
    }
    if (batch->count > 0) {
        batch_trace(s, batch);
    }
    batch_take_answers(s, batch);
    batch_settle(batch, settle, context);
}
