/* bench/command.c: `sightline bench`: rays, segments and points per second, alone or next to
 * Embree. */
#include "tools/bench/mesh/rows.h"
#include "tools/bench/run.h"
#include "tools/cli/report.h"
#include "tools/output/file_conflicts.h"

#include <string.h>

static const char *const against_words[] = { "none", "embree", NULL };

static const option_row measure_rows[] = {
    OPTION_ROW(
        TEXT, "sets", bench_options, sets, "A,B,...",
        "only these: primary, primary256, primary64, ortho, diffuse, diffshuf, diffany, ao, "
        "random, losbox, lossurf, loslocal, losfan, ptnear, ptbox, lattice; and beside the "
        "sets build, single, batch, far, options, invalid, threads (default all; with --grow "
        "alone primary, diffshuf, random, losbox and build)"),
    OPTION_ROW(COUNT, "rays", bench_options, rays, "N",
               "rays in a set; of points a quarter as many", .fallback = "262144", .min = 1,
               .max = BENCH_RAYS_MAX),
    OPTION_ROW(COUNT, "rounds", bench_options, rounds, "N",
               "run each set N times, alternating with the other library", .fallback = "5",
               .min = 1, .max = BENCH_ROUNDS_MAX),
    OPTION_CHOICE_ROW("against", bench_options, against, against_words,
                      "measure another library on the same sets in the same rounds",
                      .fallback = "none"),
    OPTION_ROW(COUNT, "grow", bench_options, grow, "N",
               "also measure tori of 10000, 10^4.5, 10^5, ... triangles, up to N", .min = 10000,
               .max = 1e8),
    OPTION_FLAG_ROW("needles", bench_options, needles,
                    "also measure cones of 30424 triangles, needles that meet in the tips"),
    OPTION_FLAG_ROW(
        "scene", bench_options, scene,
        "measure worlds instead, each of instances of one MESH that move; sets "
        "primary, diffuse, diffshuf, diffany, random, losbox, losclose; and beside them "
        "commit, frame, flat, double, threads"),
    OPTION_FLAG_ROW(
        "jobs", bench_options, jobs,
        "measure users' jobs instead, over each MESH and a world of its instances: ends, "
        "single, camera, all, double, build, world; and frame, of a game's own world"),
    OPTION_ROW(COUNT, "instances", bench_options, instances, "N",
               "copies in a world of --scene or --jobs", .fallback = "2000", .min = 1, .max = 1e6),
    OPTION_CHOICE_ROW(
        "density", bench_options, density, bench_density_words,
        "how close together they are: a line through the whole world meets 4, 1.5 or 13 of "
        "their boxes",
        .fallback = "touching"),
    OPTION_ROW(COUNT, "seed", bench_options, seed, "S", "the seed of the random sets",
               .fallback = "1"),
    OPTION_ROW(TEXT, "resume", bench_options, resume, "FILE",
               "append each row to this CSV file as soon as it is measured; rows that the file "
               "already has are not measured again"),
    { .name = NULL },
};

static const option_row report_rows[] = {
    OPTION_FLAG_ROW("csv", bench_options, csv, "print CSV"),
    OPTION_FLAG_ROW(
        "summary", bench_options, summary,
        "print only what all scenes come to: for each row the geometric means and the worst "
        "scene"),
    OPTION_REPORT_OUT_ROW(bench_options),
    { .name = NULL },
};

enum { GAME_TRIANGLES = 2500 };

static int find_part(const char *word, size_t size)
{
    int part = 0;
    while (part < PART_COUNT && (strncmp(bench_part_names[part], word, size) != 0 ||
                                 bench_part_names[part][size] != '\0')) {
        part++;
    }
    return part;
}

static int parse_sets(bench_job *job)
{
    const char *words = job->options->sets;
    const bool only_grow =
        job->options->grow != 0 && !job->options->needles && job->call->argument_count == 0;
    if (words == NULL && only_grow) {
        words = "primary,diffshuf,random,losbox,build";
    }
    for (int part = 0; part < PART_COUNT; part++) {
        job->wanted[part] = words == NULL && bench_part_is_offered(job, part);
    }
    while (words != NULL) {
        const size_t size = strcspn(words, ",");
        const int part = find_part(words, size);
        if (part == PART_COUNT || !bench_part_is_offered(job, part)) {
            return report_usage(job->call->command, "there is no set '%.*s'%s", (int)size, words,
                                part == PART_COUNT    ? ""
                                : job->options->jobs  ? " with --jobs"
                                : job->options->scene ? " with --scene"
                                                      : " without --scene or --jobs");
        }
        job->wanted[part] = true;
        words = words[size] == ',' ? words + size + 1 : NULL;
    }
    return EXIT_DONE;
}

static int check_options(bench_job *job)
{
    const bench_options *o = job->options;
    if (o->csv && o->common.json) {
        return report_usage(job->call->command, "--csv and --json exclude each other");
    }
    if (o->jobs && (o->scene || o->grow != 0 || o->needles)) {
        return report_usage(job->call->command, "--jobs measures MESHes and worlds of their "
                                                "instances; leave --scene, --grow and --needles "
                                                "out");
    }
    if (o->scene && (o->grow != 0 || o->needles)) {
        return report_usage(job->call->command,
                            "--scene measures worlds of MESHes; leave --grow and --needles out");
    }
    if (o->resume != NULL && strcmp(o->resume, "-") == 0) {
        return report_usage(job->call->command,
                            "--resume goes on where a file ends, which '-' is not; name a file");
    }
    const char *problem = o->against != 0 ? bench_peer_problem() : NULL;
    if (problem != NULL) {
        return report_usage(job->call->command, "%s", problem);
    }
    return parse_sets(job);
}

