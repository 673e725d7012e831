/* input/mesh.c: loads MESH and builds its tree, for every subcommand that asks one. */
#include "tools/input/mesh.h"

#include "tools/cli/report.h"
#include "tools/input/note.h"
#include "tools/input/scene.h"
#include "tools/input/tree.h"
#include "tools/output/file_conflicts.h"
#include "tools/output/npy.h"

#include <sightline/store.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const bad_words[] = { "refuse", "leave-out", NULL };

const char *const quality_words[] = { "default", "fast", "high", NULL };
const char *const layout_words[] = { "default", "compact", NULL };

const option_row mesh_rows[] = {
    OPTION_ROW(TEXT, "vertices", mesh_options, vertices, "V.npy",
               "take vertices from this array, float32 or float64 (N, 3), instead of MESH",
               .file = OPTION_READ),
    OPTION_ROW(TEXT, "faces", mesh_options, faces, "F.npy",
               "take triangles from this array of whole numbers (M, 3); without it every three "
               "vertices are one",
               .file = OPTION_READ),
    OPTION_CHOICE_ROW(
        "bad", mesh_options, bad, bad_words,
        "what to do where an index is out of range or a coordinate is not finite: refuse the "
        "mesh, or leave exactly those triangles out; numbers of triangles stay",
        .fallback = "refuse"),
    OPTION_FLAG_ROW("recentre", mesh_options, recentre,
                    "move the centre of the bounds to the origin before rounding to float; rays, "
                    "cameras and answers are then in the moved coordinates; info shows the origin"),
    OPTION_FLAG_ROW("hidden-nodes", mesh_options, hidden_nodes,
                    "take nodes that a glTF file hides (KHR_node_visibility), too"),
    OPTION_ROW(COUNT, "max-memory", mesh_options, max_memory, "BYTES",
               "how much memory loading may take, for small files that hold much: compressed, or "
               "with one mesh in many places; 0: 64 MiB and 40 times the size of the file",
               .fallback = "0", .max = 1e15),
    OPTION_CHOICE_ROW(
        "quality", mesh_options, quality, quality_words,
        "how much time to spend on a tree that is quicker to query; answers are the same",
        .fallback = "default"),
    OPTION_CHOICE_ROW("layout", mesh_options, layout, layout_words,
                      "how the tree keeps triangles: a compact one takes 0.6 of the memory and is "
                      "slower to query; answers are the same",
                      .fallback = "default"),
    OPTION_ROW(COUNT, "max-build-memory", mesh_options, max_build_memory, "BYTES",
               "do with less quality or a compact tree where the build would hold more memory, the "
               "mesh not counted, and refuse where that is not enough; 0 means no limit",
               .fallback = "0", .max = 1e15),
    OPTION_FLAG_ROW(
        "trusted", mesh_options, trusted,
        "load a tree file (see build) without checking it; only for files from a source that "
        "you trust"),
    { .name = NULL },
};

const option_row scene_rows[] = {
    OPTION_FLAG_ROW(
        "nodes", mesh_options, nodes,
        "take the nodes of a glTF file as a scene: each mesh once, and each node that has one "
        "an instance, instead of all triangles as one mesh; a scene file (docs/scene-file.md) "
        "is a scene without it"),
    { .name = NULL },
};

static int load_arrays(mesh_in *in, const mesh_options *options, const sl_mesh_def *def)
{
    float *vertices = NULL;
    uint32_t *faces = NULL;
    size_t vertex_count = 0, face_count = 0;
    int status = npy_load_floats(options->vertices, 3, &vertices, &vertex_count);
    if (status == EXIT_DONE && options->faces != NULL) {
        status = npy_load_u32(options->faces, 3, &faces, &face_count);
    } else if (status == EXIT_DONE) {
        face_count = vertex_count / 3;
        if (vertex_count % 3 != 0) {
            status = report_input(options->vertices, 0,
                                  "%zu vertices are no whole number of triangles; name --faces",
                                  vertex_count);
        }
    }
    if (status == EXIT_DONE) {
        sl_error error;
        if (sl_mesh_from_arrays(vertices, vertex_count, faces, face_count, def, &in->mesh,
                                &error) != SL_OK) {
            snprintf(error.file, sizeof error.file, "%s",
                     options->faces != NULL ? options->faces : options->vertices);
            status = report_error(&error);
        }
    }
    free(vertices);
    free(faces);
    return status;
}

