/* Closed meshes do not leak: from inside, every ray and segment that is aimed at a vertex or an
 * edge hits something, by every kernel that this machine can run, alone and together with others.
 *
 * Inside means: winding number not 0, by the count of exact crossings of a generic ray.  A mesh is
 * closed when sl_mesh_inspect says so.  SIGHTLINE_TEST_SCALE=N multiplies the number of eyes, and
 * SIGHTLINE_TEST_SEED=N takes others; a ray or segment counts once for each kernel that is asked
 * about it. */
#include "bvh/kernel/kernel.h"
#include "test/support/environment/needs.h"
#include "test/support/hard/rays.h"
#include "test/support/test.h"

#include <dirent.h>

enum { SEED = 20260712, EYES = 10, RAYS_AN_EYE = 512, PACKET = 64 };

/* From one eye. */
typedef struct batch {
    sl_ray rays[RAYS_AN_EYE];
    sl_segment segments[RAYS_AN_EYE];
    float dirs[3 * RAYS_AN_EYE], ends[3 * RAYS_AN_EYE]; /* of the rays and of the segments */
} batch;

/* The winding number around from, by a ray in a random direction that meets no edge: fronts count
 * -1 (the ray comes in), backs +1 (it goes out). */
static int winding(const sl_bvh *bvh, const float from[3], test_random *random)
{
    enum { MOST = 256 };
    for (;;) {
        sl_hit hits[MOST];
        float dir[3];
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = test_random_in(random, -1, 1);
        }
        const sl_ray ray = sl_ray_make(from, dir);
        const size_t total = sl_bvh_all(bvh, &ray, NULL, hits, MOST);
        int sum = 0;
        bool generic = total <= MOST;
        for (size_t i = 0; generic && i < total; i++) {
            generic = (hits[i].flags & SL_HIT_EDGE) == 0;
            sum += (hits[i].flags & SL_HIT_BACK) != 0 ? 1 : -1;
        }
        if (generic) {
            return sum;
        }
    }
}

/* A point with winding number != 0 that is on no surface; false when none was found. */
static bool find_eye(const sl_mesh *mesh, const sl_bvh *bvh, test_random *random, float eye[3])
{
    for (int tries = 0; tries < 20000; tries++) {
        hard_point(mesh, random, eye);
        if (winding(bvh, eye, random) != 0) {
            return true;
        }
    }
    return false;
}

/* A corner of the triangle, or a point of one of its edges: the middle, or any. */
static void target_on(const sl_triangle *t, bool middle, test_random *random, float target[3])
{
    const uint32_t i = test_random_below(random, 3);
    const bool edge = test_random_below(random, 2) == 0;
    const float along = middle ? 0.5f : test_random_unit(random);
    for (int axis = 0; axis < 3; axis++) {
        const float from = t->v[i][axis], to = t->v[(i + 1) % 3][axis];
        target[axis] = edge ? from * (1 - along) + to * along : from;
    }
}

/* Rays leave the mesh, so that they must hit.  So must segments: they end exactly in a vertex. Half
 * are aimed anywhere, the others a packet of sixty-four at one triangle, to go down the tree
 * together. */
static void aim(const sl_mesh *mesh, const float eye[3], test_random *random, batch *b)
{
    sl_triangle t;
    for (size_t i = 0; i < RAYS_AN_EYE; i++) {
        const bool alone = i < RAYS_AN_EYE / 2;
        if (alone || i % PACKET == 0) {
            t = hard_triangle(mesh, random);
        }
        float target[3];
        target_on(&t, alone, random, target);
        float *dir = b->dirs + 3 * i, *end = b->ends + 3 * i;
        memcpy(end, t.v[test_random_below(random, 3)], 3 * sizeof *end);
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = target[axis] - eye[axis];
        }
        if (dir[0] == 0 && dir[1] == 0 && dir[2] == 0) {
            dir[0] = 1;
        }
        b->rays[i] = sl_ray_make(eye, dir);
        memcpy(b->segments[i].p, eye, sizeof b->segments[i].p);
        memcpy(b->segments[i].q, end, sizeof b->segments[i].q);
    }
}

static size_t count_misses(const uint8_t *answers)
{
    size_t misses = 0;
    for (size_t i = 0; i < RAYS_AN_EYE; i++) {
        misses += !answers[i];
    }
    return misses;
}

