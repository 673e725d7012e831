/* test_defs.c: structs of callers with an older or a newer header (docs/abi.md).
 *
 * Each stands at the very end of memory that may be touched, so that reading or writing beyond what
 * the caller knows is a fault. */
#include "lib/base/abi.h"
#include "test/support/input/info_of.h"
#include "test/support/input/made.h"
#include "test/support/test.h"

#include <sightline/sightline.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct brink {
    unsigned char *pages; /* two; the second may not be touched */
    size_t page;
} brink;

static brink brink_make(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect((unsigned char *)pages + page, page, PROT_NONE), 0);
    return (brink){ pages, page };
}

/* A def that is nothing but its size. */
static void *brink_def(const brink *at)
{
    const size_t size = sizeof(size_t);
    unsigned char *def = at->pages + at->page - size;
    memcpy(def, &size, size);
    return def;
}

TEST(older_defs_are_refused_and_not_read_beyond_their_size)
{
    const brink at = brink_make();
    void *def = brink_def(&at);
    static const float xyz[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    sl_mesh *mesh = NULL, *other = NULL;
    sl_bvh *bvh = NULL;
    sl_camera camera;
    sl_error error;
    assert_int_equal(sl_mesh_from_arrays(xyz, 3, NULL, 1, NULL, &mesh, &error), SL_OK);
    const sl_aabb box = mesh_info_of(mesh).bounds;
    const sl_soup soup = sl_mesh_soup(mesh);
    sl_bvh *tree = made_bvh(mesh, NULL);
    const sl_instance instance = sl_instance_of(tree);
    const sl_mark mark = sl_mark_point((double[3]){ 0, 0, 0 }, 1, 0);
    const sl_view view = { .origin = { 0 } };
    sl_scene *other_scene = NULL;
    sl_topology *topology = NULL;
    sl_marks *marks = NULL;
    sl_selection *selection = NULL;
    sl_pick pick;
    sl_snap snap;
    sl_scene *scene = made_scene(&instance, 1, NULL);

    const sl_result results[] = {
        sl_bvh_build(mesh, def, &bvh, &error),
        sl_bvh_refit(tree, xyz, 3, NULL, 1, def, &bvh, &error),
        sl_bvh_set_masks(tree, 1, def, &bvh, &error),
        sl_mesh_from_arrays(xyz, 3, NULL, 1, def, &other, &error),
        sl_mesh_load_memory("OFF 0 0 0", 9, NULL, def, &other, &error),
        sl_mesh_load("nowhere.obj", def, &other, &error),
        sl_mesh_weld(mesh, def, &other, NULL, 0, &error),
        sl_mesh_split_vertices(mesh, def, &other, &error),
        sl_bvh_load("nowhere.slt", def, &bvh, &error),
        sl_bvh_map("nowhere.slt", def, &bvh, &error),
        sl_bvh_load_memory(xyz, sizeof xyz, def, &bvh, &error),
        sl_ply_write("nowhere.ply", def, &error),
        sl_topology_build(mesh, def, &topology, &error),
        sl_scene_build(&instance, 1, def, &other_scene, &error),
        sl_marks_build(&mark, 1, def, &marks, &error),
        sl_selection_create(scene, &view, def, &selection, &error),
        sl_camera_make(def, &camera, &error),
        sl_camera_fit(&box, (float[3]){ 0, 0, 1 }, def, &error),
        sl_camera_fit_soup(&soup, (float[3]){ 0, 0, 1 }, def, &error),
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        assert_int_equal(results[i], SL_INVALID_ARGUMENT);
    }
    const double mouse[2] = { 0, 0 };
    assert_false(sl_pick_at(scene, &view, mouse, def, &pick));
    assert_int_equal(sl_pick_all(scene, &view, mouse, def, &pick, 1), 0);
    assert_false(sl_pick_next(scene, &view, mouse, def, NULL, &pick));
    assert_false(sl_snap_at(scene, &view, mouse, def, NULL, &snap));
    sl_drag_move move = { .factor = 1 };
    sl_place place = sl_place_identity();
    assert_int_equal(sl_drag_begin(def, &view, mouse), SL_DRAG_BAD_DRAG);
    assert_int_equal(sl_drag_to(def, &view, mouse, NULL, &move), SL_DRAG_BAD_DRAG);
    assert_false(sl_drag_pace(def, mouse, 1));
    assert_false(sl_drag_place(def, &move, &place, &place));
    assert_null(bvh);
    assert_null(other);
    assert_true(topology == NULL && other_scene == NULL && marks == NULL && selection == NULL);
    assert_non_null(strstr(error.message, "sl_default_camera_def"));
    sl_scene_destroy(scene);
    unmake_bvh(tree, mesh);
    assert_int_equal(munmap(at.pages, 2 * at.page), 0);
}

/* The defs of a later version, seen by a caller of the first and by one of the next. */
TEST(defs_that_grew_are_read_as_far_as_their_size)
{
    typedef struct later {
        size_t size;
        double first, added;
    } later;
    const size_t least = SLI_END_OF(later, first);
    const brink at = brink_make();
    const later older = { least, 1, 0 }, newer = { sizeof(later) + 8, 1, 2 };
    unsigned char *def = at.pages + at.page - least;
    memcpy(def, &older, least);
    later out = { sizeof out, 10, 20 };
    assert_int_equal(sli_def_read("sl_later", def, least, sizeof out, &out, NULL), SL_OK);
    assert_true(out.size == sizeof out && out.first == 1 && out.added == 20);
    assert_int_equal(sli_def_read("sl_later", NULL, least, sizeof out, &out, NULL), SL_OK);
    assert_true(out.first == 1);
    sl_error error;
    assert_int_equal(sli_def_read("sl_later", &newer, least, sizeof out, &out, &error),
                     SL_INVALID_ARGUMENT);
    assert_string_equal(error.message,
                        "sl_later.size is 32 instead of 24; begin with sl_default_later()");
    assert_int_equal(munmap(at.pages, 2 * at.page), 0);
}

/* An info or report of a caller that knows only the first bytes of it, at the brink. */
static void *brink_out(const brink *at, size_t size)
{
    return at->pages + at->page - size;
}

TEST(infos_are_written_as_far_as_the_caller_knows)
{
    const brink at = brink_make();
    sl_mesh *welded = NULL;
    sl_boundary *boundary = NULL;
    sl_mesh *mesh = made_grid(2, 2, 0, 0);
    sl_bvh *bvh = made_bvh(mesh, NULL);
    const sl_soup soup = sl_mesh_soup(mesh);
    assert_int_equal(sl_boundary_create(&soup, NULL, NULL, &boundary, NULL), SL_OK);
    for (size_t size = 0; size <= 16; size += 8) {
        void *out = brink_out(&at, size);
        unsigned char expected[256];
        sl_bvh_get_info(bvh, out, size);
        sl_bvh_get_info(bvh, (sl_bvh_info *)(void *)expected, sizeof(sl_bvh_info));
        assert_memory_equal(out, expected, size);
        sl_mesh_get_info(mesh, out, size);
        sl_mesh_get_info(mesh, (sl_mesh_info *)(void *)expected, sizeof(sl_mesh_info));
        assert_memory_equal(out, expected, size);
        sl_boundary_get_info(boundary, out, size);
        sl_boundary_get_info(boundary, (sl_boundary_info *)(void *)expected,
                             sizeof(sl_boundary_info));
        assert_memory_equal(out, expected, size);
        assert_int_equal(sl_mesh_inspect(mesh, NULL, out, size, NULL), SL_OK);
        sl_mesh_report report;
        assert_int_equal(sl_mesh_inspect(mesh, NULL, &report, sizeof report, NULL), SL_OK);
        assert_memory_equal(out, &report, size);
        sl_weld_report drops;
        assert_int_equal(sl_mesh_weld(mesh, NULL, &welded, out, size, NULL), SL_OK);
        sl_mesh_destroy(welded);
        assert_int_equal(sl_mesh_weld(mesh, NULL, &welded, &drops, sizeof drops, NULL), SL_OK);
        assert_memory_equal(out, &drops, size);
        sl_mesh_destroy(welded);
    }
    sl_boundary_destroy(boundary);
    unmake_bvh(bvh, mesh);
    assert_int_equal(munmap(at.pages, 2 * at.page), 0);
}

TEST(infos_of_selections_are_written_as_far_as_the_caller_knows)
{
    const brink at = brink_make();
    const double p[2] = { 0, 0 }, q[2] = { 1000, 1000 };
    const sl_region region = sl_region_rectangle(p, q);
    sl_camera_def camera = sl_default_camera_def();
    sl_selection *selection = NULL;
    sl_view view = { .origin = { 0 } };
    sl_mesh *mesh = made_grid(2, 2, 0, 0);
    sl_topology *topology = made_topology(mesh, NULL);
    sl_bvh *bvh = made_bvh(mesh, NULL);
    const sl_instance instance = sl_instance_of(bvh);
    const sl_aabb box = sl_bvh_bounds(bvh);
    sl_scene *scene = made_scene(&instance, 1, NULL);
    assert_int_equal(sl_camera_fit(&box, (float[3]){ 0, 1, 1 }, &camera, NULL), SL_OK);
    view.camera = made_camera(&camera);
    assert_int_equal(sl_selection_create(scene, &view, NULL, &selection, NULL), SL_OK);
    assert_int_equal(sl_selection_update(selection, &region, NULL, NULL), SL_OK);
    for (size_t size = 0; size <= sizeof(sl_selection_info); size += 8) {
        void *out = brink_out(&at, size);
        unsigned char expected[256];
        sl_selection_get_info(selection, out, size);
        sl_selection_get_info(selection, (sl_selection_info *)(void *)expected,
                              sizeof(sl_selection_info));
        assert_memory_equal(out, expected, size);
        sl_topology_get_info(topology, out, size < 24 ? size : 24);
        sl_topology_get_info(topology, (sl_topology_info *)(void *)expected,
                             sizeof(sl_topology_info));
        assert_memory_equal(out, expected, size < 24 ? size : 24);
    }
    struct {
        sl_selection_info info;
        uint64_t later[2];
    } newer = { .later = { 1, 2 } };
    sl_selection_get_info(selection, &newer.info, sizeof newer);
    assert_true(newer.info.selected > 0 && newer.later[0] == 0 && newer.later[1] == 0);
    sl_selection_destroy(selection);
    sl_scene_destroy(scene);
    sl_bvh_destroy(bvh);
    unmake_topology(topology, mesh);
    assert_int_equal(munmap(at.pages, 2 * at.page), 0);
}

/* A caller with a newer header than the library: what the library does not know is zeroed. */
TEST(infos_of_newer_callers_end_in_zeros)
{
    struct {
        sl_boundary_info info;
        uint64_t later[2];
    } out = { .later = { 1, 2 } };
    const float xyz[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    const uint32_t indices[3] = { 0, 1, 2 };
    const sl_soup soup = { xyz, indices, NULL, 1 };
    sl_boundary *boundary = NULL;
    assert_int_equal(sl_boundary_create(&soup, NULL, NULL, &boundary, NULL), SL_OK);
    sl_boundary_get_info(boundary, &out.info, sizeof out);
    assert_int_equal(out.info.edge_count, 3);
    assert_true(out.later[0] == 0 && out.later[1] == 0);
    sl_boundary_destroy(boundary);
}
