/* Scenes are queried while next versions of them are made: eight threads ask one version after
 * another, which one of them builds over trees that it refits as versions as well; alone, and over
 * one pool; each with a memory of lines of sight of its own.  Answers are those of one thread.
 * Under a thread sanitizer (.ci/threads.sh) this is also where races would be seen. */
#include "test/support/query/answers_hash.h"
#include "test/support/test.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    THREADS = 8, /* the first one builds */
    VERSIONS = 10,
    HELD = 4, /* versions that there are at once */
    INSTANCES = 70,
    ASKED = 40,
    WORKERS = 3,
    SEED = 20261138
};

/* A version of the world, and how many threads are at it. */
typedef struct version {
    sl_bvh *scene;
    sl_bvh *tree; /* of its own: refitted */
    uint64_t expected;
    atomic_int readers;
} version;

typedef struct shared {
    sl_mesh *mesh;
    sl_bvh *tree; /* of all versions */
    sl_pool *pool;
    version versions[HELD];
    atomic_int newest; /* its number; it is in versions[number % HELD] */
    atomic_int begun;  /* threads that have asked something */
} shared;

static shared all;

typedef struct asker {
    pthread_t thread;
    int number;
    sl_sight_memory *memory;
    size_t asked;
    const char *wrong; /* NULL: nothing */
} asker;

/* ---- Questions ---- */

static uint64_t hash_of_hits(const sl_hit *hits, uint64_t hash)
{
    for (int i = 0; i < ASKED; i++) {
        hash = test_hash(hash, &hits[i].t, sizeof hits[i].t, 4);
        hash = test_hash(hash, &hits[i].prim, 2 * sizeof hits[i].prim, 4);
    }
    return hash;
}

static uint64_t query_rays(const sl_bvh *scene, const sl_tasks *tasks, uint64_t hash)
{
    test_random random = { SEED };
    sl_ray rays[ASKED];
    sl_segment segments[ASKED];
    sl_hit hits[ASKED];
    uint8_t occluded[ASKED];
    for (int i = 0; i < ASKED; i++) {
        rays[i] = (sl_ray){ .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            rays[i].origin[axis] = segments[i].p[axis] = test_random_in(&random, -1, 9);
            segments[i].q[axis] = test_random_in(&random, -1, 9);
            rays[i].dir[axis] = segments[i].q[axis] - segments[i].p[axis];
        }
        const sl_ray_d wide = sl_ray_d_from_ray(&rays[i]);
        sl_hit_d hit;
        (void)sl_bvh_closest_d(scene, &wide, NULL, &hit);
        hash = test_hash(hash, &hit.t, sizeof hit.t, 8);
    }
    sl_bvh_closest_many(scene, sl_rays_of(rays, ASKED), NULL, sl_hits_of(hits), tasks, NULL);
    sl_bvh_any_many(scene, sl_segments_of(segments, ASKED), NULL, occluded, NULL, tasks, NULL);
    return test_hash(hash_of_hits(hits, hash), occluded, sizeof occluded, 1);
}

static uint64_t query_around(const sl_bvh *scene, const sl_tasks *tasks, uint64_t hash)
{
    test_random random = { SEED };
    float points[3 * ASKED];
    sl_nearest nearest[ASKED];
    for (int i = 0; i < ASKED; i++) {
        sl_volume volume = { .kind = SL_VOLUME_SPHERE, .shape.sphere = { .radius = 0.5f } };
        for (int axis = 0; axis < 3; axis++) {
            points[3 * i + axis] = volume.shape.sphere.centre[axis] =
                test_random_in(&random, -1, 9);
        }
        const uint64_t counts[2] = { sl_bvh_overlap_all(scene, &volume, NULL, NULL, 0),
                                     sl_bvh_inside(scene, points + 3 * i, NULL, NULL, 0) };
        hash = test_hash(hash, counts, sizeof counts, 8);
    }
    sl_bvh_nearest_many(scene, sl_points_of(points, ASKED, SL_FLOAT), INFINITY, NULL,
                        sl_nearests_of(nearest, SL_FLOAT), tasks, NULL);
    for (int i = 0; i < ASKED; i++) {
        hash = test_hash(hash, &nearest[i].distance, sizeof nearest[i].distance, 4);
    }
    return hash;
}

static uint64_t query_sights(const sl_bvh *scene, sl_sight_memory *memory, const sl_tasks *tasks,
                             uint64_t hash)
{
    test_random random = { SEED };
    const sl_sight sight = { .memory = memory };
    sl_sight_end ends[ASKED];
    uint64_t seen[ASKED];
    for (uint32_t i = 0; i < ASKED; i++) {
        ends[i] = (sl_sight_end){ .id = i };
        for (int axis = 0; axis < 3; axis++) {
            ends[i].at[axis] = (double)test_random_in(&random, -1, 9);
        }
    }
    const sl_sight_ends both = { .eyes = ends, .eye_count = ASKED };
    (void)sl_sight_matrix(scene, &both, &sight, seen, 0, tasks);
    return test_hash(hash, seen, sizeof seen, 8);
}

static uint64_t ask(const sl_bvh *scene, sl_sight_memory *memory, const sl_tasks *tasks)
{
    uint64_t hash = query_rays(scene, tasks, TEST_HASH_NOTHING);
    hash = query_around(scene, tasks, hash);
    return query_sights(scene, memory, tasks, hash);
}

