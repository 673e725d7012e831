/* An allocator that can take memory and not give it back, or the other way round, is refused by
 * everything that keeps one, and asked for nothing. */
#include "test/support/input/solids.h"
#include "test/support/test.h"

#include <sightline/clashes.h>
#include <sightline/flatten.h>
#include <sightline/marks.h>
#include <sightline/mesh_repair.h>
#include <sightline/refit.h>
#include <sightline/select.h>
#include <sightline/store.h>
#include <sightline/topology.h>
#include <sightline/visibility.h>

static void *take(void *user, size_t size, size_t align)
{
    (void)user;
    (void)align;
    fail_msg("%zu bytes are taken", size);
    return NULL;
}

static void give(void *user, void *memory, size_t size)
{
    (void)user;
    (void)memory;
    fail_msg("%zu bytes are given back", size);
}

#define REFUSED(call)                                                                              \
    do {                                                                                           \
        sl_error error = { .message = "" };                                                        \
        assert_int_equal((call), SL_INVALID_ARGUMENT);                                             \
        assert_non_null(strstr(error.message, words));                                             \
    } while (0)

TEST(half_an_allocator_is_refused)
{
    OWN(sl_mesh) mesh = solid_make(SOLID_CUBE);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    const sl_soup soup = sl_mesh_soup(mesh);
    const sl_instance instance = sl_instance_of(tree);
    const sl_view view = { .camera = made_camera(NULL) };
    const sl_mark mark = { .p = { 0 } };
    const sl_mesh_shape sphere = { SL_MESH_SPHERE, { .sphere = { 4 } } };
    for (int half = 0; half < 2; half++) {
        const char *words = half == 0 ? "the allocator has no free" : "the allocator has no alloc";
        const sl_allocator a =
            half == 0 ? (sl_allocator){ .alloc = take } : (sl_allocator){ .free = give };
        const sl_hooks hooks = { .allocator = a };
        sl_pool *pool;
        sl_mesh *made;
        sl_bvh *bvh = NULL;
        sl_build *build;
        sl_boundary *boundary;
        sl_topology *topology;
        sl_marks *marks;
        sl_selection *selection;
        sl_sight_memory *memory;
        sl_curves *curves;
        sl_clashes *clashes;
        sl_solids solids;
        sl_mesh_report report;
        const sl_mesh_def mesh_def = { .hooks = hooks };
        const sl_build_def build_def = { .hooks = hooks };
        const sl_bvh_load_def load_def = { .hooks = hooks };
        REFUSED(sl_pool_create(1, &a, &pool, &error));
        REFUSED(sl_mesh_generate(&sphere, &hooks, &made, &error));
        REFUSED(sl_mesh_from_arrays(soup.xyz, 3, NULL, 1, &mesh_def, &made, &error));
        REFUSED(sl_mesh_load_memory("", 0, "a.obj", &mesh_def, &made, &error));
        REFUSED(sl_mesh_inspect(mesh, &hooks, NULL, &report, &error));
        REFUSED(sl_mesh_weld(mesh, &(sl_weld_def){ .hooks = hooks }, &made, NULL, &error));
        REFUSED(sl_mesh_split_vertices(mesh, &(sl_split_def){ .hooks = hooks }, &made, &error));
        REFUSED(sl_mesh_save(mesh, "a.stl", &(sl_save_def){ .hooks = hooks }, NULL, &error));
        REFUSED(sl_boundary_create(&soup, NULL, &hooks, &boundary, &error));
        REFUSED(sl_topology_build(mesh, &(sl_topology_def){ .hooks = hooks }, &topology, &error));
        REFUSED(sl_bvh_build(mesh, &build_def, &bvh, &error));
        REFUSED(sl_build_begin(mesh, &build_def, &build, &error));
        REFUSED(sl_bvh_refit(tree, soup.xyz, 8, soup.indices, soup.triangle_count,
                             &(sl_refit_def){ .hooks = hooks }, &bvh, &error));
        REFUSED(sl_bvh_load_memory("", 0, &load_def, &bvh, &error));
        REFUSED(sl_bvh_load("none.slt", &load_def, &bvh, &error));
        REFUSED(sl_bvh_build_instances(&instance, 1, &(sl_instances_def){ .hooks = hooks }, &bvh,
                                       &error));
        REFUSED(sl_bvh_flatten(tree, &(sl_flatten_def){ .hooks = hooks }, &made, NULL, &error));
        REFUSED(sl_bvh_find_seams(tree, &(sl_seams_def){ .hooks = hooks }, NULL, 0, NULL, &error));
        REFUSED(sl_marks_build(&mark, 1, &(sl_marks_def){ .hooks = hooks }, &marks, &error));
        REFUSED(sl_selection_create(tree, &view, &(sl_selection_def){ .hooks = hooks }, &selection,
                                    &error));
        REFUSED(sl_sight_memory_create(1, &a, &memory, &error));
        REFUSED(sl_bvh_clash_curves(tree, tree, NULL, &hooks, &curves, &error));
        REFUSED(sl_bvh_solids(tree, tree, &(sl_solids_def){ .hooks = hooks }, &solids, &error));
        REFUSED(sl_clashes_find(tree, &(sl_clashes_def){ .hooks = hooks }, &clashes, &error));
    }
}
