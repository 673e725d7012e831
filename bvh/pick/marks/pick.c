/* Marks near a position of the picture: sl_marks_pick, sl_marks_pick_all; and which of two picks is
 * better. */
#include "bvh/pick/candidate.h"
#include "bvh/pick/def.h"
#include "bvh/pick/marks/walk.h"
#include "lib/base/fpenv.h"

#include <string.h>

static sl_pick mark_pick(const sl_marks *marks, const sli_mark_found *found)
{
    sl_pick pick = { .distance = found->distance,
                     .pixels = found->shown.pixels,
                     .along = found->shown.s,
                     .kind = SL_PICK_MARK,
                     .instance = SL_NONE,
                     .prim = found->index,
                     .part = marks->at[found->index].id,
                     .face = SL_NONE,
                     .edge = SL_NONE,
                     .vertex = SL_NONE,
                     .flags = found->hidden ? SL_PICK_HIDDEN : 0 };
    memcpy(pick.point, found->shown.point, sizeof pick.point);
    memcpy(pick.xy, found->shown.xy, sizeof pick.xy);
    return pick;
}

static SLI_NOINLINE bool marks_pick_best(const sl_marks *marks, const sl_bvh *bvh,
                                         const sl_view *view, const double xy[2],
                                         const sl_pick_def *def, sl_pick *out)
{
    sli_marks_query query;
    sli_mark_found found;
    if (!sli_marks_query_open(marks, bvh, view, xy, def, &query) ||
        !sli_marks_best(&query, &found)) {
        return false;
    }
    if (out != NULL) {
        *out = mark_pick(marks, &found);
    }
    return true;
}

bool sl_marks_pick(const sl_marks *marks, const sl_bvh *bvh, const sl_view *view,
                   const double xy[2], const sl_pick_def *def, sl_pick *out)
{
    return SLI_IN_FPENV(marks_pick_best(marks, bvh, view, xy, def, out));
}

/* ---- All of them: a heap of the nearest ---- */

static bool comes_before(const sl_pick *a, const sl_pick *b)
{
    return a->distance != b->distance ? a->distance < b->distance : a->prim < b->prim;
}

#define HIT           sl_pick
#define HIT_BEFORE    comes_before
#define HIT_HEAP_ADD  heap_add
#define HIT_HEAP_SORT heap_sort
static void heap_add(sl_pick *hits, size_t capacity, uint64_t total, const sl_pick *hit);
static void heap_sort(sl_pick *hits, size_t capacity, uint64_t total);
#include "lib/geom/intersect/hit_heap.inl"

typedef struct row {
    const sl_marks *marks;
    sl_pick *out;
    size_t capacity, total;
} row;

static void row_take(void *context, const sli_mark_found *found)
{
    row *r = context;
    const sl_pick pick = mark_pick(r->marks, found);
    heap_add(r->out, r->capacity, r->total++, &pick);
}

static SLI_NOINLINE size_t marks_pick_all(const sl_bvh *bvh, const sl_view *view,
                                          const double xy[2], const sl_pick_def *def, row *r)
{
    sli_marks_query query;
    if (!sli_marks_query_open(r->marks, bvh, view, xy, def, &query)) {
        return 0;
    }
    sli_marks_all(&query, row_take, r);
    heap_sort(r->out, r->capacity, r->total);
    return r->total;
}

size_t sl_marks_pick_all(const sl_marks *marks, const sl_bvh *bvh, const sl_view *view,
                         const double xy[2], const sl_pick_def *def, sl_pick *out, size_t capacity)
{
    row r = { .marks = marks, .out = out, .capacity = capacity };
    return SLI_IN_FPENV(marks_pick_all(bvh, view, xy, def, &r));
}

/* ---- Better ---- */

/* -1 for a pick of no kind. */
static int pick_rank(const sl_pick_def *def, const sl_pick *pick)
{
    static const uint32_t kinds[4] = { SL_PICK_FACE, SL_PICK_EDGE, SL_PICK_VERTEX, SL_PICK_MARK };
    for (int i = 0; i < 4; i++) {
        if (pick->kind == kinds[i]) {
            return def->rank[i];
        }
    }
    return -1;
}

static SLI_NOINLINE bool pick_is_better(const sl_pick_def *def, const sl_pick *a, const sl_pick *b)
{
    const int rank_a = pick_rank(def, a), rank_b = pick_rank(def, b);
    if (rank_a != rank_b || rank_a < 0) {
        return rank_a > rank_b;
    }
    if (a->pixels != b->pixels || a->distance != b->distance) {
        return a->pixels != b->pixels ? a->pixels < b->pixels : a->distance < b->distance;
    }
    return sli_name_is_lower(SLI_PICK_NAME(a), SLI_PICK_NAME(b), 3);
}

bool sl_pick_is_better(const sl_pick_def *def, const sl_pick *a, const sl_pick *b)
{
    sl_pick_def options;
    if (!sli_pick_def_take(def, &options)) {
        return false;
    }
    return SLI_IN_FPENV(pick_is_better(&options, a, b));
}
