#include "test/support/input/world.h"

#include "bvh/tree/instances.h"
#include "bvh/tree/tree.h"
#include "test/support/test.h"

static const float box_corners[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 },
                                         { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 }, { 1, 1, 1 } };
static const uint32_t box_triangles[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 },
                                               { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
                                               { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };

static sl_bvh *build(const float *xyz, size_t vertices, const uint32_t *indices, size_t triangles,
                     sl_bvh_quality quality, sl_bvh_layout layout)
{
    sl_build_def def = { .quality = quality, .layout = layout };
    return made_bvh_alone(made_mesh(xyz, vertices, indices, triangles, NULL), &def);
}

/* Triangles of all sizes in a unit box, some of them without an area. */
static sl_bvh *build_soup(size_t triangles, sl_bvh_quality quality, sl_bvh_layout layout,
                          test_random *random)
{
    FREED float *xyz = made_memory(9 * triangles * sizeof *xyz);
    for (size_t i = 0; i < triangles; i++) {
        const float size = powf(2, -8 * test_random_unit(random));
        for (int axis = 0; axis < 3; axis++) {
            const float at = test_random_unit(random);
            for (int corner = 0; corner < 3; corner++) {
                xyz[9 * i + 3 * (size_t)corner + (size_t)axis] =
                    at + size * (test_random_unit(random) - 0.5f);
            }
        }
    }
    FREED uint32_t *indices = made_memory(3 * triangles * sizeof *indices);
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        indices[i] = i;
    }
    return build(xyz, 3 * triangles, indices, triangles, quality, layout);
}

static void turn(double m[3][3], test_random *random)
{
    double q[4], length = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = test_random_in(random, -1, 1);
        length += q[i] * q[i];
    }
    length = sqrt(length);
    const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    const double made[3][3] = {
        { 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w) },
        { 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w) },
        { 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y) },
    };
    memcpy(m, made, sizeof made);
}

/* Turned, scaled along each axis, turned again, moved. */
static sl_transform place_by(double least, double most, double away, bool mirror,
                             test_random *random)
{
    double first[3][3], second[3][3], scale[3];
    turn(first, random);
    turn(second, random);
    for (int axis = 0; axis < 3; axis++) {
        scale[axis] = least * pow(most / least, test_random_unit(random));
        scale[axis] *= mirror && test_random_below(random, 2) == 0 ? -1 : 1;
    }
    sl_transform place;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            place.m[i][j] = 0;
            for (int k = 0; k < 3; k++) {
                place.m[i][j] += first[i][k] * scale[k] * second[k][j];
            }
        }
        place.m[i][3] = away * test_random_in(random, -1, 1);
    }
    return place;
}

static double power_near(double x)
{
    return exp2(floor(log2(x)));
}

sl_instance world_instance(const sl_bvh *bvh, world_kind kind, size_t number, test_random *random)
{
    sl_instance instance = sl_instance_of(bvh);
    instance.id = (uint32_t)test_random_u64(random);
    instance.mask = 1u << test_random_below(random, 3) | 8;
    switch (kind) {
    case WORLD_MOVED:
        instance.transform.m[0][3] = 2 * (double)number;
        break;
    case WORLD_PLAIN:
        instance.transform = place_by(1, 1.0001, 4, false, random);
        break;
    case WORLD_MIRRORED:
        instance.transform = place_by(0.25, 4, 4, true, random);
        break;
    case WORLD_TILED:
        for (int axis = 0; axis < 3; axis++) {
            instance.transform.m[axis][3] =
                (double)(number >> axis & 1) + 2 * (double)(number >> 3);
            instance.transform.m[axis][axis] = 1;
        }
        break;
    case WORLD_GRIDDED:
        instance.transform = place_by(1, 1.0001, 4, true, random);
        instance.grid = power_near(0.05 * pow(2, -30 * test_random_unit(random)));
        break;
    case WORLD_ILL:
        instance.transform = place_by(0x1p-12, 0x1p5, 2, true, random);
        break;
    case WORLD_TINY_FAR:
        instance.transform = place_by(1e-3, 1.001e-3, 1e-2, true, random);
        for (int axis = 0; axis < 3; axis++) {
            instance.transform.m[axis][3] += 1e7 * (axis - 1.25);
        }
        break;
    default:
        instance.transform = place_by(1e30, 2e30, 4e30, true, random);
        break;
    }
    return instance;
}