/* ---- Versions ---- */

/* Takes versions[number % HELD] for the version of that number: over the trees, some moved. */
static const char *make_version(int number, const sl_tasks *tasks)
{
    static float xyz[3 * 4000];
    static sl_instance instances[INSTANCES];
    version *to = &all.versions[number % HELD];
    const version *from = number > 0 ? &all.versions[(number - 1) % HELD] : NULL;
    const size_t vertices = sl_mesh_soup(all.mesh).vertex_count;
    assert_true(3 * vertices <= sizeof xyz / sizeof *xyz);
    for (size_t i = 0; i < 3 * vertices; i++) {
        xyz[i] = sl_mesh_soup(all.mesh).xyz[i] * (1 + 0.01f * (float)(number % 17));
    }
    /* The older scene goes before the tree that it looks at. */
    sl_bvh *refitted;
    sl_refit_def refit = { .recycle = to->tree, .rebuild_share = 0.5f, .hooks.tasks = tasks };
    if (sl_bvh_refit(from != NULL ? from->tree : all.tree, xyz, vertices,
                     sl_mesh_soup(all.mesh).indices, sl_mesh_soup(all.mesh).triangle_count, &refit,
                     &refitted, NULL) != SL_OK) {
        return "a refit";
    }
    to->tree = refitted;
    for (int i = 0; i < INSTANCES; i++) {
        instances[i] = sl_instance_of(i % 3 == 0 ? refitted : all.tree);
        for (int axis = 0; axis < 3; axis++) {
            const int at[3] = { i % 5, i / 5 % 5, i / 25 };
            instances[i].transform.m[axis][3] = 2 * at[axis] + (i % 7 == 0 ? 0.03 * number : 0);
        }
    }
    sl_instances_def def = (sl_instances_def){ 0 };
    def.previous = from != NULL ? from->scene : NULL;
    def.recycle = to->scene;
    def.hooks.tasks = tasks;
    sl_bvh *made;
    if (sl_bvh_build_instances(instances, INSTANCES, &def, &made, NULL) != SL_OK) {
        return "a scene";
    }
    to->scene = made;
    to->expected = ask(made, NULL, NULL);
    return NULL;
}

/* A version is made where no reader is any more; readers come to the newest only. */
static void build_versions(asker *self)
{
    for (int number = 1; number < VERSIONS && self->wrong == NULL; number++) {
        while (atomic_load(&all.versions[number % HELD].readers) != 0) {
        }
        self->wrong = make_version(number, number % 2 != 0 ? sl_pool_tasks(all.pool) : NULL);
        if (self->wrong == NULL) {
            atomic_store(&all.newest, number);
        }
    }
    while (atomic_load(&all.begun) < THREADS - 1) { /* all have asked something */
    }
    atomic_store(&all.newest, VERSIONS);
}

/* The newest version, held; NULL: there will be no more. */
static version *hold_newest(void)
{
    for (;;) {
        const int number = atomic_load(&all.newest);
        if (number == VERSIONS) {
            return NULL;
        }
        version *newest = &all.versions[number % HELD];
        atomic_fetch_add(&newest->readers, 1);
        /* HELD - 1 newer ones are made before this place is taken again. */
        if (atomic_load(&all.newest) == number) {
            return newest;
        }
        atomic_fetch_sub(&newest->readers, 1);
    }
}

static void *run(void *context)
{
    asker *self = context;
    if (self->number == 0) {
        build_versions(self);
        return NULL;
    }
    version *at;
    while (self->wrong == NULL && (at = hold_newest()) != NULL) {
        const sl_tasks *tasks = self->number == 1 ? sl_pool_tasks(all.pool) : NULL;
        if (ask(at->scene, self->memory, tasks) != at->expected) {
            self->wrong = "an answer";
        }
        self->asked++;
        if (self->asked == 1) {
            atomic_fetch_add(&all.begun, 1);
        }
        atomic_fetch_sub(&at->readers, 1);
    }
    return NULL;
}

TEST(versions_are_made_while_others_are_asked)
{
    static asker askers[THREADS];
    size_t asked = 0;
    all.mesh = made_torus(12, 8, 0.8f, 0.3f);
    all.tree = made_bvh(all.mesh, NULL);
    all.pool = made_pool(WORKERS);
    assert_null(make_version(0, NULL));
    for (int i = 0; i < THREADS; i++) {
        askers[i].number = i;
        assert_int_equal(sl_sight_memory_create(2000, NULL, &askers[i].memory, NULL), SL_OK);
        assert_int_equal(pthread_create(&askers[i].thread, NULL, run, &askers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(askers[i].thread, NULL);
        sl_sight_memory_destroy(askers[i].memory);
        asked += askers[i].asked;
    }
    for (int i = 0; i < THREADS; i++) {
        if (askers[i].wrong != NULL) {
            fail_msg("thread %d: %s", i, askers[i].wrong);
        }
    }
    assert_true(asked > 0);
    for (int i = 0; i < HELD; i++) {
        sl_bvh_destroy(all.versions[i].scene);
    }
    for (int i = 0; i < HELD; i++) {
        sl_bvh_destroy(all.versions[i].tree);
    }
    sl_pool_destroy(all.pool);
    unmake_bvh(all.tree, all.mesh);
}
