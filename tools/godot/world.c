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

/* Fills the lowest free row, so that worlds with the same history have the same numbers; NULL where
 * there is no memory. */
static sl_instance *add_row(table *t, sl_instance row)
{
    while (t->lowest < t->count && t->rows[t->lowest].bvh != NULL) {
        t->lowest++;
    }
    if (t->lowest == t->count) {
        if ((t->count & (t->count - 1)) == 0) { /* as many as there is room for: 0, 1, 2, 4, ... */
            sl_instance *rows = realloc(t->rows, (t->count == 0 ? 1 : 2 * t->count) * sizeof *rows);
            if (rows == NULL) {
                return NULL;
            }
            t->rows = rows;
        }
        t->count++;
    }
    t->rows[t->lowest] = row;
    return &t->rows[t->lowest];
}

static sl_instance *row_of(const table *t, int64_t number)
{
    const bool there = number >= 0 && (uint64_t)number < t->count && t->rows[number].bvh != NULL;
    return there ? &t->rows[number] : NULL;
}

static void remove_row(table *t, sl_instance *row)
{
    const size_t number = (size_t)(row - t->rows);
    row->bvh = NULL;
    t->lowest = number < t->lowest ? number : t->lowest;
}

static int64_t number_of(const table *t, const sl_instance *row)
{
    return row == NULL ? -1 : row - t->rows;
}

/* ---- Meshes ---- */

/* The tree of a mesh of floats, side by side. */
static sl_bvh *build_mesh(const float *xyz, size_t vertex_count, const int32_t *indices,
                          size_t corner_count, const sl_tasks *tasks)
{
    const sl_build_def def = { .hooks.tasks = tasks };
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    sl_error error;
    if (sl_mesh_from_arrays(xyz, vertex_count, indices, corner_count / 3, NULL, &mesh, &error) !=
            SL_OK ||
        sl_bvh_build(mesh, &def, &bvh, &error) != SL_OK) {
        REFUSE("%s", error.message);
    }
    sl_mesh_destroy(mesh);
    return bvh;
}

/* Of doubles it keeps the nearest floats. */
static sl_bvh *build_mesh_of_reals(const void *reals, size_t vertex_count, const int32_t *indices,
                                   size_t corner_count, const sl_tasks *tasks)
{
    if (godot.real == SL_FLOAT) {
        return build_mesh(reals, vertex_count, indices, corner_count, tasks);
    }
    float *xyz = malloc(3 * vertex_count * sizeof *xyz + 1);
    sl_bvh *bvh = NULL;
    if (xyz == NULL) {
        REFUSE("out of memory");
    } else {
        for (size_t i = 0; i < 3 * vertex_count; i++) {
            xyz[i] = (float)get_real(reals, i);
        }
        bvh = build_mesh(xyz, vertex_count, indices, corner_count, tasks);
    }
    free(xyz);
    return bvh;
}

void add_mesh(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    const size_t vertex_count = packed_size(POINTS, arguments[0]);
    const size_t index_count = packed_size(INTS, arguments[1]);
    const size_t corner_count = index_count == 0 ? vertex_count : index_count;
    int64_t *number = result;
    *number = -1;
    if (corner_count % 3 != 0) {
        REFUSE("triangles have three corners each; %zu are no multiple of 3", corner_count);
        return;
    }
    sl_bvh *bvh = build_mesh_of_reals(packed_points(arguments[0]), vertex_count,
                                      packed_ints(arguments[1]), corner_count, tasks_of(w));
    if (bvh != NULL) {
        *number = number_of(&w->meshes, add_row(&w->meshes, sl_instance_of(bvh)));
        if (*number < 0) {
            REFUSE("out of memory");
            sl_bvh_destroy(bvh);
        }
    }
}

void remove_mesh(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    sl_instance *mesh = row_of(&w->meshes, int_of(arguments[0]));
    GDExtensionBool *done = result;
    *done = mesh != NULL || REFUSE("there is no mesh %lld", (long long)int_of(arguments[0]));
    for (size_t i = 0; i < w->instances.count && *done; i++) {
        *done = w->instances.rows[i].bvh != mesh->bvh || REFUSE("instance %zu is of this mesh", i);
    }
    if (*done && w->scene != NULL && w->changed) {
        *done = REFUSE("queries may still see this mesh: update() first");
    }
    if (*done) {
        sl_bvh_destroy((sl_bvh *)mesh->bvh);
        remove_row(&w->meshes, mesh);
    }
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
    const sl_instance *mesh = row_of(&w->meshes, int_of(arguments[0]));
    int64_t *number = result;
    *number = -1;
    if (mesh == NULL) {
        REFUSE("there is no mesh %lld", (long long)int_of(arguments[0]));
    } else if (check_mask(int_of(arguments[2]))) {
        sl_instance made = *mesh;
        made.transform = transform_of(arguments[1]);
        made.mask = (uint32_t)int_of(arguments[2]);
        *number = number_of(&w->instances, add_row(&w->instances, made));
        w->changed = true;
        if (*number < 0) {
            REFUSE("out of memory");
        }
    }
}

/* The instance of an argument, which is about to change. */
static sl_instance *changing(world *w, GDExtensionConstTypePtr argument)
{
    sl_instance *row = row_of(&w->instances, int_of(argument));
    if (row == NULL) {
        REFUSE("there is no instance %lld", (long long)int_of(argument));
    } else {
        w->changed = true;
    }
    return row;
}

void move_instance(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    sl_instance *instance = changing(w, arguments[0]);
    if (instance != NULL) {
        instance->transform = transform_of(arguments[1]);
    }
    *(GDExtensionBool *)result = instance != NULL;
}

void remove_instance(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    sl_instance *instance = changing(w, arguments[0]);
    if (instance != NULL) {
        remove_row(&w->instances, instance);
    }
    *(GDExtensionBool *)result = instance != NULL;
}

/* ---- The world itself ---- */

void set_threads(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    const int64_t count = int_of(arguments[0]);
    GDExtensionBool *done = result;
    sl_pool *pool = NULL;
    sl_error error = { .message = "a number of threads is from 0 to 1024" };
    *done =
        (count >= 0 && count <= 1024 && sl_pool_create((int)count, NULL, &pool, &error) == SL_OK) ||
        REFUSE("%s", error.message);
    if (*done) {
        sl_pool_destroy(w->pool);
        w->pool = pool;
    }
}

void update(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    (void)arguments;
    /* The last version is both the one to learn from and the memory of the next; it stays as it is
     * where that fails. */
    const sl_instances_def def = { .hooks.tasks = tasks_of(w),
                                   .previous = w->scene,
                                   .recycle = w->scene };
    sl_bvh *next = NULL;
    sl_error error;
    GDExtensionBool *done = result;
    *done = sl_bvh_build_instances(w->instances.rows, w->instances.count, &def, &next, &error) ==
                SL_OK ||
            REFUSE("%s", error.message);
    if (*done) {
        w->scene = next;
        w->changed = false;
    }
}
