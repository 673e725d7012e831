#include "test/support/input/filled.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

/* ---- Meshes ---- */

static sl_mesh *mesh_of(float *xyz, size_t triangles)
{
    sl_mesh *mesh = made_mesh(xyz, 3 * triangles, NULL, triangles, NULL);
    free(xyz);
    return mesh;
}

/* n^3 boxes that touch, about the origin, in [-1, 1]; corners are multiples of 2 / n. */
static sl_mesh *boxes(size_t n)
{
    float *xyz = malloc(n * n * n * 12 * 9 * sizeof *xyz), *to = xyz;
    assert_non_null(xyz);
    for (size_t box = 0; box < n * n * n; box++) {
        const size_t at[3] = { box % n, box / n % n, box / n / n };
        for (size_t corner = 0; corner < 36; corner++) {
            static const unsigned char round[6][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 },
                                                       { 0, 0 }, { 1, 1 }, { 0, 1 } };
            const size_t axis = corner / 12, high = corner / 6 % 2;
            size_t steps[3];
            steps[axis] = at[axis] + high;
            steps[(axis + 1) % 3] = at[(axis + 1) % 3] + round[corner % 6][high];
            steps[(axis + 2) % 3] = at[(axis + 2) % 3] + round[corner % 6][1 - high];
            for (int k = 0; k < 3; k++) {
                *to++ = 2 * (float)steps[k] / (float)n - 1;
            }
        }
    }
    return mesh_of(xyz, n * n * n * 12);
}

static sl_mesh *needles(size_t count, test_random *random)
{
    float *xyz = made_memory(9 * count * sizeof *xyz);
    for (size_t i = 0; i < count; i++) {
        const float width = exp2f(test_random_in(random, -20, -5));
        for (size_t k = 0; k < 9; k++) {
            float *x = &xyz[9 * i + k];
            *x = k < 6 ? test_random_in(random, -1, 1)
                       : *(x - 3) + width * test_random_in(random, -1, 1);
        }
    }
    return mesh_of(xyz, count);
}

static sl_mesh *generated(filled_kind kind, int which, size_t triangles, test_random *random)
{
    sl_mesh *mesh = NULL;
    const uint32_t side = (uint32_t)sqrt((double)triangles / 2) + 1;
    const uint32_t fine = (uint32_t)sqrt((double)triangles / 8) + 1;
    sl_result result = SL_OK;
    if (which == 0 && kind == FILLED_BOXES) {
        return boxes((size_t)cbrt((double)triangles / 12) + 1);
    }
    if (which == 0 && kind == FILLED_NEEDLES) {
        return needles(triangles, random);
    }
    if (which == 0 && kind == FILLED_SOUP) {
        result = sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_SOUP,
                              { .soup = { triangles, 0.1f, test_random_u64(random) } } },
            NULL, &mesh, NULL);
    } else if (which == 0 && kind == FILLED_TERRAIN) {
        result = sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_GRID, { .grid = { side, side, 1, 3 } } }, NULL, &mesh, NULL);
    } else if (which == 1 && test_random_below(random, 2) == 0) {
        result = sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_GRID, { .grid = { side, side, 0, 3 } } }, NULL, &mesh, NULL);
    } else if (which == 1) {
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 1, 1, 0, 3 } } },
                                  NULL, &mesh, NULL);
    } else if (which == 2) {
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 8, 5, 2, 1 } } },
                                  NULL, &mesh, NULL);
    } else {
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { fine } } }, NULL,
                                  &mesh, NULL);
    }
    assert_int_equal(result, SL_OK);
    return mesh;
}

static void make_tree(filled *world, filled_kind kind, int which, size_t triangles,
                      test_random *random)
{
    sl_mesh *mesh = generated(kind, which, triangles, random);
    sl_topology_def def = { 0 };
    sl_build_def build = { 0 };
    def.features = test_random_below(random, 2) == 0 ? def.features : SL_EDGE_FACE;
    build.layout = test_random_below(random, 4) == 0 ? SL_BVH_LAYOUT_COMPACT : build.layout;
    world->features[which] = made_topology(mesh, &def);
    world->trees[which] = made_bvh_alone(mesh, &build);
}

/* ---- Places ---- */

