/* tools/verify.c: `sightline verify`: judges the answers of another tracer. */
#include "tools/cli/report.h"
#include "tools/input/query.h"
#include "tools/judge/report.h"
#include "tools/output/file_name.h"

#include <string.h>

typedef struct judge_options {
    const char *answers, *rays, *segments, *allow, *out, *picture;
    int mode; /* a judge_mode */
    bool doubles, csv;
    float tmin, tmax;
    uint64_t steps, limit, samples;
    query_options query;
    camera_options camera;
    mesh_options mesh;
    common_options common;
} judge_options;

static const option_row rows[] = {
    OPTION_ROW(
        TEXT, "answers", judge_options, answers, "FILE",
        "what to judge: CSV whose header names prim and, where they are there, t, instance and "
        "ray; or .npy: prim, (t, prim), (ray, t, prim) or (ray, t, prim, instance), or "
        "without --rays those of the ray and behind them prim, (t, prim), or also instance. A prim "
        "of -1 or 4294967295 or nothing, or a t of inf, says that nothing is hit. With ray, rows "
        "are in its order, and rays without one have no hit; '-' is stdin. With --mode occluded "
        "blocked stands for prim and t: 0 or 1, true or false; or visible, which is the opposite",
        .file = OPTION_READ, .main = true, .not_names = "hits results input"),
    OPTION_ROW(
        TEXT, "rays", judge_options, rays, "FILE",
        "the rays that were asked, as 'sightline cast --rays' has them; without it they are in the "
        "rows of --answers: ox oy oz dx dy dz and, where they are there, tmin and tmax",
        .file = OPTION_READ, .main = true),
    OPTION_ROW(
        TEXT, "segments", judge_options, segments, "FILE",
        "for --mode occluded: pairs of points instead of rays, as 'sightline los --segments' "
        "has them; the file of --answers again where they are in its rows",
        .file = OPTION_READ, .main = true, .not_names = "pairs"),
    OPTION_CHOICE_ROW("mode", judge_options, mode, judge_mode_words,
                      "what was asked of each ray: the closest hit, any hit, all of them, a row "
                      "for each, or only whether it is occluded: blocked by anything",
                      .main = true, .fallback = "closest"),
    OPTION_FLAG_ROW("double", judge_options, doubles,
                    "rays are doubles, and so are t; else both are rounded to floats",
                    .not_names = "float64 doubles precision"),
    OPTION_ROW(REAL, "tmin", judge_options, tmin, "T", "where rays begin that bring no limits",
               .fallback = "0", .infinite = true, .not_names = "t-min min-t near"),
    OPTION_ROW(REAL, "tmax", judge_options, tmax, "T", "where rays end that bring no limits",
               .fallback = "inf", .infinite = true, .not_names = "t-max max-t far"),
    { .name = NULL },
};

static const option_row report_rows[] = {
    OPTION_ROW(COUNT, "steps", judge_options, steps, "N",
               "by how many floats, with --double by how many doubles, t may be off from the "
               "exact one",
               .fallback = "1024"),
    OPTION_ROW(TEXT, "allow", judge_options, allow, "VERDICTS",
               "what is no reason to fail: one or more of leak, phantom, beside, behind, limits, "
               "repeated, t, no-triangle and not-a-number, with commas between"),
    OPTION_ROW(COUNT, "limit", judge_options, limit, "N",
               "print at most N rows of each verdict; counts are of all", .fallback = "10"),
    OPTION_FLAG_ROW(
        "csv", judge_options, csv,
        "print CSV: a header, then a row for each error, which can be read as a ray, or as a "
        "segment"),
    OPTION_REPORT_OUT_ROW(judge_options),
    OPTION_ROW(TEXT, "picture", judge_options, picture, "FILE.png",
               "write a picture there that shows where the errors are", .file = OPTION_WRITTEN),
    OPTION_ROW(COUNT, "samples", judge_options, samples, "N",
               "N x N rays for each pixel of the picture", .min = 1, .max = TILES_SAMPLES_MAX,
               .fallback = "2"),
    { .name = NULL },
};

