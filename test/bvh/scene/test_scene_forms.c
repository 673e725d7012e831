/* Rays and segments, in floats and in doubles, in plain arrays, in strides and from one point, are
 * answered as single calls answer them: by scenes and by trees over triangles, with options for
 * single items and hit filters, in parallel. */
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/world.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261125, ITEMS = 300, CAPACITY = 3, KINDS = 4, LAYOUTS = 3 };

/* An item in all four kinds. */
typedef struct item {
    sl_ray ray;
    sl_segment segment;
    sl_ray_d ray_d;
    sl_segment_d segment_d;
} item;

static item items[ITEMS];
static sl_item_options of_items[ITEMS];

static void draw(const sl_bvh *bvh, bool one_origin, test_random *random)
{
    const sl_aabb_d bounds = sl_bvh_bounds(bvh);
    double origin[3] = { 0, 0, 0 };
    for (int i = 0; i < ITEMS; i++) {
        item *of = &items[i];
        for (int axis = 0; axis < 3; axis++) {
            const double size = bounds.max[axis] - bounds.min[axis];
            if (i == 0 || !one_origin) {
                origin[axis] = bounds.min[axis] + size * (double)test_random_unit(random);
            }
            const double to = bounds.min[axis] + size * (double)test_random_unit(random);
            of->ray.origin[axis] = of->segment.p[axis] = (float)origin[axis];
            of->ray.dir[axis] = (float)(to - origin[axis]);
            of->segment.q[axis] = (float)to;
            of->ray_d.origin[axis] = of->segment_d.p[axis] = origin[axis];
            of->ray_d.dir[axis] = to - origin[axis];
            of->segment_d.q[axis] = to;
        }
        of->ray.tmin = 0;
        of->ray_d.tmin = 0;
        of->ray.tmax = 2;
        of->ray_d.tmax = 2;
        if (test_random_below(random, 50) == 0) {
            of->ray.dir[1] = of->segment.q[1] = NAN;
            of->ray_d.dir[1] = of->segment_d.q[1] = NAN;
        }
        of_items[i] = (sl_item_options){ .mask = 1 + test_random_below(random, 7) };
    }
}

/* The items of a kind from one on, where they are. */
static sl_rays items_of(int kind, size_t first, size_t count)
{
    const item *of = &items[first];
    sl_rays rays = kind == 0   ? sl_rays_of(&of->ray, count)
                   : kind == 1 ? sl_segments_of(&of->segment, count)
                   : kind == 2 ? sl_rays_of_d(&of->ray_d, count)
                               : sl_segments_of_d(&of->segment_d, count);
    rays.origin_stride = rays.dir_stride = rays.tmin_stride = rays.tmax_stride = sizeof *of;
    return rays;
}

/* In plain arrays; where they are; and from the origin of the first one. */
static sl_rays lay_out(int kind, int layout)
{
    static union {
        sl_ray rays[ITEMS];
        sl_segment segments[ITEMS];
        sl_ray_d rays_d[ITEMS];
        sl_segment_d segments_d[ITEMS];
    } plain;
    static float dirs[ITEMS][3];
    static double dirs_d[ITEMS][3];
    const item *of = &items[0];
    for (int i = 0; i < ITEMS && layout == 0; i++) {
        switch (kind) {
        case 0:
            plain.rays[i] = items[i].ray;
            break;
        case 1:
            plain.segments[i] = items[i].segment;
            break;
        case 2:
            plain.rays_d[i] = items[i].ray_d;
            break;
        default:
            plain.segments_d[i] = items[i].segment_d;
            break;
        }
    }
    for (int i = 0; i < ITEMS && layout == 2; i++) {
        const bool segments = kind % 2 == 1;
        memcpy(dirs[i], segments ? items[i].segment.q : items[i].ray.dir, sizeof dirs[i]);
        memcpy(dirs_d[i], segments ? items[i].segment_d.q : items[i].ray_d.dir, sizeof dirs_d[i]);
    }
    const sl_rays in_plain[KINDS] = { sl_rays_of(plain.rays, ITEMS),
                                      sl_segments_of(plain.segments, ITEMS),
                                      sl_rays_of_d(plain.rays_d, ITEMS),
                                      sl_segments_of_d(plain.segments_d, ITEMS) };
    const sl_rays from[KINDS] = {
        rays_until(sl_rays_from(of->ray.origin, dirs[0], ITEMS, SL_FLOAT), &of->ray.tmax),
        sl_segments_from(of->segment.p, dirs[0], ITEMS, SL_FLOAT),
        rays_until(sl_rays_from(of->ray_d.origin, dirs_d[0], ITEMS, SL_DOUBLE), &of->ray_d.tmax),
        sl_segments_from(of->segment_d.p, dirs_d[0], ITEMS, SL_DOUBLE)
    };
    return layout == 0 ? in_plain[kind] : layout == 1 ? items_of(kind, 0, ITEMS) : from[kind];
}

