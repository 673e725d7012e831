/* input/scene/file.c: scene files, which are JSON; docs/scene-file.md describes them.
 *
 * Everything is checked as it is read, and named by its place: instances[3], meshes["bolt"].  A
 * scene is read when it is first referred to; one that is referred to while it is being read is a
 * loop.  Calls nest as deep as scenes do, SCENE_DEPTH_MAX at most. */
#include "tools/input/scene/reader.h"

#include "tools/output/file_conflicts.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int check_head(const scene_reader *r, const json_t *root)
{
    static const char *const keys[] = {
        "sightline", "schema", "meshes", "scenes", "instances", NULL
    };
    const char *kind = json_string_value(json_object_get(root, "sightline"));
    if (kind == NULL || strcmp(kind, "scene") != 0) {
        return scene_complain(r, "", "\"sightline\" is %s; it must be \"scene\"",
                              scene_is_missing(root, "sightline") ? "missing" : "wrong");
    }
    const json_t *schema = json_object_get(root, "schema");
    if (!json_is_integer(schema) || json_integer_value(schema) != 1) {
        return scene_complain(r, "", "\"schema\" is %s; this version reads scenes of schema 1",
                              schema == NULL ? "missing" : "not 1");
    }
    const json_t *const named[] = { json_object_get(root, "meshes"),
                                    json_object_get(root, "scenes") };
    for (int i = 0; i < 2; i++) {
        if (named[i] != NULL && !json_is_object(named[i])) {
            return scene_complain(r, "", "\"%s\" is no object; it must be one, of names",
                                  i == 0 ? "meshes" : "scenes");
        }
    }
    return scene_check_keys(r, root, "", "a scene file", keys);
}

/* What no instance refers to is checked, too. */
static int read_the_rest(scene_reader *r, uint32_t list)
{
    const char *name;
    json_t *ignored;
    uint32_t number;
    json_object_foreach((json_t *)r->meshes, name, ignored)
    {
        const int status = scene_read_mesh(r, name, &number);
        if (status != EXIT_DONE) {
            return status;
        }
    }
    json_object_foreach((json_t *)r->scenes, name, ignored)
    {
        char where[SCENE_WHERE_SIZE];
        snprintf(where, sizeof where, "scenes[\"%.100s\"]", name);
        const int status = scene_read_named(r, name, where, list, &number);
        if (status != EXIT_DONE) {
            return status;
        }
    }
    return EXIT_DONE;
}

static int read_root(scene_in *in, const char *path, const json_t *root, int depth, uint32_t list)
{
    scene_reader r = { .in = in, .path = path, .depth = depth };
    if (!json_is_object(root)) {
        return scene_complain(&r, "", "this is no JSON object, so it is no scene");
    }
    r.meshes = json_object_get(root, "meshes");
    r.scenes = json_object_get(root, "scenes");
    r.mesh_numbers = json_object();
    r.scene_numbers = json_object();
    int status =
        r.mesh_numbers != NULL && r.scene_numbers != NULL ? check_head(&r, root) : report_memory();
    status = status == EXIT_DONE ? scene_read_list(&r, json_object_get(root, "instances"), "", list)
                                 : status;
    status = status == EXIT_DONE ? read_the_rest(&r, list) : status;
    json_decref(r.mesh_numbers);
    json_decref(r.scene_numbers);
    return status;
}

static int read_json(scene_in *in, const char *path, int depth, uint32_t list)
{
    json_error_t error = { 0 };
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return report_failure(path, "cannot be read: %s; check the permissions", report_why(errno));
    }
    json_t *root = scene_json_parse(stream, NULL, 0, &error);
    const bool failed = ferror(stream) != 0;
    fclose(stream);
    if (root == NULL) {
        return failed ? report_failure(path, "cannot be read; check the disk")
                      : scene_json_report(path, &error);
    }
    const int status = read_root(in, path, root, depth, list);
    json_decref(root);
    return status;
}

/* The list of a file that was met before. */
static bool find_list(const scene_in *in, const char *path, const struct stat *about,
                      uint32_t *list)
{
    for (size_t i = 0; i < in->list_count; i++) {
        const scene_list *other = &in->lists[i];
        if (other->is_file && (other->number != 0 ? other->number == (uint64_t)about->st_ino &&
                                                        other->device == (uint64_t)about->st_dev
                                                  : strcmp(other->path, path) == 0)) {
            *list = (uint32_t)i;
            return true;
        }
    }
    return false;
}

int scene_file_read(scene_in *in, const char *path, uint32_t named_by, int depth, uint32_t *list)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        return report_input(path, 0, "%s; check the name",
                            errno == ENOENT ? "no such file" : report_why(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return report_input(path, 0, "this is no file; name a scene file or a glTF");
    }
    if (find_list(in, path, &about, list)) {
        return EXIT_DONE;
    }
    int status = file_conflicts_read(path);
    status = status == EXIT_DONE ? scene_in_add_list(in, path, named_by, list) : status;
    if (status != EXIT_DONE) {
        return status;
    }
    scene_list *made = &in->lists[*list];
    made->device = (uint64_t)about.st_dev;
    made->number = (uint64_t)about.st_ino;
    made->is_file = made->open = true;
    in->read += (uint64_t)about.st_size;
    status = depth == 0 || scene_in_is_file(path) ? read_json(in, path, depth, *list)
                                                  : scene_in_read_nodes(in, path, *list);
    in->lists[*list].open = false;
    return status;
}

int scene_file_read_bytes(scene_in *in, const void *bytes, size_t size)
{
    json_error_t error = { 0 };
    int status = scene_in_add_list(in, "stdin", SL_NONE, &in->root);
    if (status != EXIT_DONE) {
        return status;
    }
    in->read += size;
    json_t *root = scene_json_parse(NULL, bytes, size, &error);
    if (root == NULL) {
        return scene_json_report("stdin", &error);
    }
    in->lists[in->root].open = true;
    status = read_root(in, "stdin", root, 0, in->root);
    in->lists[in->root].open = false;
    json_decref(root);
    return status;
}
