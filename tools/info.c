/* tools/info.c: counts, bounds, parts and defects of a mesh, and the size and cost of its tree. */
#include "tools/cli/report.h"
#include "tools/input/note.h"
#include "tools/input/part.h"
#include "tools/input/scene.h"
#include "tools/output/output.h"

#include <sightline/mesh_repair.h>
#include <sightline/store.h>

#include <inttypes.h>
#include <string.h>

typedef struct info_options {
    bool csv, no_tree, no_inspect;
    const char *out;
    uint64_t parts; /* listed at most */
    mesh_options mesh;
    common_options common;
} info_options;

static const option_row rows[] = {
    OPTION_FLAG_ROW("csv", info_options, csv, "print CSV: a header, then a row for each mesh"),
    OPTION_FLAG_ROW("no-tree", info_options, no_tree, "build no tree and report none"),
    OPTION_FLAG_ROW("no-inspect", info_options, no_inspect,
                    "do not look for duplicates and open edges, which takes time and memory"),
    OPTION_ROW(
        COUNT, "parts", info_options, parts, "N",
        "list at most N parts; these are the groups, objects and materials of an OBJ, the solids "
        "of an STL, object and material numbers of a PLY and the nodes of a glTF; part count is "
        "of all; of a scene, at most N meshes, and N of the instances that were left out",
        .fallback = "20"),
    OPTION_REPORT_OUT_ROW(info_options),
    { .name = NULL },
};

static void print_vector(output *out, const char *key, const float v[3])
{
    const out_value values[3] = { value_float(v[0]), value_float(v[1]), value_float(v[2]) };
    output_fields(out, key, values, 3);
}

/* What vertices and corners have besides positions, in words; CSV, whose columns stay, has not. */
static void print_attributes(output *out, const mesh_in *in)
{
    static const struct {
        uint32_t bit;
        const char *word;
    } kinds[] = { { SL_MESH_UVS, "UVs" },
                  { SL_MESH_NORMALS, "normals" },
                  { SL_MESH_COLOURS, "colours" },
                  { SL_MESH_OTHER, "others that are not kept" } };
    const uint32_t attributes = sl_mesh_get_info(in->mesh).attributes;
    char words[64] = "";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if ((attributes & kinds[i].bit) != 0) {
            const size_t used = strlen(words);
            snprintf(words + used, sizeof words - used, "%s%s", used > 0 ? ", " : "",
                     kinds[i].word);
        }
    }
    if (out->format != OUTPUT_CSV && !in->is_tree) {
        output_field(out, "attributes", value_text(words[0] != '\0' ? words : "none"));
    }
}

static void print_counts(output *out, const mesh_in *in)
{
    const sl_mesh_info info = sl_mesh_get_info(in->mesh);
    output_field(out, "file", value_text(in->name));
    output_field(out, "format", value_text(in->is_tree ? "tree" : info.format));
    output_field(out, "vertices", value_count(info.vertex_count));
    output_field(out, "faces", value_count(info.face_count));
    output_field(out, "triangles", value_count(info.triangle_count));
    output_field(out, "left_out", value_count(info.left_out));
    output_field(out, "part_count", value_count(sl_mesh_get_info(in->mesh).part_count));
    const bool empty = !(info.bounds.min[0] <= info.bounds.max[0]);
    const out_value nothing[3] = { value_nothing(), value_nothing(), value_nothing() };
    if (empty) {
        output_fields(out, "bounds_min", nothing, 3);
        output_fields(out, "bounds_max", nothing, 3);
    } else {
        print_vector(out, "bounds_min", info.bounds.min);
        print_vector(out, "bounds_max", info.bounds.max);
    }
    const out_value origin[3] = { value_double(info.origin[0]), value_double(info.origin[1]),
                                  value_double(info.origin[2]) };
    output_fields(out, "origin", origin, 3);
    output_field(out, "float_rounding", value_rounded(info.rounding, 3));
    output_field(out, "load_seconds", value_rounded(in->load_seconds, 3));
    print_attributes(out, in);
}

/* The parts that the file names; CSV has one row for each mesh, and so no place for them. */
static void print_parts(output *out, const sl_mesh *mesh, uint64_t limit)
{
    static const out_column columns[] = {
        { "name", 22 }, { "material", 18 }, { "node", 14 }, { "first", 9 }, { "triangles", 9 }
    };
    const size_t count = sl_mesh_get_info(mesh).part_count;
    if (out->format == OUTPUT_CSV || (out->format == OUTPUT_TEXT && (count == 0 || limit == 0))) {
        return;
    }
    output_heading(out, "parts");
    output_table_begin(out, "parts", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < count && i < limit; i++) {
        sl_mesh_part part;
        out_value values[sizeof columns / sizeof columns[0]];
        sl_mesh_get_part(mesh, i, &part);
        part_values(&part, values);
        values[PART_VALUES] = value_count(part.first);
        values[PART_VALUES + 1] = value_count(part.count);
        output_row(out, values);
    }
    output_table_end(out);
}

