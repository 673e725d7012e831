/* input/scene.c: the meshes of a scene, loaded and built in parallel, and the scenes over them. */
#include "tools/input/scene.h"

#include "tools/cli/report.h"
#include "tools/input/tree.h"
#include "tools/output/file_conflicts.h"

#include <sightline/store.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- lists ------------------------------------------------------------------------------- */

void *scene_in_grow(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    const size_t more = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = realloc(items, more * size);
    if (grown == NULL) {
        report_memory();
        return NULL;
    }
    *capacity = more;
    return grown;
}

/* One more place at the end of a list. */
#define MORE(list, count, capacity)                                                                \
    do {                                                                                           \
        void *grown_ = scene_in_grow((list), (count), &(capacity), sizeof *(list));                \
        if (grown_ == NULL) {                                                                      \
            return EXIT_FAILED;                                                                    \
        }                                                                                          \
        (list) = grown_;                                                                           \
    } while (0)

static int add_text(scene_in *in, const char *text, const char **copy)
{
    MORE(in->texts, in->text_count, in->text_capacity);
    *copy = in->texts[in->text_count] = strdup(text);
    if (*copy == NULL) {
        return report_memory();
    }
    in->text_count++;
    return EXIT_DONE;
}

const char *scene_in_text(scene_in *in, const char *text)
{
    const char *copy;
    return add_text(in, text, &copy) == EXIT_DONE ? copy : NULL;
}

int scene_in_add_list(scene_in *in, const char *path, uint32_t named_by, uint32_t *list)
{
    MORE(in->lists, in->list_count, in->list_capacity);
    scene_list *made = &in->lists[in->list_count];
    *made = (scene_list){ .path = strdup(path), .named_by = named_by };
    if (made->path == NULL) {
        return report_memory();
    }
    *list = (uint32_t)in->list_count++;
    return EXIT_DONE;
}

int scene_in_add_instance(scene_in *in, uint32_t list, const scene_instance *instance)
{
    scene_list *to = &in->lists[list];
    MORE(to->instances, to->count, to->capacity);
    to->instances[to->count++] = *instance;
    to->expanded += instance->scene != SL_NONE ? in->lists[instance->scene].expanded : 1;
    if (instance->name != NULL) {
        const size_t size = strlen(instance->name) + 1;
        in->name_size = size > in->name_size ? size : in->name_size;
        in->has_names = true;
    }
    if (instance->mesh != SL_NONE) {
        in->meshes[instance->mesh].uses++;
    }
    return to->expanded < UINT32_C(1) << 28
               ? EXIT_DONE
               : report_input(to->path, 0,
                              "there are more than 2^28 - 1 instances; cut it into "
                              "parts");
}

int scene_in_add_hash(scene_in *in, uint32_t mesh, uint64_t hash, const char *where)
{
    MORE(in->hashes, in->hash_count, in->hash_capacity);
    char *copy = strdup(where);
    if (copy == NULL) {
        return report_memory();
    }
    in->hashes[in->hash_count++] = (scene_hash){ .mesh = mesh, .hash = hash, .where = copy };
    return EXIT_DONE;
}

static int add_mesh(scene_in *in, const char *path, uint32_t *mesh)
{
    MORE(in->meshes, in->mesh_count, in->mesh_capacity);
    scene_mesh *made = &in->meshes[in->mesh_count];
    *made = (scene_mesh){ .path = strdup(path) };
    if (made->path == NULL) {
        return report_memory();
    }
    *mesh = (uint32_t)in->mesh_count++;
    return EXIT_DONE;
}

int scene_in_find_mesh(scene_in *in, const char *path, uint32_t *mesh)
{
    struct stat about;
    if (stat(path, &about) != 0) { /* it was there a moment ago */
        return report_failure(path, "cannot be read: %s; check the disk", report_why(errno));
    }
    for (size_t i = 0; i < in->mesh_count; i++) {
        const scene_mesh *other = &in->meshes[i];
        if (other->number != 0
                ? other->number == (uint64_t)about.st_ino && other->device == (uint64_t)about.st_dev
                : strcmp(other->path, path) == 0) {
            *mesh = (uint32_t)i;
            return EXIT_DONE;
        }
    }
    int status = file_conflicts_read(path);
    status = status == EXIT_DONE ? add_mesh(in, path, mesh) : status;
    if (status == EXIT_DONE) {
        scene_mesh *made = &in->meshes[*mesh];
        made->device = (uint64_t)about.st_dev;
        made->number = (uint64_t)about.st_ino;
        made->size = (uint64_t)about.st_size;
        in->read += made->size;
    }
    return status;
}

/* ---- the nodes of a glTF ----------------------------------------------------------------- */