void world_make(world_case *world, world_kind kind, size_t count, bool nested, test_random *random)
{
    *world = (world_case){ .scene = NULL };
    world->trees[0] = build(box_corners[0], 8, box_triangles[0], 12, SL_BVH_QUALITY_DEFAULT,
                            SL_BVH_LAYOUT_DEFAULT);
    world->trees[1] = build_soup(20, SL_BVH_QUALITY_HIGH, SL_BVH_LAYOUT_DEFAULT, random);
    world->trees[2] = build_soup(9, SL_BVH_QUALITY_FAST, SL_BVH_LAYOUT_COMPACT, random);
    world->trees[3] = build_soup(1, SL_BVH_QUALITY_DEFAULT, SL_BVH_LAYOUT_DEFAULT, random);
    FREED sl_instance *instances = made_memory((count + 1) * sizeof *instances);
    const size_t outer = nested ? count / 2 : count, inner = count - outer;
    for (size_t i = 0; i < count; i++) {
        const uint32_t tree = kind == WORLD_TILED ? 0 : test_random_below(random, WORLD_TREES);
        instances[i] = world_instance(world->trees[tree], kind, i, random);
        if (test_random_below(random, 16) == 0 && count > 1) {
            instances[i].bvh = NULL;
        }
    }
    sl_instances_def def = (sl_instances_def){ 0 };
    def.bad = SL_BAD_INSTANCES_LEAVE_OUT;
    if (nested) {
        world->inner = made_scene(instances + outer, inner, &def);
        instances[outer] = world_instance(NULL, kind == WORLD_HUGE ? WORLD_PLAIN : kind, 8, random);
        instances[outer].bvh = world->inner;
        instances[outer].mask |= 7;
    }
    world->scene = made_scene(instances, outer + nested, &def);
    world->instances = count;
}

void world_destroy(world_case *world)
{
    sl_bvh_destroy(world->scene);
    sl_bvh_destroy(world->inner);
    for (int i = 0; i < WORLD_TREES; i++) {
        sl_bvh_destroy(world->trees[i]);
    }
}

sl_triangle_ref world_triangle(const sl_bvh *scene, test_random *random, double v[3][3])
{
    const sl_bvh_info info = sl_bvh_get_info(scene);
    for (int tries = 0; tries < 10000; tries++) {
        const sl_triangle_ref ref = {
            .instance = test_random_below(random, (uint32_t)info.instance_count),
            .prim = test_random_below(random, 1u << test_random_below(random, 12))
        };
        if (sl_bvh_triangle(scene, ref, v)) {
            return ref;
        }
    }
    fail();
    return (sl_triangle_ref){ 0, 0 };
}

void world_forget_margins(sl_bvh *scene)
{
    for (uint32_t i = 0; i < scene->world.count; i++) {
        sli_transformed *transformed = &scene->instances->transformed[i];
        transformed->fixed = transformed->share = transformed->norm = 0;
    }
}

size_t world_wrong(world_kind kind, size_t instances, bool nested, bool no_margins, size_t queries,
                   uint64_t seed, world_asker *ask)
{
    test_random random = { seed };
    world_case world;
    size_t wrong = 0;
    world_make(&world, kind, instances, nested, &random);
    if (no_margins) {
        world_forget_margins(world.scene);
    }
    for (size_t i = 0; i < queries; i++) {
        wrong += ask(world.scene, &random, i);
    }
    world_destroy(&world);
    return wrong;
}

void world_ask(world_kind kind, size_t queries, uint64_t seed, world_asker *ask)
{
    static const size_t sizes[] = { 1, 2, 7, 40 };
    for (uint64_t i = 0; i < 8; i++) {
        const size_t instances = sizes[i / 2], nested = i % 2;
        const size_t wrong = world_wrong(kind, instances, nested != 0, false, queries,
                                         seed + (uint64_t)kind * 100 + i / 2 * 10 + nested, ask);
        if (wrong > 0) {
            fail_msg("kind %d, %zu instances, nested %zu: %zu wrong", kind, instances, nested,
                     wrong);
        }
    }
}