static int print_report(output *out, const mesh_in *in)
{
    sl_mesh_report report;
    sl_error error;
    if (sl_mesh_inspect(in->mesh, NULL, NULL, &report, &error) != SL_OK) {
        return report_error(&error);
    }
    output_heading(out, "shape");
    output_field(out, "zero_area", value_count(report.zero_area));
    output_field(out, "duplicates", value_count(report.duplicates));
    output_field(out, "unused_vertices", value_count(report.unused_vertices));
    output_field(out, "distinct_positions", value_count(report.distinct_positions));
    output_field(out, "edges", value_count(report.edges));
    output_field(out, "open_edges", value_count(report.open_edges));
    output_field(out, "nonmanifold_edges", value_count(report.nonmanifold_edges));
    output_field(out, "misoriented_edges", value_count(report.misoriented_edges));
    output_field(out, "closed", value_bool(report.closed));
    return EXIT_DONE;
}

static void print_tree(output *out, const mesh_in *in)
{
    const sl_bvh_info info = sl_bvh_get_info(in->bvh);
    enum { SIZES = sizeof info.leaf_histogram / sizeof info.leaf_histogram[0] };
    out_value histogram[SIZES];
    for (int i = 0; i < SIZES; i++) {
        histogram[i] = value_count(info.leaf_histogram[i]);
    }
    output_heading(out, "tree");
    output_field(out, "tree_triangles", value_count(info.triangle_count));
    output_field(out, "references", value_count(info.reference_count));
    output_field(out, "nodes", value_count(info.node_count));
    output_field(out, "children", value_count(info.child_count));
    output_field(out, "leaves", value_count(info.leaf_count));
    output_fields(out, "leaf_histogram", histogram, SIZES);
    output_field(out, "depth", value_count(info.depth));
    output_field(out, "sah_cost", value_rounded(info.sah_cost, 6));
    output_field(out, "bytes", value_count(info.bytes));
    output_field(out, "bytes_per_triangle", value_rounded(info.bytes_per_triangle, 4));
    output_field(out, "quality", value_text(quality_words[info.quality]));
    output_field(out, "layout", value_text(layout_words[info.layout]));
    output_field(out, "kernel", value_text(info.kernel));
    output_field(out, "build_seconds", value_rounded(in->build_seconds, 3));
}

/* ---- a scene ---- */

static void print_doubles(output *out, const char *key, const double v[3], bool empty)
{
    out_value values[3];
    for (int i = 0; i < 3; i++) {
        values[i] = empty ? value_nothing() : value_double(v[i]);
    }
    output_fields(out, key, values, 3);
}

static void print_world(output *out, const mesh_in *in)
{
    const scene_in *scene = in->scene;
    const sl_bvh_info *info = &scene->info;
    const sl_aabb_d bounds = sl_bvh_bounds(in->bvh);
    const bool empty = !(bounds.min[0] <= bounds.max[0]);
    uint64_t trees = 0;
    for (size_t i = 0; i < scene->mesh_count; i++) {
        const sl_bvh_info tree = sl_bvh_get_info(scene->meshes[i].bvh);
        trees += tree.bytes;
    }
    output_field(out, "file", value_text(in->name));
    output_field(out, "format", value_text("scene"));
    output_field(out, "instances", value_count(info->instance_count));
    output_field(out, "holes", value_count(info->hole_count));
    output_field(out, "left_out", value_count(info->left_out_count));
    output_field(out, "triangles", value_count(info->triangle_count));
    output_field(out, "mesh_count", value_count(scene->mesh_count));
    output_field(out, "scene_count", value_count(scene->list_count));
    print_doubles(out, "bounds_min", bounds.min, empty);
    print_doubles(out, "bounds_max", bounds.max, empty);
    output_field(out, "scene_bytes", value_count(info->bytes));
    output_field(out, "tree_bytes", value_count(trees));
    output_field(out, "kernel", value_text(info->kernel));
    output_field(out, "load_seconds", value_rounded(in->load_seconds, 3));
    output_field(out, "build_seconds", value_rounded(in->build_seconds, 3));
}