static int take_nodes(scene_in *in, const char *path, uint32_t list, const sl_gltf *gltf)
{
    const sl_gltf_info info = sl_gltf_get_info(gltf);
    const size_t first = in->mesh_count;
    char name[1200];
    int status = EXIT_DONE;
    for (size_t i = 0; status == EXIT_DONE && i < info.mesh_count; i++) {
        uint32_t mesh = 0, number;
        const sl_mesh *made = sl_gltf_mesh(gltf, i, &number);
        snprintf(name, sizeof name, "%.1100s: meshes[%" PRIu32 "]", path, number);
        status = add_mesh(in, name, &mesh);
        if (status == EXIT_DONE) {
            in->meshes[mesh].mesh = made;
            in->meshes[mesh].size = sl_mesh_soup(made).triangle_count;
        }
    }
    const sl_gltf_instance *nodes = info.instances;
    for (size_t i = 0; status == EXIT_DONE && i < info.instance_count; i++) {
        scene_instance one = { .mesh = (uint32_t)first + nodes[i].mesh,
                               .scene = SL_NONE,
                               .is = sl_instance_of(NULL),
                               .name = nodes[i].name[0] != '\0' ? nodes[i].name : NULL };
        one.is.transform = nodes[i].transform;
        one.is.id = nodes[i].node;
        status = scene_in_add_instance(in, list, &one);
    }
    return status;
}

/* A mesh where a scene was asked for. */
static int refuse_mesh(const scene_in *in, const char *path, uint32_t list, const sl_error *error)
{
    const uint32_t by = in->lists[list].named_by;
    return by == SL_NONE ? report_input(path, 0, "%s; leave out --nodes", error->message)
                         : report_input(path, 0, "%s; in %s, name it under \"meshes\"",
                                        error->message, in->lists[by].path);
}

int scene_in_read_nodes(scene_in *in, const char *path, uint32_t list)
{
    MORE(in->gltfs, in->gltf_count, in->gltf_capacity);
    sl_mesh_def def = in->options.mesh;
    def.hooks = (sl_hooks){ .progress = progress_hook(in->options.bar) };
    sl_error error;
    sl_gltf *gltf;
    if (sl_gltf_load(path, &def, &gltf, &error) != SL_OK) {
        return strstr(error.message, "no glTF") != NULL ? refuse_mesh(in, path, list, &error)
                                                        : report_error(&error);
    }
    in->gltfs[in->gltf_count++] = gltf;
    return take_nodes(in, path, list, gltf);
}

/* ---- loading and building, each mesh once, in parallel ----------------------------------- */

typedef void mesh_fn(scene_in *in, scene_mesh *mesh, const sl_tasks *tasks);

typedef struct mesh_pass {
    scene_in *in;
    mesh_fn *fn;
    const uint32_t *order;
} mesh_pass;

static void pass_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mesh_pass *pass = context;
    for (size_t i = begin; i < end; i++) {
        pass->fn(pass->in, &pass->in->meshes[pass->order[i]], NULL);
    }
}

static const scene_mesh *sorted_meshes; /* for by_size, while one thread sorts */

