/* Lines of bench that end on the surface, pictures of few tiles, and calls that wait for one
 * another. */
#include "test/support/query/of_one.h"
#include "test/support/test.h"
#include "test/support/volume.h"
#include "tools/bench/input/ends.h"
#include "tools/bench/input/primary.h"

enum { COUNT = 1000 };

typedef struct scene {
    sl_mesh *mesh;
    sl_bvh *bvh;
    bench_source source;
} scene;

TEST_BEFORE_ALL
{
    static scene s;
    bool empty;
    s.mesh = made_torus(24, 12, 2, 1);
    s.bvh = made_bvh(s.mesh, NULL);
    s.source = (bench_source){ .bounds = bounds_in_floats(s.bvh), .seed = 1, .diagonal = 8 };
    assert_true(bench_surface_make(&s.source.surface, s.mesh, s.bvh, &empty));
    *state = &s;
}

TEST_AFTER_ALL
{
    scene *s = *state;
    bench_surface_free(&s->source.surface);
    unmake_bvh(s->bvh, s->mesh);
}

static bool is_vertex(const scene *s, const float p[3])
{
    const sl_soup soup = sl_mesh_soup(s->mesh);
    for (size_t i = 0; i < soup.vertex_count; i++) {
        if (memcmp(soup.xyz + 3 * i, p, sizeof(float[3])) == 0) {
            return true;
        }
    }
    return false;
}

static float height(const scene *s, const float point[3])
{
    sl_nearest nearest;
    assert_true(sl_bvh_nearest(s->bvh, point, INFINITY, NULL, &nearest));
    return nearest.distance;
}

TEST(segments_end_where_their_family_says)
{
    const scene *s = *state;
    for (int end = 0; end < END_FROM; end++) {
        bench_rays rays, keep;
        size_t eyes = 1, planes = 0;
        assert_true(bench_ends_make(&s->source, (bench_end)end, COUNT, &rays, &keep));
        for (size_t i = 0; i < COUNT; i++) {
            const sl_segment *g = &rays.segments[i], *k = &keep.segments[i];
            eyes += i > 0 && memcmp(g->p, g[-1].p, sizeof g->p) != 0;
            planes += g->p[0] == g->q[0] || g->p[1] == g->q[1] || g->p[2] == g->q[2];
            assert_true(height(s, g->q) < 1e-6f);
            assert_true(end == END_EDGE || end == END_FACE || end == END_HIT || is_vertex(s, g->q));
            assert_true(end != END_BOTH || is_vertex(s, g->p));
            for (int axis = 0; axis < 3; axis++) {
                const float way = fabsf(g->q[axis] - g->p[axis]);
                assert_true(fabsf(k->q[axis] - g->q[axis]) <= 1.1e-4f * way + 1e-6f);
            }
        }
        assert_true(end == END_BOTH || end == END_AXIS ? eyes > COUNT / 2 : eyes == 63);
        assert_true(end != END_AXIS || planes == COUNT);
        bench_rays_free(&rays);
        bench_rays_free(&keep);
    }
}

TEST(rays_begin_in_vertices_and_leave_them_at_once)
{
    const scene *s = *state;
    UNDONE(bench_rays_free) bench_rays rays;
    UNDONE(bench_rays_free) bench_rays keep;
    assert_true(bench_ends_make(&s->source, END_FROM, COUNT, &rays, &keep));
    assert_true(rays.query == BENCH_ANY);
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(is_vertex(s, rays.rays[i].origin));
        assert_true(0 < rays.rays[i].tmin && rays.rays[i].tmin < keep.rays[i].tmin);
        assert_true(memcmp(rays.rays[i].dir, keep.rays[i].dir, sizeof(float[3])) == 0);
    }
}

/* The second camera looks along z: of a third of 32 tiles some are at either side. */
TEST(few_tiles_lie_in_all_of_a_picture)
{
    enum { RAYS = 32 * 1024 };
    const scene *s = *state;
    UNDONE(bench_rays_free) bench_rays rays;
    float least = INFINITY, most = -INFINITY;
    assert_true(bench_rays_make(&s->source, SET_ORTHO, RAYS, &rays));
    for (size_t i = RAYS / 3 + 1024; i < (size_t)2 * RAYS / 3 - 1024; i++) {
        least = fminf(least, rays.rays[i].origin[0]);
        most = fmaxf(most, rays.rays[i].origin[0]);
    }
    const float width = s->source.bounds.max[0] - s->source.bounds.min[0];
    assert_true(most - least > 0.8f * width);
}

TEST(chains_find_what_single_calls_find)
{
    const scene *s = *state;
    const bench_target target = { .bvh = s->bvh };
    UNDONE(bench_rays_free) bench_rays rays;
    assert_true(bench_rays_make(&s->source, SET_RANDOM, COUNT, &rays));
    UNDONE(bench_answers_free) bench_answers one;
    UNDONE(bench_answers_free) bench_answers chained;
    assert_true(bench_answers_make(&one, &rays) && bench_answers_make(&chained, &rays));
    bench_ask_singly(&target, &rays, &one);
    bench_ask_chained(&target, &rays, &chained);
    assert_true(bench_answers_agree(&one, &chained, &rays));
    assert_true(bench_answer_hits(&one, &rays) > 0.3);
}

TEST(all_hits_are_the_same_in_one_call_and_one_by_one)
{
    const scene *s = *state;
    const bench_target target = { .bvh = s->bvh };
    for (size_t capacity = 0; capacity < 4; capacity += 3) {
        UNDONE(bench_rays_free) bench_rays rays;
        assert_true(bench_rays_make(&s->source, SET_RANDOM, COUNT, &rays));
        UNDONE(bench_answers_free) bench_answers closest;
        assert_true(bench_answers_make(&closest, &rays));
        bench_ask_batches(&target, &rays, 0, &closest);
        const double hits = bench_answer_hits(&closest, &rays);
        rays.query = BENCH_ALL;
        rays.capacity = capacity;
        UNDONE(bench_answers_free) bench_answers one;
        UNDONE(bench_answers_free) bench_answers many;
        assert_true(bench_answers_make(&one, &rays) && bench_answers_make(&many, &rays));
        bench_ask_singly(&target, &rays, &one);
        bench_ask_batches(&target, &rays, 0, &many);
        assert_true(bench_answers_agree(&one, &many, &rays));
        assert_true(bench_answer_hits(&many, &rays) == hits);
    }
}
