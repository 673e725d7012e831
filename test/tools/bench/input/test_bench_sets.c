/* The ray sets of bench: the same bits every time, whatever the tree is, and what they are said to
 * be. */
#include "lib/geom/exact/valid.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"
#include "test/support/volume.h"
#include "tools/bench/input/meshes.h"
#include "tools/bench/input/primary.h"
#include "tools/bench/job/job.h"

enum { COUNT = 3000 };

typedef struct scene {
    sl_mesh *mesh;
    sl_bvh *bvh;
    bench_source source;
} scene;

static void open_scene(scene *s, sl_bvh_quality quality, uint64_t seed)
{
    bool empty;
    sl_build_def def = { .quality = quality };
    s->mesh = made_torus(24, 12, 2, 1);
    s->bvh = made_bvh(s->mesh, &def);
    s->source = (bench_source){ .bounds = bounds_in_floats(s->bvh), .seed = seed };
    float size[3];
    memcpy(size, sl_aabb_measure(&s->source.bounds).size, sizeof size);
    s->source.diagonal = sqrtf(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    assert_true(bench_surface_make(&s->source.surface, s->mesh, s->bvh, &empty));
}

static void close_scene(scene *s)
{
    bench_surface_free(&s->source.surface);
    unmake_bvh(s->bvh, s->mesh);
}

TEST_BEFORE_ALL
{
    static scene s;
    open_scene(&s, SL_BVH_QUALITY_DEFAULT, 1);
    *state = &s;
}

TEST_AFTER_ALL
{
    close_scene(*state);
}

static bench_rays make(const scene *s, bench_set set)
{
    bench_rays rays;
    assert_true(bench_rays_make(&s->source, set, COUNT, &rays));
    assert_true(rays.query == bench_set_query(set));
    assert_int_equal(rays.count, rays.query == BENCH_NEAREST ? COUNT / 4 : COUNT);
    return rays;
}

/* FNV-1a. */
static uint64_t hash_bytes(const void *bytes, size_t size)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3u;
    }
    return hash;
}

static uint64_t hash_rays(const bench_rays *rays)
{
    return rays->rays != NULL       ? hash_bytes(rays->rays, rays->count * sizeof *rays->rays)
           : rays->segments != NULL ? hash_bytes(rays->segments, rays->count * sizeof(sl_segment))
                                    : hash_bytes(rays->points, rays->count * 3 * sizeof(float));
}

static uint64_t hash_set(const scene *s, bench_set set)
{
    UNDONE(bench_rays_free) bench_rays rays = make(s, set);
    return hash_rays(&rays);
}

TEST(sets_depend_on_mesh_and_seed_alone)
{
    scene other_tree, other_seed;
    open_scene(&other_tree, SL_BVH_QUALITY_HIGH, 1);
    open_scene(&other_seed, SL_BVH_QUALITY_DEFAULT, 2);
    for (int set = 0; set < SET_COUNT; set++) {
        const uint64_t hash = hash_set(*state, (bench_set)set);
        assert_true(hash == hash_set(*state, (bench_set)set));
        assert_true(hash == hash_set(&other_tree, (bench_set)set));
        assert_true((hash == hash_set(&other_seed, (bench_set)set)) == (set <= SET_ORTHO));
    }
    close_scene(&other_tree);
    close_scene(&other_seed);
}

/* Those that no camera has a part in: what they are on one machine they are on all. */
TEST(sets_are_what_they_were)
{
    static const struct {
        bench_set set;
        uint64_t hash;
    } known[] = {
        { SET_RANDOM, 0x2EB0F6033C8C48EEu },  { SET_LOSBOX, 0xC6C47133D8D749EBu },
        { SET_LOSSURF, 0x98F546C3DD1399EEu }, { SET_LOSLOCAL, 0x2EF1C646AE905C15u },
        { SET_LOSFAN, 0x17108B7F07C559D5u },  { SET_PTNEAR, 0x2943526336D6ACC3u },
        { SET_PTBOX, 0xAD96BA41D699AAF8u },   { SET_LATTICE, 0x7D4D51BC8FC1520Eu },
    };
    int faults = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint64_t hash = hash_set(*state, known[i].set);
        if (hash != known[i].hash) {
            print_message("set %d: 0x%016llXu\n", known[i].set, (unsigned long long)hash);
        }
        faults += hash != known[i].hash;
    }
    assert_int_equal(faults, 0);
}

