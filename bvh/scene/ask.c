/* Answers questions about rays and segments of a scene, item by item, by the kernels.  Blocks of
 * items run under the floating-point guard; nothing here allocates. */
#include "bvh/scene/ask.h"

#include "bvh/kernel/instance/intersect.h"
#include "bvh/query/query.h"
#include "lib/geom/intersect/hit_heap.h"

#include <math.h>

static bool in_floats(const sli_scene_question *q)
{
    return q->rays != NULL || q->segments != NULL;
}

static sl_hit_d hit_in_doubles(const sl_hit *hit)
{
    return (sl_hit_d){ .t = hit->t,
                       .u = hit->u,
                       .v = hit->v,
                       .prim = hit->prim,
                       .instance = hit->instance,
                       .flags = hit->flags };
}

/* Shows the caller's filter a hit in floats. */
static bool accepts(void *user, size_t index, const sl_hit_d *hit)
{
    const sl_query *query = user;
    const sl_hit shown = sli_hit_in_floats(hit);
    return query->filter(query->filter_user, index, &shown);
}

/* Options of item i. */
static void prepare_options(const sli_scene_question *q, size_t i, sli_scene_ray *out)
{
    const sl_query *query = q->query;
    *out = (sli_scene_ray){ .in_floats = in_floats(q) };
    sli_scene_options(query, i, out);
    if (sli_query_has_filter(query)) {
        out->accepts = accepts;
        out->accepts_user = (void *)(uintptr_t)query;
        out->accepts_index = q->first + i;
    }
}

/* Item i with its options.  False: invalid, a miss. */
static bool prepare(const sli_scene_question *q, size_t i, sli_scene_ray *out)
{
    const uint32_t flags = q->query->flags;
    prepare_options(q, i, out);
    if (q->rays != NULL) {
        return sli_exact_ray_from_ray(&q->rays[i], flags, &out->exact);
    }
    if (q->segments != NULL) {
        return sli_exact_ray_from_segment(&q->segments[i], flags, &out->exact);
    }
    if (q->rays_d != NULL) {
        return sli_exact_ray_from_ray_d(&q->rays_d[i], flags, &out->exact);
    }
    return sli_exact_ray_from_segment_d(&q->segments_d[i], flags, &out->exact);
}

/* The limit, which is the t of a miss. */
static double limit_of(const sli_scene_question *q, size_t i)
{
    return q->rays != NULL ? (double)q->rays[i].tmax : q->rays_d != NULL ? q->rays_d[i].tmax : 1;
}

/* Writes hit i, or a miss where hit is NULL. */
static void put_hit(const sli_scene_question *q, size_t i, const sl_hit_d *hit)
{
    const sl_hit_d miss = { .t = limit_of(q, i), .prim = SL_NONE };
    const sl_hit_d *answer = hit != NULL ? hit : &miss;
    if (q->hits != NULL) {
        q->hits[i] = sli_hit_in_floats(answer);
    } else {
        q->hits_d[i] = *answer;
    }
}

static void ask_closest(const sli_scene_question *q, size_t i, sl_stats *stats)
{
    sli_scene_ray ray;
    sl_hit_d hit;
    if (!prepare(q, i, &ray)) {
        stats->rays++;
        put_hit(q, i, NULL);
        return;
    }
    const bool found = q->scene->kernels->scene_closest(&q->scene->world, &ray, &hit, stats);
    put_hit(q, i, found ? &hit : NULL);
}

/* previous is copied, since it may be hits. */
static void ask_next(const sli_scene_question *q, size_t i, sl_stats *stats)
{
    sli_scene_ray ray;
    sl_hit_d hit;
    const sl_hit_d previous =
        q->previous != NULL ? hit_in_doubles(&q->previous[i]) : q->previous_d[i];
    if (previous.prim == SL_NONE || !prepare(q, i, &ray)) {
        stats->rays++;
        put_hit(q, i, NULL);
        return;
    }
    ray.after = &previous;
    const bool found = q->scene->kernels->scene_closest(&q->scene->world, &ray, &hit, stats);
    put_hit(q, i, found ? &hit : NULL);
}

/* Whether the triangle that a hint names is there and blocks. */
static bool hint_blocks(const sl_scene *scene, const sli_scene_ray *ray, sl_triangle_ref hint,
                        sl_stats *stats)
{
    const sli_world *world = &scene->world;
    if (hint.instance >= world->count || world->placed[hint.instance].tree == NULL) {
        return false;
    }
    const sl_bvh *tree = world->placed[hint.instance].tree;
    sl_triangle triangle;
    sl_hit_d hit;
    sli_decision_stage stage;
    if (!sl_bvh_triangle(tree, hint.prim, &triangle) ||
        !sli_scene_selects(ray, &world->placed[hint.instance], hint.instance) ||
        !sli_scene_has(ray, hint, sli_tree_mask(tree, hint.prim))) {
        return false;
    }
    const bool found = sli_scene_decide(world, ray, hint, triangle.v, INFINITY, &hit, &stage);
    stats->rays++;
    stats->triangles++;
    stats->double_stage += stage == SLI_STAGE_DOUBLE;
    stats->exact_stage += stage == SLI_STAGE_EXACT;
    stats->hits += found;
    stats->rays -= !found; /* the walk will count it */
    return found;
}

