/* Down the tree over marks, what is nearest to the position first: marks/walk.h. */
#include "bvh/pick/marks/walk.h"

#include "bvh/pick/def.h"
#include "bvh/query/query.h"
#include "bvh/query/visit.h"

#include <string.h>

bool sli_marks_query_open(const sl_marks *marks, const sl_bvh *bvh, const sl_view *view,
                          const double xy[2], const sl_pick_def *options, sli_marks_query *out)
{
    sl_pick_def def;
    if (!sli_pick_def_take(options, &def) || !isfinite(xy[0]) || !isfinite(xy[1]) ||
        !sli_screen_open(view, &out->screen)) {
        return false;
    }
    out->marks = marks;
    out->bvh = bvh;
    out->options = def.options != NULL ? sli_query_from(def.options, 0) : sli_everything;
    out->options.flags |= SL_OPEN_END;
    out->options.flags &= ~(uint32_t)SL_OPEN_START;
    memcpy(out->xy, xy, sizeof out->xy);
    out->radius = (double)def.radius;
    out->hidden = def.hidden;
    out->hint = (sl_triangle_ref){ .prim = SL_NONE };
    sli_near_make(&out->screen, xy, marks->middle, &out->near);
    return true;
}

typedef struct marks_walk {
    sli_marks_query *query;
    void (*take)(void *context, const sli_mark_found *found); /* NULL: best is kept */
    void *context;
    sli_mark_found best;
    bool any;
} marks_walk;

/* ---- One mark ---- */

static bool mark_is_better(const sli_mark_found *a, const sli_mark_found *b)
{
    if (a->priority != b->priority) {
        return a->priority > b->priority;
    }
    if (a->shown.pixels != b->shown.pixels) {
        return a->shown.pixels < b->shown.pixels;
    }
    return a->distance != b->distance ? a->distance < b->distance : a->index < b->index;
}

static bool mark_is_masked(const sli_marks_query *q, uint32_t mask)
{
    return q->options.mask != 0 && (sli_mask_of(mask) & q->options.mask) == 0;
}

/* Whether a mark is near, and where; false too where its point is not between the planes. */
static bool mark_is_near(const sli_marks_query *q, const sl_mark *mark, sli_mark_found *out,
                         sl_segment_d *sight)
{
    sli_along *at = &out->shown;
    const sli_view *view = &q->screen.view;
    const double reach = q->radius + (double)mark->tolerance;
    const bool is_point = sli_mark_is_point(mark);
    const bool there = is_point ? sli_along_point(view, q->xy, mark->p, at)
                                : sli_along_segment(view, q->xy, mark->p, mark->q, at);
    if (!there || !(at->pixels <= reach) ||
        (!sli_view_sight(view, at->point, sight) &&
         (is_point || !sli_along_inwards(view, q->xy, mark->p, mark->q, at, sight) ||
          !(at->pixels <= reach)))) {
        return false;
    }
    out->distance = sli_along_length(sight);
    out->priority = mark->priority;
    return true;
}

static bool mark_is_hidden(sli_marks_query *q, const sl_mark *mark, const sl_segment_d *sight)
{
    if (q->bvh == NULL || (mark->flags & SL_MARK_ON_TOP) != 0) {
        return false;
    }
    return sli_along_occluded(q->bvh, sight, &q->options, &q->hint);
}

static void mark_look_at(marks_walk *w, uint32_t index)
{
    sli_marks_query *q = w->query;
    const sl_mark *mark = &q->marks->at[index];
    sli_mark_found found = { .index = index };
    sl_segment_d sight;
    if (mark_is_masked(q, mark->mask) || !mark_is_near(q, mark, &found, &sight) ||
        (w->take == NULL && w->any && !mark_is_better(&found, &w->best))) {
        return;
    }
    found.hidden = mark_is_hidden(q, mark, &sight);
    if (found.hidden && !q->hidden) {
        return;
    }
    if (w->take != NULL) {
        w->take(w->context, &found);
    } else {
        w->best = found;
        w->any = true;
    }
}

/* ---- Boxes ---- */

/* How far from the position something below a child counts; negative: nowhere. */
static double child_radius(const marks_walk *w, const sli_mark_below *below, uint32_t child)
{
    const double radius = w->query->radius + (double)below->tolerance[child];
    const uint16_t priority = below->priority[child];
    if (w->take != NULL || !w->any || priority > w->best.priority) {
        return radius;
    }
    return priority < w->best.priority ? -1 : fmin(radius, w->best.shown.pixels);
}

static bool child_is_wanted(const marks_walk *w, const sli_node_wide *node, uint32_t child,
                            const sli_mark_below *below, sli_near_box *box)
{
    const double radius = child_radius(w, below, child);
    for (int axis = 0; axis < 3; axis++) {
        const double min = (double)node->bounds[axis][0][child];
        const double max = (double)node->bounds[axis][1][child];
        box->centre[axis] = 0.5 * (min + max);
        box->half[axis] = 0.5 * (max - min);
    }
    return radius >= 0 && sli_near_has(&w->query->near, box, radius);
}

/* Since it was pushed, something better may have been found. */
static bool marks_want(void *context, const sli_spot *spot)
{
    const marks_walk *w = context;
    sli_near_box box;
    return !w->any || spot->node == NULL ||
           child_is_wanted(w, spot->node, spot->child, sli_marks_below(w->query->marks, spot->node),
                           &box);
}

/* The highest priority first, then what is about the nearest. */
static int marks_children(void *context, const sli_spot *spot, const sli_node_wide *node,
                          sli_spot out[SLI_WIDTH])
{
    const marks_walk *w = context;
    const sli_mark_below *below = sli_marks_below(w->query->marks, node);
    int count = 0;
    (void)spot;
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        sli_near_box box;
        if (node->child[child] != SLI_REF_EMPTY && !mark_is_masked(w->query, below->mask[child]) &&
            child_is_wanted(w, node, child, below, &box)) {
            out[count++] = (sli_spot){ .node = node,
                                       .order = { -(double)below->priority[child],
                                                  sli_near_guess(&w->query->near, &box) },
                                       .ref = node->child[child],
                                       .child = child };
        }
    }
    return count;
}

static bool marks_leaf(void *context, const sli_spot *spot)
{
    marks_walk *w = context;
    const uint32_t *ids = sli_tree_ids(w->query->marks->tree, spot->ref);
    for (int lane = 0; lane < SLI_PACK && ids[lane] != SL_NONE; lane++) {
        mark_look_at(w, ids[lane]);
    }
    return true;
}

static void marks_descend(marks_walk *w)
{
    static const sli_descent down = { marks_want, marks_children, marks_leaf, true };
    sli_descend(w->query->marks->tree, (sli_spot){ .ref = 0 }, &down, w);
}

bool sli_marks_one(sli_marks_query *query, uint32_t index, sli_mark_found *out)
{
    marks_walk w = { .query = query };
    if (index < query->marks->count) {
        mark_look_at(&w, index);
    }
    *out = w.best;
    return w.any;
}

bool sli_marks_best(sli_marks_query *query, sli_mark_found *out)
{
    marks_walk w = { .query = query };
    marks_descend(&w);
    *out = w.best;
    return w.any;
}

void sli_marks_all(sli_marks_query *query, void (*take)(void *context, const sli_mark_found *found),
                   void *context)
{
    marks_walk w = { .query = query, .take = take, .context = context };
    marks_descend(&w);
}
