/* draw/command.c: `sightline draw`: a test of one or two shapes as a picture, with its answer. */
#include "tools/cli/common.h"
#include "tools/cli/report.h"
#include "tools/draw/layout.h"
#include "tools/draw/test.h"
#include "tools/output/file_name.h"
#include "tools/output/output.h"

#include <stdlib.h>
#include <string.h>

typedef struct draw_options {
    bool list;
    int view, inside;
    float from[3];
    const char *out;
    common_options common;
} draw_options;

static const char *const view_words[] = { "auto", "xy", "xz", "yz", "iso", "corner", NULL };
static const char *const inside_words[] = { "solid", "hollow", "ignore", "ignore-leaving", NULL };

static const option_row rows[] = {
    { .name = "list",
      .kind = OPTION_FLAG,
      .offset = offsetof(draw_options, list),
      .help = "list all tests, the shapes that each takes and the functions behind it" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      .offset = offsetof(draw_options, out),
      .value = "FILE",
      .help = "write the picture there: PNG where the name ends in .png, else SVG; without it, and "
              "without --json, SVG goes to stdout" },
    { .name = "view",
      .kind = OPTION_CHOICE,
      .offset = offsetof(draw_options, view),
      .choices = view_words,
      .fallback = "auto",
      .help = "the plane drawn on, or from where space is seen: iso from (1, 1, 1), corner from "
              "(5, 3, 6); auto is what suits the test" },
    { .name = "from",
      .kind = OPTION_REALS,
      .offset = offsetof(draw_options, from),
      .length = 3,
      .value = "X,Y,Z",
      .help = "the direction towards the eye, instead of a view; y is up" },
    { .name = "inside",
      .kind = OPTION_CHOICE,
      .offset = offsetof(draw_options, inside),
      .choices = inside_words,
      .fallback = "solid",
      .help = "what it means for a path to start inside" },
    { .name = NULL },
};

static const draw_test *const tables[] = { draw_ray_tests, draw_overlap_tests, draw_closest_tests,
                                           draw_line_tests, draw_volume_tests };
enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

static const draw_test *find_test(const char *name)
{
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        for (const draw_test *test = tables[i]; test->name != NULL; test++) {
            if (strcmp(test->name, name) == 0) {
                return test;
            }
        }
    }
    return NULL;
}

/* "ray|segment|line" */
static void kind_words(uint32_t kinds, char *to, size_t size)
{
    size_t used = 0;
    to[0] = '\0';
    for (int kind = 0; kind < DRAW_KIND_COUNT && used < size; kind++) {
        if ((kinds >> kind & 1) != 0) {
            used += (size_t)snprintf(to + used, size - used, "%s%s", used > 0 ? "|" : "",
                                     draw_kind_name((draw_kind)kind));
        }
    }
}