static float distance(const float a[3], const float b[3])
{
    float square = 0;
    for (int axis = 0; axis < 3; axis++) {
        square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    }
    return sqrtf(square);
}

static float length(const float a[3])
{
    return distance(a, (const float[3]){ 0, 0, 0 });
}

static float height(const scene *s, const float point[3])
{
    sl_nearest nearest;
    assert_true(sl_bvh_nearest(s->bvh, point, INFINITY, NULL, &nearest));
    return nearest.distance;
}

/* A tile of each; neighbours in the array are neighbours in the picture. */
TEST(primary_rays_come_from_three_cameras_in_tiles)
{
    enum { TILE = 1024 };
    const scene *s = *state;
    UNDONE(bench_rays_free) bench_rays rays = make(s, SET_PRIMARY);
    size_t near = 0;
    for (size_t i = 0; i < rays.count; i++) {
        assert_true(sli_ray_is_valid(&rays.rays[i]));
        assert_true(distance(rays.rays[i].dir, rays.rays[i / TILE * TILE].dir) < 0.1f);
        near += i > 0 && distance(rays.rays[i].dir, rays.rays[i - 1].dir) < 0.01f;
    }
    assert_true(near > rays.count * 9 / 10);
    for (size_t camera = 0; camera < 3; camera++) {
        const float *eye = rays.rays[camera * TILE].origin;
        const float *other = rays.rays[(camera + 1) % 3 * TILE].origin;
        assert_true(distance(eye, other) > 0.3f * s->source.diagonal);
    }
}

/* Sparse ones are the same views: wider tiles, and all of a picture where the rays suffice. */
TEST(sparse_pictures_show_the_same)
{
    enum { TILE = 1024 };
    static const bench_set sets[] = { SET_PRIMARY, SET_PRIMARY256, SET_PRIMARY64 };
    float width[3];
    for (int k = 0; k < 3; k++) {
        UNDONE(bench_rays_free) bench_rays rays = make(*state, sets[k]);
        width[k] = distance(rays.rays[0].dir, rays.rays[TILE - 1].dir);
        for (size_t i = 0; i < rays.count; i++) {
            assert_true(sli_ray_is_valid(&rays.rays[i]));
        }
    }
    assert_true(width[1] > 3 * width[0] && width[2] > 3 * width[1]);
}

/* 64 x 64 pixels have 12 tiles in three pictures: the 13th ray tile begins them anew, elsewhere in
 * the same pixels. */
TEST(pictures_are_repeated_within_their_pixels)
{
    enum { PASS = 3 * 64 * 64 };
    const scene *s = *state;
    UNDONE(bench_rays_free) bench_rays rays;
    assert_true(bench_rays_make(&s->source, SET_PRIMARY64, 2 * (size_t)PASS, &rays));
    for (size_t i = 0; i < PASS; i += 2) {
        const float pixel = distance(rays.rays[i].dir, rays.rays[i + 1].dir);
        const float moved = distance(rays.rays[i].dir, rays.rays[PASS + i].dir);
        assert_true(moved > 0 && moved < pixel);
    }
}

/* Within a picture all directions are the same; two of the views are along an axis. */
TEST(orthographic_rays_are_parallel)
{
    enum { TILE = 1024 };
    UNDONE(bench_rays_free) bench_rays rays = make(*state, SET_ORTHO);
    for (size_t i = 0; i < rays.count; i++) {
        const float *dir = rays.rays[i].dir, *first = rays.rays[i / TILE * TILE].dir;
        assert_true(sli_ray_is_valid(&rays.rays[i]));
        assert_true(distance(dir, first) <= 1e-5f * length(first));
        const int zeros = (dir[0] == 0) + (dir[1] == 0) + (dir[2] == 0);
        assert_int_equal(zeros, i / TILE == 0 ? 0 : 2);
    }
}

