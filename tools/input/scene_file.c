/* input/scene_file.c: scene files, which are JSON; docs/scene-file.md describes them.
 *
 * Everything is checked as it is read, and named by its place: instances[3], meshes["bolt"].  A
 * scene is read when it is first referred to; one that is referred to while it is being read is a
 * loop.  Calls nest as deep as scenes do, SCENE_DEPTH_MAX at most. */
#include "tools/cli/file_conflicts.h"
#include "tools/cli/report.h"
#include "tools/cli/spelling.h"
#include "tools/input/scene.h"
#include "tools/input/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 1024, WHERE_SIZE = 160 };

/* A file on its way in. */
typedef struct reader {
    scene_in *in;
    const char *path;
    const json_t *meshes, *scenes; /* its named ones; NULL: none */
    json_t *mesh_numbers;          /* name to place in in->meshes, of those met so far */
    json_t *scene_numbers;         /* the same for in->lists */
    int depth;
} reader;

static int read_list(reader *r, const json_t *instances, const char *where, uint32_t list);

/* ---- what any object is checked for ------------------------------------------------------ */

REPORT_PRINTF(3, 4)
static int complain(const reader *r, const char *where, const char *format, ...)
{
    char words[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return report_input(r->path, 0, "%s%s%s", where, where[0] != '\0' ? ": " : "", words);
}

/* An unknown name is probably a misspelt one, and must not be ignored silently. */
static int check_keys(const reader *r, const json_t *object, const char *where, const char *what,
                      const char *const *known)
{
    const char *key;
    json_t *ignored;
    json_object_foreach((json_t *)object, key, ignored)
    {
        spelling best = spelling_start(key, strlen(key));
        size_t i = 0;
        while (known[i] != NULL && strcmp(known[i], key) != 0) {
            spelling_try(&best, known[i++]);
        }
        if (known[i] == NULL) {
            return best.closest != NULL
                       ? complain(r, where, "\"%.60s\" does not belong in %s; did you mean \"%s\"?",
                                  key, what, best.closest)
                       : complain(r, where, "\"%.60s\" does not belong in %s; leave it out", key,
                                  what);
        }
    }
    return EXIT_DONE;
}

static bool is_missing(const json_t *object, const char *key)
{
    return json_object_get(object, key) == NULL;
}

/* count numbers of an array; wanted says what they are. */
static int read_numbers(const reader *r, const json_t *object, const char *where, const char *key,
                        size_t count, const char *wanted, double *out)
{
    const json_t *array = json_object_get(object, key);
    if (!json_is_array(array)) {
        return complain(r, where, "\"%s\" is no array; it must be %s", key, wanted);
    }
    if (json_array_size(array) != count) {
        return complain(r, where, "\"%s\" has %zu elements; it must be %s", key,
                        json_array_size(array), wanted);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(array, i);
        if (!json_is_number(number)) {
            return complain(r, where, "\"%s\"[%zu] is no number; it must be %s", key, i, wanted);
        }
        out[i] = json_number_value(number);
    }
    return EXIT_DONE;
}

/* A whole number of 32 bits; what is absent stays as it is. */
static int read_u32(const reader *r, const json_t *object, const char *where, const char *key,
                    uint32_t *out)
{
    const json_t *number = json_object_get(object, key);
    if (number == NULL) {
        return EXIT_DONE;
    }
    const json_int_t value = json_integer_value(number);
    if (!json_is_integer(number) || value < 0 || value > (json_int_t)UINT32_MAX) {
        return complain(r, where, "\"%s\" must be a whole number from 0 to 4294967295", key);
    }
    *out = (uint32_t)value;
    return EXIT_DONE;
}

/* ---- names of files ---------------------------------------------------------------------- */

/* The file that a scene file means: from its own folder. */
static int find_path(const reader *r, const char *where, const json_t *object, char to[PATH_SIZE])
{
    const char *name = json_string_value(json_object_get(object, "file"));
    if (name == NULL || name[0] == '\0' ||
        strlen(name) != json_string_length(json_object_get(object, "file"))) {
        return complain(r, where, "\"file\" is %s; it must be the name of a file",
                        is_missing(object, "file") ? "missing" : "wrong");
    }
    const char *slash = strrchr(r->path, '/');
    const bool absolute = name[0] == '/' || (name[0] != '\0' && name[1] == ':');
    const int folder = absolute || slash == NULL ? 0 : (int)(slash - r->path) + 1;
    const int size = snprintf(to, PATH_SIZE, "%.*s%s", folder, r->path, name);
    return size < PATH_SIZE
               ? EXIT_DONE
               : complain(r, where, "\"file\" is longer than %d bytes with its folder", PATH_SIZE);
}

static bool is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

static int check_there(const reader *r, const char *where, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        return complain(r, where, "'%s': %s; check the name", path,
                        errno == ENOENT ? "no such file" : strerror(errno));
    }
    return S_ISREG(about.st_mode) ? EXIT_DONE
                                  : complain(r, where, "'%s' is no regular file; name one", path);
}