/* Hits are sl_hit for kinds in floats. */
typedef struct answers {
    sl_hit_d closest[ITEMS], next[ITEMS], rows[ITEMS * CAPACITY];
    uint64_t totals[ITEMS], counts[ITEMS];
    uint8_t any[ITEMS], hinted[ITEMS], again[ITEMS];
} answers;

static sl_hits hits_at(sl_hit_d *hits, sl_number number, size_t i)
{
    return number == SL_DOUBLE ? sl_hits_of_d(hits + i) : sl_hits_of((sl_hit *)(void *)hits + i);
}

/* Asks everything; answers go to places from `first` on. */
static void ask(const sl_bvh *bvh, sl_rays rays, const sl_options *options, const sl_tasks *tasks,
                size_t first, answers *a)
{
    sl_triangle_ref hints[ITEMS];
    const sl_hits next = hits_at(a->next, rays.number, first),
                  rows = hits_at(a->rows, rays.number, first * CAPACITY);
    memset(hints, 0xFF, sizeof hints);
    sl_bvh_closest_many(bvh, rays, options, hits_at(a->closest, rays.number, first), tasks, NULL);
    sl_bvh_closest_many(bvh, rays, options, next, tasks, NULL);
    sl_bvh_next_many(bvh, rays, options, next, tasks, NULL);
    sl_bvh_all_many(bvh, rays, options, rows, CAPACITY, a->totals + first, tasks, NULL);
    sl_bvh_all_many(bvh, rays, options, sl_hits_of(NULL), 0, a->counts + first, tasks, NULL);
    sl_bvh_any_many(bvh, rays, options, a->any + first, NULL, tasks, NULL);
    sl_bvh_any_many(bvh, rays, options, a->hinted + first, hints, tasks, NULL);
    for (size_t i = 0; i < rays.count; i++) {
        assert_int_equal(hints[i].prim != SL_NONE, a->any[first + i]);
    }
    sl_bvh_any_many(bvh, rays, options, a->again + first, hints, tasks, NULL); /* with good ones */
}

/* Sees the index: items whose number is even have no hits on odd prims. */
static bool by_index(void *user, size_t index, const sl_hit *hit)
{
    const size_t shift = *(const size_t *)user;
    return (index + shift) % 2 == 1 || hit->prim % 2 == 0;
}

/* The calls for one ray or segment, against arrays of one. */
static void query_typed(const sl_bvh *bvh, int kind, size_t i, const sl_options *options,
                        const answers *a)
{
    const item *of = &items[i];
    const bool found = a->totals[i] > 0;
    sl_hit hit, row[CAPACITY];
    sl_hit_d hit_d;
    switch (kind) {
    case 0:
        assert_int_equal(sl_bvh_closest(bvh, &of->ray, options, &hit), found);
        assert_memory_equal(&hit, (const sl_hit *)(const void *)a->closest + i, sizeof hit);
        (void)sl_bvh_next(bvh, &of->ray, options, &hit, &hit);
        assert_memory_equal(&hit, (const sl_hit *)(const void *)a->next + i, sizeof hit);
        assert_int_equal(sl_bvh_all(bvh, &of->ray, options, row, CAPACITY), a->totals[i]);
        assert_memory_equal(row, (const sl_hit *)(const void *)a->rows + i * CAPACITY,
                            (a->totals[i] < CAPACITY ? a->totals[i] : CAPACITY) * sizeof *row);
        assert_int_equal(sl_bvh_any(bvh, &of->ray, options), found);
        break;
    case 1:
        assert_int_equal(sl_bvh_occluded(bvh, of->segment.p, of->segment.q, options), found);
        break;
    case 2:
        assert_int_equal(sl_bvh_closest_d(bvh, &of->ray_d, options, &hit_d), found);
        assert_memory_equal(&hit_d, &a->closest[i], sizeof hit_d);
        assert_int_equal(any_of_one(bvh, sl_rays_of_d(&of->ray_d, 1), options, NULL), found);
        break;
    default:
        assert_int_equal(sl_bvh_occluded_d(bvh, of->segment_d.p, of->segment_d.q, options), found);
        break;
    }
}