static void ask_any(const sli_scene_question *q, size_t i, sl_stats *stats)
{
    sli_scene_ray ray;
    if (!prepare(q, i, &ray)) {
        stats->rays++;
        q->yes[i] = 0;
        return;
    }
    q->yes[i] =
        (q->hints != NULL && !q->tried && hint_blocks(q->scene, &ray, q->hints[i], stats)) ||
        q->scene->kernels->scene_any(&q->scene->world, &ray, q->hints != NULL ? &q->hints[i] : NULL,
                                     stats);
}

/* The nearest hits of one item, as a heap in its row: in floats or in doubles. */
typedef struct nearest_hits {
    sl_hit *hits;
    sl_hit_d *hits_d;
    size_t capacity, total;
} nearest_hits;

static void take_hit(void *context, const sl_hit_d *hit)
{
    nearest_hits *nearest = context;
    if (nearest->hits != NULL) {
        const sl_hit shown = sli_hit_in_floats(hit);
        sli_hit_heap_add(nearest->hits, nearest->capacity, nearest->total, &shown);
    } else {
        sli_hit_d_heap_add(nearest->hits_d, nearest->capacity, nearest->total, hit);
    }
    nearest->total++;
}

static void ask_all(const sli_scene_question *q, size_t i, sl_stats *stats)
{
    sli_scene_ray ray;
    nearest_hits nearest = { .capacity = q->capacity };
    if (!prepare(q, i, &ray)) {
        stats->rays++;
        q->totals[i] = 0;
        return;
    }
    if (q->capacity > 0) {
        nearest.hits = q->hits != NULL ? q->hits + i * q->capacity : NULL;
        nearest.hits_d = q->hits_d != NULL ? q->hits_d + i * q->capacity : NULL;
    }
    sli_scene_take *take = q->capacity > 0 ? take_hit : NULL;
    q->totals[i] = q->scene->kernels->scene_all(&q->scene->world, &ray, take, &nearest, stats);
    if (nearest.hits != NULL) {
        sli_hit_heap_sort(nearest.hits, q->capacity, nearest.total);
    } else if (nearest.hits_d != NULL) {
        sli_hit_d_heap_sort(nearest.hits_d, q->capacity, nearest.total);
    }
}

/* Whether the kernels take all items together. */
static bool goes_together(const sli_scene_question *q, size_t count)
{
    enum { COUNT_MIN = 8 };
    return count >= COUNT_MIN && !sli_query_has_filter(q->query) &&
           q->scene->world.top->root != SLI_REF_EMPTY &&
           (q->asked == SLI_SCENE_CLOSEST || q->asked == SLI_SCENE_ANY);
}

/* Whether there is one instance, and the corner rule changes no vertex of it. */
static bool is_unmoved(const sli_world *world)
{
    const sli_placed *placed = &world->placed[0];
    if (world->count != 1 || placed->grid != SLI_PLACE_STEP) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            if (placed->place.m[i][k] != (i == k ? 1 : 0)) {
                return false;
            }
        }
    }
    return true;
}

static sli_scene_batch batch_of(const sli_scene_question *q)
{
    return (sli_scene_batch){ .world = &q->scene->world,
                              .rays = q->rays,
                              .segments = q->segments,
                              .rays_d = q->rays_d,
                              .segments_d = q->segments_d,
                              .query = q->query,
                              .hinted = q->hints != NULL,
                              .tried = q->tried,
                              .unmoved = is_unmoved(&q->scene->world) };
}

static void ask_together(const sli_scene_question *q, size_t begin, size_t end, sl_stats *stats)
{
    const sl_scene *scene = q->scene;
    const sli_scene_batch batch = batch_of(q);
    if (q->asked == SLI_SCENE_CLOSEST) {
        scene->kernels->scene_closest_many(&batch, begin, end, q->hits, q->hits_d, stats);
    } else {
        scene->kernels->scene_any_many(&batch, begin, end, q->yes, q->hints, stats);
    }
}

/* Answers items begin .. end - 1 of an array. */
static void ask_array(const sli_scene_question *q, size_t begin, size_t end, sl_stats *stats)
{
    if (goes_together(q, end - begin)) {
        ask_together(q, begin, end, stats);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        switch (q->asked) {
        case SLI_SCENE_CLOSEST:
            ask_closest(q, i, stats);
            break;
        case SLI_SCENE_ANY:
            ask_any(q, i, stats);
            break;
        case SLI_SCENE_ALL:
            ask_all(q, i, stats);
            break;
        case SLI_SCENE_NEXT:
            ask_next(q, i, stats);
            break;
        }
    }
}

/* Answers count items from `first` on, which are copied into an array; closest and any apart, so
 * that only one of the two has its arrays on the stack. */
