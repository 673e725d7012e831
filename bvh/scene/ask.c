/* Answers questions about rays and segments of a scene, item by item, by the kernels.  Blocks of
 * items run under the floating-point guard; nothing here allocates. */
#include "bvh/scene/ask.h"

#include "bvh/kernel/scene/decide.h"
#include "bvh/query/query.h"
#include "lib/geom/intersect/hit_heap.h"

#include <math.h>

static bool in_floats(const sli_scene_question *q)
{
    return q->rays != NULL || q->segments != NULL;
}

/* A hit as callers in floats get it: its t is one already. */
static sl_hit hit_in_floats(const sl_hit_d *hit)
{
    return (sl_hit){ .t = (float)hit->t,
                     .u = hit->u,
                     .v = hit->v,
                     .prim = hit->prim,
                     .instance = hit->instance,
                     .flags = hit->flags };
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
    const sl_hit shown = hit_in_floats(hit);
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
        out->accepts_index = i;
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
        q->hits[i] = hit_in_floats(answer);
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
        !sli_scene_selects(ray, &world->placed[hint.instance]) ||
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
    q->yes[i] = (q->hints != NULL && hint_blocks(q->scene, &ray, q->hints[i], stats)) ||
                q->scene->kernels->scene_any(&q->scene->world, &ray,
                                             q->hints != NULL ? &q->hints[i] : NULL, stats);
}

/* The nearest hits of one item, as a heap. */
typedef struct nearest_hits {
    const sli_scene_question *q;
    size_t total;
} nearest_hits;

static void take_hit(void *context, const sl_hit_d *hit)
{
    nearest_hits *nearest = context;
    const sli_scene_question *q = nearest->q;
    if (q->hits != NULL) {
        const sl_hit shown = hit_in_floats(hit);
        sli_hit_heap_add(q->hits, q->capacity, nearest->total, &shown);
    } else {
        sli_hit_d_heap_add(q->hits_d, q->capacity, nearest->total, hit);
    }
    nearest->total++;
}

static void ask_all(const sli_scene_question *q, size_t i, sl_stats *stats)
{
    sli_scene_ray ray;
    nearest_hits nearest = { .q = q };
    if (!prepare(q, i, &ray)) {
        stats->rays++;
        q->totals[i] = 0;
        return;
    }
    sli_scene_take *take = q->capacity > 0 ? take_hit : NULL;
    q->totals[i] = q->scene->kernels->scene_all(&q->scene->world, &ray, take, &nearest, stats);
    if (q->capacity > 0 && q->hits != NULL) {
        sli_hit_heap_sort(q->hits, q->capacity, nearest.total);
    } else if (q->capacity > 0) {
        sli_hit_d_heap_sort(q->hits_d, q->capacity, nearest.total);
    }
}

/* Whether the kernels take all items together. */
static bool goes_together(const sli_scene_question *q, size_t count)
{
    enum { COUNT_MIN = 8 };
    return count >= COUNT_MIN && in_floats(q) && !sli_query_has_filter(q->query) &&
           q->scene->top->root != SLI_REF_EMPTY &&
           (q->asked == SLI_SCENE_CLOSEST || q->asked == SLI_SCENE_ANY);
}

static void ask_together(const sli_scene_question *q, size_t begin, size_t end, sl_stats *stats)
{
    const sl_scene *scene = q->scene;
    const sli_scene_batch batch = { .world = &scene->world,
                                    .rays = q->rays,
                                    .segments = q->segments,
                                    .query = q->query,
                                    .hinted = q->hints != NULL };
    if (q->asked == SLI_SCENE_CLOSEST) {
        scene->kernels->scene_closest_many(&batch, begin, end, q->hits, stats);
        return;
    }
    for (size_t i = begin; i < end && q->hints != NULL; i++) {
        sli_scene_ray ray;
        q->yes[i] =
            sli_scene_batch_ray(&batch, i, &ray) && hint_blocks(scene, &ray, q->hints[i], stats);
    }
    scene->kernels->scene_any_many(&batch, begin, end, q->yes, q->hints, stats);
}

static void ask_block(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sli_scene_question *q = context;
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

void sli_scene_ask(const sli_scene_question *question, size_t count, const sl_tasks *tasks)
{
    sli_scene_question q = *question;
    q.query = question->query != NULL ? question->query : &sli_everything;
    sli_run_blocks_of(1024, count, ask_block, &q, q.query->stats, tasks);
}

bool sl_scene_triangle(const sl_scene *scene, sl_triangle_ref triangle, double corners[3][3])
{
    sl_triangle found;
    if (triangle.instance >= scene->world.count || scene->placed[triangle.instance].tree == NULL ||
        !sl_bvh_triangle(scene->placed[triangle.instance].tree, triangle.prim, &found)) {
        return false;
    }
    const sli_fpenv saved = sli_fpenv_enter();
    sli_scene_corners(&scene->placed[triangle.instance], found.v, corners);
    sli_fpenv_leave(saved);
    return true;
}
