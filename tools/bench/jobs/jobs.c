/* bench/jobs/jobs.c: the table of users' jobs, and how each of its rows is measured, for bench
 * --jobs.
 *
 * A job is a set of lines, a question about them, the way in which it is asked, and what it stands
 * beside: the peer's calls, or lines of ours that a user expects to cost as much.  Figures are
 * microseconds a line.  Builds and a game's frame are measured each in one piece (mesh/build.c,
 * world/frame.c). */
#include "tools/bench/jobs/jobs.h"

#include "tools/bench/input/ends.h"
#include "tools/bench/job/comparison.h"
#include "tools/cli/report.h"

typedef enum job_way {
    ASK_MANY, /* all in one call */
    ASK_ONE,  /* one a call */
    ASK_CHAIN /* one a call, each of which waits for the hit before */
} job_way;

typedef enum job_beside {
    BESIDE_NOTHING,
    BESIDE_PEER,   /* the best of its calls */
    BESIDE_ONE,    /* its call for one ray */
    BESIDE_CHAIN,  /* that in a chain */
    BESIDE_OFF,    /* of ends: lines that keep off the surface */
    BESIDE_FLOATS, /* the same in floats */
} job_beside;

typedef struct users_job {
    bench_part part;
    bench_stage stage;
    const char *row;
    int lines; /* a bench_set, or LINES_END and a bench_end */
    bench_query query;
    job_way way;
    job_beside beside;
    bool doubles;
    size_t capacity; /* of BENCH_ALL */
} users_job;

enum { LINES_END = SET_COUNT };

#define END(name, end, query_, ...)                                                                \
    {                                                                                              \
        PART_ENDS, STAGE_JOBS,           name,       LINES_END + (int)(end),                       \
        query_,    .beside = BESIDE_OFF, __VA_ARGS__                                               \
    }
#define TREE(part_, name, set, query_, way_, beside_, ...)                                         \
    { part_, STAGE_JOBS, name, set, query_, way_, beside_, __VA_ARGS__ }
#define WORLD(name, set, query_, beside_)                                                          \
    { PART_WORLD, STAGE_JOBS_WORLD, name, set, query_, ASK_MANY, beside_, false, 0 }