/* All of the same 16 are within a block of 4 x 4 pixels. */
TEST(sixteen_primary_rays_are_a_block)
{
    UNDONE(bench_rays_free) bench_rays rays = make(*state, SET_PRIMARY);
    for (size_t i = 0; i + 16 <= rays.count; i += 16) {
        const float block = distance(rays.rays[i].dir, rays.rays[i + 3].dir);
        for (size_t j = 0; j < 16; j++) {
            assert_true(distance(rays.rays[i].dir, rays.rays[i + j].dir) <= 4 * block);
        }
    }
}

TEST(bounces_leave_what_primary_rays_hit)
{
    const scene *s = *state;
    bench_point *hits;
    size_t hit_count;
    assert_true(bench_primary_hits(&s->source, COUNT, &hits, &hit_count));
    assert_true(hit_count > 0 && hit_count < COUNT);
    static const bench_set sets[] = { SET_DIFFUSE, SET_AO };
    for (int k = 0; k < 2; k++) {
        UNDONE(bench_rays_free) bench_rays rays = make(s, sets[k]);
        double cosine = 0;
        for (size_t i = 0; i < COUNT; i++) {
            const sl_ray *ray = &rays.rays[i];
            const bench_point *from = &hits[i * hit_count / COUNT];
            double along = 0;
            for (int axis = 0; axis < 3; axis++) {
                along += (double)(ray->dir[axis] * from->normal[axis]);
                assert_true(ray->origin[axis] == from->front_origin[axis]);
            }
            assert_true(along > -1e-6);
            assert_float_equal(length(ray->dir), 1, 1e-5f);
            assert_true(ray->tmin == 0);
            assert_true(ray->tmax == (k == 1 ? 0.07f * s->source.diagonal : INFINITY));
            cosine += along;
        }
        /* The cosine's own mean under its own density is 2/3; 0.05 is over ten deviations. */
        assert_float_equal((float)(cosine / (double)COUNT), 2.0f / 3, 0.05f);
    }
    free(hits);
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(sl_ray));
}

TEST(shuffled_rays_are_the_bounces)
{
    UNDONE(bench_rays_free) bench_rays plain = make(*state, SET_DIFFUSE);
    UNDONE(bench_rays_free) bench_rays shuffled = make(*state, SET_DIFFSHUF);
    UNDONE(bench_rays_free) bench_rays any = make(*state, SET_DIFFANY);
    assert_memory_equal(shuffled.rays, any.rays, COUNT * sizeof(sl_ray));
    size_t in_place = 0;
    for (size_t i = 0; i < COUNT; i++) {
        in_place += by_bytes(&plain.rays[i], &shuffled.rays[i]) == 0;
    }
    assert_true(in_place < COUNT / 100);
    qsort(plain.rays, COUNT, sizeof(sl_ray), by_bytes);
    qsort(shuffled.rays, COUNT, sizeof(sl_ray), by_bytes);
    assert_memory_equal(plain.rays, shuffled.rays, COUNT * sizeof(sl_ray));
}

TEST(random_rays_come_from_a_sphere_through_the_box)
{
    const scene *s = *state;
    UNDONE(bench_rays_free) bench_rays rays = make(s, SET_RANDOM);
    float centre[3];
    memcpy(centre, sl_aabb_measure(&s->source.bounds).centre, sizeof centre);
    sl_aabb wider = s->source.bounds;
    for (int axis = 0; axis < 3; axis++) {
        wider.min[axis] -= 1e-4f;
        wider.max[axis] += 1e-4f;
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert_float_equal(distance(rays.rays[i].origin, centre), 0.5f * s->source.diagonal, 1e-4f);
        assert_true(sl_line_aabb(sl_line_of_ray(&rays.rays[i]), &wider, SL_INSIDE_SOLID, NULL));
    }
}

TEST(segments_of_losbox_fill_the_box)
{
    const scene *s = *state;
    UNDONE(bench_rays_free) bench_rays rays = make(s, SET_LOSBOX);
    const sl_aabb ends = sl_aabb_of_points(rays.segments->p, 2 * COUNT);
    assert_true(sli_aabb_contains_box(&s->source.bounds, &ends));
    assert_true(sl_aabb_measure(&ends).area > 0.98 * sl_aabb_measure(&s->source.bounds).area);
}

