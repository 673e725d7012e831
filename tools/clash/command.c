/* clash/command.c: `sightline clash`: its options, and what is loaded and built for them. */
#include "tools/clash/clash.h"
#include "tools/cli/report.h"
#include "tools/input/scene.h"
#include "tools/output/file_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const mode_words[] = { "list", "any", "count", "curves", NULL };

static const option_row rows[] = {
    OPTION_CHOICE_ROW("mode", clash_options, mode, mode_words,
                      "of two meshes: list the pairs of triangles that meet, or say only whether "
                      "there are any, or how many, or list the curves where surfaces cross",
                      .fallback = "list", .main = true),
    OPTION_ROW(REAL, "margin", clash_options, margin, "D",
               "what is apart by no more than D counts, too", .main = true, .fallback = "0",
               .max = 3.4e38, .not_names = "clearance tolerance distance"),
    OPTION_ROW(TEXT, "relations", clash_options, relations, "NAMES",
               "which pairs of triangles count: one or more of touching, coplanar-same, "
               "coplanar-opposite and crossing, with commas between (default: all)"),
    OPTION_ROW(TEXT, "of", clash_options, of, "NAMES",
               "of a scene: only elements with these names, such as 'duct*,pipe*', with commas "
               "between; '*' stands for any characters, '?' for one (default: all)"),
    OPTION_ROW(TEXT, "against", clash_options, against, "NAMES",
               "of a scene: what elements of --of are held against, likewise (default: all)",
               .not_names = "with groups to"),
    OPTION_FLAG_ROW("solids", clash_options, solids,
                    "closed meshes are solids: say how they lie, too, and count one that is "
                    "inside another as a hard clash",
                    .main = true),
    OPTION_ROW(COUNT, "limit", clash_options, limit, "N",
               "print at most N rows as text; CSV and JSON have all", .fallback = "10"),
    OPTION_FLAG_ROW("csv", clash_options, csv, "print CSV"),
    OPTION_REPORT_OUT_ROW(clash_options),
    OPTION_ROW(TEXT, "picture", clash_options, picture, "FILE.png",
               "write a picture there with what clashes in colours", .file = OPTION_WRITTEN),
    OPTION_ROW(
        TEXT, "bcf", clash_options, bcf, "FILE.bcfzip",
        "of a scene: write its clashes there as a BCF 2.1 file for viewers of buildings, one "
        "topic for each",
        .file = OPTION_WRITTEN),
    { .name = NULL },
};

/* Words are taken as they are printed, and with '-' between, as those of other options. */
static bool is_relation(const char *word, const char *name, size_t size)
{
    size_t i = 0;
    while (i < size && (word[i] == name[i] || (word[i] == '_' && name[i] == '-'))) {
        i++;
    }
    return i == size && word[i] == '\0';
}

static int parse_relations(const invocation *call, const char *names, uint32_t *relations)
{
    for (const char *name = names; name != NULL;) {
        const size_t size = strcspn(name, ",");
        int i = SL_TOUCHING;
        while (i <= SL_CROSSING && !is_relation(clash_relation_words[i], name, size)) {
            i++;
        }
        if (i > SL_CROSSING) {
            return report_usage(call->command,
                                "--relations knows no '%.*s'; possible: touching, coplanar-same, "
                                "coplanar-opposite, crossing",
                                (int)size, name);
        }
        *relations |= 1u << i;
        name = name[size] == ',' ? name + size + 1 : NULL;
    }
    return EXIT_DONE;
}

static int clash_check_files(const invocation *call)
{
    const clash_options *o = call->options;
    const char *const files[][2] = { { "picture", o->picture },
                                     { "bcf", o->bcf },
                                     { "save-camera", o->camera.save } };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i][1] != NULL && strcmp(files[i][1], "-") == 0) {
            return report_usage(call->command, "stdout is for the report; name a file for --%s",
                                files[i][0]);
        }
    }
    int status = file_name_check(call, "picture", o->picture, ".png");
    status = status == EXIT_DONE ? file_name_check(call, "bcf", o->bcf, ".bcf .bcfzip") : status;
    return status == EXIT_DONE ? clash_bcf_check(o) : status;
}

static int clash_check(const invocation *call, uint32_t *relations)
{
    const clash_options *o = call->options;
    static const char *const of_two[] = { "mode", NULL };
    const char *other = call->argument_count == 1 ? options_first_given(call, of_two) : NULL;
    if (other != NULL) {
        return report_usage(call->command, "--%s is about two meshes, but there is one", other);
    }
    if (o->csv && o->common.json) {
        return report_usage(call->command, "--csv and --json exclude each other");
    }
    static const char *const of_one[] = { "bcf", "of", "against", NULL };
    other = call->argument_count == 2 ? options_first_given(call, of_one) : NULL;
    if (other != NULL) {
        return report_usage(call->command, "--%s is about the elements of one scene or mesh",
                            other);
    }
    static const char *const not_of_curves[] = { "margin", "solids", NULL };
    other = o->mode == CLASH_CURVES ? options_first_given(call, not_of_curves) : NULL;
    if (other != NULL) {
        return report_usage(call->command, "--%s says nothing about curves; leave it out", other);
    }
    if (o->picture != NULL && o->mode != CLASH_LIST) {
        return report_usage(call->command, "--picture shows pairs; leave --mode out");
    }
    int status = clash_check_files(call);
    status = status == EXIT_DONE ? camera_in_check(call, &o->camera) : status;
    return status == EXIT_DONE ? parse_relations(call, o->relations, relations) : status;
}

