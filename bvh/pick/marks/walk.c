/* Down the tree over marks, what is nearest to the position first: marks/walk.h. */
#include "bvh/pick/marks/walk.h"

#include "bvh/pick/def.h"
#include "bvh/query/query.h"

#include <math.h>
#include <string.h>

bool sli_marks_ask(const sl_marks *marks, const sl_scene *scene, const sl_view *view,
                   const double xy[2], const sl_pick_def *options, sli_marks_question *out)
{
    sl_pick_def def;
    if (!sli_pick_def_take(options, &def) || !isfinite(xy[0]) || !isfinite(xy[1]) ||
        !sli_screen_open(view, &out->screen)) {
        return false;
    }
    out->marks = marks;
    out->scene = scene;
    out->query = def.query != NULL ? sli_query_from(def.query, 0) : sli_everything;
    out->query.flags |= SL_OPEN_END;
    out->query.flags &= ~(uint32_t)SL_OPEN_START;
    memcpy(out->xy, xy, sizeof out->xy);
    out->radius = (double)def.radius;
    out->hidden = def.hidden;
    out->hint = (sl_triangle_ref){ .prim = SL_NONE };
    sli_near_make(&out->screen, xy, marks->middle, &out->near);
    return true;
}

typedef struct place {
    uint32_t ref;
    uint16_t priority; /* the highest below */
    float tolerance;   /* the largest below */
    double guess;
    sli_near_box box;
} place;

typedef struct walk {
    sli_marks_question *question;
    const sl_marks *marks;
    void (*take)(void *context, const sli_mark_found *found); /* NULL: best is kept */
    void *context;
    sli_mark_found best;
    bool any;
    int stack_size;
    place stack[SLI_STACK];
} walk;

/* ---- One mark ---- */

static bool is_better(const sli_mark_found *a, const sli_mark_found *b)
{
    if (a->priority != b->priority) {
        return a->priority > b->priority;
    }
    if (a->pixels != b->pixels) {
        return a->pixels < b->pixels;
    }
    return a->distance != b->distance ? a->distance < b->distance : a->index < b->index;
}

static bool is_masked(const sli_marks_question *q, uint32_t mask)
{
    return (q->query.flags & SL_USE_MASK) != 0 && (mask & q->query.mask) == 0;
}

/* Whether a mark is near, and where; false too where its point is not between the planes. */
static bool find(const sli_marks_question *q, const sl_mark *mark, sli_mark_found *out,
                 sl_segment_d *sight)
{
    sli_along at;
    const sli_view *view = &q->screen.view;
    const double reach = q->radius + (double)mark->tolerance;
    const bool is_point = sli_mark_is_point(mark);
    const bool there = is_point ? sli_along_point(view, q->xy, mark->p, &at)
                                : sli_along_segment(view, q->xy, mark->p, mark->q, &at);
    if (!there || !(at.pixels <= reach) ||
        (!sli_view_sight(view, at.point, sight) &&
         (is_point || !sli_along_inwards(view, q->xy, mark->p, mark->q, &at, sight) ||
          !(at.pixels <= reach)))) {
        return false;
    }
    memcpy(out->point, at.point, sizeof out->point);
    memcpy(out->xy, at.xy, sizeof out->xy);
    out->pixels = at.pixels;
    out->along = at.s;
    out->distance = sli_along_length(sight);
    out->priority = mark->priority;
    return true;
}

static bool is_hidden(sli_marks_question *q, const sl_mark *mark, const sl_segment_d *sight)
{
    if (q->scene == NULL || (mark->flags & SL_MARK_ON_TOP) != 0) {
        return false;
    }
    return sli_along_blocked(q->scene, sight, &q->query, &q->hint);
}

