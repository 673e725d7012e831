/* Gathers lines of sight and asks the scene about them. */
#include "bvh/sight/lines.h"

#include "bvh/query/query.h"
#include "bvh/scene/ask.h"
#include "lib/geom/exact/grid.h"

#include <float.h>
#include <math.h>
#include <string.h>

double sli_sight_number(double x, bool doubles)
{
    return doubles ? sli_round_to_grid(x, SLI_STEP) : (double)(float)x;
}

static bool accepts(void *user, size_t index, const sl_hit *hit)
{
    const sli_sight_filter *filter = user;
    return filter->query->filter(filter->query->filter_user, filter->number[index], hit);
}

sl_query sli_sight_query(const sl_query *asked, const size_t *number, sli_sight_filter *filter)
{
    if (asked == NULL) {
        return sli_everything;
    }
    sl_query query = sli_query_from(asked, 0);
    query.flags &= ~(uint32_t)SL_USE_IGNORE;
    query.per_ray = NULL;
    query.proxy = NULL;
    if (sli_query_has_filter(asked)) {
        *filter = (sli_sight_filter){ .query = asked, .number = number };
        query.filter = accepts;
        query.filter_user = filter;
    }
    return query;
}

void sli_lines_begin(sli_lines *lines, const sl_scene *scene, const sl_sight *sight,
                     sli_lines_take *take, void *context)
{
    lines->scene = scene;
    lines->asked = sight != NULL ? sight->query : NULL;
    lines->memory = sight != NULL ? sight->memory : NULL;
    lines->take = take;
    lines->context = context;
    lines->doubles = sli_sight_in_doubles(sight);
    lines->keep_unused = false;
    lines->owned = false;
    lines->hinted = lines->memory != NULL;
    lines->count = lines->fresh = 0;
    lines->capacity = lines->doubles ? SLI_LINES_DOUBLES : SLI_LINES;
    lines->tried = lines->held = 0;
}

/* Looks up what blocked the lines that are fresh the last time. */
static void recall(sli_lines *lines)
{
    for (size_t i = lines->fresh; i < lines->count; i++) {
        lines->hint[i] = sli_sight_recall(lines->memory, lines->key[i]);
        lines->tried += lines->hint[i].prim != SL_NONE;
    }
}

/* Notes what blocks the lines now; hint[i] is still what was looked up where nothing does. */
static void remember(sli_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        if (lines->blocked[i] != 0) {
            sli_sight_remember(lines->memory, lines->key[i], lines->hint[i]);
        } else if (lines->hint[i].prim != SL_NONE && !lines->keep_unused) {
            sli_sight_forget(lines->memory, lines->key[i]);
        }
    }
}

/* The lines from `first` on as a question; query and filter are filled in, and used by it. */
static sli_scene_question question_from(sli_lines *lines, size_t first, sl_query *query,
                                        sli_sight_filter *filter)
{
    *query = sli_sight_query(lines->asked, lines->number + first, filter);
    if (lines->owned) {
        query->flags |= SL_USE_IGNORE;
        query->ignore = lines->own[first];
        query->ignore_count = query->ignore_stride = 2;
    }
    return (sli_scene_question){
        .scene = lines->scene,
        .query = query,
        .asked = SLI_SCENE_ANY,
        .segments = lines->doubles ? NULL : lines->segment.floats + first,
        .segments_d = lines->doubles ? lines->segment.doubles + first : NULL,
        .yes = lines->blocked + first,
        .hints = lines->hinted ? lines->hint + first : NULL,
    };
}

/* Moves line i to place `to`, where a line is that has its answer; what is taken of that one goes
 * to i. */
static void move_up(sli_lines *lines, size_t i, size_t to)
{
    const size_t number = lines->number[to];
    const sl_triangle_ref hint = lines->hint[to];
    lines->number[to] = lines->number[i];
    lines->hint[to] = lines->hint[i];
    lines->number[i] = number;
    lines->hint[i] = hint;
    lines->key[to] = lines->key[i];
    if (lines->owned) {
        memcpy(lines->own[to], lines->own[i], sizeof lines->own[to]);
    }
    if (lines->doubles) {
        lines->segment.doubles[to] = lines->segment.doubles[i];
    } else {
        lines->segment.floats[to] = lines->segment.floats[i];
    }
}