static const users_job jobs[] = {
    END("ends.vertex", END_VERTEX, BENCH_BLOCKED, .way = ASK_MANY),
    END("ends.one", END_VERTEX, BENCH_BLOCKED, .way = ASK_ONE),
    END("ends.double", END_VERTEX, BENCH_BLOCKED, .doubles = true),
    END("ends.both", END_BOTH, BENCH_BLOCKED, .way = ASK_MANY),
    END("ends.edge", END_EDGE, BENCH_BLOCKED, .way = ASK_MANY),
    END("ends.face", END_FACE, BENCH_BLOCKED, .way = ASK_MANY),
    END("ends.hit", END_HIT, BENCH_BLOCKED, .way = ASK_MANY),
    END("ends.axis", END_AXIS, BENCH_BLOCKED, .way = ASK_MANY),
    END("ends.from", END_FROM, BENCH_ANY, .way = ASK_MANY),
    TREE(PART_SINGLE, "one.closest", SET_DIFFSHUF, BENCH_CLOSEST, ASK_ONE, BESIDE_ONE, false, 0),
    TREE(PART_SINGLE, "one.any", SET_DIFFSHUF, BENCH_ANY, ASK_ONE, BESIDE_ONE, false, 0),
    TREE(PART_SINGLE, "one.los", SET_LOSBOX, BENCH_BLOCKED, ASK_ONE, BESIDE_ONE, false, 0),
    TREE(PART_SINGLE, "one.chain", SET_RANDOM, BENCH_CLOSEST, ASK_CHAIN, BESIDE_CHAIN, false, 0),
    TREE(PART_CAMERA, "cam.1024", SET_PRIMARY, BENCH_CLOSEST, ASK_MANY, BESIDE_PEER, false, 0),
    TREE(PART_CAMERA, "cam.256", SET_PRIMARY256, BENCH_CLOSEST, ASK_MANY, BESIDE_PEER, false, 0),
    TREE(PART_CAMERA, "cam.64", SET_PRIMARY64, BENCH_CLOSEST, ASK_MANY, BESIDE_PEER, false, 0),
    TREE(PART_CAMERA, "cam.ortho", SET_ORTHO, BENCH_CLOSEST, ASK_MANY, BESIDE_PEER, false, 0),
    TREE(PART_ALL, "all.count", SET_RANDOM, BENCH_ALL, ASK_MANY, BESIDE_NOTHING, false, 0),
    TREE(PART_ALL, "all.16", SET_RANDOM, BENCH_ALL, ASK_MANY, BESIDE_NOTHING, false, 16),
    TREE(PART_DOUBLE, "f64.closest", SET_DIFFSHUF, BENCH_CLOSEST, ASK_MANY, BESIDE_FLOATS, true, 0),
    TREE(PART_DOUBLE, "f64.any", SET_DIFFSHUF, BENCH_ANY, ASK_MANY, BESIDE_FLOATS, true, 0),
    WORLD("world.cam", SET_PRIMARY, BENCH_CLOSEST, BESIDE_PEER),
    WORLD("world.bounce", SET_DIFFUSE, BENCH_CLOSEST, BESIDE_PEER),
    WORLD("world.mixed", SET_DIFFSHUF, BENCH_CLOSEST, BESIDE_PEER),
    WORLD("world.any", SET_DIFFANY, BENCH_ANY, BESIDE_PEER),
    WORLD("world.random", SET_RANDOM, BENCH_CLOSEST, BESIDE_PEER),
    WORLD("world.los", SET_LOSBOX, BENCH_BLOCKED, BESIDE_PEER),
    WORLD("world.count", SET_RANDOM, BENCH_ALL, BESIDE_NOTHING),
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

bool bench_jobs_names(bench_stage stage, bench_part part, size_t most, const char **names)
{
    bool beside = false;
    size_t count = 0;
    for (int i = 0; i < JOBS; i++) {
        if (jobs[i].stage == stage && jobs[i].part == part && count < most) {
            const job_beside to = jobs[i].beside;
            beside = beside || to == BESIDE_PEER || to == BESIDE_ONE || to == BESIDE_CHAIN;
            names[count++] = jobs[i].row;
        }
    }
    names[count] = NULL;
    return beside;
}

static size_t batch_of(const users_job *j)
{
    return j->way == ASK_ONE ? BENCH_SINGLY : j->way == ASK_CHAIN ? BENCH_CHAINED : 0;
}

/* Ours beside ours: the lines beside others, or in doubles beside floats. */
static int add_relative(bench_job *job, bench_scene *s, const users_job *j, const bench_rays *rays,
                        const bench_rays *others)
{
    const bool both = j->lines == LINES_END + END_BOTH;
    const sl_options open = { .flags = SL_OPEN_END | (both ? SL_OPEN_START : 0u) };
    const bool ends = j->beside == BESIDE_OFF;
    const bench_target target = { .bvh = s->in.bvh,
                                  .query = ends ? &open : NULL,
                                  .doubles = j->doubles };
    bench_asking ways[2] = { { target, rays, batch_of(j), NULL },
                             { target, others, batch_of(j), NULL } };
    ways[1].target.doubles = ends && j->doubles;
    return bench_relative_add(job, s, j->row, ways, true, ends ? "off" : "floats");
}

static int add_ends(bench_job *job, bench_scene *s, const users_job *j)
{
    bench_rays rays, keep;
    int status = EXIT_DONE;
    if (!bench_ends_make(&s->source, (bench_end)(j->lines - LINES_END), (size_t)job->options->rays,
                         &rays, &keep)) {
        return report_memory();
    }
    if (j->doubles && (!bench_rays_widen(&rays) || !bench_rays_widen(&keep))) {
        status = report_memory();
    }
    status = status == EXIT_DONE ? add_relative(job, s, j, &rays, &keep) : status;
    bench_rays_free(&rays);
    bench_rays_free(&keep);
    return status;
}

static int add_compared(bench_job *job, bench_scene *s, const users_job *j, const bench_rays *rays)
{
    const size_t batch = j->way == ASK_ONE ? 1 : batch_of(j);
    bench_comparison comparison = bench_comparison_of(job, s);
    bench_row row = bench_scene_row(job, s, j->row, "us");
    comparison.figure = bench_microseconds;
    comparison.calls = j->beside == BESIDE_ONE     ? 1u << PEER_1
                       : j->beside == BESIDE_CHAIN ? 1u << PEER_CHAIN
                                                   : comparison.calls;
    comparison.peer = j->beside != BESIDE_NOTHING ? s->peer : NULL;
    return bench_comparison_add(&comparison, rays, &batch, &row, 1, job);
}

/* A mesh may have no rays of a set. */
static int add_set(bench_job *job, bench_scene *s, const users_job *j)
{
    bench_rays rays;
    int status = EXIT_DONE;
    if (!bench_rays_make(&s->source, (bench_set)j->lines, (size_t)job->options->rays, &rays)) {
        return report_memory();
    }
    rays.query = j->query;
    rays.capacity = j->capacity;
    if (rays.count > 0 && j->doubles && !bench_rays_widen(&rays)) {
        status = report_memory();
    } else if (rays.count > 0) {
        status = j->beside == BESIDE_FLOATS ? add_relative(job, s, j, &rays, &rays)
                                            : add_compared(job, s, j, &rays);
    }
    bench_rays_free(&rays);
    return status;
}

int bench_jobs_run(bench_job *job, bench_scene *s, bench_part part)
{
    int status = EXIT_DONE;
    for (int i = 0; i < JOBS && status == EXIT_DONE; i++) {
        const users_job *j = &jobs[i];
        if (j->stage == job->stage && j->part == part) {
            status = (j->lines >= LINES_END ? add_ends : add_set)(job, s, j);
        }
    }
    return status;
}
