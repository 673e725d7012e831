/* input/scene/named.c: the meshes and scenes that a scene file has by name, each read when it is
 * first referred to. */
#include "tools/input/scene/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int read_hash(const scene_reader *r, const json_t *object, const char *where, uint32_t mesh)
{
    const json_t *json = json_object_get(object, "hash");
    const char *text = json_string_value(json);
    if (json == NULL) {
        return EXIT_DONE;
    }
    if (text == NULL || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) {
        return scene_complain(r, where,
                              "\"hash\" must be 16 hexadecimal digits, as 'sightline build' "
                              "and 'sightline info' print it");
    }
    char place[SCENE_WHERE_SIZE + SCENE_PATH_SIZE];
    snprintf(place, sizeof place, "%s of %s", where, r->path);
    return scene_in_add_hash(r->in, mesh, strtoull(text, NULL, 16), place);
}

static int note_number(json_t *numbers, const char *name, uint32_t number)
{
    return json_object_set_new(numbers, name, json_integer(number)) == 0 ? EXIT_DONE
                                                                         : report_memory();
}

int scene_read_mesh(scene_reader *r, const char *name, uint32_t *mesh)
{
    static const char *const keys[] = { "file", "hash", NULL };
    const json_t *known = json_object_get(r->mesh_numbers, name);
    if (known != NULL) {
        *mesh = (uint32_t)json_integer_value(known);
        return EXIT_DONE;
    }
    char where[SCENE_WHERE_SIZE], path[SCENE_PATH_SIZE];
    const json_t *entry = json_object_get(r->meshes, name);
    snprintf(where, sizeof where, "meshes[\"%.100s\"]", name);
    if (!json_is_object(entry)) {
        return scene_complain(r, where, "it must be an object with a \"file\"");
    }
    int status = scene_check_keys(r, entry, where, "a mesh", keys);
    status = status == EXIT_DONE ? scene_find_path(r, where, entry, path) : status;
    status = status == EXIT_DONE ? scene_check_there(r, where, path) : status;
    if (status == EXIT_DONE && scene_in_is_file(path)) {
        status =
            scene_complain(r, where, "'%s' is a scene; name it under \"scenes\" instead", path);
    }
    status = status == EXIT_DONE ? scene_in_find_mesh(r->in, path, mesh) : status;
    status = status == EXIT_DONE ? read_hash(r, entry, where, *mesh) : status;
    return status == EXIT_DONE ? note_number(r->mesh_numbers, name, *mesh) : status;
}

static int refuse_depth(const scene_reader *r, const char *where)
{
    return scene_complain(r, where,
                          "scenes within scenes are %d deep here, and no more can be; place what "
                          "is within directly",
                          SCENE_DEPTH_MAX);
}

/* One that is written out in the file. */
static int read_inline(scene_reader *r, const json_t *entry, const char *where, uint32_t named_by,
                       const char *name, uint32_t *list)
{
    static const char *const keys[] = { "instances", NULL };
    char path[SCENE_WHERE_SIZE + SCENE_PATH_SIZE];
    if (r->depth + 1 >= SCENE_DEPTH_MAX) {
        return refuse_depth(r, where);
    }
    snprintf(path, sizeof path, "%s: %s", r->path, where);
    int status = scene_check_keys(r, entry, where, "a scene", keys);
    status = status == EXIT_DONE ? scene_in_add_list(r->in, path, named_by, list) : status;
    status = status == EXIT_DONE ? note_number(r->scene_numbers, name, *list) : status;
    if (status == EXIT_DONE) {
        r->in->lists[*list].open = true;
        r->depth++;
        status = scene_read_list(r, json_object_get(entry, "instances"), where, *list);
        r->depth--;
        r->in->lists[*list].open = false;
    }
    return status;
}

static int refuse_loop(const scene_reader *r, const char *where, uint32_t list)
{
    return scene_complain(r, where,
                          "it places %s, and is itself within that; take one of the two out",
                          r->in->lists[list].path);
}

int scene_read_file(scene_reader *r, const char *where, const char *path, uint32_t named_by,
                    uint32_t *list)
{
    if (r->depth + 1 >= SCENE_DEPTH_MAX) {
        return refuse_depth(r, where);
    }
    int status = scene_check_there(r, where, path);
    status =
        status == EXIT_DONE ? scene_file_read(r->in, path, named_by, r->depth + 1, list) : status;
    return status == EXIT_DONE && r->in->lists[*list].open ? refuse_loop(r, where, *list) : status;
}

int scene_read_named(scene_reader *r, const char *name, const char *place, uint32_t named_by,
                     uint32_t *list)
{
    static const char *const keys[] = { "file", NULL };
    const json_t *known = json_object_get(r->scene_numbers, name);
    if (known != NULL) {
        *list = (uint32_t)json_integer_value(known);
        return r->in->lists[*list].open ? refuse_loop(r, place, *list) : EXIT_DONE;
    }
    char where[SCENE_WHERE_SIZE], path[SCENE_PATH_SIZE];
    const json_t *entry = json_object_get(r->scenes, name);
    snprintf(where, sizeof where, "scenes[\"%.100s\"]", name);
    if (!json_is_object(entry) ||
        scene_is_missing(entry, "file") == scene_is_missing(entry, "instances")) {
        return scene_complain(r, where, "it must be an object with a \"file\" or \"instances\"");
    }
    if (!scene_is_missing(entry, "instances")) {
        return read_inline(r, entry, where, named_by, name, list);
    }
    int status = scene_check_keys(r, entry, where, "a scene", keys);
    status = status == EXIT_DONE ? scene_find_path(r, where, entry, path) : status;
    status = status == EXIT_DONE ? scene_read_file(r, where, path, named_by, list) : status;
    return status == EXIT_DONE ? note_number(r->scene_numbers, name, *list) : status;
}
