/* world.c: what is in the world, and its next version. */
#include "tools/godot/world.h"

#include <stdlib.h>

void destroy_world(world *w)
{
    sl_bvh_destroy(w->scene);
    for (size_t i = 0; i < w->meshes.count; i++) {
        sl_bvh_destroy((sl_bvh *)w->meshes.rows[i].bvh);
    }
    sl_pool_destroy(w->pool);
    free(w->meshes.rows);
    free(w->instances.rows);
    free(w);
}

const sl_tasks *tasks_of(const world *w)
{
    return w->pool == NULL ? NULL : sl_pool_tasks(w->pool);
}

/* ---- Rows ---- */

/* Fills the lowest free row, so that worlds with the same history have the same numbers, and
 * returns its number; -1 where there is no memory. */
static int64_t add_row(table *t, sl_instance row)
{
    while (t->lowest < t->count && t->rows[t->lowest].bvh != NULL) {
        t->lowest++;
    }
    if (t->lowest == t->count) {
        if ((t->count & (t->count - 1)) ==
            0) { /* 0, 1, 2, 4, ..., and then there is no more room */
            sl_instance *rows = realloc(t->rows, (2 * t->count + 1) * sizeof *rows);
            if (rows == NULL) {
                REFUSE("out of memory");
                return -1;
            }
            t->rows = rows;
        }
        t->count++;
    }
    t->rows[t->lowest] = row;
    return (int64_t)t->lowest;
}

static sl_instance *row_of(const table *t, int64_t number, const char *kind)
{
    const bool there = number >= 0 && (uint64_t)number < t->count && t->rows[number].bvh != NULL;
    return there || REFUSE("there is no %s %lld", kind, (long long)number) ? &t->rows[number]
                                                                           : NULL;
}

static void remove_row(table *t, sl_instance *row)
{
    const size_t number = (size_t)(row - t->rows);
    row->bvh = NULL;
    t->lowest = number < t->lowest ? number : t->lowest;
}

/* ---- Meshes ---- */

/* The tree of a mesh; NULL where there is none, which has been said. */
static sl_bvh *build(const float *xyz, size_t vertex_count, const int32_t *indices,
                     size_t corner_count, const sl_tasks *tasks)
{
    const sl_build_def def = { .hooks.tasks = tasks };
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    sl_error error;
    if (corner_count % 3 != 0) {
        REFUSE("%zu corners are no multiple of 3", corner_count);
        return NULL;
    }
    if (sl_mesh_from_arrays(xyz, vertex_count, indices, corner_count / 3, NULL, &mesh, &error) !=
            SL_OK ||
        sl_bvh_build(mesh, &def, &bvh, &error) != SL_OK) {
        REFUSE("%s", error.message);
    }
    sl_mesh_destroy(mesh);
    return bvh;
}

void add_mesh(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    size_t vertex_count, index_count;
    const void *reals = packed_elements(POINTS, arguments[0], &vertex_count);
    const int32_t *indices = packed_elements(INTS, arguments[1], &index_count);
    float *xyz = malloc(3 * vertex_count * sizeof *xyz + 1);
    sl_bvh *bvh = NULL;
    if (xyz != NULL || REFUSE("out of memory")) {
        for (size_t i = 0; i < 3 * vertex_count; i++) {
            xyz[i] = (float)get_real(reals, i);
        }
        bvh = build(xyz, vertex_count, indices, indices == NULL ? vertex_count : index_count,
                    tasks_of(w));
    }
    free(xyz);
    *(int64_t *)result = bvh == NULL ? -1 : add_row(&w->meshes, sl_instance_of(bvh));
    if (*(int64_t *)result < 0) {
        sl_bvh_destroy(bvh);
    }
}

void remove_mesh(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    sl_instance *mesh = row_of(&w->meshes, int_of(arguments[0]), "mesh");
    bool done = mesh != NULL;
    for (size_t i = 0; i < w->instances.count && done; i++) {
        done = w->instances.rows[i].bvh != mesh->bvh || REFUSE("instance %zu is of this mesh", i);
    }
    if (done && w->scene != NULL && w->changed) {
        done = REFUSE("the world of the last update() may have this mesh: update() again first");
    }
    if (done) {
        sl_bvh_destroy((sl_bvh *)mesh->bvh);
        remove_row(&w->meshes, mesh);
    }
    *(GDExtensionBool *)result = done;
}

/* ---- Instances ---- */

/* The rows of a Transform3D are those of its basis, and then comes its origin. */
sl_transform transform_of(GDExtensionConstTypePtr argument)
{
    sl_transform made;
    for (size_t axis = 0; axis < 3; axis++) {
        for (size_t column = 0; column < 3; column++) {
            made.m[axis][column] = get_real(argument, 3 * axis + column);
        }
        made.m[axis][3] = get_real(argument, 9 + axis);
    }
    return made;
}

void add_instance(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    const sl_instance *mesh = row_of(&w->meshes, int_of(arguments[0]), "mesh");
    *(int64_t *)result = -1;
    if (mesh != NULL && check_mask(int_of(arguments[2]))) {
        sl_instance made = *mesh;
        made.transform = transform_of(arguments[1]);
        made.mask = (uint32_t)int_of(arguments[2]);
        *(int64_t *)result = add_row(&w->instances, made);
        w->changed = true;
    }
}

void move_instance(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    sl_instance *instance = row_of(&w->instances, int_of(arguments[0]), "instance");
    if (instance != NULL) {
        instance->transform = transform_of(arguments[1]);
        w->changed = true;
    }
    *(GDExtensionBool *)result = instance != NULL;
}

void remove_instance(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    sl_instance *instance = row_of(&w->instances, int_of(arguments[0]), "instance");
    if (instance != NULL) {
        remove_row(&w->instances, instance);
        w->changed = true;
    }
    *(GDExtensionBool *)result = instance != NULL;
}

/* ---- The world itself ---- */

void set_threads(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    const int64_t count = int_of(arguments[0]);
    sl_pool *pool = NULL;
    sl_error error = { .message = "a number of threads is from 0 to 1024" };
    const bool done =
        (count >= 0 && count <= 1024 && sl_pool_create((int)count, NULL, &pool, &error) == SL_OK) ||
        REFUSE("%s", error.message);
    if (done) {
        sl_pool_destroy(w->pool);
        w->pool = pool;
    }
    *(GDExtensionBool *)result = done;
}

/* The last version is what the next one learns from and the memory that it takes; it stays as it is
 * where that fails. */
void update(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    (void)arguments;
    const sl_instances_def def = { .hooks.tasks = tasks_of(w),
                                   .previous = w->scene,
                                   .recycle = w->scene };
    const table *all = &w->instances;
    sl_bvh *next = NULL;
    sl_error error;
    const bool done = sl_bvh_build_instances(all->rows, all->count, &def, &next, &error) == SL_OK ||
                      REFUSE("%s", error.message);
    if (done) {
        w->scene = next;
        w->changed = false;
    }
    *(GDExtensionBool *)result = done;
}
