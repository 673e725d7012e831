/* Closed meshes do not leak: from inside, every ray and segment that is aimed at a vertex or an edge
 * hits something.
 *
 * Inside means: winding number not 0, by the count of exact crossings of a generic ray.  A mesh is
 * closed when sl_mesh_inspect says so.  SIGHTLINE_TEST_SCALE=N multiplies the number of rays. */
#include "test/support/hard_rays.h"
#include "test/support/needs.h"
#include "test/support/scale.h"

#include <sightline/ray_query.h>

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 20260712, EYES = 10, RAYS_AN_EYE = 1000, EVERY_EYE = EYES * RAYS_AN_EYE * 3 };

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

/* The direction (exact or rounded) from eye to a vertex, or to a point of an edge. */
static void aim(const sl_mesh *mesh, const float eye[3], test_random *random, sl_ray *ray,
                sl_segment *beyond)
{
    const hard_kind kind = test_random_below(random, 2) ? HARD_VERTEX : HARD_EDGE;
    const hard_ray target = hard_ray_make(mesh, kind, random);
    *ray = sl_ray_make(eye, target.segment.q);
    for (int axis = 0; axis < 3; axis++) {
        ray->dir[axis] = target.segment.q[axis] - eye[axis];
        beyond->p[axis] = eye[axis];
        beyond->q[axis] = target.segment.q[axis];
    }
    if (ray->dir[0] == 0 && ray->dir[1] == 0 && ray->dir[2] == 0) {
        ray->dir[0] = 1;
    }
}

/* Rays must hit: they leave the mesh.  A segment must when its end is outside or on the surface:
 * one that ends exactly in a vertex is. */
static size_t count_leaks(const sl_mesh *mesh, const sl_bvh *bvh, size_t rays_an_eye,
                          size_t *asked)
{
    test_random random = { SEED };
    size_t leaks = 0;
    for (int e = 0; e < EYES; e++) {
        float eye[3];
        if (!find_eye(mesh, bvh, &random, eye)) {
            return leaks;
        }
        for (size_t i = 0; i < rays_an_eye; i++) {
            sl_ray ray;
            sl_segment segment;
            aim(mesh, eye, &random, &ray, &segment);
            leaks += !sl_bvh_closest(bvh, &ray, NULL, NULL);
            leaks += !sl_bvh_any(bvh, &ray, NULL);
            const hard_ray vertex = hard_ray_make(mesh, HARD_VERTEX, &random);
            memcpy(segment.q, vertex.segment.q, sizeof segment.q);
            leaks += !sl_bvh_blocked(bvh, &segment, NULL, NULL);
            *asked += 3;
        }
    }
    return leaks;
}

/* How many rays and segments were asked: none of a mesh that is open, or that no eye is in. */
static size_t does_not_leak(const char *name, sl_mesh *mesh, size_t divide)
{
    sl_mesh_report report;
    size_t asked = 0;
    assert_int_equal(sl_mesh_inspect(mesh, NULL, &report, NULL), SL_OK);
    if (report.closed) {
        for (int split = 0; split < 2; split++) {
            sl_build_def def = sl_default_build_def();
            def.quality = split ? SL_QUALITY_HIGH : SL_QUALITY_DEFAULT;
            sl_bvh *bvh = NULL;
            assert_int_equal(sl_bvh_build(mesh, &def, &bvh, NULL), SL_OK);
            asked = 0;
            const size_t leaks =
                count_leaks(mesh, bvh, RAYS_AN_EYE * test_scale() / divide, &asked);
            print_message("%s%s: %zu rays and segments, %zu leaks\n", name,
                          split ? ", split" : "", asked, leaks);
            assert_int_equal(leaks, 0);
            sl_bvh_destroy(bvh);
        }
    }
    sl_mesh_destroy(mesh);
    return asked;
}

static void a_sphere_does_not_leak(void **state)
{
    (void)state;
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_sphere(16, NULL, &mesh, NULL), SL_OK);
    assert_true(does_not_leak("sphere", mesh, 1) == EVERY_EYE * test_scale());
}

static void a_torus_does_not_leak(void **state)
{
    (void)state;
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_torus(48, 24, 1, 0.3f, NULL, &mesh, NULL), SL_OK);
    assert_true(does_not_leak("torus", mesh, 1) == EVERY_EYE * test_scale());
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
            *asked += does_not_leak(entry->d_name, mesh, 10);
        }
    }
    closedir(dir);
    return true;
}

static void real_closed_meshes_do_not_leak(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_does_not_leak),
        cmocka_unit_test(a_torus_does_not_leak),
        cmocka_unit_test(real_closed_meshes_do_not_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