/* ---- meshes and scenes by name ----------------------------------------------------------- */

static int read_hash(const reader *r, const json_t *object, const char *where, uint32_t mesh)
{
    const json_t *json = json_object_get(object, "hash");
    const char *text = json_string_value(json);
    if (json == NULL) {
        return EXIT_DONE;
    }
    if (text == NULL || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) {
        return complain(r, where,
                        "\"hash\" must be 16 hexadecimal digits, as 'sightline build' "
                        "and 'sightline info' print it");
    }
    char place[WHERE_SIZE + PATH_SIZE];
    snprintf(place, sizeof place, "%s of %s", where, r->path);
    return scene_in_add_hash(r->in, mesh, strtoull(text, NULL, 16), place);
}

static int read_mesh(reader *r, const char *name, uint32_t *mesh)
{
    static const char *const keys[] = { "file", "hash", NULL };
    const json_t *known = json_object_get(r->mesh_numbers, name);
    if (known != NULL) {
        *mesh = (uint32_t)json_integer_value(known);
        return EXIT_DONE;
    }
    char where[WHERE_SIZE], path[PATH_SIZE];
    const json_t *entry = json_object_get(r->meshes, name);
    snprintf(where, sizeof where, "meshes[\"%.100s\"]", name);
    if (!json_is_object(entry)) {
        return complain(r, where, "it must be an object with a \"file\"");
    }
    int status = check_keys(r, entry, where, "a mesh", keys);
    if (status == EXIT_DONE) {
        status = find_path(r, where, entry, path);
    }
    if (status == EXIT_DONE) {
        status = check_there(r, where, path);
    }
    if (status == EXIT_DONE) {
        status = scene_in_find_mesh(r->in, path, mesh);
    }
    if (status == EXIT_DONE) {
        status = read_hash(r, entry, where, *mesh);
    }
    if (status == EXIT_DONE &&
        json_object_set_new(r->mesh_numbers, name, json_integer(*mesh)) != 0) {
        status = report_memory();
    }
    return status;
}

static int refuse_depth(const reader *r, const char *where)
{
    return complain(r, where,
                    "scenes within scenes are %d deep here, and no more can be; place what "
                    "is within directly",
                    SCENE_DEPTH_MAX);
}

/* One that is written out in the file. */
static int read_inline(reader *r, const json_t *entry, const char *where, uint32_t named_by,
                       const char *name, uint32_t *list)
{
    static const char *const keys[] = { "instances", NULL };
    char path[WHERE_SIZE + PATH_SIZE];
    if (r->depth + 1 >= SCENE_DEPTH_MAX) {
        return refuse_depth(r, where);
    }
    snprintf(path, sizeof path, "%s: %s", r->path, where);
    int status = check_keys(r, entry, where, "a scene", keys);
    if (status == EXIT_DONE) {
        status = scene_in_add_list(r->in, path, named_by, list);
    }
    if (status == EXIT_DONE &&
        json_object_set_new(r->scene_numbers, name, json_integer(*list)) != 0) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        r->in->lists[*list].open = true;
        r->depth++;
        status = read_list(r, json_object_get(entry, "instances"), where, *list);
        r->depth--;
        r->in->lists[*list].open = false;
    }
    return status;
}

static int refuse_loop(const reader *r, const char *where, uint32_t list)
{
    return complain(r, where, "it places %s, and is itself within that; take one of the two out",
                    r->in->lists[list].path);
}

