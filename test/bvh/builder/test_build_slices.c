/* Builds in slices: the tree is that of a build at once, byte for byte; steps are short; a build
 * can be left after any of them; every hook is called by the thread that steps; failures are
 * kept. */
#include "lib/base/thread/slices.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/deep.h"
#include "test/support/test.h"

#include <pthread.h>

enum { SEED = 20261123, MESHES = 6, WORKERS = 4 };

/* None; one; a soup with one left out; copies of one triangle, which no plane separates; a surface;
 * and the deepest tree. */
static sl_mesh *make_mesh(int which)
{
    static const float xyz[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    static uint32_t indices[3 * 4000];
    sl_mesh_def def = { 0 };
    sl_mesh *mesh = NULL;
    sl_result result = SL_OK;
    switch (which) {
    case 0:
        result = sl_mesh_from_arrays(NULL, 0, NULL, 0, NULL, &mesh, NULL);
        break;
    case 1:
        indices[0] = 9;
        indices[3] = 0;
        indices[4] = 1;
        indices[5] = 2;
        def.bad = SL_BAD_LEAVE_OUT;
        result = sl_mesh_from_arrays(xyz, 3, indices, 2, &def, &mesh, NULL);
        break;
    case 2:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 6000, 0.2f, 3 } } },
                                  NULL, &mesh, NULL);
        break;
    case 3:
        for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
            indices[i] = (uint32_t)(i % 3);
        }
        result = sl_mesh_from_arrays(xyz, 3, indices, 4000, NULL, &mesh, NULL);
        break;
    case 4:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 60, 50, 1, 9 } } },
                                  NULL, &mesh, NULL);
        break;
    default:
        mesh = deep_mesh();
        break;
    }
    assert_int_equal(result, SL_OK);
    return mesh;
}

static uint8_t *bytes_of(const sl_bvh *bvh, size_t *size)
{
    *size = sl_bvh_save_memory(bvh, NULL);
    uint8_t *bytes = aligned_alloc(64, (*size + 63) / 64 * 64);
    assert_non_null(bytes);
    sl_bvh_save_memory(bvh, bytes);
    return bytes;
}

static void expect_same(const sl_bvh *a, const sl_bvh *b)
{
    size_t size[2];
    uint8_t *bytes[2] = { bytes_of(a, &size[0]), bytes_of(b, &size[1]) };
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
    const sl_bvh_info of_a = sl_bvh_get_info(a), of_b = sl_bvh_get_info(b);
    assert_memory_equal(&of_a, &of_b, sizeof of_a);
}

/* Steps until the build is done; how many there were. */
static size_t step_all(sl_build *build, double budget_ms)
{
    bool done = false;
    size_t steps = 0;
    for (; !done; steps++) {
        assert_int_equal(sl_build_step(build, budget_ms, &done, NULL), SL_OK);
    }
    return steps;
}

static sl_bvh *build_in_slices(const sl_mesh *mesh, const sl_build_def *def, double budget_ms,
                               size_t *steps)
{
    OWN(sl_build) build = NULL;
    sl_bvh *bvh = NULL;
    assert_int_equal(sl_build_begin(mesh, def, &build, NULL), SL_OK);
    *steps = step_all(build, budget_ms);
    assert_int_equal(sl_build_end(build, &bvh, NULL), SL_OK);
    return bvh;
}

static void compare(const sl_mesh *mesh, const sl_build_def *def)
{
    static const double budgets[] = { 0, 0.02, 1, INFINITY, -1, NAN };
    OWN(sl_bvh) at_once = made_bvh(mesh, def);
    size_t smallest = 0;
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        size_t steps;
        OWN(sl_bvh) bvh = build_in_slices(mesh, def, budgets[i], &steps);
        expect_same(at_once, bvh);
        assert_true(sl_bvh_check(bvh, mesh, NULL));
        smallest = i == 0 ? steps : smallest;
        assert_true(budgets[i] != INFINITY || steps == 1);
    }
    assert_true(smallest > (sl_mesh_soup(mesh).triangle_count < 5000 ? 0 : 20));
}

