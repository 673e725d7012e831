/* bench/mesh/build.c: the cost of building a tree: processor time on one thread, in a process that
 * has built it before and in one that has not; wall-clock time on two; bytes of the tree and the
 * peak while building.
 *
 * Our tree contains the triangles, so the mesh may go.  Embree's contains them too, but it needs
 * its geometry, which keeps the vertices and indices: the row held counts these as well; the row
 * bytes does not, since a caller may share its own arrays with Embree. */
#include "tools/bench/harness/clock.h"
#include "tools/bench/mesh/rows.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <malloc.h>
#endif

/* Builds that take long are not repeated as often. */
static const double enough_seconds = 4;

typedef struct memory_count {
    size_t now, peak;
    size_t left; /* when the tree was there */
} memory_count;

#if defined(_WIN32)
#define aligned_alloc(align, size) _aligned_malloc(size, align)
#define aligned_free(memory)       _aligned_free(memory)
#else
#define aligned_free(memory) free(memory)
#endif

/* Blocks come from the thread that builds and from its workers. */
static void *count_alloc(void *user, size_t size, size_t align)
{
    memory_count *count = user;
    void *memory = aligned_alloc(align, (size + align - 1) / align * align);
    if (memory != NULL) {
        const size_t now = __atomic_add_fetch(&count->now, size, __ATOMIC_RELAXED);
        size_t peak = __atomic_load_n(&count->peak, __ATOMIC_RELAXED);
        while (now > peak && !__atomic_compare_exchange_n(&count->peak, &peak, now, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
    }
    return memory;
}

static void count_free(void *user, void *memory, size_t size)
{
    memory_count *count = user;
    __atomic_sub_fetch(&count->now, size, __ATOMIC_RELAXED);
    aligned_free(memory);
}

/* Builds with the library's own allocator are timed: it knows of larger pages than aligned_alloc
 * does.  memory: NULL, or counts the blocks instead. */
static int build_ours(const bench_scene *s, const sl_tasks *tasks, double (*now)(void),
                      memory_count *memory, double *seconds)
{
    sl_build_def def = bench_build_def(s);
    if (memory != NULL) {
        def.hooks.allocator = (sl_allocator){ count_alloc, count_free, memory };
    }
    def.hooks.tasks = tasks;
    sl_bvh *bvh = NULL;
    sl_error error;
    const double start = now();
    if (sl_bvh_build(s->in.mesh, &def, &bvh, &error) != SL_OK) {
        return report_error(&error);
    }
    *seconds = now() - start;
    if (memory != NULL) {
        memory->left = memory->now;
    }
    sl_bvh_destroy(bvh);
    return EXIT_DONE;
}

int bench_build_ours(const bench_scene *s, double *seconds)
{
    return build_ours(s, NULL, bench_program_seconds, NULL, seconds);
}

static peer_tree tree_of(const bench_scene *s)
{
    return s->in.quality == SL_BVH_QUALITY_HIGH   ? PEER_HIGH
           : s->in.quality == SL_BVH_QUALITY_FAST ? PEER_LOW
                                                  : PEER_MEDIUM;
}

int bench_build_theirs(const bench_scene *s, const char *kernel, double *seconds)
{
    peer_build cost;
    bench_peer *peer = bench_peer_open(1, kernel);
    const bool done = peer != NULL &&
                      bench_peer_build(peer, s->in.mesh, tree_of(s), bench_program_seconds, &cost);
    bench_peer_close(peer);
    *seconds = done ? cost.seconds : (double)NAN;
    return done ? EXIT_DONE : report_memory();
}

typedef struct build_times {
    double ours[BENCH_ROUNDS_MAX], theirs[BENCH_ROUNDS_MAX];
    size_t rounds;
    peer_build their_cost; /* of the last round */
} build_times;

/* One round of each; a round that does not count comes first. */
static int run_rounds(const bench_job *job, bench_scene *s, const sl_tasks *tasks, bench_peer *peer,
                      double (*now)(void), build_times *times)
{
    double ignored;
    int status = build_ours(s, tasks, now, NULL, &ignored);
    if (status == EXIT_DONE && peer != NULL &&
        !bench_peer_build(peer, s->in.mesh, tree_of(s), now, &times->their_cost)) {
        status = report_memory();
    }
    const double start = bench_wall_seconds();
    while (status == EXIT_DONE && times->rounds < job->options->rounds &&
           (times->rounds == 0 || bench_wall_seconds() - start < enough_seconds)) {
        const size_t i = times->rounds++;
        progress_show(&s->in.bar, "building", (double)i / (double)job->options->rounds);
        status = build_ours(s, tasks, now, NULL, &times->ours[i]);
        if (status == EXIT_DONE && peer != NULL) {
            status = bench_peer_build(peer, s->in.mesh, tree_of(s), now, &times->their_cost)
                         ? EXIT_DONE
                         : report_memory();
            times->theirs[i] = times->their_cost.seconds;
        }
    }
    return status;
}

/* A device of its own for each number of threads. */
static int time_builds(const bench_job *job, bench_scene *s, int threads, build_times *times)
{
    const bool compare = job->options->against != 0;
    bench_peer *peer = compare ? bench_peer_open(threads, s->kernel) : NULL;
    sl_pool *pool = NULL;
    sl_error error;
    int status = compare && peer == NULL ? report_memory() : EXIT_DONE;
    times->rounds = 0;
    if (status == EXIT_DONE && sl_pool_create(threads, NULL, &pool, &error) != SL_OK) {
        status = report_error(&error);
    }
    if (status == EXIT_DONE) {
        status = threads > 1
                     ? run_rounds(job, s, sl_pool_tasks(pool), peer, bench_wall_seconds, times)
                     : run_rounds(job, s, NULL, peer, bench_program_seconds, times);
    }
    sl_pool_destroy(pool);
    bench_peer_close(peer);
    return status;
}

/* Leaves times->rounds 0 where they cannot be told. */
static void time_cold_builds(const bench_job *job, bench_scene *s, build_times *times)
{
    const bool compare = job->options->against != 0;
    const double start = bench_wall_seconds();
    times->rounds = 0;
    while (times->rounds < job->options->rounds &&
           (times->rounds == 0 || bench_wall_seconds() - start < enough_seconds)) {
        const size_t i = times->rounds;
        progress_show(&s->in.bar, "building", (double)i / (double)job->options->rounds);
        times->ours[i] = bench_cold_seconds(&job->cold, &s->place, NULL);
        if (compare) {
            times->theirs[i] = bench_cold_seconds(&job->cold, &s->place, s->kernel);
        }
        if (isnan(times->ours[i]) || (compare && isnan(times->theirs[i]))) {
            return;
        }
        times->rounds++;
    }
}

/* Ours, and beside it the peer's, whose tree is told, or what else stands there. */
static int add_both(bench_job *job, const bench_scene *s, const char *name, const char *unit,
                    const char *beside, bench_spread ours, bench_spread theirs, bench_spread ratio)
{
    bench_row row = bench_scene_row(job, s, name, unit);
    row.count = row.triangles;
    row.ours = ours;
    if (beside != NULL) {
        row.peer = (bench_beside){ .there = true, .value = theirs, .ratio = ratio };
        snprintf(row.peer.call, sizeof row.peer.call, "%s", beside);
    }
    return bench_job_add(job, &row);
}

static const char *beside_of(const bench_job *job, const bench_scene *s)
{
    return job->options->against != 0 ? peer_tree_names[tree_of(s)] : NULL;
}

static int add_times(bench_job *job, const bench_scene *s, const char *name, const char *beside,
                     const build_times *times)
{
    return add_both(job, s, name, "s", beside, bench_spread_of(times->ours, times->rounds),
                    bench_spread_of(times->theirs, times->rounds),
                    bench_ratios(times->ours, times->theirs, times->rounds));
}

static bench_spread build_only(double value)
{
    return (bench_spread){ value, value, value };
}

static int add_bytes(bench_job *job, const bench_scene *s, const char *name, size_t ours,
                     size_t theirs)
{
    const double each = 1 / (double)sl_mesh_soup(s->in.mesh).triangle_count;
    return add_both(job, s, name, "B/tri", beside_of(job, s), build_only((double)ours * each),
                    build_only((double)theirs * each), build_only((double)theirs / (double)ours));
}

static int add_all_bytes(bench_job *job, const bench_scene *s, const peer_build *theirs)
{
    memory_count ours = { 0 };
    double seconds;
    int status = build_ours(s, NULL, bench_wall_seconds, &ours, &seconds);
    status = status == EXIT_DONE ? add_bytes(job, s, "bytes", ours.left, theirs->bytes) : status;
    if (status == EXIT_DONE && job->options->against != 0) {
        status = add_bytes(job, s, "held", ours.left, theirs->held);
    }
    return status == EXIT_DONE ? add_bytes(job, s, "peak", ours.peak, theirs->peak) : status;
}

int bench_build_rows(bench_job *job, bench_scene *s)
{
    build_times times = { 0 };
    time_cold_builds(job, s, &times);
    const char *beside = beside_of(job, s);
    int status = times.rounds > 0 ? add_times(job, s, "buildcold", beside, &times) : EXIT_DONE;
    status = status == EXIT_DONE ? time_builds(job, s, 1, &times) : status;
    const peer_build theirs = times.their_cost;
    status = status == EXIT_DONE ? add_times(job, s, "build1", beside, &times) : status;
    status = status == EXIT_DONE ? time_builds(job, s, 2, &times) : status;
    status = status == EXIT_DONE ? add_times(job, s, "build2", beside, &times) : status;
    return status == EXIT_DONE ? add_all_bytes(job, s, &theirs) : status;
}

/* Each of our qualities beside the peer's, on one thread; then the time of HIGH beside that of
 * DEFAULT.  The rows are those of the scene's own quality, whichever that is. */
int bench_qualities_rows(bench_job *job, bench_scene *s)
{
    static const struct {
        const char *row;
        sl_bvh_quality quality;
    } rows[] = { { "tree.fast", SL_BVH_QUALITY_FAST },
                 { "tree.default", SL_BVH_QUALITY_DEFAULT },
                 { "tree.high", SL_BVH_QUALITY_HIGH } };
    const sl_bvh_quality own = s->in.quality;
    build_times times[3];
    int status = EXIT_DONE;
    for (int i = 0; i < 3 && status == EXIT_DONE; i++) {
        times[i] = (build_times){ .rounds = 0 };
        s->in.quality = rows[i].quality;
        status = time_builds(job, s, 1, &times[i]);
        const char *beside = beside_of(job, s);
        s->in.quality = own;
        status = status == EXIT_DONE ? add_times(job, s, rows[i].row, beside, &times[i]) : status;
    }
    if (status == EXIT_DONE) {
        const size_t fewer = times[1].rounds < times[2].rounds ? times[1].rounds : times[2].rounds;
        times[2].rounds = fewer;
        memcpy(times[2].theirs, times[1].ours, sizeof times[2].theirs);
        status = add_times(job, s, "tree.cost", "default", &times[2]);
    }
    return status;
}