const char *clash_name(const clash_run *run, size_t mesh, uint32_t instance)
{
    const mesh_in *in = &run->in[mesh];
    return in->scene != NULL                 ? scene_in_name(in->scene, instance)
           : run->names != NULL && mesh == 0 ? run->names[instance]
                                             : NULL;
}

int clash_world_of_two(clash_run *run)
{
    const sl_instance both[2] = { sl_instance_of(run->in[0].bvh), sl_instance_of(run->in[1].bvh) };
    const sl_instances_def def = { .bad = SL_BAD_INSTANCES_LEAVE_OUT };
    sl_error error;
    return sl_bvh_build_instances(both, 2, &def, &run->world, &error) == SL_OK
               ? EXIT_DONE
               : report_error(&error);
}

/* Opens all meshes; of one without a scene it is its parts that clash. */
static int clash_open(clash_run *run)
{
    const clash_options *o = run->options;
    int status = EXIT_DONE;
    for (size_t i = 0; i < run->call->argument_count && status == EXIT_DONE; i++) {
        status = mesh_in_load(&run->in[i], run->call, i, &o->mesh, &o->common);
        const bool in_parts = run->call->argument_count == 1 && run->in[i].scene == NULL;
        if (status == EXIT_DONE) {
            status = in_parts ? clash_build_parts(run) : mesh_in_build(&run->in[i]);
        }
    }
    if (status == EXIT_DONE && run->call->argument_count == 1 && run->in[0].scene != NULL) {
        run->world = run->in[0].scene->scene;
    }
    return status;
}

static void clash_close(clash_run *run)
{
    if (run->in[0].scene == NULL || run->world != run->in[0].scene->scene) {
        sl_bvh_destroy(run->world);
    }
    for (size_t i = 0; i < run->part_count && run->parts != NULL; i++) {
        sl_bvh_destroy(run->parts[i]);
    }
    free(run->parts);
    free(run->names);
    mesh_in_close(&run->in[0]);
    mesh_in_close(&run->in[1]);
}

static int clash_answer(clash_run *run)
{
    const clash_options *o = run->options;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    int status =
        output_open(&run->out, o->out, format, "clash", common_use_color(&o->common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    status = run->call->argument_count == 1 ? clash_elements(run)
             : o->mode == CLASH_CURVES      ? clash_curves(run)
                                            : clash_pairs(run);
    if (status != EXIT_DONE) {
        output_discard(&run->out);
        return status;
    }
    status = output_close(&run->out);
    return status == EXIT_DONE && run->is_no ? EXIT_NO : status;
}

static int clash_run_command(const invocation *call)
{
    clash_run run = { .call = call, .options = call->options };
    run.clash.margin = run.options->margin;
    int status = clash_check(call, &run.clash.relations);
    status = status == EXIT_DONE ? clash_open(&run) : status;
    status = status == EXIT_DONE ? clash_answer(&run) : status;
    clash_close(&run);
    return status;
}

const subcommand command_clash = {
    .name = "clash",
    .line = "where two meshes, or the elements of one scene, meet",
    .usage = "A B [OPTION...], or SCENE [OPTION...]",
    .about =
        "Of two meshes or scenes lists the pairs of triangles that meet, and how: crossing, "
        "sharing "
        "area in one plane (coplanar_same and coplanar_opposite, by the way they face), or "
        "touching. "
        "Of one scene, or of one mesh with parts, lists the elements that clash: hard, touching, "
        "or "
        "nearer than --margin. Every decision is that of exact arithmetic on the coordinates as "
        "given: walls whose faces lie in one plane are told from walls that touch, and no "
        "tolerance is needed.",
    .examples = "  sightline clash gripper.stl part.stl --mode any\n"
                "  sightline clash a.obj b.obj --mode curves --csv -o curves.csv\n"
                "  sightline clash building.json --margin 0.05 --solids --csv -o clashes.csv\n"
                "  sightline clash building.json --of 'duct*,pipe*' --against 'wall*'\n"
                "  sightline clash building.json --bcf clashes.bcfzip --picture clashes.png\n",
    .no = "nothing clashes",
    .takes_scenes = true,
    .argument_min = 1,
    .argument_max = 2,
    .options_size = sizeof(clash_options),
    .groups = { { .title = "Clash", .rows = rows },
                SCENE_GROUP(clash_options),
                CAMERA_GROUP(clash_options),
                MESH_GROUP(clash_options),
                COMMON_GROUP(clash_options) },
    .run = clash_run_command,
};