static int read_scene_file(reader *r, const char *where, const char *path, uint32_t named_by,
                           uint32_t *list)
{
    if (r->depth + 1 >= SCENE_DEPTH_MAX) {
        return refuse_depth(r, where);
    }
    int status = check_there(r, where, path);
    if (status == EXIT_DONE) {
        status = scene_file_read(r->in, path, named_by, r->depth + 1, list);
    }
    return status == EXIT_DONE && r->in->lists[*list].open ? refuse_loop(r, where, *list) : status;
}

static int read_scene(reader *r, const char *name, const char *place, uint32_t named_by,
                      uint32_t *list)
{
    static const char *const keys[] = { "file", NULL };
    const json_t *known = json_object_get(r->scene_numbers, name);
    if (known != NULL) {
        *list = (uint32_t)json_integer_value(known);
        return r->in->lists[*list].open ? refuse_loop(r, place, *list) : EXIT_DONE;
    }
    char where[WHERE_SIZE], path[PATH_SIZE];
    const json_t *entry = json_object_get(r->scenes, name);
    snprintf(where, sizeof where, "scenes[\"%.100s\"]", name);
    if (!json_is_object(entry) || is_missing(entry, "file") == is_missing(entry, "instances")) {
        return complain(r, where, "it must be an object with a \"file\" or \"instances\"");
    }
    if (!is_missing(entry, "instances")) {
        return read_inline(r, entry, where, named_by, name, list);
    }
    int status = check_keys(r, entry, where, "a scene", keys);
    if (status == EXIT_DONE) {
        status = find_path(r, where, entry, path);
    }
    if (status == EXIT_DONE) {
        status = read_scene_file(r, where, path, named_by, list);
    }
    if (status == EXIT_DONE &&
        json_object_set_new(r->scene_numbers, name, json_integer(*list)) != 0) {
        status = report_memory();
    }
    return status;
}

/* ---- places ------------------------------------------------------------------------------ */

static bool is_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            return false;
        }
    }
    return true;
}

static int read_matrix(const reader *r, const json_t *object, const char *where, sl_place *place)
{
    double m[16];
    const int status =
        read_numbers(r, object, where, "matrix", 16, "16 numbers, column by column", m);
    if (status != EXIT_DONE) {
        return status;
    }
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) {
        return complain(r, where,
                        "the last row of \"matrix\", its elements 3, 7, 11 and 15, is "
                        "not 0, 0, 0, 1; write the matrix column by column");
    }
    for (int i = 0; i < 12; i++) {
        place->m[i / 4][i % 4] = m[4 * (i % 4) + i / 4];
    }
    return EXIT_DONE;
}

static int read_trs(const reader *r, const json_t *object, const char *where, sl_place *place)
{
    double t[3] = { 0, 0, 0 }, q[4] = { 0, 0, 0, 1 }, s[3] = { 1, 1, 1 };
    int status = EXIT_DONE;
    if (!is_missing(object, "translation")) {
        status = read_numbers(r, object, where, "translation", 3, "three numbers", t);
    }
    if (status == EXIT_DONE && !is_missing(object, "rotation")) {
        status = read_numbers(r, object, where, "rotation", 4, "a quaternion, x y z w", q);
    }
    const json_t *scale = json_object_get(object, "scale");
    if (status == EXIT_DONE && json_is_number(scale)) {
        s[0] = s[1] = s[2] = json_number_value(scale);
    } else if (status == EXIT_DONE && scale != NULL) {
        status = read_numbers(r, object, where, "scale", 3, "a number, or three", s);
    }
    if (status == EXIT_DONE && !sl_place_from_trs(t, q, s, place)) {
        return complain(r, where,
                        q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0
                            ? "\"rotation\" is all zeros, which is no quaternion; 0, 0, "
                              "0, 1 turns nothing"
                            : "translation, rotation and scale make a place that is not "
                              "finite; write smaller numbers");
    }
    return status;
}