static int list_tests(const draw_options *options)
{
    static const out_column columns[] = {
        { "test", 22 }, { "first", 18 }, { "second", 18 }, { "asks", 64 }, { "functions", 40 }
    };
    output out;
    const output_format format = options->common.json ? OUTPUT_JSON : OUTPUT_TEXT;
    const int status =
        output_open(&out, options->out, format, "draw", common_use_color(&options->common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    output_table_begin(&out, "tests", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        for (const draw_test *test = tables[i]; test->name != NULL; test++) {
            char kinds[DRAW_TAKES][64];
            for (int k = 0; k < DRAW_TAKES; k++) {
                kind_words(test->takes[k], kinds[k], sizeof kinds[k]);
            }
            output_row(&out, (const out_value[]){
                                 value_text(test->name), value_text(kinds[0]),
                                 test->takes[1] != 0 ? value_text(kinds[1]) : value_nothing(),
                                 value_text(test->line), value_text(test->functions) });
        }
    }
    output_table_end(&out);
    return output_close(&out);
}

/* The shapes that were typed, or those of the example. */
static int take_shapes(const invocation *call, const draw_test *test, draw_shape *shapes)
{
    const size_t wanted = test->takes[1] != 0 ? 2 : 1;
    const size_t given = call->argument_count - 1;
    if (given != 0 && given != wanted) {
        return report_usage(call->command, "%s takes %s, each in quotes; %zu given", test->name,
                            wanted == 2 ? "two shapes" : "one shape", given);
    }
    for (size_t i = 0; i < wanted; i++) {
        const char *words = given == 0 ? test->example[i] : call->arguments[1 + i];
        const int status = draw_shape_parse(call, words, &shapes[i]);
        if (status != EXIT_DONE) {
            return status;
        }
        if ((test->takes[i] >> shapes[i].kind & 1) == 0) {
            char kinds[64];
            kind_words(test->takes[i], kinds, sizeof kinds);
            return report_usage(call->command, "%s takes %s there, not '%s'", test->name, kinds,
                                words);
        }
    }
    return EXIT_DONE;
}

static int print_results(const draw_scene *scene, const draw_options *options,
                         const draw_test *test)
{
    output out;
    const output_format format = options->common.json ? OUTPUT_JSON : OUTPUT_TEXT;
    const int status =
        output_open(&out, NULL, format, "draw", common_use_color(&options->common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    output_field(&out, "test", value_text(test->name));
    for (size_t i = 0; i < scene->result_count; i++) {
        const draw_result *result = &scene->results[i];
        if (result->count == 1) {
            output_field(&out, result->key, result->values[0]);
        } else {
            output_fields(&out, result->key, result->values, result->count);
        }
    }
    if (scene->row_count > 0 && options->common.json) {
        static const out_column columns[] = { { "axis", 24 },      { "first_min", 0 },
                                              { "first_max", 0 },  { "second_min", 0 },
                                              { "second_max", 0 }, { "apart", 0 } };
        output_table_begin(&out, "axes", columns, sizeof columns / sizeof columns[0]);
        for (size_t i = 0; i < scene->row_count; i++) {
            const draw_row *row = &scene->rows[i];
            output_row(&out, (const out_value[]){
                                 value_text(row->name), value_double(row->first[0]),
                                 value_double(row->first[1]), value_double(row->second[0]),
                                 value_double(row->second[1]), value_bool(row->apart) });
        }
        output_table_end(&out);
    }
    return output_close(&out);
}

static int write_picture(draw_scene *scene, const draw_options *options, const draw_test *test)
{
    char title[200];
    snprintf(title, sizeof title, "%s: %s", test->name, test->line);
    if (file_name_ends(options->out, ".png")) {
        return draw_png(scene, title, options->out);
    }
    out_file file;
    const int status = out_file_open(&file, options->out);
    if (status != EXIT_DONE) {
        return status;
    }
    draw_svg(scene, title, file.stream);
    return out_file_close(&file);
}

static int draw(const invocation *call, const draw_test *test, draw_scene *scene)
{
    const draw_options *options = call->options;
    const draw_settings settings = { .inside = (sl_start_inside)options->inside };
    draw_shape shapes[DRAW_TAKES];
    int status = take_shapes(call, test, shapes);
    if (status != EXIT_DONE) {
        return status;
    }
    if (options_given(call, "from")) {
        scene_look_from(scene, options->from);
    } else {
        scene_look(scene, options->view == VIEW_AUTO ? test->view : (draw_view)options->view);
    }
    test->draw(test, scene, shapes, &settings);
    const bool to_stdout = options->out == NULL || strcmp(options->out, "-") == 0;
    if (options->out != NULL || !options->common.json) {
        status = write_picture(scene, options, test);
    }
    if (status == EXIT_DONE && (!to_stdout || options->common.json)) {
        status = print_results(scene, options, test);
    }
    return status;
}

static int run(const invocation *call)
{
    const draw_options *options = call->options;
    const float *from = options->from;
    if (options->list) {
        return list_tests(options);
    }
    if (call->argument_count == 0) {
        return report_usage(call->command, "the name of a test is missing; --list lists them");
    }
    const draw_test *test = find_test(call->arguments[0]);
    if (test == NULL) {
        return report_usage(call->command, "there is no test '%s'; --list lists them",
                            call->arguments[0]);
    }
    if (options_given(call, "from") && from[0] == 0 && from[1] == 0 && from[2] == 0) {
        return report_usage(call->command, "--from 0,0,0 is no direction");
    }
    if (options->common.json && options->out != NULL && strcmp(options->out, "-") == 0) {
        return report_usage(call->command, "--json and -o - both want stdout; name a file");
    }
    if (file_name_check(call, "out", options->out, ".png .svg") != EXIT_DONE) {
        return EXIT_USAGE;
    }
    draw_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL) {
        return report_memory();
    }
    const int status = draw(call, test, scene);
    free(scene);
    return status;
}

const subcommand command_draw = {
    .name = "draw",
    .line = "a test of two shapes as a picture: where they meet, and the answer",
    .usage = "TEST [SHAPE...] [OPTION...]",
    .about =
        "Runs one of the library's tests of single shapes (docs/shapes.md) and draws what was "
        "given, where the shapes meet, and the answer in numbers, as SVG or PNG. A shape is one "
        "word in quotes: its kind, then its numbers, with blanks or "
        "commas between; vectors are x y z, or x y in the plane z = 0. Without shapes an example "
        "is drawn. The kinds: 'ray ORIGIN DIR [TMIN TMAX]', 'segment P Q', 'line POINT DIR', "
        "'point P', 'axis DIR', 'box MIN MAX', 'obb CENTRE AXIS0 AXIS1 AXIS2 HALF', 'matrix' and "
        "16 numbers column by column, 'sphere CENTRE RADIUS', 'capsule P Q RADIUS', 'triangle V0 "
        "V1 V2', 'plane NORMAL OFFSET', 'across AXIS K' (the plane where coordinate 0, 1 or 2 is "
        "K), 'frustum' and up to 8 times NORMAL OFFSET, 'points' and up to 32 points.",
    .examples = "  sightline draw --list\n"
                "  sightline draw triangle-aabb -o sat.svg\n"
                "  sightline draw ray-aabb 'ray -3 0.5 0 1 0 0' 'box -1 -1 -1 1 1 1' -o box.svg\n"
                "  sightline draw ray-sphere 'segment -3 0.5 3 1' 'sphere 0 0 1' --json\n"
                "  sightline draw sphere-aabb --view iso -o touch.png\n",
    .argument_max = 1 + DRAW_TAKES,
    .options_size = sizeof(draw_options),
    .groups = { { .title = "Drawing", .rows = rows }, COMMON_GROUP(draw_options) },
    .run = run,
};
