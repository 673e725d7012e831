/* queries.c: lines of sight, and what rays hit, for arrays of them. */
#include "tools/godot/world.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { CULL_BOTH = CULL_BACK | CULL_FRONT, SIGHT_FLAGS = OPEN_START | OPEN_END | CULL_BOTH };

/* A batch: points and points or directions, of which one may be all alike, and at the end of the
 * arguments ignore, ignore_each, mask and flags. */
typedef struct query {
    sl_rays rays;
    sl_options options;
    sl_item_options *items;    /* a row for each ray; NULL: all have the same */
    sl_instance_range *ignore; /* as many as the argument has */
} query;

bool check_mask(int64_t mask)
{
    return (mask >= 0 && mask <= UINT32_MAX) ||
           REFUSE("a mask has 32 bits; %lld is none", (long long)mask);
}

sl_instance_range *ignored(GDExtensionConstTypePtr argument, sl_options *options)
{
    size_t count;
    const int32_t *numbers = packed_elements(INTS, argument, &count);
    sl_instance_range *ranges = malloc((count + 1) * sizeof *ranges);
    for (size_t i = 0; i < count && ranges != NULL; i++) {
        ranges[i] = (sl_instance_range){ (uint32_t)numbers[i], numbers[i] >= 0 };
    }
    options->ignore = ranges;
    options->ignore_count = count;
    return ranges;
}

/* Each ray gets the next `each` of the instances to ignore. */
static bool deal(query *q, int64_t each)
{
    const size_t count = q->rays.count, given = q->options.ignore_count;
    if (each < 0 || each > UINT32_MAX || count * (uint64_t)each != given) {
        return REFUSE("ignore has %zu instances, not %lld for each of %zu lines", given,
                      (long long)each, count);
    }
    q->items = malloc((count + 1) * sizeof *q->items);
    for (size_t i = 0; i < count && q->items != NULL; i++) {
        q->items[i] = (sl_item_options){ .mask = q->options.mask,
                                         .ignore = q->ignore + i * (size_t)each,
                                         .ignore_count = (size_t)each };
    }
    q->options.items = q->items;
    return q->items != NULL || REFUSE("out of memory");
}

static bool begin_options(query *q, const GDExtensionConstTypePtr *last, int64_t allowed)
{
    const int64_t each = int_of(last[1]), mask = int_of(last[2]), flags = int_of(last[3]);
    if ((flags & ~allowed) != 0 || (flags & CULL_BOTH) == CULL_BOTH) {
        return REFUSE("flags %lld are none of this method's", (long long)flags);
    }
    q->options.mask = (uint32_t)mask;
    q->options.flags = (uint32_t)flags & (OPEN_START | OPEN_END);
    q->options.cull = (flags & CULL_BACK) != 0    ? SL_CULL_FRONT
                      : (flags & CULL_FRONT) != 0 ? SL_CULL_BACK
                                                  : SL_CULL_NONE;
    q->rays.segments = (flags & SEGMENTS) != 0;
    q->ignore = ignored(last[0], &q->options);
    return check_mask(mask) && (q->ignore != NULL || REFUSE("out of memory")) &&
           (each == 0 || deal(q, each));
}

static bool begin(query *q, const world *w, const GDExtensionConstTypePtr *points,
                  const GDExtensionConstTypePtr *last, int64_t allowed)
{
    size_t from, to;
    const size_t stride = 3 * godot.real_size;
    q->rays.origin[0] = packed_elements(POINTS, points[0], &from);
    q->rays.dir[0] = packed_elements(POINTS, points[1], &to);
    q->rays.origin_stride = from == 1 ? SL_SAME : stride;
    q->rays.dir_stride = to == 1 ? SL_SAME : stride;
    q->rays.count = from == 1 ? to : from;
    q->rays.number = godot.real;
    return (w->scene != NULL || REFUSE("there is nothing to see yet: update() first")) &&
           (from == to || from == 1 || to == 1 ||
            REFUSE("arrays of %zu and of %zu do not go together", from, to)) &&
           begin_options(q, last, allowed);
}

static void end(query *q)
{
    free(q->items);
    free(q->ignore);
}

/* ---- Sight ---- */

/* Whether the library takes item i for a point. */
static bool is_point(const void *points, size_t stride, size_t i)
{
    const char *at = (const char *)points + (stride == SL_SAME ? 0 : i * stride);
    bool is = true;
    for (size_t axis = 0; axis < 3; axis++) {
        is = is && fabs(get_real(at, axis)) <= FLT_MAX; /* false of NaN */
    }
    return is;
}

