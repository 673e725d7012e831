#include "test/support/query/every_call.h"

#include "test/support/query/calls.h"
#include "test/support/test.h"
#include "test/support/volume.h"

#define TINY 0x1p-147f

every_call_numbers in;
wild sc;
const sl_bvh *asked;

static sl_rays apart; /* the rays of sc, as an array that is not plain */
static uint64_t totals[COUNT];
static size_t steps;

/* What the call makes. */
static struct {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_boundary *boundary;
    sl_topology *topology;
    sl_pool *pool;
    sl_sight_memory *sight_memory;
    sl_selection *selection;
    sl_build *build;
    sl_marks *marks;
    sl_curves *curves;
    sl_clashes *clashes;
} made;

static max_align_t buffer[8192];
static void *const room = buffer; /* for all other answers */
static sl_error error;

/* ---- The calls */

#define NAME(function, arguments) #function " " #arguments,
static const char *const names[] = { CALLS_OF_SHAPES(NAME, NAME) CALLS_OF_TREES(NAME, NAME) };

#define ONE(function, arguments) +1
const int every_call_count = sizeof names / sizeof names[0];
const int every_call_first_of_trees = 0 CALLS_OF_SHAPES(ONE, ONE);

const char *every_call_name(int which)
{
    return names[which];
}

#define COPIED(hits) memcpy(room, hits, sizeof hits)

void every_call_make(int which)
{
    int place = 0;
#define MAKE(function, arguments)                                                                  \
    if (place++ == which) {                                                                        \
        (void)function arguments;                                                                  \
    }
    CALLS_OF_SHAPES(MAKE, MAKE)
    CALLS_OF_TREES(MAKE, MAKE)
#undef MAKE
}

bool every_call_free(void)
{
    static const char nothing[sizeof made];
    const bool was_made = memcmp(&made, nothing, sizeof made) != 0;
    sl_marks_destroy(made.marks);
    sl_curves_destroy(made.curves);
    sl_clashes_destroy(made.clashes);
    sl_sight_memory_destroy(made.sight_memory);
    sl_selection_destroy(made.selection);
    sl_build_destroy(made.build);
    sl_pool_destroy(made.pool);
    sl_boundary_destroy(made.boundary);
    sl_topology_destroy(made.topology);
    unmake_bvh(made.bvh, made.mesh);
    memset(&made, 0, sizeof made);
    return was_made;
}

/* ---- What is asked about */

static void fill(float *to, size_t count, uint32_t seed)
{
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        to[i] = (float)((int)(seed >> 24) - 127) * 0x1p-149f;
    }
}

static void make_shapes(void)
{
    in.point[0] = in.point[1] = in.point[2] = TINY;
    fill(in.xyz, 3 * COUNT, 1);
    fill(in.matrix, 12, 2);
    in.matrix[3] = in.matrix[7] = in.matrix[11] = 0;
    in.matrix[15] = 1;
    for (int i = 0; i < 12; i++) {
        in.transform.m[i / 4][i % 4] = (double)(i + 1) * 0x1p-1070;
    }
    in.ray_d =
        (sl_ray_d){ .origin = { 0x1p-1070, 0x1p-149, 0 }, .dir = { 0, 0x1p-1060, 0x1p-149 } };
    in.ray_d.tmax = 0x1p-1070;
    in.segment_d = (sl_segment_d){ { 0x1p-1070, 0x1p-149, 0 }, { 0, 0x1p-1060, 0x1p-147 } };
    in.triangle_d = (sl_triangle_d){ { { 0x1p-149, 0, 0x1p-1070 }, { 0, 0x1p-147, 0 } } };
    in.wide[0] = in.wide[1] = in.wide[2] = in.wide[3] = 0x1p-1070;
    for (int i = 0; i < 4; i++) {
        in.rectangle[i] = (float)(i < 2 ? 1 : 2) * TINY;
    }
    fill(in.triangle.v[0], 9, 3);
    in.ray = (sl_ray){ .origin = { TINY, -TINY, 0 }, .dir = { 0, TINY, TINY }, .tmax = TINY };
    in.segment = (sl_segment){ { TINY, TINY, TINY }, { -TINY, -TINY, -TINY } };
    in.line = (sl_line){ { TINY, TINY, TINY }, { 0 }, { TINY, 0, TINY }, 0, 1 };
    in.plane = (sl_plane){ { TINY, TINY, -TINY }, TINY };
    in.mesh_shape = (sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 2 } } };
    in.sphere = (sl_sphere){ { TINY, TINY, TINY }, TINY };
    in.capsule = (sl_capsule){ { TINY, TINY, TINY }, { -TINY, 0, TINY }, TINY };
    in.obb = (sl_obb){ { TINY, TINY, TINY },
                       { { TINY, 0, 0 }, { 0, TINY, 0 }, { 0, 0, TINY } },
                       { TINY, TINY, TINY } };
    in.aabb = (sl_aabb){ { -TINY, -TINY, -TINY }, { TINY, TINY, TINY } };
    in.frustum = (sl_frustum){ .plane = { in.plane, in.plane }, .count = 2 };
    static const sl_triangle_ref skip = { .prim = 0 };
    in.query = (sl_options){ .skip = &skip, .skip_count = 1 };
    for (size_t i = 0; i < COUNT; i++) {
        in.indices[i] = (uint32_t)i;
    }
    in.soup = (sl_soup){
        .xyz = in.xyz, .indices = in.indices, .masks = NULL, .triangle_count = COUNT / 3
    };
}

