/* Sampling, and what is baked where it is known. */
#include "test/support/test.h"
#include "tools/bake/bake.h"
#include "tools/bake/hemisphere.h"

enum { RAYS = 1024 };

/* Of 1024 samples each of 16 x 16 cells should get 4.  A (0, m, 2)-net has exactly 4; the shift of
 * a hash cuts cells, and costs some of that. */
TEST(samples_are_evenly_spread)
{
    for (uint64_t item = 0; item < 50; item++) {
        int cells[16][16] = { { 0 } };
        for (uint32_t i = 0; i < RAYS; i++) {
            uint32_t sample[2];
            bake_hemisphere_sample(i, RAYS, item, sample);
            assert_true(sample[0] < 1 << 24 && sample[1] < 1 << 24);
            cells[sample[0] >> 20][sample[1] >> 20]++;
        }
        for (int i = 0; i < 256; i++) {
            assert_in_range(cells[i / 16][i % 16], 1, 9);
        }
    }
}

TEST(items_have_samples_of_their_own)
{
    uint32_t a[2], b[2];
    bake_hemisphere_sample(5, RAYS, 1, a);
    bake_hemisphere_sample(5, RAYS, 2, b);
    assert_memory_not_equal(a, b, sizeof a);
}

/* FNV-1a, over directions of many normals: the same on every machine and from every compiler. */
TEST(directions_have_the_same_bits_everywhere)
{
    uint64_t hash = 0xCBF29CE484222325u;
    const float normals[4][3] = {
        { 0, 0, 1 }, { 0, 0, -1 }, { 0.6f, 0, -0.8f }, { 0.48f, 0.6f, 0.64f }
    };
    for (uint32_t i = 0; i < 4 * RAYS; i++) {
        uint32_t sample[2], bits[3];
        float dir[3];
        bake_hemisphere_sample(i % RAYS, RAYS, i / RAYS, sample);
        bake_hemisphere_direction(sample, normals[i % 4], i % 2 == 0 ? 1 : 0.5f, dir);
        memcpy(bits, dir, sizeof bits);
        for (int k = 0; k < 12; k++) {
            hash = (hash ^ (bits[k / 4] >> 8 * (k % 4) & 0xFF)) * 0x100000001B3u;
        }
    }
    assert_int_equal(hash, 0xECB68B9CF399F06Bu);
}

/* Unit length, within the spread, on average where the cosine law has its mean: at 2/3. */
TEST(directions_follow_the_cosine)
{
    const float normals[3][3] = { { 0, 0, 1 }, { 0, 0, -1 }, { 0.48f, -0.6f, 0.64f } };
    for (int n = 0; n < 3; n++) {
        for (int narrow = 0; narrow < 2; narrow++) {
            const float spread = narrow ? 0.5f : 1;
            double mean = 0;
            for (uint32_t i = 0; i < RAYS; i++) {
                uint32_t sample[2];
                float dir[3];
                bake_hemisphere_sample(i, RAYS, 7, sample);
                bake_hemisphere_direction(sample, normals[n], spread, dir);
                double square = 0, along = 0;
                for (int axis = 0; axis < 3; axis++) {
                    square += (double)dir[axis] * (double)dir[axis];
                    along += (double)dir[axis] * (double)normals[n][axis];
                }
                assert_true(fabs(square - 1) < 1e-6);
                assert_true(along > sqrt(1 - (double)spread * (double)spread) - 1e-6);
                mean += along / RAYS;
            }
            /* Over the disk of radius s the mean of sqrt(1 - r^2) is 2/3 (1 - (1 - s^2)^1.5) / s^2.
             */
            const double expected = narrow ? 2.0 / 3 * (1 - pow(0.75, 1.5)) / 0.25 : 2.0 / 3;
            assert_true(fabs(mean - expected) < 0.005);
        }
    }
}

static float bake_one(sl_mesh *mesh, bake_job job, const float point[3], const float normal[3])
{
    UNDONE(bake_scratch_free) bake_scratch room;
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    job.bvh = bvh;
    job.rays = RAYS;
    job.points = point;
    job.normals = normal;
    assert_true(bake_scratch_make(&room, &job));
    return bake_point(&job, 0, &room);
}