/* Seen is what nothing occludes, but from and to points that are none nothing is seen. */
void sight(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    query q = { 0 };
    value made;
    new_value(BYTES, &made);
    if (begin(&q, w, arguments, arguments + 2, SIGHT_FLAGS)) {
        q.rays.segments = true;
        uint8_t *seen = packed_resize(BYTES, &made, q.rays.count);
        if (seen == NULL && q.rays.count > 0) {
            REFUSE("out of memory");
        } else {
            sl_bvh_any_many(w->scene, q.rays, &q.options, seen, NULL, tasks_of(w), NULL);
            for (size_t i = 0; i < q.rays.count; i++) {
                seen[i] = seen[i] == 0 && is_point(q.rays.origin[0], q.rays.origin_stride, i) &&
                          is_point(q.rays.dir[0], q.rays.dir_stride, i);
            }
        }
    }
    end(&q);
    give(BYTES, result, &made);
}

/* ---- Cast ---- */

enum { T, INSTANCE, PRIM, POINT, NORMAL, COLUMNS };

static const struct {
    const char *key;
    GDExtensionVariantType type;
} columns[COLUMNS] = { { "t", DOUBLES },
                       { "instance", INTS },
                       { "prim", INTS },
                       { "point", POINTS },
                       { "normal", POINTS } };

static void write_hit(const sl_bvh *scene, const sl_hit_d *hit, size_t i, void *const *columns_at)
{
    sl_surface surface = { .point = { NAN, NAN, NAN }, .normal = { NAN, NAN, NAN } };
    const sl_triangle_ref triangle = { hit->instance, hit->prim };
    const bool is_hit = hit->prim != SL_NONE;
    if (is_hit) {
        sl_bvh_surface(scene, triangle, hit->u, hit->v, godot.real, &surface);
        for (int axis = 0; axis < 3; axis++) {
            surface.normal[axis] = -surface.normal[axis]; /* Godot's front is the library's back */
        }
    }
    ((double *)columns_at[T])[i] = hit->t;
    ((int32_t *)columns_at[INSTANCE])[i] = is_hit ? (int32_t)hit->instance : -1;
    ((int32_t *)columns_at[PRIM])[i] = is_hit ? (int32_t)hit->prim : -1;
    put_point(columns_at[POINT], i, surface.point);
    put_point(columns_at[NORMAL], i, surface.normal);
}

/* Fills a dictionary with a packed array for each column. */
static void write_hits(const sl_bvh *scene, const sl_hit_d *hits, size_t count, value *dictionary)
{
    value arrays[COLUMNS];
    void *at[COLUMNS];
    bool room = true;
    for (int column = 0; column < COLUMNS; column++) {
        new_value(columns[column].type, &arrays[column]);
        at[column] = packed_resize(columns[column].type, &arrays[column], count);
        room = room && (at[column] != NULL || count == 0);
    }
    for (size_t i = 0; i < count && room; i++) {
        write_hit(scene, &hits[i], i, at);
    }
    for (int column = 0; column < COLUMNS; column++) {
        if (room) {
            put_in(dictionary, columns[column].key, columns[column].type, &arrays[column]);
        } else {
            destroy_value(columns[column].type, &arrays[column]);
        }
    }
    (void)(room || REFUSE("out of memory"));
}

void cast(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    query q = { 0 };
    value made;
    sl_hit_d *hits = NULL;
    const double tmax = float_of(arguments[2]);
    const float tmax_float = (float)tmax;
    new_value(DICTIONARY, &made);
    if (begin(&q, w, arguments, arguments + 3, SIGHT_FLAGS | SEGMENTS)) {
        hits = malloc((q.rays.count + 1) * sizeof *hits);
        (void)(hits != NULL || REFUSE("out of memory"));
    }
    if (hits != NULL) {
        if (!q.rays.segments) {
            q.rays.tmax = godot.real == SL_DOUBLE ? (const void *)&tmax : &tmax_float;
            q.rays.tmax_stride = SL_SAME;
        }
        sl_bvh_closest_many(w->scene, q.rays, &q.options, sl_hits_of_d(hits), tasks_of(w), NULL);
        write_hits(w->scene, hits, q.rays.count, &made);
    }
    free(hits);
    end(&q);
    give(DICTIONARY, result, &made);
}