typedef struct judge_session {
    const judge_options *options;
    mesh_in in;
    sl_options query;
    sl_triangle_ref skip[2];
    answers_in answers;
    camera_in camera; /* of the picture */
    judge judge;
    judge_report report;
    bool allowed[VERDICT_COUNT + 1];
} judge_session;

static int check_usage(const invocation *call, judge_session *s)
{
    const judge_options *o = s->options;
    const char *rays = o->segments != NULL ? o->segments : o->rays;
    if (o->answers == NULL) {
        return report_usage(call->command, "--answers is needed: a file, or '-' for stdin");
    }
    if (o->csv && o->common.json) {
        return report_usage(call->command, "--csv and --json exclude each other");
    }
    if (o->segments != NULL && o->rays != NULL) {
        return report_usage(call->command, "--rays and --segments exclude each other");
    }
    if (o->segments != NULL && o->mode != JUDGE_OCCLUDED) {
        return report_usage(call->command, "--segments needs --mode occluded");
    }
    if (o->segments != NULL && (options_given(call, "tmin") || options_given(call, "tmax"))) {
        return report_usage(call->command, "--tmin and --tmax are for rays, not for --segments");
    }
    if (strcmp(o->answers, "-") == 0 && (rays == NULL || strcmp(rays, "-") == 0)) {
        return report_usage(call->command,
                            "--answers is stdin, which is read once; name a file for --%s",
                            o->segments != NULL ? "segments" : "rays");
    }
    if (o->picture != NULL && strcmp(o->picture, "-") == 0) {
        return report_usage(call->command, "stdout is for the report; name a file for --picture");
    }
    int status = mesh_in_check_stdin(call, "answers", o->answers);
    status = status == EXIT_DONE ? mesh_in_check_stdin(call, "rays", o->rays) : status;
    status = status == EXIT_DONE ? mesh_in_check_stdin(call, "segments", o->segments) : status;
    status = status == EXIT_DONE ? file_name_check(call, "picture", o->picture, ".png") : status;
    status = status == EXIT_DONE ? camera_in_check(call, &o->camera) : status;
    return status == EXIT_DONE
               ? common_parse_words(call, "allow", o->allow, verdict_words, s->allowed)
               : status;
}

static int open_picture(judge_session *s, const invocation *call)
{
    const judge_options *o = s->options;
    int status = camera_in_frame(&s->camera, call, &o->camera, &s->in);
    status = status == EXIT_DONE ? camera_in_save(&s->camera, &o->camera) : status;
    if (status == EXIT_DONE) {
        progress_begin(&s->in.bar, o->common.quiet);
        s->report.picture = marks_create(&s->in, &s->camera, &s->in.bar, (int)o->samples, &status);
        progress_end(&s->in.bar);
    }
    return status;
}

static void take_error(void *user, const judgement *what)
{
    judge_session *s = user;
    judge_report_put(&s->report, &s->judge, what);
}

static bool is_fine(const judge_session *s)
{
    for (int i = 0; i < VERDICT_COUNT; i++) {
        if (verdict_is_error((verdict)i) && s->judge.sums.verdicts[i] > 0 && !s->allowed[i]) {
            return false;
        }
    }
    return true;
}