/* Tries the hints of the lines that are fresh, and hands back those that they answer. */
static void try_hints(sli_lines *lines)
{
    sli_sight_filter filter;
    sl_query query;
    const size_t count = lines->count;
    if (lines->memory != NULL) {
        recall(lines);
    }
    const sli_scene_question question = question_from(lines, lines->fresh, &query, &filter);
    sli_scene_try_hints(&question, count - lines->fresh);
    size_t left = lines->fresh;
    for (size_t i = lines->fresh; i < count; i++) {
        if (lines->blocked[i] == 0) {
            move_up(lines, i, left++);
        } else if (lines->memory != NULL) {
            sli_sight_remember(lines->memory, lines->key[i], lines->hint[i]);
            lines->held++;
        }
    }
    memset(lines->blocked + left, 1, count - left);
    lines->take(lines->context, lines->number + left, lines->blocked + left, lines->hint + left,
                count - left);
    lines->count = lines->fresh = left;
}

/* Traces all lines. */
static void trace(sli_lines *lines)
{
    sli_sight_filter filter;
    sl_query query;
    sli_scene_question question = question_from(lines, 0, &query, &filter);
    question.tried = lines->hinted;
    sli_scene_ask(&question, lines->count, NULL);
    if (lines->memory != NULL) {
        remember(lines);
    }
    lines->take(lines->context, lines->number, lines->blocked, lines->hint, lines->count);
    lines->count = lines->fresh = 0;
    lines->owned = false;
}

void sli_lines_flush(sli_lines *lines)
{
    if (lines->hinted && lines->count > lines->fresh) {
        try_hints(lines);
    }
    if (lines->count > 0) {
        trace(lines);
    }
}

/* Makes room for more lines. */
static void make_room(sli_lines *lines)
{
    if (lines->hinted) {
        try_hints(lines);
    }
    /* Fewer are worth waiting for others. */
    if (lines->count > lines->capacity * 2 / 3) {
        trace(lines);
    }
}

void sli_lines_end(sli_lines *lines)
{
    sli_lines_flush(lines);
    if (lines->memory != NULL) {
        sli_atomic_add_u64(&lines->memory->tried, lines->tried);
        sli_atomic_add_u64(&lines->memory->blocked, lines->held);
    }
}

/* Writes the segment as the call takes its numbers; false: a coordinate is no number. */
static bool put_segment(sli_lines *lines, const double from[3], const double to[3])
{
    bool good = true;
    for (int axis = 0; axis < 3; axis++) {
        if (lines->doubles) {
            sl_segment_d *segment = &lines->segment.doubles[lines->count];
            segment->p[axis] = from[axis];
            segment->q[axis] = to[axis];
            good &= fabs(from[axis]) <= FLT_MAX && fabs(to[axis]) <= FLT_MAX;
        } else {
            sl_segment *segment = &lines->segment.floats[lines->count];
            segment->p[axis] = (float)from[axis];
            segment->q[axis] = (float)to[axis];
            good &= fabsf(segment->p[axis]) <= FLT_MAX && fabsf(segment->q[axis]) <= FLT_MAX;
        }
    }
    return good;
}

void sli_lines_add(sli_lines *lines, const sl_sight_end *eye, const sl_sight_end *target,
                   const double to[3], size_t number, const sl_triangle_ref *hint)
{
    const size_t i = lines->count;
    if (hint != NULL) {
        lines->hint[i] = *hint;
        lines->hinted = true;
    }
    if (!put_segment(lines, eye->at, to)) {
        const uint8_t unseen = 1;
        lines->take(lines->context, &number, &unseen, &lines->hint[i], 1);
        return;
    }
    lines->number[i] = number;
    lines->own[i][0] = eye->own;
    lines->own[i][1] = target->own;
    lines->owned |= (eye->own.count | target->own.count) != 0;
    if (lines->memory != NULL) {
        lines->key[i] = sli_sight_key(eye->id, target->id);
        __builtin_prefetch(sli_sight_bucket_of(lines->memory, lines->key[i]));
    }
    lines->count = i + 1;
    if (lines->count == lines->capacity) {
        make_room(lines);
    }
}
