/* Compact trees: what they hold, that they are sound, that the checker finds what is wrong with
 * them, and that they answer as others do where test_one_answer.c and test/bvh/kernel do not
 * ask. */
#include "bvh/tree/tree.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

static sl_mesh *grid(uint32_t n)
{
    return made_grid(n, n, 3, 7);
}

static sl_bvh *build(const sl_mesh *mesh, sl_bvh_layout layout, sl_bvh_quality quality,
                     const uint32_t *masks)
{
    sl_build_def def = { .layout = layout, .quality = quality, .masks = masks };
    return made_bvh(mesh, &def);
}

static void check(const sl_bvh *bvh, const sl_mesh *mesh)
{
    sl_error error = { .message = "" };
    if (!sl_bvh_check(bvh, mesh, &error)) {
        fail_msg("%s", error.message);
    }
}

/* A vertex of the grid belongs to six triangles, so that there is half a vertex a triangle. */
TEST(a_tree_takes_six_tenths_of_the_memory)
{
    OWN(sl_mesh) mesh = grid(200);
    for (sl_bvh_quality quality = SL_BVH_QUALITY_DEFAULT; quality <= SL_BVH_QUALITY_HIGH;
         quality++) {
        sl_bvh *whole = build(mesh, SL_BVH_LAYOUT_DEFAULT, quality, NULL);
        sl_bvh *compact = build(mesh, SL_BVH_LAYOUT_COMPACT, quality, NULL);
        const sl_bvh_info a = sl_bvh_get_info(whole), b = sl_bvh_get_info(compact);
        assert_int_equal(a.layout, SL_BVH_LAYOUT_DEFAULT);
        assert_int_equal(b.layout, SL_BVH_LAYOUT_COMPACT);
        assert_int_equal(b.quality, quality);
        assert_true((double)b.bytes < 0.62 * (double)a.bytes);
        assert_int_equal(compact->vertex_floats, 3 * (sl_mesh_soup(mesh).vertex_count + 1) + 1);
        check(compact, mesh);
        sl_bvh_destroy(whole);
        sl_bvh_destroy(compact);
    }
}

/* Every triangle has its own three corners: as many as there are different ones are kept, and a few
 * more. */
TEST(equal_vertices_become_one)
{
    OWN(sl_mesh) mesh = grid(60);
    OWN(sl_mesh) apart = NULL;
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    float *xyz = malloc(9 * count * sizeof *xyz);
    for (size_t i = 0; i < 3 * count; i++) {
        memcpy(xyz + 3 * i, sl_mesh_soup(mesh).xyz + 3 * (size_t)sl_mesh_soup(mesh).indices[i], 12);
    }
    apart = made_mesh(xyz, 3 * count, NULL, count, NULL);
    free(xyz);
    OWN(sl_bvh) bvh = build(apart, SL_BVH_LAYOUT_COMPACT, SL_BVH_QUALITY_DEFAULT, NULL);
    assert_true(bvh->vertex_floats / 3 < 2 * sl_mesh_soup(mesh).vertex_count);
    check(bvh, apart);
}

/* A zero and a zero of the other sign are the same point, but not the same bits. */
TEST(zeros_keep_their_signs)
{
    const float xyz[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, -0.0f, 0, 0, 1, 0, 0, 0, -0.0f, 1 };
    OWN(sl_mesh) mesh = made_mesh(xyz, 6, NULL, 2, NULL);
    OWN(sl_bvh) bvh = build(mesh, SL_BVH_LAYOUT_COMPACT, SL_BVH_QUALITY_DEFAULT, NULL);
    for (uint32_t prim = 0; prim < 2; prim++) {
        sl_triangle triangle;
        assert_true(sli_tree_triangle(bvh, prim, &triangle));
        assert_memory_equal(&triangle, xyz + 9 * prim, sizeof triangle);
    }
    check(bvh, mesh);
}