static void make_cameras(void)
{
    in.camera_def = in.camera_def_out = (sl_camera_def){ 0 };
    in.camera = made_camera(&in.camera_def);
    in.view = (sl_view){ .camera = in.camera };
    in.view.origin[0] = 0x1p-1070;
    in.drag = in.drag_out = (sl_drag){ 0 };
    in.drag.point[0] = in.drag.axis[1] = in.drag.step = in.drag.radius = 0x1p-1070;
    in.drag_out.kind = SL_DRAG_RING;
    in.drag_out.point[0] = 0x1p-1070;
    in.drag_move = (sl_drag_move){ .rotation = { 0x1p-1070, 0, 0, 1 }, .factor = 0x1p-1070 };
    in.drag_move.translation[1] = 0x1p-1070;
    in.gizmo = (sl_gizmo){ 0 };
    in.gizmo.handles = 0x1FFF;
    in.gizmo.centre[0] = in.gizmo.axes[0][1] = 0x1p-1070;
    in.handle = (sl_handle){ .handle = SL_HANDLE_RING_X, .point = { 0x1p-1070 } };
    in.camera_def.eye[0] = in.camera_def.near_distance = TINY;
    in.camera_def.fov_y_rad = TINY;
}

/* Over a torus, since nothing can be hit in a mesh of denormals. */
static void make_world(void)
{
    in.torus = made_bvh_alone(made_torus(8, 6, 2, 1), NULL);
    wild_make(&sc, in.torus);
    asked = sc.scene;
    apart = sl_rays_of(sc.rays, COUNT);
    apart.origin[1] = &sc.rays->origin[1];
    apart.origin[2] = &sc.rays->origin[2];
}

static void make_selections(void)
{
    const double far[2] = { 300, 200 };
    in.region = sl_region_rectangle(in.wide, far);
    in.lasso = (sl_region){ .kind = SL_REGION_LASSO, .corners = in.wide, .corner_count = 2 };
    for (int i = 0; i < 2; i++) {
        sl_selection_def def = { 0 };
        def.mode = i == 0 ? SL_SELECT_INSIDE : SL_SELECT_VISIBLE;
        def.unit = i == 0 ? SL_SELECT_TRIANGLES : SL_SELECT_EDGES;
        assert_int_equal(sl_selection_create(sc.scene, &in.view, &def, &in.selection[i], NULL),
                         SL_OK);
    }
}

void every_call_begin(void)
{
    make_shapes();
    make_cameras();
    in.high.quality = SL_BVH_QUALITY_HIGH;
    in.compact.layout = SL_BVH_LAYOUT_COMPACT;
    in.dirty.dirty = &in.some;
    in.dirty.dirty_count = 1;
    in.some = (sl_prim_range){ 1, COUNT / 3 - 1 };
    sl_mesh_def def = { 0 };
    def.uvs = def.normals = (sl_mesh_attribute){ in.xyz, COUNT, NULL };
    in.mesh = made_mesh(in.xyz, COUNT, NULL, COUNT / 3, &def);
    in.bvh = made_bvh(in.mesh, NULL);
    const sl_result begun = sl_build_begin(in.mesh, NULL, &in.build, NULL);
    assert_true(begun == SL_OK || begun == SL_NO_THREADS_LEFT);
    assert_int_equal(sl_boundary_create(&in.soup, NULL, NULL, &in.boundary, NULL), SL_OK);
    in.topology = made_topology(in.mesh, NULL);
    assert_true(sl_topology_get_info(in.topology).scratch_words <= 8 * COUNT);
    make_world();
    make_selections();
}

void every_call_end(void)
{
    sl_selection_destroy(in.selection[0]);
    sl_selection_destroy(in.selection[1]);
    wild_free(&sc);
    sl_build_destroy(in.build);
    sl_bvh_destroy(in.torus);
    sl_boundary_destroy(in.boundary);
    sl_topology_destroy(in.topology);
    unmake_bvh(in.bvh, in.mesh);
}