static int run_scene(bench_job *job, bench_place place)
{
    bool wanted[PART_COUNT] = { false };
    if (place.kind == BENCH_OWN_LATTICE) {
        wanted[SET_LATTICE] = true;
    } else {
        memcpy(wanted, job->wanted, sizeof wanted);
        wanted[SET_LATTICE] = false;
    }
    bench_scene s;
    int status = bench_scene_load(job, &place, &s);
    status = status == EXIT_DONE ? mesh_in_build(&s.in) : status;
    status = status == EXIT_DONE ? bench_run(job, &s, wanted) : status;
    bench_scene_close(&s);
    return status;
}

/* Tori in steps of about the square root of ten. */
static int run_growth(bench_job *job)
{
    static const size_t counts[] = { 10000,   31600,    100000,   316000,   1000000,
                                     3160000, 10000000, 31600000, 100000000 };
    int status = EXIT_DONE;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] && status == EXIT_DONE; i++) {
        if (counts[i] <= job->options->grow) {
            status = run_scene(job, (bench_place){ BENCH_OWN_TORUS, counts[i] });
        }
    }
    return status;
}

static int run_own(bench_job *job)
{
    int status = EXIT_DONE;
    if (job->wanted[SET_LATTICE]) {
        status = run_scene(job, (bench_place){ .kind = BENCH_OWN_LATTICE });
    }
    if (status == EXIT_DONE && job->options->needles) {
        status = run_scene(job, (bench_place){ .kind = BENCH_OWN_NEEDLES });
    }
    if (status == EXIT_DONE && job->options->jobs && job->wanted[PART_FRAME]) {
        status = run_scene(job, (bench_place){ BENCH_OWN_GAME, GAME_TRIANGLES });
    }
    return status == EXIT_DONE ? run_growth(job) : status;
}

/* What is of our own needs no mesh; otherwise loading the first one reports that it is missing. */
static int run_scenes(bench_job *job)
{
    bool others = false;
    for (int part = 0; part < PART_COUNT; part++) {
        const bool own = part == SET_LATTICE || (job->options->jobs && part == PART_FRAME);
        others = others || (!own && job->wanted[part]);
    }
    size_t count = others ? job->call->argument_count : 0;
    const bool own = job->options->grow != 0 || job->options->needles;
    count = count == 0 && others && !own ? 1 : count;
    int status = EXIT_DONE;
    for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
        status = run_scene(job, (bench_place){ BENCH_MESH, i });
    }
    return status == EXIT_DONE ? run_own(job) : status;
}

static int run_bench(const invocation *call)
{
    const bench_options *o = call->options;
    bench_job job = { .call = call, .options = o };
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    int status = check_options(&job);
    for (size_t i = 0; i < call->argument_count && status == EXIT_DONE; i++) {
        status = file_conflicts_foresee(call->arguments[i], false);
    }
    status =
        status == EXIT_DONE && job.wanted[PART_BUILD] && !o->jobs ? bench_cold_open(&job) : status;
    if (status == EXIT_DONE && o->resume != NULL) {
        status = bench_resume_open(&job.resume, o->resume);
    }
    status = status == EXIT_DONE ? bench_report_open(&job.report, o->out, format,
                                                     common_use_color(&o->common, stdout),
                                                     o->against != 0 || o->jobs, o->summary)
                                 : status;
    status = status == EXIT_DONE ? run_scenes(&job) : status;
    bench_cold_close(&job.cold);
    status = status == EXIT_DONE ? bench_report_close(&job.report) : status;
    bench_report_discard(&job.report);
    const int kept = bench_resume_close(&job.resume);
    return status == EXIT_DONE ? kept : status;
}

const subcommand command_bench = {
    .name = "bench",
    .line = "rays, segments and points per second, alone or next to Embree",
    .usage = "MESH... [OPTION...]",
    .about =
        "Traces sets of rays, segments and points through the tree over each MESH (OBJ, PLY, STL, "
        "OFF or glTF; '-' is stdin). The sets are the same on every machine. Prints how many "
        "millions of them one thread answers per second of its own processor time: the median, "
        "the smallest and the largest of several rounds. --against embree measures Embree on the "
        "same sets in the same rounds; ratios above 1 are in our favour, for times and bytes as "
        "well. docs/benchmarks.md says what each row is.",
    .examples = "  sightline bench bunny.ply\n"
                "  sightline bench --against embree --resume all.csv scenes/*.ply\n"
                "  sightline bench --against embree --resume all.csv --summary scenes/*.ply\n"
                "  sightline bench --scene --against embree bunny.ply\n"
                "  sightline bench --jobs --against embree bunny.ply\n"
                "  sightline bench --grow 1e7 --csv -o growth.csv\n",
    .argument_max = SIZE_MAX,
    .options_size = sizeof(bench_options),
    .groups = { { .title = "Measurement", .rows = measure_rows },
                { .title = "Report", .rows = report_rows },
                MESH_GROUP(bench_options),
                COMMON_GROUP(bench_options) },
    .run = run_bench,
};