static bool same_tree(const sl_bvh *a, const sl_bvh *b)
{
    return a->line_count == b->line_count && a->vertex_floats == b->vertex_floats &&
           memcmp(a->lines, b->lines, a->line_count * SLI_LINE) == 0 &&
           memcmp(a->vertices, b->vertices, a->vertex_floats * sizeof *a->vertices) == 0 &&
           memcmp(a->slots, b->slots, a->prim_count * sizeof *a->slots) == 0;
}

TEST(the_workers_leave_no_trace)
{
    OWN(sl_mesh) mesh = grid(150);
    OWN(sl_bvh) alone = build(mesh, SL_BVH_LAYOUT_COMPACT, SL_BVH_QUALITY_DEFAULT, NULL);
    OWN(sl_bvh) together = NULL;
    OWN(sl_pool) pool = made_pool(4);
    sl_build_def def = { .layout = SL_BVH_LAYOUT_COMPACT, .hooks.tasks = sl_pool_tasks(pool) };
    together = made_bvh(mesh, &def);
    assert_true(same_tree(alone, together));
}

enum { RAYS = 600, PRIMS = 8 };

typedef struct answers {
    sl_hit hits[RAYS];
    uint8_t any[RAYS], from_one_point[RAYS], occluded_from[RAYS];
    size_t volumes[RAYS];
    sl_triangle_ref refs[RAYS][PRIMS];
} answers;

static void ask(const sl_bvh *bvh, const sl_ray *rays, answers *a)
{
    sl_options options = { .mask = 6,
                           .skip = (sl_triangle_ref[]){ { 0, 5 }, { 0, 77 } },
                           .skip_count = 2 };
    float to[3 * RAYS];
    memset(a, 0, sizeof *a);
    sl_bvh_closest_many(bvh, sl_rays_of(rays, RAYS), &options, sl_hits_of(a->hits), NULL, NULL);
    sl_bvh_any_many(bvh, sl_rays_of(rays, RAYS), &options, a->any, NULL, NULL, NULL);
    for (int i = 0; i < RAYS; i++) {
        const float x = rays[i].origin[0], y = rays[i].origin[1];
        const sl_volume box = { .kind = SL_VOLUME_AABB,
                                .shape.aabb = { { x - 0.1f, y - 0.1f, -9 }, { x, y, 9 } } };
        memcpy(to + 3 * i, rays[i].dir, 12);
        a->volumes[i] = sl_bvh_overlap_all(bvh, &box, &options, a->refs[i], PRIMS);
    }
    sl_bvh_any_many(bvh, sl_rays_from(rays[0].origin, to, RAYS, SL_FLOAT), &options,
                    a->from_one_point, NULL, NULL, NULL);
    sl_bvh_any_many(bvh, sl_segments_from(rays[0].origin, to, RAYS, SL_FLOAT), &options,
                    a->occluded_from, NULL, NULL, NULL);
}

/* Coherent rays for packets, then scattered ones. */
static void make_rays(const sl_aabb *bounds, sl_ray rays[RAYS])
{
    test_random random = { 4 };
    float size[3];
    memcpy(size, sl_aabb_measure(bounds).size, sizeof size);
    for (int i = 0; i < RAYS; i++) {
        const float x = (float)(i % 24) / 24, y = (float)(i / 24) / 24;
        rays[i] = (sl_ray){ .origin = { 0.5f, 0.5f, 2 }, .tmax = INFINITY };
        const float dir[3] = { x - 0.5f, y - 0.5f, -2 };
        memcpy(rays[i].dir, dir, sizeof dir);
        for (int axis = 0; i > RAYS / 2 && axis < 3; axis++) {
            rays[i].origin[axis] = test_random_unit(&random);
            rays[i].dir[axis] = test_random_unit(&random) - 0.5f;
        }
        for (int axis = 0; axis < 3; axis++) {
            rays[i].origin[axis] = bounds->min[axis] + rays[i].origin[axis] * size[axis];
            rays[i].dir[axis] *= size[axis];
        }
    }
}