enum { GATHER = 32, GATHER_D = 16 }; /* as many as leave a call within 48 KiB of stack */

static sli_scene_question part_of(const sli_scene_question *q, const sl_query *query,
                                  const sli_source *copied, size_t first)
{
    sli_scene_question part = *q;
    part.query = query;
    part.rays = copied->rays;
    part.segments = copied->segments;
    part.first = first;
    return part;
}

static SLI_NOINLINE void gather_closest(const sli_scene_question *q, size_t first, size_t count,
                                        sl_stats *stats)
{
    sl_ray block[GATHER]; /* or segments, which are smaller */
    sl_hit hits[GATHER];
    const sl_query query = sli_query_from(q->query, first);
    const sli_source copied = sli_source_copy(q->gathered, first, count, block);
    sli_scene_question part = part_of(q, &query, &copied, first);
    part.hits = hits;
    ask_array(&part, 0, count, stats);
    sli_hits_scatter(q->columns, first, hits, count);
}

static SLI_NOINLINE void gather_any(const sli_scene_question *q, size_t first, size_t count,
                                    sl_stats *stats)
{
    sl_ray block[GATHER]; /* or segments, which are smaller */
    const sl_query query = sli_query_from(q->query, first);
    const sli_source copied = sli_source_copy(q->gathered, first, count, block);
    sli_scene_question part = part_of(q, &query, &copied, first);
    part.yes = q->yes + first;
    part.hints = q->hints != NULL ? q->hints + first : NULL;
    ask_array(&part, 0, count, stats);
}

/* The same for rays or segments in doubles from one point. */
static SLI_NOINLINE void gather_any_d(const sli_scene_question *q, size_t first, size_t count,
                                      sl_stats *stats)
{
    sl_ray_d rays[GATHER_D];
    sl_segment_d segments[GATHER_D];
    const sli_scene_from_d *from = q->from_d;
    const double *o = from->origin, *to = from->to + 3 * first;
    for (size_t i = 0; i < count; i++, to += 3) {
        segments[i] = (sl_segment_d){ .p = { o[0], o[1], o[2] }, .q = { to[0], to[1], to[2] } };
        rays[i] = (sl_ray_d){ .origin = { o[0], o[1], o[2] },
                              .dir = { to[0], to[1], to[2] },
                              .tmax = from->tmax };
    }
    const sl_query query = sli_query_from(q->query, first);
    sli_scene_question part = *q;
    part.query = &query;
    part.rays_d = from->targets ? NULL : rays;
    part.segments_d = from->targets ? segments : NULL;
    part.first = first;
    part.yes = q->yes + first;
    ask_array(&part, 0, count, stats);
}

static void ask_block(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sli_scene_question *q = context;
    if (q->gathered == NULL && q->from_d == NULL) {
        ask_array(q, begin, end, stats);
        return;
    }
    if (q->from_d != NULL) {
        for (size_t first = begin; first < end; first += GATHER_D) {
            gather_any_d(q, first, end - first < GATHER_D ? end - first : GATHER_D, stats);
        }
        return;
    }
    for (size_t first = begin; first < end; first += GATHER) {
        const size_t count = end - first < GATHER ? end - first : GATHER;
        if (q->asked == SLI_SCENE_CLOSEST) {
            gather_closest(q, first, count, stats);
        } else {
            gather_any(q, first, count, stats);
        }
    }
}

void sli_scene_ask(const sli_scene_question *question, size_t count, const sl_tasks *tasks)
{
    sli_scene_question q = *question;
    q.query = question->query != NULL ? question->query : &sli_everything;
    /* Hints leave few items of a block, which should still be many in flight. */
    const size_t block = q.hints != NULL ? 4096 : 1024;
    sli_run_blocks_of(block, count, ask_block, &q, q.query->stats, tasks);
}

static void try_block(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sli_scene_question *q = context;
    const sli_scene_batch batch = batch_of(q);
    if (!sli_query_has_filter(q->query)) {
        q->scene->kernels->scene_try_hints(&batch, begin, end, q->yes, q->hints, stats);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        sli_scene_ray ray;
        q->yes[i] = prepare(q, i, &ray) && hint_blocks(q->scene, &ray, q->hints[i], stats);
    }
}

void sli_scene_try_hints(const sli_scene_question *question, size_t count)
{
    sli_run_blocks(count, try_block, question, question->query->stats, NULL);
}

bool sl_scene_triangle(const sl_scene *scene, sl_triangle_ref triangle, double corners[3][3])
{
    sl_triangle found;
    if (triangle.instance >= scene->world.count ||
        scene->world.placed[triangle.instance].tree == NULL ||
        !sl_bvh_triangle(scene->world.placed[triangle.instance].tree, triangle.prim, &found)) {
        return false;
    }
    const sli_fpenv saved = sli_fpenv_enter();
    sli_scene_corners(&scene->world.placed[triangle.instance], found.v, corners);
    sli_fpenv_leave(saved);
    return true;
}