/* A tree's box to [-1, 1] times scale along each of its axes, then moved. */
static sl_transform fit(const sl_bvh *bvh, const double scale[3], const double at[3])
{
    const sl_aabb box = bounds_in_floats(bvh);
    sl_transform place = sl_transform_identity();
    double largest = 0;
    for (int axis = 0; axis < 3; axis++) {
        largest = fmax(largest, 0.5 * ((double)box.max[axis] - (double)box.min[axis]));
    }
    for (int axis = 0; axis < 3; axis++) {
        const double middle = 0.5 * ((double)box.max[axis] + (double)box.min[axis]);
        place.m[axis][axis] = scale[axis] / largest;
        place.m[axis][3] = at[axis] - middle * place.m[axis][axis];
    }
    return place;
}

static void turn(sl_transform *place, test_random *random)
{
    double rotation[4];
    for (int i = 0; i < 4; i++) {
        rotation[i] = (double)test_random_in(random, -1, 1) + (i == 3 ? 0.1 : 0);
    }
    const double centre[3] = { place->m[0][3], place->m[1][3], place->m[2][3] };
    const double none[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 };
    sl_transform turned, product;
    if (sl_transform_from_trs(none, rotation, one, &turned)) {
        sl_transform about = *place;
        for (int axis = 0; axis < 3; axis++) {
            about.m[axis][3] = 0;
        }
        assert_true(sl_transform_product(&turned, &about, &product));
        for (int axis = 0; axis < 3; axis++) {
            product.m[axis][3] = centre[axis];
        }
        *place = product;
    }
}

static sl_instance instance_of(const filled *world, filled_kind kind, uint32_t number,
                               test_random *random)
{
    double scale[3] = { 1, 1, 1 }, at[3] = { 0, 0, 0 };
    int which = 0;
    if (kind == FILLED_BOXES) {
        at[number % 3] = number < 2 ? 0 : 2.0 * (1 - (double)(number / 3)); /* 0 and 1: one place */
    } else if (kind == FILLED_COINCIDENT) {
        for (int axis = 0; axis < 3; axis++) {
            scale[axis] = test_random_below(random, 3) == 0 ? -1 : 1;
        }
        at[2] = number % 3 == 2 ? 0x1p-20 : 0;
    } else if (kind == FILLED_WALL && number % 4 == 0) {
        which = 1;
        at[2] = 1.5 - 0.25 * number;
        scale[0] = scale[1] = 3;
    } else if (kind == FILLED_WALL || kind == FILLED_HEAP) {
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = (double)test_random_in(random, -1, 1);
            scale[axis] = 0.4;
        }
        which = number % 5 == 4 ? 2 : 0;
    } else if (number > 0) {
        which = number % 2 == 1 ? 2 : 0;
        at[0] = which == 2 ? 0.5 : 0;
    }
    for (int axis = 0; axis < 3; axis++) {
        at[axis] += world->centre[axis];
    }
    sl_instance instance = sl_instance_of(world->trees[which]);
    instance.transform = fit(world->trees[which], scale, at);
    if ((kind == FILLED_HEAP || kind == FILLED_SOUP) && test_random_below(random, 2) == 0) {
        turn(&instance.transform, random);
    }
    instance.mask = test_random_below(random, 3) == 0 ? 1 + test_random_below(random, 15) : ~0u;
    return instance;
}

static uint32_t instances_of(filled_kind kind)
{
    return kind == FILLED_WALL || kind == FILLED_HEAP ? 12 : kind == FILLED_COINCIDENT ? 6 : 4;
}

void filled_make(filled *world, filled_kind kind, size_t triangles, bool far, test_random *random)
{
    sl_instance instances[12];
    memset(world, 0, sizeof *world);
    world->count = instances_of(kind);
    world->size = kind == FILLED_WALL ? 2 : 1;
    for (int axis = 0; axis < 3 && far; axis++) {
        world->centre[axis] = 1e7 * (double)test_random_in(random, -1, 1);
        world->centre[axis] =
            test_random_below(random, 2) == 0 ? floor(world->centre[axis]) : world->centre[axis];
    }
    for (int which = 0; which < FILLED_TREES; which++) {
        make_tree(world, kind, which, triangles / world->count + 1, random);
    }
    world->topologies = calloc(world->count, sizeof *world->topologies);
    assert_non_null(world->topologies);
    for (uint32_t i = 0; i < world->count; i++) {
        instances[i] = instance_of(world, kind, i, random);
        for (int which = 0; which < FILLED_TREES && test_random_below(random, 4) != 0; which++) {
            if (instances[i].bvh == world->trees[which]) {
                world->topologies[i] = world->features[which];
            }
        }
    }
    world->scene = made_scene(instances, world->count, NULL);
}