TEST(masks_rays_from_one_point_volumes_and_packets_give_the_same_bits)
{
    OWN(sl_mesh) mesh = grid(60);
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    uint32_t *masks = malloc(count * sizeof *masks);
    for (size_t i = 0; i < count; i++) {
        masks[i] = (uint32_t)(i % 5);
    }
    OWN(sl_bvh) whole = build(mesh, SL_BVH_LAYOUT_DEFAULT, SL_BVH_QUALITY_DEFAULT, masks);
    OWN(sl_bvh) compact = build(mesh, SL_BVH_LAYOUT_COMPACT, SL_BVH_QUALITY_DEFAULT, masks);
    free(masks);
    sl_ray rays[RAYS];
    answers *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    const sl_aabb bounds = bounds_in_floats(whole);
    make_rays(&bounds, rays);
    ask(whole, rays, a);
    ask(compact, rays, b);
    assert_memory_equal(a, b, sizeof *a);
    size_t hits = 0, volumes = 0, occluded = 0;
    for (int i = 0; i < RAYS; i++) {
        hits += a->any[i];
        volumes += a->volumes[i] > 0;
        occluded += a->from_one_point[i];
    }
    assert_true(hits > RAYS / 10 && volumes > RAYS / 10 && occluded > 0);
    check(compact, mesh);
    free(a);
    free(b);
}

static sli_tri_index *block_of(sl_bvh *tree, uint32_t prim)
{
    return (sli_tri_index *)(void *)(tree->lines +
                                     (size_t)(tree->slots[prim] / SLI_PACK) * SLI_LINE);
}

static void spoil(sl_bvh *tree, int fault)
{
    sli_tri_index *block = block_of(tree, 9);
    const uint32_t beyond = (uint32_t)(tree->vertex_floats / 3);
    switch (fault) {
    case 0:
        block->vertex[1][0] = beyond;
        break;
    case 1:
        block->vertex[2][0] = UINT32_MAX;
        break;
    case 2:
        block->vertex[0][0] = 0;
        break;
    case 3:
        block->vertex[0][0] = block->vertex[0][0] % (beyond - 1) + 1; /* another one */
        break;
    case 4:
        block->id[0] = tree->prim_count;
        break;
    case 5:
        tree->vertices[2] = -0.0f;
        break;
    case 6:
        tree->vertices[3 * (size_t)block->vertex[0][0]] += 1;
        break;
    default:
        tree->vertices[3 * (size_t)block->vertex[0][0] + 1] = NAN;
        break;
    }
}

TEST(every_planted_fault_is_found)
{
    OWN(sl_mesh) mesh = grid(20);
    for (int fault = 0; fault < 8; fault++) {
        OWN(sl_bvh) bvh = build(mesh, SL_BVH_LAYOUT_COMPACT, SL_BVH_QUALITY_DEFAULT, NULL);
        sl_error error;
        assert_true(sl_bvh_check(bvh, mesh, &error));
        spoil(bvh, fault);
        assert_false(sl_bvh_check(bvh, mesh, &error));
        assert_int_equal(error.code, SL_BAD_DATA);
    }
}

TEST(any_allocation_may_fail)
{
    OWN(sl_mesh) mesh = grid(40);
    FREED uint32_t *masks = calloc(sl_mesh_soup(mesh).triangle_count, sizeof *masks);
    sl_build_def def = { .layout = SL_BVH_LAYOUT_COMPACT, .masks = masks };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        OWN(sl_bvh) bvh = NULL;
        const sl_result result = sl_bvh_build(mesh, &def, &bvh, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
    }
    assert_true(memory.allocations > 8);
}

TEST(no_triangles_are_an_empty_tree)
{
    OWN(sl_mesh) mesh = made_mesh(NULL, 0, NULL, 0, NULL);
    OWN(sl_bvh) bvh = build(mesh, SL_BVH_LAYOUT_COMPACT, SL_BVH_QUALITY_HIGH, NULL);
    const sl_ray ray = { .dir = { 0, 0, 1 }, .tmax = INFINITY };
    assert_false(sl_bvh_any(bvh, &ray, NULL));
    check(bvh, mesh);
}