static int judge_all(judge_session *s)
{
    const judge_options *o = s->options;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    s->report.limit = o->limit;
    s->report.segments = o->segments != NULL;
    s->judge = (judge){ .in = &s->in,
                        .options = &s->query,
                        .mode = (judge_mode)o->mode,
                        .segments = o->segments != NULL,
                        .doubles = o->doubles,
                        .steps = o->steps,
                        .take = take_error,
                        .user = s };
    int status =
        output_open(&s->report.out, o->out, format, "verify", common_use_color(&o->common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    judge_report_begin(&s->report);
    status = judge_run(&s->judge, &s->answers);
    judge_report_end(&s->report);
    if (status == EXIT_DONE) {
        judge_report_sums(&s->report, &s->judge, is_fine(s));
    }
    if (status == EXIT_DONE && s->report.picture != NULL) {
        const canvas image = judge_report_picture(&s->report, &s->judge.sums);
        status = canvas_write(&image, o->picture);
    }
    if (status != EXIT_DONE) {
        output_discard(&s->report.out);
        return status;
    }
    status = output_close(&s->report.out);
    return status == EXIT_DONE && !is_fine(s) ? EXIT_NO : status;
}

/* Numbers of triangles have to fit into floats. */
static int check_precision(const judge_session *s)
{
    const answers_in *answers = &s->answers;
    const bool floats = answers->is_npy && answers->npy.type == NPY_F4;
    return floats && !answers->def.occluded && mesh_in_triangles(&s->in) > 1u << 24
               ? report_input(
                     answers->text.name, 0,
                     "float32 does not hold the numbers of more than 2^24 triangles; save it as "
                     "float64")
               : EXIT_DONE;
}

static int judge_command(const invocation *call)
{
    judge_session s = { .options = call->options };
    const judge_options *o = s.options;
    const answers_def def = { .path = o->answers,
                              .rays = o->segments != NULL ? o->segments : o->rays,
                              .segments = o->segments != NULL,
                              .occluded = o->mode == JUDGE_OCCLUDED,
                              .doubles = o->doubles,
                              .tmin = o->tmin,
                              .tmax = o->tmax };
    int status = check_usage(call, &s);
    status = status == EXIT_DONE
                 ? query_in_open(call, &o->query, &o->mesh, &o->common, &s.in, s.skip, &s.query)
                 : status;
    status = status == EXIT_DONE ? answers_open(&s.answers, &def) : status;
    status = status == EXIT_DONE ? check_precision(&s) : status;
    status = status == EXIT_DONE && o->picture != NULL ? open_picture(&s, call) : status;
    status = status == EXIT_DONE ? judge_all(&s) : status;
    judge_free(&s.judge);
    answers_close(&s.answers);
    marks_destroy(s.report.picture);
    mesh_in_close(&s.in);
    return status;
}

const subcommand command_verify = {
    .name = "verify",
    .line = "judges, exactly, what another tracer says that rays hit",
    .usage = "MESH --answers FILE [--rays FILE] [OPTION...]",
    .about =
        "Holds the answers of another tracer about MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) "
        "against the exact ones, and prints a row for each error, up to a limit, and how many "
        "answers have each verdict: miss, hit, tie (another triangle at the same t: no error), "
        "touch (in --mode occluded, another answer than ours about what only touches: no error), "
        "leak (a hit that was not found), phantom (a hit where nothing is hit), beside (a triangle "
        "that is not hit, and another one is), behind (a nearer one is hit, too), limits (a hit "
        "before tmin or beyond tmax), repeated (in --mode all), t (too far off), no-triangle and "
        "not-a-number; and how far t are off.",
    .examples =
        "  sightline verify bunny.ply --rays rays.npy --answers hits.npy\n"
        "  sightline verify bunny.ply --answers asked_and_answered.csv --picture where.png\n"
        "  sightline verify bunny.ply --answers lists.csv --rays rays.txt --mode all --json\n"
        "  sightline verify level.obj --answers blocked.npy --segments pairs.npy --mode occluded\n"
        "  sightline verify bunny.ply --answers hits.csv --csv | "
        "sightline cast bunny.ply --rays -\n",
    .no = "there are errors that --allow does not name",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(judge_options),
    .groups = { { .title = "Answers", .rows = rows },
                { .title = "Report", .rows = report_rows },
                QUERY_GROUP(judge_options),
                CAMERA_GROUP(judge_options),
                SCENE_GROUP(judge_options),
                MESH_GROUP(judge_options),
                COMMON_GROUP(judge_options) },
    .run = judge_command,
};