TEST(the_tree_is_that_of_a_build_at_once)
{
    static uint32_t masks[1 << 16];
    scrambled_tasks scrambled;
    OWN(sl_pool) pool = made_pool(WORKERS);
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        masks[i] = (uint32_t)(i * i);
    }
    for (int which = 0; which < MESHES; which++) {
        OWN(sl_mesh) mesh = make_mesh(which);
        assert_true(sl_mesh_soup(mesh).triangle_count <= sizeof masks / sizeof masks[0]);
        for (int way = 0; way < 3 * 2 * 3; way++) {
            sl_build_def def = { .quality = (sl_bvh_quality)(way % 3) };
            def.layout = way / 3 % 2 == 0 ? SL_BVH_LAYOUT_DEFAULT : SL_BVH_LAYOUT_COMPACT;
            def.masks = way % 2 == 0 ? masks : NULL;
            if (way / 6 > 0) {
                def.hooks.tasks =
                    way / 6 == 1 ? sl_pool_tasks(pool) : scrambled_tasks_start(&scrambled, 3, SEED);
            }
            compare(mesh, &def);
        }
    }
}

/* The same result as at once; whether there is a tree with another quality, or layout, than asked
 * for. */
static bool compare_limited(const sl_mesh *mesh, const sl_build_def *def, size_t *refused)
{
    OWN(sl_bvh) at_once = NULL;
    OWN(sl_bvh) bvh = NULL;
    sl_build *build = NULL;
    sl_error error = { .message = "" }, expected = { .message = "" };
    const sl_result result = sl_bvh_build(mesh, def, &at_once, &expected);
    assert_int_equal(sl_build_begin(mesh, def, &build, NULL), SL_OK);
    bool done = false, other = false;
    while (!done && sl_build_step(build, 0.1, &done, NULL) == SL_OK) {
    }
    assert_int_equal(sl_build_end(build, &bvh, &error), result);
    sl_build_destroy(build);
    if (result == SL_OK) {
        expect_same(at_once, bvh);
        const sl_bvh_info info = sl_bvh_get_info(bvh);
        other = info.quality != def->quality || info.layout != def->layout;
    } else {
        assert_int_equal(result, SL_TOO_LARGE);
        assert_string_equal(error.message, expected.message);
        (*refused)++;
    }
    return other;
}

/* A second attempt with less quality, a compact tree instead of a larger one, and refusals. */
TEST(the_tree_is_the_same_where_memory_is_limited)
{
    OWN(sl_mesh) mesh = make_mesh(4);
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    size_t others[2] = { 0 }, refused[2] = { 0 };
    for (size_t bytes = 20; bytes < 1000; bytes += bytes / 8) {
        sl_build_def def = { .quality = SL_BVH_QUALITY_HIGH, .max_memory = bytes * count };
        others[0] += compare_limited(mesh, &def, &refused[0]);
        def = (sl_build_def){ 0 };
        def.max_tree_size = bytes * count;
        others[1] += compare_limited(mesh, &def, &refused[1]);
    }
    print_message("memory: %zu others, %zu refused; tree: %zu, %zu\n", others[0], refused[0],
                  others[1], refused[1]);
    assert_true(others[0] > 0 && others[1] > 0 && refused[0] > 0 && refused[1] > 0);
}

/* As many as a twentieth of the time that a build takes here would need, so that a slow machine, or
 * one that is busy, passes too. */
TEST(steps_are_short)
{
    OWN(sl_mesh) mesh = made_soup(200000, 0.01f, 3);
    for (int i = 0; i < 4; i++) {
        sl_build_def def = { .quality = (sl_bvh_quality)(i % 3) };
        def.layout = i == 3 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
        size_t steps;
        sl_bvh_destroy(build_in_slices(mesh, &def, 0.1, &steps));
        assert_true(steps > 100);
        if (i == 0) {
            sl_bvh_destroy(build_in_slices(mesh, &def, 0, &steps));
            assert_true(steps > 1000);
        }
    }
}

