/* input/scene/instance.c: the instances of a scene file, and of the scenes that are written out in
 * it. */
#include "tools/input/scene/reader.h"

/* "mesh" or "scene": a name, or for scenes also a file. */
static int read_what(scene_reader *r, const json_t *object, const char *where, uint32_t list,
                     scene_instance *one)
{
    const json_t *mesh = json_object_get(object, "mesh"), *scene = json_object_get(object, "scene");
    const char *name = json_string_value(mesh != NULL ? mesh : scene);
    if ((mesh != NULL) == (scene != NULL)) {
        return scene_complain(r, where, "it has %s; one of them is needed",
                              mesh != NULL ? "both \"mesh\" and \"scene\""
                                           : "neither \"mesh\" nor \"scene\"");
    }
    if (name == NULL) {
        return scene_complain(r, where, "\"%s\" is no text; it must be a name under \"%s\"",
                              mesh != NULL ? "mesh" : "scene", mesh != NULL ? "meshes" : "scenes");
    }
    if (mesh != NULL) {
        return json_object_get(r->meshes, name) != NULL
                   ? scene_read_mesh(r, name, &one->mesh)
                   : scene_complain(r, where, "there is no mesh \"%.100s\"; add it to \"meshes\"",
                                    name);
    }
    if (json_object_get(r->scenes, name) != NULL) {
        return scene_read_named(r, name, where, list, &one->scene);
    }
    char path[SCENE_PATH_SIZE];
    json_t *as_file = json_pack("{s:O}", "file", scene);
    if (as_file == NULL) {
        return report_memory();
    }
    int status = scene_find_path(r, where, as_file, path);
    json_decref(as_file);
    if (status == EXIT_DONE && !scene_is_there(path)) {
        return scene_complain(r, where,
                              "there is no scene \"%.100s\" under \"scenes\", and no file of "
                              "that name; check it",
                              name);
    }
    return status == EXIT_DONE ? scene_read_file(r, where, path, list, &one->scene) : status;
}

static int read_name(const scene_reader *r, const json_t *object, const char *where,
                     const char **name)
{
    const json_t *json = json_object_get(object, "name");
    if (json == NULL) {
        return EXIT_DONE;
    }
    if (!json_is_string(json)) {
        return scene_complain(r, where, "\"name\" is no text");
    }
    *name = scene_in_text(r->in, json_string_value(json));
    return *name != NULL ? EXIT_DONE : EXIT_FAILED;
}

static int read_instance(scene_reader *r, const json_t *object, const char *where, uint32_t list)
{
    static const char *const keys[] = { "mesh",        "scene",    "matrix", "place",
                                        "translation", "rotation", "scale",  "grid",
                                        "id",          "mask",     "name",   NULL };
    scene_instance one = { .mesh = SL_NONE, .scene = SL_NONE, .is = sl_instance_of(NULL) };
    if (json_is_null(object)) {
        return scene_in_add_instance(r->in, list, &one);
    }
    if (!json_is_object(object)) {
        return scene_complain(r, where, "it is no object; it must be one, or null for a hole");
    }
    int status = scene_check_keys(r, object, where, "an instance", keys);
    status = status == EXIT_DONE ? read_what(r, object, where, list, &one) : status;
    status = status == EXIT_DONE ? scene_read_place(r, object, where, &one.is.transform) : status;
    status = status == EXIT_DONE ? scene_read_grid(r, object, where, &one.is.grid) : status;
    status = status == EXIT_DONE ? scene_read_u32(r, object, where, "id", &one.is.id) : status;
    status = status == EXIT_DONE ? scene_read_u32(r, object, where, "mask", &one.is.mask) : status;
    status = status == EXIT_DONE ? read_name(r, object, where, &one.name) : status;
    return status == EXIT_DONE ? scene_in_add_instance(r->in, list, &one) : status;
}

int scene_read_list(scene_reader *r, const json_t *instances, const char *where, uint32_t list)
{
    const char *dot = where[0] != '\0' ? "." : "";
    if (!json_is_array(instances)) {
        return scene_complain(r, where, "\"instances\" is %s; it must be an array",
                              instances == NULL ? "missing" : "wrong");
    }
    int status = EXIT_DONE;
    for (size_t i = 0; status == EXIT_DONE && i < json_array_size(instances); i++) {
        char place[SCENE_WHERE_SIZE];
        snprintf(place, sizeof place, "%.120s%sinstances[%zu]", where, dot, i);
        status = read_instance(r, json_array_get(instances, i), place, list);
    }
    return status;
}
