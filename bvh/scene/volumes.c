/* Which triangles of a scene a volume touches, or whether any (scene_volumes.h): down the top tree
 * to instances, down their trees to triangles, by the generic walk (query/visit.h), where boxes are
 * judged by the volume as it is carried there (volume_space.h); a triangle that is left gets its
 * corners in the world, where the volume is tested as it is. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/query/query.h"
#include "bvh/scene/ref_heap.h"
#include "bvh/scene/scene.h"
#include "bvh/scene/volume_space.h"

#include <math.h>
#include <string.h>

/* A public question.  Either volumes or volumes_d; either touches or totals, with refs unless
 * capacity is 0. */
typedef struct job {
    const sl_scene *scene;
    const sl_volume *volumes;
    const sl_volume_d *volumes_d;
    const sl_query *query;
    uint8_t *touches;      /* one for each volume: 1 or 0 */
    sl_triangle_ref *refs; /* a row of capacity triangles for each volume */
    size_t capacity;
    uint64_t *totals; /* one for each volume: how many it touches, kept in its row or not */
} job;

/* One volume on its way through the scene. */
typedef struct search {
    const sli_world *world;
    sl_volume_d volume;
    sl_aabb_d bounds; /* of the volume */
    sli_volume_filter filter;
    sli_scene_ray options;
    sli_volume_space top, object;
    /* The present instance. */
    const sli_placed *placed;
    uint32_t instance;
    bool whole; /* all of it lies within the volume */
    sl_triangle_ref *row;
    size_t capacity, total;
    bool only_whether; /* the walk ends at the first triangle that is touched */
    sl_stats *stats;
} search;

static sli_interest ask_top_box(const void *context, const sl_aabb *box)
{
    const search *s = context;
    return sli_volume_space_box(&s->top, box);
}

static sli_interest ask_object_box(const void *context, const sl_aabb *box)
{
    const search *s = context;
    return s->whole ? SLI_VISIT_ALL : sli_volume_space_box(&s->object, box);
}

/* A triangle of the present instance; sure: it is within the volume. */
static bool take_triangle(void *context, uint32_t prim, const sl_triangle *triangle, bool sure)
{
    search *s = context;
    if (!sure && !s->whole) {
        sl_triangle_d corners;
        float x[3][3];
        memcpy(x, triangle->v, sizeof x);
        sli_scene_corners(s->placed, x, corners.v);
        if (!sli_volume_d_touches(&s->volume, &s->filter, &corners)) {
            return true;
        }
    }
    const sl_triangle_ref ref = { .instance = s->instance, .prim = prim };
    s->stats->hits++;
    sli_ref_heap_add(s->row, s->capacity, s->total++, &ref);
    return !s->only_whether;
}

/* The options that hold within the present instance. */
static sli_kernel_selection selection_of(const search *s)
{
    sli_kernel_selection selection = { .flags = s->options.flags, .mask = s->options.mask };
    for (int i = 0; i < 2; i++) {
        const sl_triangle_ref *skip = &s->options.skip[i];
        selection.skip[i] = skip->instance == s->instance ? skip->prim : SL_NONE;
    }
    return selection;
}

/* An instance: as the top tree has it, a triangle that spans its box. */
static bool take_instance(void *context, uint32_t instance, const sl_triangle *box, bool sure)
{
    search *s = context;
    const sli_placed *placed = &s->world->placed[instance];
    if (!sli_scene_selects(&s->options, placed, instance)) {
        return true;
    }
    s->placed = placed;
    s->instance = instance;
    s->whole = sure;
    if (!sure) {
        sl_aabb bounds;
        memcpy(bounds.min, box->v[0], sizeof bounds.min);
        memcpy(bounds.max, box->v[1], sizeof bounds.max);
        const sli_interest interest = sli_volume_space_box(&s->top, &bounds);
        if (interest == SLI_VISIT_NOT) {
            return true;
        }
        s->whole = interest == SLI_VISIT_ALL;
        sli_volume_to_object(&s->volume, &s->filter, placed, &s->object);
        if (!s->whole && ask_object_box(s, &placed->tree->bounds) == SLI_VISIT_NOT) {
            return true;
        }
    }
    const sli_visitor visitor = { .context = s,
                                  .bounds = s->whole ? placed->tree->bounds
                                                     : sli_volume_object_bounds(&s->bounds, placed,
                                                                                &s->object),
                                  .selection = selection_of(s),
                                  .box = ask_object_box,
                                  .triangle = take_triangle };
    s->stats->instances++;
    sli_visit(placed->tree, &visitor, s->stats);
    s->stats->rays--; /* which the walk has counted */
    return !(s->only_whether && s->total > 0);
}

/* Finds the triangles that volume i touches: the lowest j->capacity go to row, in rising order.
 * Returns how many there are in all; with only_whether, 1 or 0. */