/* The library reads files by name; stdin is read here.  most 0: all of it. */
static int read_stdin(size_t most, unsigned char **bytes, size_t *size)
{
    size_t capacity = 0;
    *bytes = NULL;
    *size = 0;
    for (;;) {
        if (*size == capacity) {
            capacity = capacity == 0 ? 1 << 16 : 2 * capacity;
            unsigned char *more = realloc(*bytes, capacity);
            if (more == NULL) {
                return report_memory();
            }
            *bytes = more;
        }
        const size_t got = fread(*bytes + *size, 1, capacity - *size, stdin);
        *size += got;
        if (got == 0) {
            break;
        }
        if (most > 0 && *size > most) {
            return report_input("stdin", 0, "more than the %zu bytes of --max-memory; allow more",
                                most);
        }
    }
    return ferror(stdin) ? report_failure("stdin", "reading failed; name a file") : EXIT_DONE;
}

/* A file; or where there are bytes, those of stdin. */
static int load_mesh(mesh_in *in, const char *path, const void *bytes, size_t size,
                     const sl_mesh_def *def)
{
    sl_error error;
    const sl_result result =
        bytes == NULL ? sl_mesh_load(path, def, &in->mesh, &error)
                      : sl_mesh_load_memory(bytes, size, "stdin", def, &in->mesh, &error);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

/* Whether the options fit what MESH is.  A tree file stands in place of a mesh: what is said of
 * meshes has been done, or not, when it was built. */
static int check_options(const invocation *call, const char *name, bool is_tree)
{
    static const char *const of_meshes[] = {
        "bad",     "recentre", "hidden-nodes",     "max-memory",
        "quality", "layout",   "max-build-memory", NULL
    };
    if (!is_tree) {
        return options_given(call, "trusted")
                   ? report_usage(call->command,
                                  "--trusted is for a tree file, but '%s' is none; "
                                  "leave it out",
                                  name)
                   : EXIT_DONE;
    }
    const char *other = options_first_given(call, of_meshes);
    return other == NULL ? EXIT_DONE
                         : report_usage(call->command,
                                        "--%s is for a mesh, but '%s' is a tree; say it to "
                                        "'sightline build'",
                                        other, name);
}

/* ---- scenes ---- */

static int open_scene(mesh_in *in, const invocation *call, const mesh_options *options,
                      const sl_mesh_def *def, scene_in_options *to)
{
    if (!call->command->takes_scenes) {
        return report_usage(call->command, "'%s' is a scene, and this takes a mesh; name one",
                            in->name);
    }
    if (options->recentre) {
        return report_usage(call->command,
                            "--recentre is for a mesh, but '%s' is a scene; its file "
                            "says where its meshes stand",
                            in->name);
    }
    in->scene = calloc(1, sizeof *in->scene);
    if (in->scene == NULL) {
        return report_memory();
    }
    *to = (scene_in_options){ .mesh = *def,
                              .trusted = options->trusted,
                              .leave_out = options->bad == SL_BAD_LEAVE_OUT,
                              .max_memory = (size_t)options->max_memory,
                              .bar = &in->bar };
    to->mesh.hooks = (sl_hooks){ 0 };
    to->build.quality = in->quality;
    to->build.layout = in->layout;
    to->build.max_memory = in->max_build_memory;
    to->build.hooks.tasks = in->tasks;
    return EXIT_DONE;
}

/* A file; or where there are bytes, those of stdin. */
static int load_scene(mesh_in *in, const invocation *call, const char *path, const void *bytes,
                      size_t size, const mesh_options *options, const sl_mesh_def *def)
{
    scene_in_options to;
    const int status = open_scene(in, call, options, def, &to);
    return status != EXIT_DONE ? status
           : bytes != NULL     ? scene_in_load_bytes(in->scene, bytes, size, &to)
           : options->nodes    ? scene_in_load_nodes(in->scene, path, &to)
                               : scene_in_load(in->scene, path, &to);
}

int mesh_in_refuse(const mesh_in *in, const invocation *call, const char *option)
{
    return in->scene != NULL && options_given(call, option)
               ? report_usage(call->command,
                              "--%s is for a mesh, but '%s' is a scene; leave it out", option,
                              in->name)
               : EXIT_DONE;
}

static int load_named(mesh_in *in, const invocation *call, const char *path,
                      const mesh_options *options, const sl_mesh_def *def)
{
    const bool is_tree = tree_in_is(path);
    const bool is_there = access(path, R_OK) == 0; /* else loading it says so */
    int status = file_conflicts_read(path);
    if (status == EXIT_DONE && (options->nodes || scene_in_is_file(path))) {
        return load_scene(in, call, path, NULL, 0, options, def);
    }
    status = status == EXIT_DONE && is_there ? check_options(call, path, is_tree) : status;
    if (status != EXIT_DONE) {
        return status;
    }
    return is_tree ? tree_in_open(in, path, options->trusted) : load_mesh(in, path, NULL, 0, def);
}

static int load_stdin(mesh_in *in, const invocation *call, const mesh_options *options,
                      const sl_mesh_def *def)
{
    unsigned char *bytes;
    size_t size;
    int status = read_stdin((size_t)options->max_memory, &bytes, &size);
    const bool is_tree = status == EXIT_DONE && sl_bvh_is_file(bytes, size);
    if (status == EXIT_DONE && options->nodes) {
        status = report_usage(call->command, "--nodes reads a file; name one instead of stdin");
    }
    if (status == EXIT_DONE && scene_in_is_bytes(bytes, size)) {
        status = load_scene(in, call, "-", bytes, size, options, def);
        free(bytes);
        return status;
    }
    status = status == EXIT_DONE ? check_options(call, "-", is_tree) : status;
    if (status == EXIT_DONE) {
        status = is_tree ? tree_in_open_stdin(in, bytes, size, options->trusted)
                         : load_mesh(in, "-", bytes, size, def);
    }
    free(bytes);
    return status;
}

static int mesh_load(mesh_in *in, const invocation *call, size_t index, const mesh_options *options)
{
    sl_mesh_def def = { .bad = (sl_bad_triangles)options->bad,
                        .recentre = options->recentre,
                        .hidden_nodes = options->hidden_nodes,
                        .drop = MESH_IN_KEEP_ALL & ~options->keep,
                        .formats = sl_io_formats(),
                        .max_memory = (size_t)options->max_memory,
                        .hooks.progress = progress_hook(&in->bar) };
    if (options->vertices != NULL) {
        in->name = strdup(options->vertices);
        const int status = check_options(call, options->vertices, false);
        return status != EXIT_DONE ? status
               : in->name == NULL  ? report_memory()
                                   : load_arrays(in, options, &def);
    }
    const char *path = call->arguments[index];
    in->name = strdup(path);
    if (in->name == NULL) {
        return report_memory();
    }
    return strcmp(path, "-") == 0 ? load_stdin(in, call, options, &def)
                                  : load_named(in, call, path, options, &def);
}

/* That there is one mesh. */
static int check_named(const invocation *call, size_t index, const mesh_options *options)
{
    const bool named = call->argument_count > index, arrays = options->vertices != NULL;
    return arrays && options->nodes
               ? report_usage(call->command, "--nodes needs a glTF file, not --vertices")
           : arrays && named
               ? report_usage(call->command, "both '%s' and --vertices are given; name one mesh",
                              call->arguments[index])
           : !arrays && options->faces != NULL
               ? report_usage(call->command, "--faces needs --vertices")
           : !arrays && !named
               ? report_usage(call->command, "there is no MESH; name a file, or '-' for stdin")
               : EXIT_DONE;
}

/* Files that meshes and options name, before there is work: first those to read, so that none of
 * them is written over. */
static int foresee_files(const invocation *call, size_t index)
{
    int status = EXIT_DONE;
    const char *from_stdin = NULL;
    for (size_t i = index; i < call->argument_count && status == EXIT_DONE; i++) {
        const char *name = call->arguments[i];
        if (strcmp(name, "-") == 0 && from_stdin != NULL) {
            return report_usage(call->command,
                                "two meshes want stdin; name a file for one of them");
        }
        from_stdin = strcmp(name, "-") == 0 ? name : from_stdin;
        status = file_conflicts_foresee(name, false);
    }
    for (int written = 0; written < 2; written++) {
        const option_group *group = call->command->groups;
        for (; group->rows != NULL && status == EXIT_DONE; group++) {
            const option_row *row = group->rows;
            for (; row->name != NULL && status == EXIT_DONE; row++) {
                if (row->file == (written ? OPTION_WRITTEN : OPTION_READ)) {
                    status = file_conflicts_foresee(options_text(call, group, row), written);
                }
            }
        }
    }
    return status;
}

int mesh_in_load(mesh_in *in, const invocation *call, size_t index, const mesh_options *mesh,
                 const common_options *common)
{
    *in = (mesh_in){ 0 };
    int status = common_apply_isa(call, common);
    status = status == EXIT_DONE ? check_named(call, index, mesh) : status;
    status = status == EXIT_DONE ? foresee_files(call, index) : status;
    status = status == EXIT_DONE ? common_make_pool(common, &in->pool) : status;
    if (status != EXIT_DONE) {
        return status;
    }
    in->tasks = sl_pool_tasks(in->pool);
    in->quality = (sl_bvh_quality)mesh->quality;
    in->layout = (sl_bvh_layout)mesh->layout;
    in->max_build_memory = (size_t)mesh->max_build_memory;
    in->quiet = common->quiet;
    progress_begin(&in->bar, common->quiet);
    const double started = common_seconds();
    status = mesh_load(in, call, index, mesh);
    in->load_seconds = common_seconds() - started;
    progress_end(&in->bar);
    if (status == EXIT_DONE && !in->quiet && !(mesh->has_notes && in->scene == NULL)) {
        notes_warn(in);
    }
    return status;
}

int mesh_in_check_stdin(const invocation *call, const char *option, const char *file)
{
    const bool is_stdin = file != NULL && strcmp(file, "-") == 0;
    if (is_stdin && call->argument_count > 0 && strcmp(call->arguments[0], "-") == 0) {
        return report_usage(call->command, "MESH and --%s both want stdin; name a file for one",
                            option);
    }
    return EXIT_DONE;
}

out_value mesh_in_face(const sl_mesh *mesh, uint32_t prim)
{
    return prim == SL_PROXY_PRIM ? value_nothing()
           : mesh == NULL        ? value_count(prim)
                                 : value_count(sl_mesh_face(mesh, prim));
}

out_value mesh_in_part(const sl_mesh *mesh, uint32_t prim)
{
    sl_mesh_part part;
    if (prim == SL_PROXY_PRIM || !sl_mesh_get_part(mesh, sl_mesh_part_of(mesh, prim), &part)) {
        return value_nothing();
    }
    const char *name = part.name[0] != '\0' ? part.name : part.node;
    return value_text(name[0] != '\0' ? name : part.material);
}

size_t mesh_in_columns(const sl_mesh *mesh, size_t count)
{
    return count - (sl_mesh_get_info(mesh).part_count == 0);
}

static int build_scene(mesh_in *in)
{
    const double started = common_seconds();
    progress_begin(&in->bar, in->quiet);
    const int status = scene_in_build(in->scene);
    in->bvh = in->scene->scene;
    progress_end(&in->bar);
    in->build_seconds = common_seconds() - started;
    return status;
}

int mesh_in_build(mesh_in *in)
{
    if (in->scene != NULL) {
        return build_scene(in);
    }
    if (in->bvh != NULL) {
        return in->masks == NULL
                   ? EXIT_DONE
                   : report_input(in->name, 0, "a tree keeps its masks; --masks needs a mesh");
    }
    sl_build_def def = { .quality = in->quality,
                         .layout = in->layout,
                         .max_memory = in->max_build_memory,
                         .hooks.tasks = in->tasks,
                         .masks = in->masks };
    def.hooks.progress = progress_hook(&in->bar);
    sl_error error;
    const double started = common_seconds();
    const sl_result result = sl_bvh_build(in->mesh, &def, &in->bvh, &error);
    in->build_seconds = common_seconds() - started;
    progress_end(&in->bar);
    if (result != SL_OK) {
        snprintf(error.file, sizeof error.file, "%s", in->name);
        return report_error(&error);
    }
    return EXIT_DONE;
}

uint64_t mesh_in_triangles(const mesh_in *in)
{
    const sl_bvh_info info = sl_bvh_get_info(in->bvh);
    return info.triangle_count;
}

int mesh_in_open(mesh_in *in, const invocation *call, size_t index, const mesh_options *mesh,
                 const common_options *common)
{
    const int status = mesh_in_load(in, call, index, mesh, common);
    return status == EXIT_DONE ? mesh_in_build(in) : status;
}

void mesh_in_close(mesh_in *in)
{
    if (in->scene != NULL) {
        scene_in_close(in->scene);
        free(in->scene);
    } else {
        sl_bvh_destroy(in->bvh);
    }
    sl_mesh_destroy(in->mesh);
    sl_pool_destroy(in->pool);
    free(in->name);
    free(in->masks);
    *in = (mesh_in){ 0 };
}
