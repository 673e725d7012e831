#include "test/support/selection/crowd.h"
#include "test/support/test.h"

#include "bvh/scene/scene.h"

/* ---- Meshes, in a unit box ---- */

/* Long and thin ones, which trees of high quality split; small ones; some without area. */
static void put_triangle(float xyz[9], bool slender, test_random *random)
{
    const float size = slender ? 0.01f : exp2f(test_random_in(random, -7, -1));
    const uint32_t flat = test_random_below(random, 24);
    for (int axis = 0; axis < 3; axis++) {
        const float a = test_random_unit(random);
        const float b =
            slender ? test_random_unit(random) : a + size * test_random_in(random, -0.5f, 0.5f);
        xyz[axis] = a;
        xyz[3 + axis] = b;
        xyz[6 + axis] = b + size * test_random_in(random, -0.5f, 0.5f);
        xyz[6 + axis] = flat == 0 ? b : flat == 1 ? 2 * b - a : xyz[6 + axis];
    }
}

static sl_mesh *loose(size_t count, bool slender, test_random *random)
{
    FREED float *xyz = made_memory(9 * count * sizeof *xyz);
    for (size_t i = 0; i < count; i++) {
        put_triangle(xyz + 9 * i, slender, random);
    }
    return made_mesh(xyz, 3 * count, NULL, count, NULL);
}

static sl_mesh *sheet(size_t count)
{
    const uint32_t side = (uint32_t)sqrt((double)count / 2) + 1;
    return made_grid(side, side, 0.3f, 5);
}

static void make_tree(crowd *made, int which, size_t triangles, test_random *random)
{
    OWN(sl_mesh) mesh = which == 2 ? sheet(triangles) : loose(triangles, which == 0, random);
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    FREED uint32_t *masks = malloc(count * sizeof *masks);
    sl_build_def def = { 0 };
    assert_non_null(masks);
    for (size_t i = 0; i < count; i++) {
        masks[i] = test_random_below(random, 3) == 0 ? test_random_below(random, 16) : ~0u;
    }
    def.quality = which == 0   ? SL_BVH_QUALITY_HIGH
                  : which == 3 ? SL_BVH_QUALITY_FAST
                               : SL_BVH_QUALITY_DEFAULT;
    def.layout = which == 1 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
    def.masks = which == 3 || test_random_below(random, 3) == 0 ? masks : NULL;
    made->trees[which] = made_bvh(mesh, &def);
    made->features[which] = made_topology(mesh, NULL);
}

/* ---- Scenes ---- */

static void add_topologies(crowd *made, test_random *random)
{
    assert_true(made->scene->world.count <= CROWD_INSTANCES);
    made->instances = made->scene->world.count;
    for (uint32_t i = 0; i < made->instances; i++) {
        const bool has_one = test_random_below(random, 2) == 0;
        made->topologies[i] = NULL;
        for (int which = 0; which < CROWD_TREES && has_one; which++) {
            if (made->scene->world.transformed[i].tree == made->trees[which]) {
                made->topologies[i] = made->features[which];
            }
        }
    }
}

void crowd_make(crowd *made, world_kind kind, size_t triangles, test_random *random)
{
    sl_instance instances[CROWD_INSTANCES];
    sl_instances_def def = (sl_instances_def){ 0 };
    const size_t count = 2 + test_random_below(random, 7);
    const size_t inner = test_random_below(random, 2) == 0 ? count / 2 : 0, outer = count - inner;
    memset(made, 0, sizeof *made);
    for (int which = 0; which < CROWD_TREES; which++) {
        make_tree(made, which, triangles / count + 1, random);
    }
    for (size_t i = 0; i < count; i++) {
        const sl_bvh *tree = made->trees[test_random_below(random, CROWD_TREES)];
        instances[i] = world_instance(tree, kind, i, random);
        if (test_random_below(random, 16) == 0) {
            instances[i].bvh = NULL;
        }
    }
    def.bad = SL_BAD_INSTANCES_LEAVE_OUT;
    if (inner > 0) {
        made->inner = made_scene(instances + outer, inner, &def);
        instances[outer] = world_instance(NULL, kind == WORLD_HUGE ? WORLD_PLAIN : kind, 8, random);
        instances[outer].bvh = made->inner;
        instances[outer].mask |= 7;
    }
    made->scene = made_scene(instances, outer + (inner > 0), &def);
    add_topologies(made, random);
}

void crowd_destroy(crowd *made)
{
    sl_bvh_destroy(made->scene);
    sl_bvh_destroy(made->inner);
    for (int which = 0; which < CROWD_TREES; which++) {
        sl_topology_destroy(made->features[which]);
        sl_bvh_destroy(made->trees[which]);
    }
}

/* ---- Where they are looked at from ---- */

sl_triangle_ref crowd_triangle(const crowd *of, test_random *random, double v[3][3])
{
    sl_triangle_ref ref = { 0, 0 };
    memset(v, 0, 3 * sizeof *v);
    for (int tries = 0; tries < 1000; tries++) {
        ref.instance = test_random_below(random, of->instances);
        ref.prim = test_random_below(random, 1u << test_random_below(random, 13));
        if (sl_bvh_triangle(of->scene, ref, v)) {
            return ref;
        }
    }
    return ref; /* all are holes */
}

static void draw_planes(sl_camera_def *def, double size, test_random *random)
{
    def->clip = (sl_clip_space)test_random_below(random, 4);
    def->orthographic = test_random_below(random, 4) == 0;
    def->ortho_height = (float)(size * test_random_in_d(random, 0.1, 1));
    def->near_distance = (float)(size * pow(10, test_random_in_d(random, -4, -1)));
    if (def->orthographic || test_random_below(random, 3) == 0) {
        def->far_distance = (float)(size * test_random_in_d(random, 0.2, 3));
    }
    def->off_centre = test_random_below(random, 4) == 0;
    def->window[0] = -def->near_distance;
    def->window[1] = 2 * def->near_distance;
    def->window[2] = -2 * def->near_distance;
    def->window[3] = def->near_distance;
}

sl_view crowd_view(const crowd *of, uint32_t width, uint32_t height, test_random *random)
{
    sl_view view = { .origin = { 0, 0, 0 } };
    double target[3][3], size = 0;
    const sl_aabb_d box = sl_bvh_bounds(of->scene);
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, box.max[axis] - box.min[axis]);
    }
    size = size > 0 && isfinite(size) ? size : 1;
    for (;;) {
        sl_camera_def def = { 0 };
        const bool within = test_random_below(random, 3) == 0;
        (void)crowd_triangle(of, random, target);
        for (int axis = 0; axis < 3; axis++) {
            const double away = test_random_in_d(random, -size, size) * (within ? 0.1 : 1);
            view.origin[axis] = test_random_below(random, 3) == 0 ? 0 : target[0][axis];
            def.eye[axis] = (float)(target[0][axis] + away - view.origin[axis]);
            def.target[axis] = (float)(target[0][axis] - view.origin[axis]);
        }
        def.width = width;
        def.height = height;
        draw_planes(&def, size, random);
        if (sl_camera_make(&def, &view.camera, NULL) == SL_OK) {
            return view;
        }
    }
}

sl_region crowd_region(test_random *random, double corners[8])
{
    for (int i = 0; i < 8; i++) {
        corners[i] = test_random_below(random, i % 2 == 0 ? 320 : 220) - 10.0;
    }
    return test_random_below(random, 2) == 0
               ? sl_region_rectangle(corners, corners + 2)
               : (sl_region){ .kind = SL_REGION_LASSO, .corners = corners, .corner_count = 4 };
}