static int read_place(const reader *r, const json_t *object, const char *where, sl_place *place)
{
    const bool trs = !is_missing(object, "translation") || !is_missing(object, "rotation") ||
                     !is_missing(object, "scale");
    const bool matrix = !is_missing(object, "matrix"), rows = !is_missing(object, "place");
    if (trs + matrix + rows > 1) {
        return complain(r, where, "it has %s; say where it stands in one way",
                        !trs     ? "both \"matrix\" and \"place\""
                        : matrix ? "both \"matrix\" and one of \"translation\", \"rotation\" and "
                                   "\"scale\""
                                 : "both \"place\" and one of \"translation\", \"rotation\" and "
                                   "\"scale\"");
    }
    int status = EXIT_DONE;
    if (matrix) {
        status = read_matrix(r, object, where, place);
    } else if (rows) {
        status = read_numbers(r, object, where, "place", 12, "12 numbers, three rows of four",
                              &place->m[0][0]);
    } else {
        status = read_trs(r, object, where, place);
    }
    if (status == EXIT_DONE && !is_finite(&place->m[0][0], 12)) {
        status = complain(r, where, "its place is not finite; write smaller numbers");
    }
    return status;
}

static int read_grid(const reader *r, const json_t *object, const char *where, double *grid)
{
    const json_t *json = json_object_get(object, "grid");
    int exponent;
    if (json == NULL) {
        return EXIT_DONE;
    }
    *grid = json_number_value(json);
    if (!json_is_number(json) || (*grid != 0 && !(*grid >= 0x1p-149 && *grid <= 0x1p127 &&
                                                  frexp(*grid, &exponent) == 0.5))) {
        return complain(r, where,
                        "\"grid\" must be a power of two, such as 0.0009765625, or 0 for "
                        "none");
    }
    return EXIT_DONE;
}

/* ---- instances --------------------------------------------------------------------------- */

/* "mesh" or "scene": a name, or for scenes also a file. */
static int read_what(reader *r, const json_t *object, const char *where, uint32_t list,
                     scene_instance *one)
{
    const json_t *mesh = json_object_get(object, "mesh"), *scene = json_object_get(object, "scene");
    const char *name = json_string_value(mesh != NULL ? mesh : scene);
    if ((mesh != NULL) == (scene != NULL)) {
        return complain(r, where, "it has %s; one of them is needed",
                        mesh != NULL ? "both \"mesh\" and \"scene\""
                                     : "neither \"mesh\" nor \"scene\"");
    }
    if (name == NULL) {
        return complain(r, where, "\"%s\" is no text; it must be a name under \"%s\"",
                        mesh != NULL ? "mesh" : "scene", mesh != NULL ? "meshes" : "scenes");
    }
    if (mesh != NULL) {
        return json_object_get(r->meshes, name) != NULL
                   ? read_mesh(r, name, &one->mesh)
                   : complain(r, where, "there is no mesh \"%.100s\"; add it to \"meshes\"", name);
    }
    if (json_object_get(r->scenes, name) != NULL) {
        return read_scene(r, name, where, list, &one->scene);
    }
    char path[PATH_SIZE];
    json_t *as_file = json_pack("{s:O}", "file", scene);
    if (as_file == NULL) {
        return report_memory();
    }
    int status = find_path(r, where, as_file, path);
    json_decref(as_file);
    if (status == EXIT_DONE && !is_there(path)) {
        return complain(r, where,
                        "there is no scene \"%.100s\" under \"scenes\", and no file of "
                        "that name; check it",
                        name);
    }
    return status == EXIT_DONE ? read_scene_file(r, where, path, list, &one->scene) : status;
}

static int read_name(const reader *r, const json_t *object, const char *where, const char **name)
{
    const json_t *json = json_object_get(object, "name");
    if (json == NULL) {
        return EXIT_DONE;
    }
    if (!json_is_string(json)) {
        return complain(r, where, "\"name\" is no text");
    }
    *name = scene_in_text(r->in, json_string_value(json));
    return *name != NULL ? EXIT_DONE : EXIT_FAILED;
}