/* Every ray and segment on its own, in a batch, and as one of many from one point. */
static size_t count_leaks(const sl_bvh *bvh, const float eye[3], const batch *b)
{
    static sl_hit hits[RAYS_AN_EYE];
    static uint8_t answers[RAYS_AN_EYE];
    size_t leaks = 0;
    sl_bvh_closest_many(bvh, sl_rays_of(b->rays, RAYS_AN_EYE), NULL, sl_hits_of(hits), NULL, NULL);
    for (size_t i = 0; i < RAYS_AN_EYE; i++) {
        leaks += hits[i].prim == SL_NONE;
        leaks += !sl_bvh_closest(bvh, &b->rays[i], NULL, NULL);
        leaks += !sl_bvh_any(bvh, &b->rays[i], NULL);
        leaks += !sl_bvh_occluded(bvh, b->segments[i].p, b->segments[i].q, NULL);
    }
    sl_bvh_any_many(bvh, sl_rays_of(b->rays, RAYS_AN_EYE), NULL, answers, NULL, NULL, NULL);
    leaks += count_misses(answers);
    sl_bvh_any_many(bvh, sl_rays_from(eye, b->dirs, RAYS_AN_EYE, SL_FLOAT), NULL, answers, NULL,
                    NULL, NULL);
    leaks += count_misses(answers);
    sl_bvh_any_many(bvh, sl_segments_of(b->segments, RAYS_AN_EYE), NULL, answers, NULL, NULL, NULL);
    leaks += count_misses(answers);
    sl_bvh_any_many(bvh, sl_segments_from(eye, b->ends, RAYS_AN_EYE, SL_FLOAT), NULL, answers, NULL,
                    NULL, NULL);
    return leaks + count_misses(answers);
}

/* By every kernel.  Adds to *asked. */
static size_t look_around(const sl_mesh *mesh, sl_bvh *bvh, size_t eyes, size_t *asked)
{
    static batch b;
    test_random random = { test_seed(SEED) };
    size_t leaks = 0;
    float eye[3];
    for (size_t e = 0; e < eyes && find_eye(mesh, bvh, &random, eye); e++) {
        aim(mesh, eye, &random, &b);
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            bvh->kernels = sli_kernels_at(k);
            leaks += count_leaks(bvh, eye, &b);
            *asked += RAYS_AN_EYE * 2;
        }
    }
    return leaks;
}

/* How many rays and segments were asked: none of a mesh that is open, or that no eye is in. */
static size_t does_not_leak(const char *name, sl_mesh *mesh, size_t eyes)
{
    sl_mesh_report report;
    size_t asked = 0;
    assert_int_equal(sl_mesh_inspect(mesh, NULL, NULL, &report, NULL), SL_OK);
    if (report.closed) {
        for (int split = 0; split < 2; split++) {
            sl_build_def def = { .quality = split ? SL_BVH_QUALITY_HIGH : SL_BVH_QUALITY_DEFAULT };
            OWN(sl_bvh) bvh = made_bvh(mesh, &def);
            const size_t before = asked;
            const size_t leaks = look_around(mesh, bvh, eyes * test_scale(), &asked);
            print_message("%s%s: %zu rays and segments, %zu leaks\n", name, split ? ", split" : "",
                          asked - before, leaks);
            assert_int_equal(leaks, 0);
        }
    }
    sl_mesh_destroy(mesh);
    return asked;
}

/* In trees without and with splits. */
static size_t from_every_eye(void)
{
    size_t kernels = 0;
    while (sli_kernels_at((int)kernels) != NULL) {
        kernels++;
    }
    return EYES * test_scale() * RAYS_AN_EYE * 2 * kernels * 2;
}

TEST(a_sphere_does_not_leak)
{
    sl_mesh *mesh = made_sphere(16);
    assert_true(does_not_leak("sphere", mesh, EYES) == from_every_eye());
}

TEST(a_torus_does_not_leak)
{
    sl_mesh *mesh = made_torus(48, 24, 1, 0.3f);
    assert_true(does_not_leak("torus", mesh, EYES) == from_every_eye());
}

static bool is_mesh_file(const char *name)
{
    static const char *const endings[] = { ".obj", ".ply", ".stl", ".off" };
    const char *ending = strrchr(name, '.');
    for (int i = 0; ending != NULL && i < 4; i++) {
        if (strcmp(ending, endings[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Every closed mesh of a folder; false where there is no such folder.  Adds to *asked. */
static bool folder_does_not_leak(const char *folder, size_t *asked)
{
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        return false;
    }
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        char path[1024];
        sl_mesh *mesh = NULL;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (is_mesh_file(entry->d_name) && sl_mesh_load(path, NULL, &mesh, NULL) == SL_OK) {
            *asked += does_not_leak(entry->d_name, mesh, 1);
        }
    }
    closedir(dir);
    return true;
}

TEST(real_closed_meshes_do_not_leak)
{
    test_needs_scenes();
    static const char *const folders[] = { "bench", "formats", "nasty" };
    for (int i = 0; i < 3; i++) {
        char folder[512];
        snprintf(folder, sizeof folder, "%s/../shared/scenes/%s", SOURCE_DIR, folders[i]);
        size_t asked = 0;
        if (!folder_does_not_leak(folder, &asked)) {
            print_message("there is no %s: skipped\n", folder);
            skip();
        }
        assert_true(asked > 0);
    }
}