/* Each mesh once, with the hash that a scene file may name; nothing in CSV, which has one row. */
static void print_meshes(output *out, const scene_in *scene, uint64_t limit)
{
    static const out_column columns[] = {
        { "mesh", 40 }, { "triangles", 9 }, { "uses", 6 }, { "hash", 16 }
    };
    if (out->format == OUTPUT_CSV) {
        return;
    }
    output_heading(out, "meshes");
    output_table_begin(out, "meshes", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < scene->mesh_count && i < limit; i++) {
        const scene_mesh *mesh = &scene->meshes[i];
        char hash[17];
        const sl_bvh_info info = sl_bvh_get_info(mesh->bvh);
        snprintf(hash, sizeof hash, "%016" PRIx64, sl_bvh_mesh_hash(mesh->bvh));
        const out_value values[] = { value_text(mesh->path), value_count(info.triangle_count),
                                     value_count(mesh->uses), value_text(hash) };
        output_row(out, values);
    }
    output_table_end(out);
}

/* Why instances were left out; nothing in CSV. */
static void print_left_out(output *out, const mesh_in *in, uint64_t limit)
{
    static const out_column columns[] = { { "instance", 9 }, { "why", 60 } };
    const sl_bvh_info *info = &in->scene->info;
    if (out->format == OUTPUT_CSV || info->left_out_count == 0) {
        return;
    }
    output_heading(out, "left out");
    output_table_begin(out, "left_out_instances", columns, sizeof columns / sizeof columns[0]);
    for (uint32_t i = 0; i < info->instance_count && limit > 0; i++) {
        const char *words = sl_bvh_left_out(in->bvh, i);
        if (words != NULL) {
            const out_value values[] = { value_count(i), value_text(words) };
            output_row(out, values);
            limit--;
        }
    }
    output_table_end(out);
}

/* The scene is built whatever the options say: without trees it has no bounds. */
static int print_scene(output *out, const info_options *options, mesh_in *in)
{
    const int status = mesh_in_build(in);
    if (status == EXIT_DONE) {
        output_record_begin(out, in->name);
        print_world(out, in);
        print_meshes(out, in->scene, options->parts);
        print_left_out(out, in, options->parts);
        output_record_end(out);
    }
    return status;
}

static int print_mesh(output *out, const invocation *call, size_t index)
{
    const info_options *options = call->options;
    mesh_in in;
    mesh_options mesh = options->mesh;
    mesh.has_notes = true;
    int status = mesh_in_load(&in, call, index, &mesh, &options->common);
    if (status == EXIT_DONE && in.scene != NULL) {
        status = print_scene(out, options, &in);
        mesh_in_close(&in);
        return status;
    }
    status = status == EXIT_DONE && !options->no_tree ? mesh_in_build(&in) : status;
    if (status == EXIT_DONE) {
        output_record_begin(out, in.name);
        print_counts(out, &in);
        notes_report(out, &in);
        print_parts(out, in.mesh, options->parts);
        if (!options->no_inspect) {
            status = print_report(out, &in);
        }
        if (!options->no_tree) {
            print_tree(out, &in);
        }
        output_record_end(out);
    }
    mesh_in_close(&in);
    return status;
}

static int info_run(const invocation *call)
{
    const info_options *options = call->options;
    const common_options *common = &options->common;
    if (options->csv && common->json) {
        return report_usage(call->command, "--csv and --json exclude each other");
    }
    /* Without a MESH, loading the first one reports that it is missing. */
    const size_t count = call->argument_count > 0 ? call->argument_count : 1;
    const output_format format = common->json   ? OUTPUT_JSON
                                 : options->csv ? OUTPUT_CSV
                                                : OUTPUT_TEXT;
    output out;
    int status = output_open(&out, options->out, format, "info", common_use_color(common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    output_list_begin(&out, "meshes");
    for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
        status = print_mesh(&out, call, i);
    }
    if (status != EXIT_DONE) {
        output_discard(&out);
        return status;
    }
    output_list_end(&out);
    return output_close(&out);
}

const subcommand command_info = {
    .name = "info",
    .line = "counts, bounds, parts and defects of a mesh, and its tree",
    .usage = "MESH... [OPTION...]",
    .about = "Reads each MESH (OBJ, PLY, STL, OFF, glTF or a tree file; '-' is stdin) and reports "
             "its format, counts, bounds and parts; what of the file is not used (notes); how far "
             "rounding to float moved its vertices; "
             "triangles of zero area, "
             "duplicates, open, non-manifold and misoriented edges, and whether it is closed; then "
             "builds its tree and reports the size, depth and cost of it. Of a scene: how many "
             "instances and triangles there are, their bounds, and its meshes with their hashes.",
    .examples = "  sightline info bunny.ply\n"
                "  sightline info --csv *.obj > meshes.csv\n",
    .takes_scenes = true,
    .argument_max = SIZE_MAX,
    .options_size = sizeof(info_options),
    .groups = { { .title = "Output", .rows = rows },
                SCENE_GROUP(info_options),
                MESH_GROUP(info_options),
                COMMON_GROUP(info_options) },
    .run = info_run,
};