/* A floor of 200 x 200 at z = 0 and a wall from (0, -100, 0) to (0, 100, 200); then a lid. */
static const float hall_xyz[] = { -100, -100, 0,   100, -100, 0,   100, 100,  0, -100, 100, 0,
                                  0,    -100, 200, 0,   100,  200, 0,   -100, 0, 0,    100, 0 };
static const uint32_t hall_indices[] = { 0, 1, 2, 0, 2, 3, 6, 4, 5, 6, 5, 7 };

TEST(a_point_on_a_plane_is_open)
{
    const float point[3] = { 50, 0, 0 }, up[3] = { 0, 0, 1 };
    OWN(sl_mesh) mesh = made_mesh(hall_xyz, 8, hall_indices, 2, NULL);
    const bake_job lifted = { .distance = 10, .spread = 1, .lift = 1e-3f };
    const bake_job flat = { .distance = 10, .spread = 1, .lift = 0 };
    assert_true(bake_one(mesh, lifted, point, up) == 1);
    assert_true(bake_one(mesh, flat, point, up) == 1);
}

/* The wall hides the half of the hemisphere that is behind it, and half of the cosine. */
TEST(the_foot_of_a_wall_is_half_open)
{
    const float point[3] = { 1e-3f, 0, 0 }, up[3] = { 0, 0, 1 };
    OWN(sl_mesh) mesh = made_mesh(hall_xyz, 8, hall_indices, 4, NULL);
    const bake_job job = { .distance = 50, .spread = 1, .lift = 1e-3f };
    const float value = bake_one(mesh, job, point, up);
    assert_true(fabsf(value - 0.5f) < 0.01f);
}

TEST(the_inside_of_a_closed_mesh_is_closed)
{
    OWN(sl_mesh) mesh = made_sphere(16);
    const float point[3] = { 0.3f, 0.2f, 0.1f }, normal[3] = { 0, 3, 4 };
    const bake_job far = { .distance = 10, .spread = 1 };
    const bake_job near = { .distance = 0.1f, .spread = 1 };
    assert_true(bake_one(mesh, far, point, normal) == 0);
    assert_true(bake_one(mesh, near, point, normal) == 1);
}

/* Two parallel squares, 2 apart: the thinnest ray is nearly straight, the others are longer by 1
 * over their cosine, whose mean over a disk of radius s is 2 (1 - sqrt(1 - s^2)) / s^2. */
TEST(a_plate_is_as_thick_as_it_is)
{
    const float xyz[] = { -9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0,
                          -9, -9, 2, 9, -9, 2, 9, 9, 2, -9, 9, 2 };
    const uint32_t indices[] = { 0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7 };
    const float point[3] = { 0.5f, 0.25f, 2 }, up[3] = { 0, 0, 5 };
    OWN(sl_mesh) mesh = made_mesh(xyz, 8, indices, 4, NULL);
    bake_job job = { .kind = BAKE_THICKNESS, .distance = 100, .lift = 1e-3f, .spread = 0.5f };
    const double mean = 2 * 2 * (1 - sqrt(0.75)) / 0.25;
    assert_true(fabs((double)bake_one(mesh, job, point, up) - mean) < 0.005);
    job.least = true;
    assert_true(fabsf(bake_one(mesh, job, point, up) - 2) < 0.01f);
    job.distance = 1;
    assert_true(bake_one(mesh, job, point, up) == INFINITY);
}

TEST(a_point_without_a_normal_has_no_value)
{
    const float point[3] = { 0, 0, 1 }, none[3] = { 0, 0, 0 }, bad[3] = { NAN, 0, 1 };
    OWN(sl_mesh) mesh = made_mesh(hall_xyz, 8, hall_indices, 2, NULL);
    const bake_job job = { .distance = 1, .spread = 1 };
    assert_true(isnan(bake_one(mesh, job, point, none)));
    assert_true(isnan(bake_one(mesh, job, point, bad)));
}

/* Corner 6 belongs to the wall alone; a vertex that no triangle uses has none. */
TEST(normals_are_those_of_the_triangles)
{
    OWN(sl_mesh) mesh = made_mesh(hall_xyz, 8, hall_indices, 2, NULL);
    FREED float *normals = bake_normals(mesh);
    const float up[3] = { 0, 0, 1 }, none[3] = { 0, 0, 0 };
    assert_memory_equal(normals, up, sizeof up);
    assert_memory_equal(normals + 18, none, sizeof none);
}