/* ---- Left in the middle */

TEST(a_build_may_be_left_after_any_step)
{
    size_t left = 0;
    sl_pool *pool = made_pool(WORKERS);
    for (int which = 0; which < MESHES; which++) {
        OWN(sl_mesh) mesh = make_mesh(which);
        for (int way = 0; way < 16; way++) {
            bool done = false;
            for (size_t steps = 0; !done; steps += 1 + steps / 4) {
                sli_failing_allocator memory;
                sl_build_def def = { 0 };
                const bool counted = way / 8 == 0;
                if (counted) { /* else malloc, which leak checkers watch */
                    def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
                }
                def.quality = (sl_bvh_quality)(way % 4 % 3);
                def.layout = way % 4 == 3 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
                def.max_memory = way == 2 ? 190 * sl_mesh_soup(mesh).triangle_count + 65536 : 0;
                def.hooks.tasks = way / 4 % 2 == 0 ? NULL : sl_pool_tasks(pool);
                sl_build *build = NULL;
                assert_int_equal(sl_build_begin(mesh, &def, &build, NULL), SL_OK);
                for (size_t i = 0; i < steps && !done; i++) {
                    assert_int_equal(sl_build_step(build, 0, &done, NULL), SL_OK);
                }
                sl_build_destroy(build);
                left++;
                if (counted) {
                    assert_true(sli_failing_allocator_clean(&memory));
                }
            }
        }
    }
    sl_pool_destroy(pool);
    print_message("%zu builds left\n", left);
}

/* ---- Hooks */

typedef struct host {
    sli_failing_allocator memory;
    sl_allocator inner;
    pthread_t steps; /* the thread that is in a call */
    size_t strangers, calls, reports;
    float last;
} host;

static void note(host *h)
{
    h->calls++;
    h->strangers += pthread_equal(h->steps, pthread_self()) == 0;
}

static void *host_alloc(void *user, size_t size, size_t align)
{
    host *h = user;
    note(h);
    return h->inner.alloc(h->inner.user, size, align);
}

static void host_free(void *user, void *memory, size_t size)
{
    host *h = user;
    note(h);
    h->inner.free(h->inner.user, memory, size);
}

static bool host_report(void *user, const char *phase, float fraction)
{
    host *h = user;
    (void)phase;
    note(h);
    h->reports++;
    return fraction >= 0 && fraction <= 1;
}

static void host_parallel_for(void *user, size_t count, size_t grain, sl_range_fn *fn,
                              void *context)
{
    note(user);
    for (size_t begin = 0; begin < count; begin += grain) {
        fn(context, begin, count - begin < grain ? count : begin + grain, (int)(begin % 2));
    }
}

typedef struct stepper {
    host *host;
    sl_build *build;
    bool done;
} stepper;

static void *step_once(void *context)
{
    stepper *s = context;
    s->host->steps = pthread_self();
    assert_int_equal(sl_build_step(s->build, 0.05, &s->done, NULL), SL_OK);
    return NULL;
}