/* Answers hang together: any and all say the same, and the next hit is the second of all. */
static void assert_consistent(sl_number number, size_t i, const answers *a)
{
    const uint64_t total = a->totals[i];
    assert_int_equal(a->counts[i], total);
    assert_true(a->any[i] == (total > 0) && a->hinted[i] == a->any[i] && a->again[i] == a->any[i]);
    if (number == SL_DOUBLE) {
        const sl_hit_d *row = a->rows + i * CAPACITY;
        assert_int_equal(a->next[i].prim != SL_NONE, total > 1);
        assert_true(total == 0 || memcmp(&a->closest[i], &row[0], sizeof *row) == 0);
        assert_true(total < 2 || memcmp(&a->next[i], &row[1], sizeof *row) == 0);
    } else {
        const sl_hit *row = (const sl_hit *)(const void *)a->rows + i * CAPACITY,
                     *next = (const sl_hit *)(const void *)a->next + i,
                     *closest = (const sl_hit *)(const void *)a->closest + i;
        assert_int_equal(next->prim != SL_NONE, total > 1);
        assert_true(total == 0 || memcmp(closest, &row[0], sizeof *row) == 0);
        assert_true(total < 2 || memcmp(next, &row[1], sizeof *row) == 0);
    }
}

/* Every layout of every kind, without options, with some for single items, and with a filter. */
static void compare(const sl_bvh *bvh, bool one_origin, const sl_tasks *tasks)
{
    static answers expected, found;
    size_t zero = 0;
    const sl_options queries[] = {
        { .flags = 0 },
        { .items = of_items, .cull = SL_CULL_BACK },
        { .filter = by_index, .filter_user = &zero },
    };
    for (size_t k = 0; k < KINDS * sizeof queries / sizeof *queries; k++) {
        const sl_options *options = &queries[k / KINDS];
        const int kind = (int)(k % KINDS);
        memset(&expected, 0, sizeof expected);
        for (size_t i = 0; i < ITEMS; i++) {
            sl_options one = *options;
            one.items = options->items != NULL ? &options->items[i] : NULL;
            one.filter_user = &i;
            ask(bvh, items_of(kind, i, 1), &one, NULL, i, &expected);
            query_typed(bvh, kind, i, &one, &expected);
            assert_consistent(kind < 2 ? SL_FLOAT : SL_DOUBLE, i, &expected);
        }
        for (int form = one_origin ? 4 : 0; form < (one_origin ? 6 : 4); form++) {
            const sl_rays rays = lay_out(kind, form / 2);
            memset(&found, 0, sizeof found);
            ask(bvh, rays, options, form % 2 == 0 ? NULL : tasks, 0, &found);
            assert_memory_equal(&found, &expected, sizeof found);
        }
    }
}

/* Over worlds of all kinds, and one of the trees in them. */
static void in_all_worlds(bool one_origin)
{
    static const size_t sizes[] = { 3, 30 };
    scrambled_tasks scrambled;
    const sl_tasks *tasks = scrambled_tasks_start(&scrambled, 3, SEED);
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (size_t size = 0; size < 2; size++) {
            test_random random = { SEED + (uint64_t)kind };
            UNDONE(world_destroy) world_case world;
            world_make(&world, (world_kind)kind, sizes[size], size == 1, &random);
            draw(world.scene, one_origin, &random);
            compare(world.scene, one_origin, tasks);
            draw(world.trees[1 + size], one_origin, &random);
            compare(world.trees[1 + size], one_origin, tasks);
        }
    }
}

TEST(arrays_are_single_calls)
{
    in_all_worlds(false);
}

TEST(from_one_point_are_single_calls)
{
    in_all_worlds(true);
}