TEST(segments_of_lossurf_begin_and_end_near_the_surface)
{
    const scene *s = *state;
    UNDONE(bench_rays_free) bench_rays rays = make(s, SET_LOSSURF);
    for (size_t i = 0; i < COUNT; i++) {
        assert_in_range((int)(1e5f * height(s, rays.segments[i].p) / s->source.diagonal), 80, 101);
        assert_in_range((int)(1e5f * height(s, rays.segments[i].q) / s->source.diagonal), 80, 101);
    }
}

TEST(segments_of_loslocal_are_short_and_leave_the_surface)
{
    const scene *s = *state;
    UNDONE(bench_rays_free) bench_rays rays = make(s, SET_LOSLOCAL);
    for (size_t i = 0; i < COUNT; i++) {
        const sl_segment *segment = &rays.segments[i];
        const float size = distance(segment->p, segment->q) / s->source.diagonal;
        assert_true(size > 0.0099f && size < 0.0501f);
        assert_true(height(s, segment->p) < 1e-5f);
    }
}

TEST(segments_of_losfan_have_64_eyes)
{
    const scene *s = *state;
    UNDONE(bench_rays_free) bench_rays rays = make(s, SET_LOSFAN);
    size_t eyes = 1;
    for (size_t i = 1; i < COUNT; i++) {
        eyes += memcmp(rays.segments[i].p, rays.segments[i - 1].p, sizeof(float[3])) != 0;
        assert_true(height(s, rays.segments[i].q) < 1.1e-3f * s->source.diagonal);
    }
    assert_int_equal(eyes, 64);
}

TEST(points_are_near_the_surface_or_in_the_box)
{
    const scene *s = *state;
    bench_rays near = make(s, SET_PTNEAR), box = make(s, SET_PTBOX);
    float most = 0;
    for (size_t i = 0; i < COUNT / 4; i++) {
        most = fmaxf(most, height(s, near.points + 3 * i) / s->source.diagonal);
        assert_true(sl_volume_contains_point(AS_AABB(&s->source.bounds), box.points + 3 * i));
    }
    assert_true(most > 0.015f && most < 0.0201f);
    bench_rays_free(&near);
    bench_rays_free(&box);
}

/* Every second ray passes through vertices, the others meet edges: two coordinates are whole, or
 * one is, or both have the same fraction. */
TEST(lattice_rays_pass_through_edges_and_vertices)
{
    UNDONE(bench_rays_free) bench_rays rays = make(*state, SET_LATTICE);
    for (size_t i = 0; i < COUNT; i++) {
        const sl_ray *ray = &rays.rays[i];
        int along = 0, whole = 0;
        float fraction[2];
        for (int axis = 0, other = 0; axis < 3; axis++) {
            if (ray->dir[axis] != 0) {
                along++;
                assert_true(fabsf(ray->dir[axis]) == 1);
                assert_true(ray->origin[axis] - floorf(ray->origin[axis]) == 0.5f);
            } else {
                assert_true(other < 2);
                fraction[other] = ray->origin[axis] - floorf(ray->origin[axis]);
                whole += fraction[other++] == 0;
            }
            assert_true(ray->origin[axis] >= 0 && ray->origin[axis] < (float)BENCH_LATTICE);
        }
        assert_int_equal(along, 1);
        assert_true(i % 2 == 0 ? whole == 2 : whole == 1 || fraction[0] == fraction[1]);
    }
}

/* Eight cones of 1901 or 1902 sides: that many triangles meet in each tip and in the middle of each
 * base, and four in each other point. */
TEST(needles_meet_in_tips)
{
    OWN(sl_mesh) mesh = NULL;
    sl_error error;
    assert_int_equal(bench_needles_mesh(&mesh, &error), SL_OK);
    const size_t points = sl_mesh_soup(mesh).vertex_count,
                 count = sl_mesh_soup(mesh).triangle_count;
    assert_int_equal(count, 30424);
    FREED uint32_t *intersection = calloc(points, sizeof *intersection);
    for (size_t i = 0; i < 3 * count; i++) {
        intersection[sl_mesh_soup(mesh).indices[i]]++;
    }
    size_t ends = 0;
    for (size_t i = 0; i < points; i++) {
        ends += intersection[i] == 1901 || intersection[i] == 1902;
        assert_true(intersection[i] == 4 || intersection[i] == 1901 || intersection[i] == 1902);
    }
    assert_int_equal(ends, 16);
}