static size_t find(const job *j, size_t i, sl_triangle_ref *row, bool only_whether, sl_stats *stats)
{
    search s; /* the rest of which is written when it is needed */
    s.world = &j->scene->world;
    s.row = row;
    s.capacity = row != NULL ? j->capacity : 0;
    s.total = 0;
    s.only_whether = only_whether;
    s.stats = stats;
    s.options = (sli_scene_ray){ .flags = 0 };
    const sl_volume_d given =
        j->volumes != NULL ? sli_volume_d_of(&j->volumes[i]) : j->volumes_d[i];
    if (!sli_volume_d_take(&given, &s.volume) || s.world->top->root == SLI_REF_EMPTY) {
        stats->rays++;
        return 0;
    }
    sli_volume_filter_make_d(&s.volume, &s.filter);
    sli_scene_options(j->query, i, &s.options);
    sli_volume_to_top(&s.volume, &s.filter, s.world, &s.top);
    s.bounds = sli_volume_d_bounds(&s.volume);
    const sli_visitor visitor = { .context = &s,
                                  .bounds = sli_volume_top_bounds(&s.bounds, s.world, &s.top),
                                  .selection = { .flags = s.options.flags & SL_USE_MASK,
                                                 .mask = s.options.mask },
                                  .box = ask_top_box,
                                  .triangle = take_instance };
    sli_visit(s.world->top, &visitor, stats);
    sli_ref_heap_sort(row, s.capacity, s.total);
    return s.total;
}

static void run(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        if (j->touches != NULL) {
            j->touches[i] = find(j, i, NULL, true, stats) > 0;
        } else {
            sl_triangle_ref *row = j->capacity > 0 ? j->refs + i * j->capacity : NULL;
            j->totals[i] = find(j, i, row, false, stats);
        }
    }
}

static void ask(job *j, const sl_query *query, size_t count, const sl_tasks *tasks)
{
    j->query = query != NULL ? query : &sli_everything;
    sli_run_blocks_of(64, count, run, j, j->query->stats, tasks);
}

void sl_scene_overlap_any_many(const sl_scene *scene, const sl_volume *volumes, size_t count,
                               const sl_query *query, uint8_t *touches, const sl_tasks *tasks)
{
    ask(&(job){ .scene = scene, .volumes = volumes, .touches = touches }, query, count, tasks);
}

void sl_scene_overlap_any_d_many(const sl_scene *scene, const sl_volume_d *volumes, size_t count,
                                 const sl_query *query, uint8_t *touches, const sl_tasks *tasks)
{
    ask(&(job){ .scene = scene, .volumes_d = volumes, .touches = touches }, query, count, tasks);
}

void sl_scene_overlap_all_many(const sl_scene *scene, const sl_volume *volumes, size_t count,
                               const sl_query *query, sl_triangle_ref *refs, size_t capacity,
                               uint64_t *totals, const sl_tasks *tasks)
{
    job j = {
        .scene = scene, .volumes = volumes, .refs = refs, .capacity = capacity, .totals = totals
    };
    ask(&j, query, count, tasks);
}

void sl_scene_overlap_all_d_many(const sl_scene *scene, const sl_volume_d *volumes, size_t count,
                                 const sl_query *query, sl_triangle_ref *refs, size_t capacity,
                                 uint64_t *totals, const sl_tasks *tasks)
{
    job j = {
        .scene = scene, .volumes_d = volumes, .refs = refs, .capacity = capacity, .totals = totals
    };
    ask(&j, query, count, tasks);
}

bool sl_scene_overlap_any(const sl_scene *scene, const sl_volume *volume, const sl_query *query)
{
    uint8_t touches;
    sl_scene_overlap_any_many(scene, volume, 1, query, &touches, NULL);
    return touches != 0;
}

bool sl_scene_overlap_any_d(const sl_scene *scene, const sl_volume_d *volume, const sl_query *query)
{
    uint8_t touches;
    sl_scene_overlap_any_d_many(scene, volume, 1, query, &touches, NULL);
    return touches != 0;
}

size_t sl_scene_overlap_all(const sl_scene *scene, const sl_volume *volume, const sl_query *query,
                            sl_triangle_ref *refs, size_t capacity)
{
    uint64_t total;
    sl_scene_overlap_all_many(scene, volume, 1, query, refs, capacity, &total, NULL);
    return (size_t)total;
}

size_t sl_scene_overlap_all_d(const sl_scene *scene, const sl_volume_d *volume,
                              const sl_query *query, sl_triangle_ref *refs, size_t capacity)
{
    uint64_t total;
    sl_scene_overlap_all_d_many(scene, volume, 1, query, refs, capacity, &total, NULL);
    return (size_t)total;
}