TEST(hooks_are_called_by_the_thread_that_steps)
{
    OWN(sl_mesh) mesh = make_mesh(2);
    OWN(sl_bvh) at_once = made_bvh(mesh, NULL);
    for (int tasks = 0; tasks < 2; tasks++) {
        host h = { .calls = 0, .steps = pthread_self() };
        h.inner = sli_failing_allocator_start(&h.memory, SLI_NEVER_FAIL);
        const sl_tasks of_host = { host_parallel_for, &h, 2 };
        sl_build_def def = { 0 };
        def.hooks.allocator = (sl_allocator){ host_alloc, host_free, &h };
        def.hooks.progress = (sl_progress){ host_report, &h };
        def.hooks.tasks = tasks != 0 ? &of_host : NULL;
        stepper s = { .host = &h };
        assert_int_equal(sl_build_begin(mesh, &def, &s.build, NULL), SL_OK);
        while (!s.done) { /* a thread for each step */
            pthread_t thread;
            assert_int_equal(pthread_create(&thread, NULL, step_once, &s), 0);
            pthread_join(thread, NULL);
        }
        h.steps = pthread_self();
        sl_bvh *bvh = NULL;
        assert_int_equal(sl_build_end(s.build, &bvh, NULL), SL_OK);
        sl_build_destroy(s.build);
        expect_same(at_once, bvh);
        sl_bvh_destroy(bvh);
        assert_int_equal(h.strangers, 0);
        assert_true(h.reports > 5 && h.calls > h.reports + 30);
        assert_int_equal(h.memory.live_blocks, 0);
        assert_int_equal(h.memory.misuses, 0);
    }
}

/* Calls back from a hook: other builds may be begun and ended there, this one may not. */
typedef struct caller_back {
    const sl_mesh *mesh;
    sl_build *own;
    size_t others, refused;
} caller_back;

static bool call_back(void *user, const char *phase, float fraction)
{
    caller_back *at = user;
    sl_build *other = NULL;
    sl_bvh *bvh = NULL;
    sl_error error = { .code = SL_OK };
    bool done = false;
    (void)phase;
    (void)fraction;
    assert_int_equal(sl_build_begin(at->mesh, NULL, &other, NULL), SL_OK);
    assert_int_equal(sl_build_step(other, 0, &done, NULL), SL_OK);
    assert_int_equal(sl_build_end(other, &bvh, NULL), SL_OK);
    sl_build_destroy(other);
    at->others += sl_bvh_check(bvh, at->mesh, NULL);
    sl_bvh_destroy(bvh);
    done = true;
    assert_int_equal(sl_build_step(at->own, 1, &done, &error), SL_INVALID_ARGUMENT);
    assert_false(done);
    assert_int_equal(sl_build_end(at->own, &bvh, &error), SL_INVALID_ARGUMENT);
    assert_null(bvh);
    assert_non_null(strstr(error.message, "a hook"));
    at->refused++;
    return true;
}

TEST(hooks_may_call_what_is_not_their_own_build)
{
    OWN(sl_mesh) mesh = make_mesh(4);
    caller_back at = { .mesh = mesh };
    sl_build_def def = { 0 };
    OWN(sl_bvh) bvh = NULL;
    OWN(sl_bvh) at_once = made_bvh(mesh, NULL);
    def.hooks.progress = (sl_progress){ call_back, &at };
    assert_int_equal(sl_build_begin(mesh, &def, &at.own, NULL), SL_OK);
    (void)step_all(at.own, 0.1);
    assert_int_equal(sl_build_end(at.own, &bvh, NULL), SL_OK);
    sl_build_destroy(at.own);
    expect_same(at_once, bvh);
    assert_true(at.others > 5 && at.refused == at.others);
}

/* ---- Failures */

/* Steps, and gives the result that ended it, which is then given again. */
static sl_result fail_in_steps(sl_build *build)
{
    sl_error error = { .code = SL_OK }, again;
    sl_bvh *bvh = NULL;
    bool done = false;
    sl_result result = SL_OK;
    while (result == SL_OK && !done) {
        result = sl_build_step(build, 0.1, &done, &error);
    }
    if (result != SL_OK) {
        assert_false(done);
        assert_int_equal(error.code, result);
        assert_int_equal(sl_build_step(build, 1, &done, &again), result);
        assert_string_equal(again.message, error.message);
        assert_int_equal(sl_build_end(build, &bvh, &again), result);
        assert_string_equal(again.message, error.message);
        assert_null(bvh);
    }
    return result;
}