static int by_size(const void *a, const void *b)
{
    const uint64_t x = sorted_meshes[*(const uint32_t *)a].size;
    const uint64_t y = sorted_meshes[*(const uint32_t *)b].size;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The largest first: those that are more than a worker's share with all threads, one after the
 * other, and the rest one to a worker. */
static int for_each_mesh(scene_in *in, mesh_fn *fn, const char *stage)
{
    const sl_tasks *tasks = in->options.build.hooks.tasks;
    uint32_t *order = malloc((in->mesh_count + 1) * sizeof *order);
    if (order == NULL) {
        return report_memory();
    }
    uint64_t left = 0;
    for (size_t i = 0; i < in->mesh_count; i++) {
        order[i] = (uint32_t)i;
        left += in->meshes[i].size;
    }
    sorted_meshes = in->meshes;
    qsort(order, in->mesh_count, sizeof *order, by_size);
    const size_t workers = (size_t)tasks->worker_count, step = 8 * workers;
    size_t done = 0;
    for (; done < in->mesh_count; done++) {
        scene_mesh *mesh = &in->meshes[order[done]];
        if (workers > 1 && mesh->size * workers <= left) {
            break;
        }
        progress_show(in->options.bar, stage, (double)done / (double)in->mesh_count);
        left -= mesh->size;
        fn(in, mesh, tasks);
    }
    while (done < in->mesh_count) {
        progress_show(in->options.bar, stage, (double)done / (double)in->mesh_count);
        const size_t count = in->mesh_count - done < step ? in->mesh_count - done : step;
        mesh_pass pass = { .in = in, .fn = fn, .order = order + done };
        tasks->parallel_for(tasks->user, count, 1, pass_range, &pass);
        done += count;
    }
    free(order);
    for (size_t i = 0; i < in->mesh_count; i++) {
        if (in->meshes[i].error.code != SL_OK) {
            return report_error(&in->meshes[i].error);
        }
    }
    return EXIT_DONE;
}

static void load_mesh(scene_in *in, scene_mesh *mesh, const sl_tasks *tasks)
{
    (void)tasks;
    if (mesh->mesh != NULL) {
        return;
    }
    sl_error error = { .code = SL_OK };
    mesh->is_tree = tree_in_is(mesh->path);
    if (mesh->is_tree) {
        sl_bvh_load_def def = { .flags = in->options.trusted ? SL_LOAD_TRUSTED : 0 };
        (void)sl_bvh_map(mesh->path, &def, &mesh->bvh, &error);
    } else if (sl_mesh_load(mesh->path, &in->options.mesh, &mesh->own, &error) == SL_OK) {
        mesh->mesh = mesh->own;
        mesh->size = sl_mesh_soup(mesh->mesh).triangle_count;
    }
    mesh->error = error;
}

static void build_tree(scene_in *in, scene_mesh *mesh, const sl_tasks *tasks)
{
    if (mesh->bvh != NULL) {
        return;
    }
    sl_error error = { .code = SL_OK };
    sl_build_def def = in->options.build;
    def.hooks = (sl_hooks){ .tasks = tasks };
    if (sl_bvh_build(mesh->mesh, &def, &mesh->bvh, &error) != SL_OK) {
        snprintf(error.file, sizeof error.file, "%s", mesh->path);
    }
    mesh->error = error;
}

/* Nested scenes may stand for many more instances than files name. */
static int check_memory(const scene_in *in)
{
    enum { BYTES_AN_INSTANCE = 600 };
    const scene_list *root = &in->lists[in->root];
    const uint64_t most =
        in->options.max_memory > 0 ? in->options.max_memory : (UINT64_C(64) << 20) + 40 * in->read;
    uint64_t all = 0;
    for (size_t i = 0; i < in->list_count; i++) {
        all += in->lists[i].expanded;
    }
    return all <= most / BYTES_AN_INSTANCE
               ? EXIT_DONE
               : report_input(root->path, 0,
                              "%" PRIu64 " instances, those within scenes counted, would take more "
                              "than %" PRIu64 " bytes; allow more with --max-memory",
                              all, most);
}

static int check_hashes(const scene_in *in)
{
    for (size_t i = 0; i < in->hash_count; i++) {
        const scene_hash *expected = &in->hashes[i];
        const scene_mesh *mesh = &in->meshes[expected->mesh];
        const uint64_t hash =
            mesh->mesh != NULL ? sl_mesh_hash(mesh->mesh) : sl_bvh_mesh_hash(mesh->bvh);
        if (hash != expected->hash) {
            return report_input(mesh->path, 0,
                                "its hash is %016" PRIx64 ", but %s says %016" PRIx64
                                "; it has changed: check it, and write the new hash",
                                hash, expected->where, expected->hash);
        }
    }
    return EXIT_DONE;
}

static int load_meshes(scene_in *in)
{
    int status = check_memory(in);
    status = status == EXIT_DONE ? for_each_mesh(in, load_mesh, "meshes") : status;
    for (size_t i = 0; i < in->mesh_count; i++) {
        const sl_mesh *mesh = in->meshes[i].mesh;
        in->has_parts |= mesh != NULL && sl_mesh_get_info(mesh).part_count > 0;
    }
    return status == EXIT_DONE ? check_hashes(in) : status;
}

/* The library names an instance by numbers alone, "instance 1 (number 2): ..."; its names are added
 * where it has any. */
static int refuse_instance(const scene_in *in, uint32_t number, const char *message)
{
    const scene_list *list = &in->lists[number];
    const char *path = list->path, *words = strstr(message, "): ");
    char names[200] = "";
    size_t used = 0;
    uint32_t left;
    if (words == NULL || sscanf(message, "instance %*u (number %" SCNu32, &left) != 1) {
        return report_input(path, 0, "%s; mend the file, or use --bad leave-out", message);
    }
    while (list != NULL) {
        const scene_list *inner = NULL;
        const scene_instance *one = NULL;
        for (size_t i = 0; one == NULL && i < list->count; i++) {
            const uint32_t scene = list->instances[i].scene;
            const uint64_t size = scene != SL_NONE ? in->lists[scene].expanded : 1;
            if (left < size) {
                one = &list->instances[i];
                inner = scene != SL_NONE ? &in->lists[scene] : NULL;
            } else {
                left -= (uint32_t)size;
            }
        }
        if (one != NULL && one->name != NULL && used < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used == 0 ? ", '" : "/", one->name);
        }
        list = inner;
    }
    return report_input(path, 0, "%.*s%s%s%s; mend the file, or use --bad leave-out",
                        (int)(words + 1 - message), message, names, used > 0 ? "'" : "", words + 1);
}