static void look_at(walk *w, uint32_t index)
{
    sli_marks_question *q = w->question;
    const sl_mark *mark = &w->marks->at[index];
    sli_mark_found found = { .index = index };
    sl_segment_d sight;
    if (is_masked(q, mark->mask) || !find(q, mark, &found, &sight) ||
        (w->take == NULL && w->any && !is_better(&found, &w->best))) {
        return;
    }
    found.hidden = is_hidden(q, mark, &sight);
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

/* How far from the position something below counts; negative: nowhere. */
static double radius_of(const walk *w, const place *at)
{
    const double radius = w->question->radius + (double)at->tolerance;
    if (w->take != NULL || !w->any || at->priority > w->best.priority) {
        return radius;
    }
    return at->priority < w->best.priority ? -1 : fmin(radius, w->best.pixels);
}

static bool is_wanted(const walk *w, const place *at)
{
    const double radius = radius_of(w, at);
    return radius >= 0 && sli_near_has(&w->question->near, &at->box, radius);
}

/* Pushes a child below its siblings, which begin at first, that are wanted sooner. */
static void push(walk *w, int first, const place *child)
{
    int at = w->stack_size++;
    for (; at > first && (w->stack[at - 1].priority > child->priority ||
                          (w->stack[at - 1].priority == child->priority &&
                           w->stack[at - 1].guess < child->guess));
         at--) {
        w->stack[at] = w->stack[at - 1];
    }
    w->stack[at] = *child;
}

static void enter(walk *w, uint32_t ref)
{
    const sli_node_wide *node = sli_tree_node(w->marks->tree, ref);
    const sli_mark_below *below = sli_marks_below(w->marks, ref);
    const int first = w->stack_size;
    for (int k = 0; k < SLI_WIDTH; k++) {
        place child = { .ref = node->child[k],
                        .priority = below->priority[k],
                        .tolerance = below->tolerance[k] };
        if (child.ref == SLI_REF_EMPTY || is_masked(w->question, below->mask[k])) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            const double min = (double)node->bounds[axis][0][k];
            const double max = (double)node->bounds[axis][1][k];
            child.box.centre[axis] = 0.5 * (min + max);
            child.box.half[axis] = 0.5 * (max - min);
        }
        if (is_wanted(w, &child)) {
            child.guess = sli_near_guess(&w->question->near, &child.box);
            push(w, first, &child);
        }
    }
}

static void run(walk *w)
{
    const sl_bvh *tree = w->marks->tree;
    if (tree->root == SLI_REF_EMPTY) {
        return;
    }
    w->stack_size = 0;
    enter(w, tree->root);
    while (w->stack_size > 0) {
        const place next = w->stack[--w->stack_size];
        if (w->any && !is_wanted(w, &next)) {
            continue; /* since it was pushed, something better was found */
        }
        if ((next.ref & SLI_REF_LEAF) == 0) {
            enter(w, next.ref);
            continue;
        }
        const uint32_t *ids = sli_tree_ids(tree, next.ref);
        for (int lane = 0; lane < SLI_PACK && ids[lane] != SL_NONE; lane++) {
            look_at(w, ids[lane]);
        }
    }
}

bool sli_marks_one(sli_marks_question *question, uint32_t index, sli_mark_found *out)
{
    walk w;
    w.question = question;
    w.marks = question->marks;
    w.take = NULL;
    w.any = false;
    if (index < w.marks->count) {
        look_at(&w, index);
    }
    *out = w.best;
    return w.any;
}

bool sli_marks_best(sli_marks_question *question, sli_mark_found *out)
{
    walk w; /* its stack is written before it is read */
    w.question = question;
    w.marks = question->marks;
    w.take = NULL;
    w.any = false;
    run(&w);
    *out = w.best;
    return w.any;
}

void sli_marks_all(sli_marks_question *question,
                   void (*take)(void *context, const sli_mark_found *found), void *context)
{
    walk w;
    w.question = question;
    w.marks = question->marks;
    w.take = take;
    w.context = context;
    w.any = false;
    run(&w);
}