static int read_instance(reader *r, const json_t *object, const char *where, uint32_t list)
{
    static const char *const keys[] = { "mesh",        "scene",    "matrix", "place",
                                        "translation", "rotation", "scale",  "grid",
                                        "id",          "mask",     "name",   NULL };
    scene_instance one = { .mesh = SL_NONE, .scene = SL_NONE, .is = sl_instance_of(NULL) };
    if (json_is_null(object)) {
        return scene_in_add_instance(r->in, list, &one);
    }
    if (!json_is_object(object)) {
        return complain(r, where, "it is no object; it must be one, or null for a hole");
    }
    int status = check_keys(r, object, where, "an instance", keys);
    if (status == EXIT_DONE) {
        status = read_what(r, object, where, list, &one);
    }
    if (status == EXIT_DONE) {
        status = read_place(r, object, where, &one.is.place);
    }
    if (status == EXIT_DONE) {
        status = read_grid(r, object, where, &one.is.grid);
    }
    if (status == EXIT_DONE) {
        status = read_u32(r, object, where, "id", &one.is.id);
    }
    if (status == EXIT_DONE) {
        status = read_u32(r, object, where, "mask", &one.is.mask);
    }
    if (status == EXIT_DONE) {
        status = read_name(r, object, where, &one.name);
    }
    return status == EXIT_DONE ? scene_in_add_instance(r->in, list, &one) : status;
}

static int read_list(reader *r, const json_t *instances, const char *where, uint32_t list)
{
    const char *dot = where[0] != '\0' ? "." : "";
    if (!json_is_array(instances)) {
        return complain(r, where, "\"instances\" is %s; it must be an array",
                        instances == NULL ? "missing" : "wrong");
    }
    int status = EXIT_DONE;
    for (size_t i = 0; status == EXIT_DONE && i < json_array_size(instances); i++) {
        char place[WHERE_SIZE];
        snprintf(place, sizeof place, "%.120s%sinstances[%zu]", where, dot, i);
        status = read_instance(r, json_array_get(instances, i), place, list);
    }
    return status;
}

/* ---- files ------------------------------------------------------------------------------- */

static int check_head(const reader *r, const json_t *root)
{
    static const char *const keys[] = {
        "sightline", "schema", "meshes", "scenes", "instances", NULL
    };
    const char *kind = json_string_value(json_object_get(root, "sightline"));
    if (kind == NULL || strcmp(kind, "scene") != 0) {
        return complain(r, "", "\"sightline\" is %s; it must be \"scene\"",
                        is_missing(root, "sightline") ? "missing" : "wrong");
    }
    const json_t *schema = json_object_get(root, "schema");
    if (!json_is_integer(schema) || json_integer_value(schema) != 1) {
        return complain(r, "", "\"schema\" is %s; this version reads scenes of schema 1",
                        schema == NULL ? "missing" : "not 1");
    }
    const json_t *const named[] = { json_object_get(root, "meshes"),
                                    json_object_get(root, "scenes") };
    for (int i = 0; i < 2; i++) {
        if (named[i] != NULL && !json_is_object(named[i])) {
            return complain(r, "", "\"%s\" is no object; it must be one, of names",
                            i == 0 ? "meshes" : "scenes");
        }
    }
    return check_keys(r, root, "", "a scene file", keys);
}

/* What no instance refers to is checked, too. */
static int read_the_rest(reader *r, uint32_t list)
{
    const char *name;
    json_t *ignored;
    uint32_t number;
    json_object_foreach((json_t *)r->meshes, name, ignored)
    {
        const int status = read_mesh(r, name, &number);
        if (status != EXIT_DONE) {
            return status;
        }
    }
    json_object_foreach((json_t *)r->scenes, name, ignored)
    {
        char where[WHERE_SIZE];
        snprintf(where, sizeof where, "scenes[\"%.100s\"]", name);
        const int status = read_scene(r, name, where, list, &number);
        if (status != EXIT_DONE) {
            return status;
        }
    }
    return EXIT_DONE;
}

static int read_root(scene_in *in, const char *path, const json_t *root, int depth, uint32_t list)
{
    reader r = { .in = in, .path = path, .depth = depth };
    if (!json_is_object(root)) {
        return complain(&r, "", "this is no JSON object, so it is no scene");
    }
    r.meshes = json_object_get(root, "meshes");
    r.scenes = json_object_get(root, "scenes");
    r.mesh_numbers = json_object();
    r.scene_numbers = json_object();
    int status =
        r.mesh_numbers != NULL && r.scene_numbers != NULL ? check_head(&r, root) : report_memory();
    if (status == EXIT_DONE) {
        status = read_list(&r, json_object_get(root, "instances"), "", list);
    }
    if (status == EXIT_DONE) {
        status = read_the_rest(&r, list);
    }
    json_decref(r.mesh_numbers);
    json_decref(r.scene_numbers);
    return status;
}