/* Lists come in the order in which they are met, so that inner ones come behind outer ones; a scene
 * that is named a second time stands further in front than needed, which is why each is built when
 * it is asked for. */
static int build_list(scene_in *in, uint32_t number, bool outermost)
{
    scene_list *list = &in->lists[number];
    if (list->scene != NULL) {
        return EXIT_DONE;
    }
    sl_instance *all = malloc((list->count + 1) * sizeof *all);
    int status = all != NULL ? EXIT_DONE : report_memory();
    for (size_t i = 0; status == EXIT_DONE && i < list->count; i++) {
        const scene_instance *one = &list->instances[i];
        if (one->scene != SL_NONE) { /* at most SCENE_DEPTH_MAX deep */
            status = build_list(in, one->scene, false);
        }
        all[i] = one->is;
        all[i].bvh = one->scene != SL_NONE  ? in->lists[one->scene].scene
                     : one->mesh != SL_NONE ? in->meshes[one->mesh].bvh
                                            : NULL;
    }
    if (status == EXIT_DONE) {
        sl_instances_def def = (sl_instances_def){ 0 };
        sl_error error;
        def.hooks.tasks = in->options.build.hooks.tasks;
        def.quality = in->options.build.quality;
        /* An inner scene is judged again, where it stands in the world. */
        def.bad = outermost && !in->options.leave_out ? SL_BAD_INSTANCES_REFUSE
                                                      : SL_BAD_INSTANCES_LEAVE_OUT;
        if (sl_bvh_build_instances(all, list->count, &def, &list->scene, &error) != SL_OK) {
            snprintf(error.file, sizeof error.file, "%s", list->path);
            status = error.code == SL_BAD_DATA ? refuse_instance(in, number, error.message)
                                               : report_error(&error);
        }
    }
    free(all);
    return status;
}

int scene_in_build(scene_in *in)
{
    int status = for_each_mesh(in, build_tree, "trees");
    status = status == EXIT_DONE ? build_list(in, in->root, true) : status;
    if (status == EXIT_DONE) {
        in->scene = in->lists[in->root].scene;
        in->info = sl_bvh_get_info(in->scene);
        in->name = malloc(SCENE_DEPTH_MAX * in->name_size + 1);
        status = in->name != NULL ? EXIT_DONE : report_memory();
    }
    return status;
}

int scene_in_load(scene_in *in, const char *path, const scene_in_options *options)
{
    *in = (scene_in){ .options = *options };
    const int status = scene_file_read(in, path, SL_NONE, 0, &in->root);
    return status == EXIT_DONE ? load_meshes(in) : status;
}

int scene_in_load_bytes(scene_in *in, const void *bytes, size_t size,
                        const scene_in_options *options)
{
    *in = (scene_in){ .options = *options };
    const int status = scene_file_read_bytes(in, bytes, size);
    return status == EXIT_DONE ? load_meshes(in) : status;
}

int scene_in_load_nodes(scene_in *in, const char *path, const scene_in_options *options)
{
    *in = (scene_in){ .options = *options };
    int status = scene_in_add_list(in, path, SL_NONE, &in->root);
    status = status == EXIT_DONE ? scene_in_read_nodes(in, path, in->root) : status;
    struct stat about;
    in->read = stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
    return status == EXIT_DONE ? load_meshes(in) : status;
}

void scene_in_close(scene_in *in)
{
    for (size_t i = in->list_count; i-- > 0;) {
        sl_bvh_destroy(in->lists[i].scene);
        free(in->lists[i].instances);
        free(in->lists[i].path);
    }
    for (size_t i = 0; i < in->mesh_count; i++) {
        sl_bvh_destroy(in->meshes[i].bvh);
        sl_mesh_destroy(in->meshes[i].own);
        free(in->meshes[i].path);
    }
    for (size_t i = 0; i < in->hash_count; i++) {
        free(in->hashes[i].where);
    }
    for (size_t i = 0; i < in->gltf_count; i++) {
        sl_gltf_destroy(in->gltfs[i]);
    }
    for (size_t i = 0; i < in->text_count; i++) {
        free(in->texts[i]);
    }
    free(in->lists);
    free(in->meshes);
    free(in->hashes);
    free(in->gltfs);
    free(in->texts);
    free(in->name);
    *in = (scene_in){ .scene = NULL };
}
