#include "test/faults/fault_scenes.h"
#include "test/support/test.h"

#include "test/support/query/answers_hash.h"

enum { FEW = 50, MANY = 110, INNER = 6, RAYS = 40, SEAMS = 30 };

/* How a scene comes to be: anew; with instances of scenes; with some left out; after a version; the
 * same and in the memory of the one before that; or in that of the version itself. */
enum { ANEW, NESTED, LEFT_OUT, FOLLOWS, RECYCLED, IN_ITSELF, HOWS };

static const char *const how_names[HOWS] = { "anew",    "nested",   "some left out",
                                             "follows", "recycled", "in itself" };

static const sl_bvh *tree;
static const sl_tasks *tasks;
static sl_bvh *inner;    /* of INNER pieces */
static sl_bvh *standing; /* what is there whatever fails */
static uint64_t standing_answer;

/* Number i of a version: tiles that turn, and move from version to version. */
static sl_instance piece(int i, int version)
{
    sl_instance made = sl_instance_of(tree);
    const double at[3] = { i % 5, i / 5 % 5, i / 25 }, scale[3] = { 1, 1, i % 7 == 0 ? -1 : 1 };
    const double turn[4] = { 0, i % 3 == 1 ? 0.25 * version : 0, 0, 1 };
    assert_true(sl_transform_from_trs(at, turn, scale, &made.transform));
    made.id = (uint32_t)i;
    return made;
}

static size_t make_pieces(const fault_case *self, int version, sl_instance pieces[MANY])
{
    /* A version with more instances needs more memory than is kept. */
    const size_t count = version == 0 ? FEW : MANY;
    for (size_t i = 0; i < count; i++) {
        pieces[i] = piece((int)i, version);
        if (self->how == NESTED && i % 10 == 3) {
            pieces[i].bvh = NULL;
            pieces[i].bvh = inner;
        }
        if (self->how == LEFT_OUT && i % 10 == 4) {
            pieces[i].transform.m[0][0] = NAN;
        }
    }
    return count;
}

/* A number for what a scene answers, however it was built. */
static uint64_t answer_of(const sl_bvh *scene)
{
    uint64_t hash = TEST_HASH_NOTHING;
    for (int i = 0; i < RAYS; i++) {
        const sl_ray ray = { .origin = { -3, (float)(i % 6), (float)(i / 6) * 0.5f },
                             .dir = { 7, 0.1f * (float)(i % 5), 0.3f },
                             .tmax = INFINITY };
        sl_hit hit;
        (void)sl_bvh_closest(scene, &ray, NULL, &hit);
        hash = test_hash(hash, &hit.instance, sizeof hit.instance, 4);
        hash = test_hash(hash, &hit.t, sizeof hit.t, 4);
    }
    return hash;
}

static sl_result build_once(const fault_case *self, fault_run *run, int version,
                            const sl_bvh *previous, sl_bvh *recycle, sl_bvh **out)
{
    static sl_instance pieces[MANY];
    const size_t count = make_pieces(self, version, pieces);
    sl_instances_def def = (sl_instances_def){ 0 };
    def.hooks.allocator = run->memory;
    def.hooks.tasks = self->workers > 0 ? tasks : NULL;
    def.bad = self->how == LEFT_OUT ? SL_BAD_INSTANCES_LEAVE_OUT : SL_BAD_INSTANCES_REFUSE;
    def.previous = previous;
    def.recycle = recycle;
    const sl_result result = sl_bvh_build_instances(pieces, count, &def, out, &run->error);
    assert_true((result == SL_OK) == (*out != NULL));
    return result;
}

/* The version after `first`, which is as it was where that fails, and the one after that in the
 * memory of the first; if that fails, it is tried again in the same memory. */
static sl_result follow(const fault_case *self, fault_run *run, sl_bvh *first)
{
    const uint64_t before = answer_of(first);
    OWN(sl_bvh) second = NULL;
    OWN(sl_bvh) third = NULL;
    sl_bvh *recycle = self->how == IN_ITSELF ? first : NULL;
    sl_result result = build_once(self, run, 1, first, recycle, &second);
    if (result != SL_OK) {
        assert_true(answer_of(first) == before);
        sl_bvh_destroy(first);
        return result;
    }
    first = self->how == IN_ITSELF ? NULL : first;
    assert_true(first == NULL || answer_of(first) == before);
    if (self->how == RECYCLED) {
        const uint64_t now = answer_of(second);
        for (int tries = 0; tries < 2 && third == NULL; tries++) {
            result = build_once(self, run, 2, second, first, &third);
            assert_true(result == SL_OK || result == SL_OUT_OF_MEMORY);
            assert_true(answer_of(second) == now);
        }
        first = third != NULL ? NULL : first;
    }
    run->answer = result == SL_OK ? answer_of(third != NULL ? third : second) : 0;
    sl_bvh_destroy(first);
    return result;
}

static sl_result build(const fault_case *self, fault_run *run)
{
    sl_bvh *first = NULL;
    sl_result result = build_once(self, run, 0, NULL, NULL, &first);
    if (result == SL_OK && self->how >= FOLLOWS) {
        result = follow(self, run, first);
    } else {
        run->answer = result == SL_OK ? answer_of(first) : 0;
        sl_bvh_destroy(first);
    }
    assert_true(answer_of(standing) == standing_answer);
    return result;
}

