/* tools/build.c: builds the tree of a mesh once and writes it to a file that opens without
 * building. */
#include "tools/cli/report.h"
#include "tools/input/query.h"
#include "tools/output/file_name.h"
#include "tools/output/output.h"

#include <sightline/store.h>

#include <inttypes.h>
#include <string.h>

typedef struct build_options {
    const char *out, *masks;
    bool check;
    mesh_options mesh;
    common_options common;
} build_options;

static const option_row rows[] = {
    OPTION_ROW(TEXT, "out", build_options, out, "TREE", "the tree file to write",
               .file = OPTION_WRITTEN, .letter = 'o'),
    OPTION_ROW(TEXT, "masks", build_options, masks, "FILE.npy",
               "a mask for each triangle, whole numbers (N,), which the tree keeps; without it all "
               "bits are set",
               .file = OPTION_READ),
    OPTION_FLAG_ROW("check", build_options, check,
                    "open the file that was written and prove it against the mesh"),
    { .name = NULL },
};

/* Loads the file like any other, and proves it against the mesh. */
static int check_file(const char *path, const mesh_in *in)
{
    sl_bvh *back;
    sl_error error;
    sl_result result = sl_bvh_load(path, NULL, &back, &error);
    if (result == SL_OK && !sl_bvh_check(back, in->mesh, &error)) {
        result = error.code;
    }
    sl_bvh_destroy(back);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

static int build_print(const build_options *o, const mesh_in *in)
{
    const sl_bvh_info info = sl_bvh_get_info(in->bvh);
    char hash[17];
    output out;
    int status = output_open(&out, NULL, o->common.json ? OUTPUT_JSON : OUTPUT_TEXT, "build",
                             common_use_color(&o->common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    snprintf(hash, sizeof hash, "%016" PRIx64, sl_bvh_mesh_hash(in->bvh));
    output_record_begin(&out, in->name);
    output_field(&out, "file", value_text(o->out));
    output_field(&out, "triangles", value_count(info.triangle_count));
    output_field(&out, "quality", value_text(quality_words[info.quality]));
    output_field(&out, "file_bytes", value_count(sl_bvh_save_memory(in->bvh, NULL)));
    output_field(&out, "mesh_hash", value_text(hash));
    output_field(&out, "load_seconds", value_rounded(in->load_seconds, 3));
    output_field(&out, "build_seconds", value_rounded(in->build_seconds, 3));
    output_record_end(&out);
    return output_close(&out);
}

static int build_save(const build_options *o, const mesh_in *in)
{
    sl_error error;
    int status = out_file_lend(o->out);
    if (status == EXIT_DONE) {
        const sl_result result = sl_bvh_save(in->bvh, o->out, &error);
        status = out_file_take_back(result, &error);
    }
    return status == EXIT_DONE && o->check ? check_file(o->out, in) : status;
}

static int build_run(const invocation *call)
{
    const build_options *o = call->options;
    mesh_in in = { 0 };
    if (o->out == NULL) {
        return report_usage(call->command, "there is no --out; name the tree file to write");
    }
    if (strcmp(o->out, "-") == 0) {
        return report_usage(call->command, "a tree is not written to stdout; name a file");
    }
    int status = file_name_check(call, "out", o->out, ".slt");
    status = status == EXIT_DONE ? mesh_in_load(&in, call, 0, &o->mesh, &o->common) : status;
    if (status == EXIT_DONE) {
        status = query_in_masks(&(query_options){ .masks = o->masks }, &in);
    }
    status = status == EXIT_DONE ? mesh_in_build(&in) : status;
    status = status == EXIT_DONE ? build_save(o, &in) : status;
    status = status == EXIT_DONE ? build_print(o, &in) : status;
    mesh_in_close(&in);
    return status;
}

const subcommand command_build = {
    .name = "build",
    .line = "build the tree of a mesh into a file that opens at once",
    .usage = "MESH -o TREE [OPTION...]",
    .about =
        "Reads MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin), builds its tree and writes it to "
        "TREE, which every other subcommand takes in place of a mesh: nothing is parsed or "
        "built then. The same mesh and --quality give the same bytes on every machine of the "
        "same byte order, from any number of threads. A tree knows the triangles of its mesh "
        "by their numbers, but not the faces of the file that they came from.",
    .examples = "  sightline build city.ply -o city.slt --quality high\n"
                "  sightline cast city.slt --rays rays.npy -o hits.npy\n",
    .argument_max = 1,
    .options_size = sizeof(build_options),
    .groups = { { .title = "Output", .rows = rows },
                MESH_GROUP(build_options),
                COMMON_GROUP(build_options) },
    .run = build_run,
};