TEST(an_allocation_that_fails_ends_the_build)
{
    OWN(sl_mesh) mesh = make_mesh(2);
    for (int way = 0; way < 4; way++) {
        sl_build_def def = { .quality = (sl_bvh_quality)(way % 3) };
        def.layout = way == 3 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
        sli_failing_allocator memory = TEST_NO_FAILURE_YET;
        while (test_next_failure(&memory, &def.hooks.allocator)) {
            sl_build *build = NULL;
            sl_result result = sl_build_begin(mesh, &def, &build, NULL);
            if (result == SL_OK) {
                result = fail_in_steps(build);
            }
            sl_build_destroy(build);
            assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        }
    }
}

static bool refuse_later(void *user, const char *phase, float fraction)
{
    int *left = user;
    (void)phase;
    (void)fraction;
    return --*left > 0;
}

TEST(a_progress_hook_that_refuses_ends_the_build)
{
    OWN(sl_mesh) mesh = make_mesh(4);
    for (int reports = 1; reports < 12; reports++) {
        int left = reports;
        sl_build_def def = { 0 };
        def.hooks.progress = (sl_progress){ refuse_later, &left };
        OWN(sl_build) build = NULL;
        assert_int_equal(sl_build_begin(mesh, &def, &build, NULL), SL_OK);
        assert_int_equal(fail_in_steps(build), SL_CANCELLED);
        assert_int_equal(left, 0);
    }
}

TEST(arguments_are_checked)
{
    OWN(sl_mesh) mesh = make_mesh(2);
    sl_build_def def = { 0 };
    sl_build *build = NULL;
    sl_bvh *bvh = NULL;
    sl_error error;
    bool done = true;
    def.quality = (sl_bvh_quality)7;
    assert_int_equal(sl_build_begin(mesh, &def, &build, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "quality is 7"));
    assert_int_equal(sl_build_begin(NULL, NULL, &build, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_build_begin(mesh, NULL, NULL, &error), SL_INVALID_ARGUMENT);
    assert_null(build);
    assert_int_equal(sl_build_step(NULL, 1, &done, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_build_end(NULL, &bvh, &error), SL_INVALID_ARGUMENT);
    sl_build_destroy(NULL);

    /* Ended without a step; and once only. */
    assert_int_equal(sl_build_begin(mesh, NULL, &build, &error), SL_OK);
    assert_int_equal(sl_build_step(build, 1, NULL, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_build_end(build, NULL, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_build_end(build, &bvh, &error), SL_OK);
    assert_int_equal(sl_build_step(build, 1, &done, &error), SL_OK);
    assert_true(done);
    sl_bvh *second = bvh;
    assert_int_equal(sl_build_end(build, &second, &error), SL_INVALID_ARGUMENT);
    assert_null(second);
    sl_build_destroy(build);
    assert_true(sl_bvh_check(bvh, mesh, NULL));
    sl_bvh_destroy(bvh);

    /* Finished, and not taken. */
    assert_int_equal(sl_build_begin(mesh, NULL, &build, &error), SL_OK);
    (void)step_all(build, INFINITY);
    sl_build_destroy(build);
}

/* ---- The stack of the thread that builds */

static void build_everything(painted_stack *stack, void *context)
{
    (void)context;
    for (int round = 0; round < 2; round++) { /* in the first the linker does its work */
        for (int i = 0; i < MESHES * 4; i++) {
            OWN(sl_mesh) mesh = make_mesh(i / 4);
            sl_build_def def = { .quality = (sl_bvh_quality)(i % 4 % 3) };
            def.layout = i % 4 == 3 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
            (void)painted_stack_depth(stack);
            OWN(sl_bvh) bvh = made_bvh(mesh, &def);
            painted_stack_note(stack);
        }
    }
}

/* What a build takes leaves the rest for the frames of sanitizers and of other processors. */
TEST(a_build_takes_a_tenth_of_its_stack)
{
    if (painted_stack_is_padded()) {
        print_message("not with these frames\n");
        skip();
    }
    painted_stack_expect(SLI_SLICES_STACK, SLI_SLICES_STACK / 10, build_everything, NULL);
}