static sl_result flatten(const fault_case *self, fault_run *run)
{
    (void)self;
    sl_flatten_def def = { 0 };
    sl_flattened report = { .moved = 0 };
    sl_mesh *mesh = NULL;
    def.hooks.allocator = run->memory;
    const sl_result result = sl_bvh_flatten(standing, &def, &mesh, &report, &run->error);
    assert_true((result == SL_OK) == (mesh != NULL));
    run->answer = mesh != NULL ? sl_mesh_hash(mesh) + report.moved : 0;
    sl_mesh_destroy(mesh);
    assert_true(answer_of(standing) == standing_answer);
    return result;
}

static sl_result find_seams(const fault_case *self, fault_run *run)
{
    sl_seams_def def = { 0 };
    sl_seams_report report = { .count = 77 };
    sl_seam seams[SEAMS] = { { .distance = 77 } };
    def.hooks.allocator = run->memory;
    def.tolerance = 0x1p-6;
    const size_t capacity = self->how == 0 ? 0 : SEAMS;
    const sl_result result = sl_bvh_find_seams(standing, &def, capacity != 0 ? seams : NULL,
                                               capacity, &report, &run->error);
    run->answer = report.corners + 1000 * report.count;
    assert_true(result == SL_OK || (report.count == 77 && seams[0].distance == 77));
    return result;
}

static sl_result make_memory(const fault_case *self, fault_run *run)
{
    OWN(sl_sight_memory) memory = NULL;
    sl_sight_memory_info info = { .capacity = 0 };
    const sl_allocator *hook = run->memory.alloc != NULL ? &run->memory : NULL;
    const sl_result result =
        sl_sight_memory_create((size_t)self->which, hook, &memory, &run->error);
    assert_true((result == SL_OK) == (memory != NULL));
    if (memory != NULL) {
        info = sl_sight_memory_get_info(memory);
    }
    run->answer = info.capacity;
    return result;
}

static sl_result build_marks(const fault_case *self, fault_run *run)
{
    static sl_mark marks[20000];
    sl_marks_def def = { 0 };
    OWN(sl_marks) made = NULL;
    sl_mark_near near = { .index = 0 };
    const sl_ray_d ray = { .dir = { 1, 1, 1 }, .tmax = INFINITY };
    for (uint32_t i = 0; i < (uint32_t)self->which; i++) {
        const double p[3] = { i % 7, i % 11, i / 13 };
        marks[i] = sl_mark_point(p, 1, i);
    }
    def.hooks.allocator = run->memory;
    const sl_result result = sl_marks_build(marks, (size_t)self->which, &def, &made, &run->error);
    assert_true((result == SL_OK) == (made != NULL));
    if (made != NULL) {
        (void)sl_marks_near_ray(made, &ray, 10, NULL, &near);
    }
    run->answer = near.index;
    return result;
}

static void make_standing(void)
{
    static sl_instance pieces[MANY];
    const fault_case nested = { .how = NESTED };
    for (int i = 0; i < INNER; i++) {
        pieces[i] = piece(i * 20, 1);
    }
    inner = made_scene(pieces, INNER, NULL);
    const size_t count = make_pieces(&nested, 0, pieces);
    standing = made_scene(pieces, count, NULL);
    standing_answer = answer_of(standing);
}

static fault_case *add(fault_case *cases, size_t *count, size_t most, const fault_case *one,
                       const char *name)
{
    assert_true(*count < most);
    cases[*count] = *one;
    cases[*count].has_hook = true;
    snprintf(cases[*count].name, sizeof cases->name, "%s", name);
    return &cases[(*count)++];
}

void fault_scenes_add(fault_case *cases, size_t *count, size_t most, const sl_bvh *of,
                      const sl_tasks *by)
{
    tree = of;
    tasks = by;
    make_standing();
    for (int i = 0; i < 2 * HOWS; i++) {
        char name[60];
        const fault_case one = { .run = build, .how = i / 2, .workers = i % 2 };
        snprintf(name, sizeof name, "scene %s%s", how_names[i / 2], i % 2 ? ", workers" : "");
        add(cases, count, most, &one, name);
    }
    add(cases, count, most, &(fault_case){ .run = flatten }, "flatten");
    add(cases, count, most, &(fault_case){ .run = find_seams, .how = 0 }, "count seams");
    add(cases, count, most, &(fault_case){ .run = find_seams, .how = 1 }, "find seams");
    add(cases, count, most, &(fault_case){ .run = make_memory, .which = 1 }, "sight memory of 1");
    add(cases, count, most, &(fault_case){ .run = make_memory, .which = 5000 }, "sight memory");
    add(cases, count, most, &(fault_case){ .run = build_marks, .which = 0 }, "no marks");
    add(cases, count, most, &(fault_case){ .run = build_marks, .which = 100 }, "marks");
    add(cases, count, most, &(fault_case){ .run = build_marks, .which = 20000 }, "many marks");
}

void fault_scenes_end(void)
{
    sl_bvh_destroy(standing);
    sl_bvh_destroy(inner);
}