void filled_destroy(filled *world)
{
    sl_bvh_destroy(world->scene);
    for (int which = 0; which < FILLED_TREES; which++) {
        sl_bvh_destroy(world->trees[which]);
        sl_topology_destroy(world->features[which]);
    }
    free(world->topologies);
}

/* ---- Pictures ---- */

/* Along an axis, with pixels that are powers of two, so that a lattice is one in the picture. */
static void look_along_axis(sl_camera_def *def, float size, test_random *random)
{
    const uint32_t axis = test_random_below(random, 3);
    for (uint32_t k = 0; k < 3; k++) {
        def->target[k] = 0;
        def->eye[k] = k == axis ? 4 * size : 0;
        def->up[k] = k == (axis + 1) % 3;
    }
    def->orthographic = test_random_below(random, 2) == 0;
    def->ortho_height = ldexpf(size, (int)test_random_below(random, 6) - 4);
    def->width = def->height = 512;
}

sl_view filled_view(const filled *world, test_random *random)
{
    for (;;) {
        sl_camera_def def = { 0 };
        sl_camera camera;
        const float away = exp2f(test_random_in(random, -2, 2)) * world->size;
        for (int axis = 0; axis < 3; axis++) {
            def.eye[axis] = away * test_random_in(random, -1, 1);
            def.target[axis] = 0.7f * world->size * test_random_in(random, -1, 1);
        }
        def.eye[2] += test_random_below(random, 2) == 0 ? 2 * world->size : 0;
        def.fov_y_rad = exp2f(test_random_in(random, -5, 1));
        def.near_distance = world->size * exp2f(test_random_in(random, -10, -2));
        def.far_distance = def.near_distance + 10 * world->size;
        def.orthographic = test_random_below(random, 4) == 0;
        def.ortho_height = world->size * exp2f(test_random_in(random, -5, 1));
        def.width = 640;
        def.height = 360;
        def.clip = (sl_clip_space)test_random_below(random, 4);
        if (test_random_below(random, 4) == 0) {
            look_along_axis(&def, world->size, random);
        }
        if (sl_camera_make(&def, &camera, NULL) == SL_OK) {
            sl_view view = (sl_view){ .camera = camera };
            memcpy(view.origin, world->centre, sizeof view.origin);
            return view;
        }
    }
}

static void beside(test_random *random, double xy[2])
{
    const uint32_t how = test_random_below(random, 4);
    for (int axis = 0; axis < 2; axis++) {
        const double far = (double)exp2f(test_random_in(random, -30, 3));
        if (how == 1) {
            xy[axis] = floor(xy[axis]) + (test_random_below(random, 2) == 0 ? 0.5 : 0);
        } else if (how > 1) {
            xy[axis] += test_random_below(random, 2) == 0 ? far : -far;
        }
    }
}

void filled_position(const filled *world, const sl_view *view, test_random *random, double xy[2])
{
    for (int tries = 0; tries < 200; tries++) {
        const uint32_t instance = test_random_below(random, world->count);
        const uint32_t end = test_random_below(random, 3), kind = test_random_below(random, 3);
        double v[3][3], at[3], part = (double)test_random_unit(random);
        const uint32_t prim = test_random_below(random, test_random_below(random, 2) ? 30000 : 500);
        if (!sl_bvh_triangle(world->scene, (sl_triangle_ref){ instance, prim }, v)) {
            continue;
        }
        part = kind == 0 ? 0 : kind == 1 ? 0.5 : part;
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = v[end][axis] + part * (v[(end + 1) % 3][axis] - v[end][axis]);
        }
        if (sl_view_project(view, at, xy, NULL) && xy[0] >= 0 && xy[1] >= 0 &&
            xy[0] <= view->camera.width && xy[1] <= view->camera.height) {
            beside(random, xy);
            return;
        }
    }
    xy[0] = view->camera.width * (double)test_random_unit(random);
    xy[1] = view->camera.height * (double)test_random_unit(random);
}