/* jansson goes on without what it has no memory for, or speaks of bad syntax: so it is noted when
 * memory was refused, and nothing of what was read then is believed. */
static bool was_refused;

static void *note_refusal(size_t size)
{
    void *block = malloc(size);
    was_refused = was_refused || block == NULL;
    return block;
}

/* From a stream, or where that is NULL from bytes.  NULL: *error says why, or was_refused is
 * true. */
static json_t *parse(FILE *stream, const void *bytes, size_t size, json_error_t *error)
{
    json_malloc_t take;
    json_free_t give;
    json_get_alloc_funcs(&take, &give);
    json_set_alloc_funcs(note_refusal, free);
    was_refused = false;
    json_t *root = stream != NULL ? json_loadf(stream, JSON_REJECT_DUPLICATES, error)
                                  : json_loadb(bytes, size, JSON_REJECT_DUPLICATES, error);
    json_set_alloc_funcs(take, give);
    if (was_refused) {
        json_decref(root);
        return NULL;
    }
    return root;
}

static int report_unread(const char *name, const json_error_t *error)
{
    if (was_refused) {
        return report_memory();
    }
    return error->line > 0
               ? report_input(name, (uint64_t)error->line, "column %d: %s; a scene file is JSON",
                              error->column, error->text)
               : report_input(name, 0, "%s; a scene file is JSON", error->text);
}

static int read_json(scene_in *in, const char *path, int depth, uint32_t list)
{
    json_error_t error = { 0 };
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return report_failure(path, "cannot be read: %s; check the permissions", strerror(errno));
    }
    json_t *root = parse(stream, NULL, 0, &error);
    const bool failed = ferror(stream) != 0;
    fclose(stream);
    if (root == NULL) {
        return failed ? report_failure(path, "cannot be read; check the disk")
                      : report_unread(path, &error);
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
                            errno == ENOENT ? "no such file" : strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return report_input(path, 0, "this is no file; name a scene file or a glTF");
    }
    if (find_list(in, path, &about, list)) {
        return EXIT_DONE;
    }
    int status = file_conflicts_read(path);
    if (status == EXIT_DONE) {
        status = scene_in_add_list(in, path, named_by, list);
    }
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
    json_t *root = parse(NULL, bytes, size, &error);
    if (root == NULL) {
        return report_unread("stdin", &error);
    }
    in->lists[in->root].open = true;
    status = read_root(in, "stdin", root, 0, in->root);
    in->lists[in->root].open = false;
    json_decref(root);
    return status;
}

/* ---- which files these are --------------------------------------------------------------- */

bool scene_in_is_bytes(const void *bytes, size_t size)
{
    static const char first[] = "\"sightline\"";
    const char *at = bytes, *end = at + size;
    at += size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (int brace = 0; brace < 2; brace++) {
        while (at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0') {
            at++;
        }
        if (brace == 0 && (at == end || *at++ != '{')) {
            return false;
        }
    }
    return (size_t)(end - at) >= sizeof first - 1 && memcmp(at, first, sizeof first - 1) == 0;
}

/* A .json that is no glTF: other formats begin with no brace. */
static bool is_scene_json(FILE *stream)
{
    json_t *root = json_loadf(stream, 0, NULL);
    const bool is = root == NULL || json_object_get(root, "asset") == NULL;
    json_decref(root);
    return is;
}

bool scene_in_is_file(const char *path)
{
    char begin[256];
    const size_t length = strlen(path);
    const size_t got = tree_in_begin(path, begin, sizeof begin);
    if (got == 0 || scene_in_is_bytes(begin, got)) {
        return got > 0;
    }
    FILE *stream = length > 5 && strcmp(path + length - 5, ".json") == 0 ? fopen(path, "rb") : NULL;
    const bool is = stream != NULL && is_scene_json(stream);
    if (stream != NULL) {
        fclose(stream);
    }
    return is;
}
