/* test_traps.c: no public function raises a trap in a caller that has unmasked every floating-point
 * exception, whatever denormal numbers it is given, and those of scenes whatever numbers at all;
 * and the caller's environment is kept.
 *
 * A comparison or conversion of a denormal is enough for a trap, so isfinite(x) is, and so is
 * printing a double in a message.  The calls are listed in traps_calls.h and traps_scene_calls.h; a
 * function that is in a header and not in the lists fails the test. */
#include "test/bvh/traps_calls.h"
#include "test/bvh/traps_scene_calls.h"
#include "test/support/environment/callers_env.h"
#include "test/support/input/wild.h"
#include "test/support/test.h"
#include "test/support/volume.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#define TINY 0x1p-147f

enum { COUNT = WILD_COUNT, KEPT = 4 };

/* What is asked about; every number is denormal. */
static struct {
    float point[3], matrix[16], rectangle[4], xyz[3 * COUNT];
    sl_ray ray, rays[COUNT];
    sl_segment segment, segments[COUNT];
    sl_line line;
    sl_triangle triangle;
    sl_plane plane, planes[2];
    sl_sphere sphere;
    sl_mesh_shape octahedron;
    sl_capsule capsule;
    sl_obb obb;
    sl_frustum frustum;
    sl_aabb box;
    sl_camera camera;
    sl_view view;
    sl_region region, lasso;
    sl_selection *selection[2];
    sl_drag drag, drag_out;
    sl_drag_move drag_move;
    sl_gizmo gizmo;
    sl_handle handle;
    sl_camera_def camera_def, camera_def_out;
    sl_hit hit, hits[COUNT];
    sl_volume volume, volumes[COUNT];
    sl_options query;
    sl_triangle_ref hint[COUNT];
    sl_soup soup;
    sl_transform place;
    double wide[4];
    sl_ray_d ray_d;
    sl_segment_d segment_d;
    sl_triangle_d triangle_d;
    uint32_t indices[COUNT];
    sl_mesh_def mesh_def;
    sl_build_def high, compact;
    sl_refit_def dirty;
    sl_prim_range some;
    sl_fault_hook fault_hook;
    sl_ply ply_def;
    sl_mesh *mesh;
    const sl_mesh *meshes;
    sl_bvh *bvh, *torus;
    sl_build *build;
    sl_boundary *boundary;
    sl_topology *topology;
    uint64_t bits[8 * COUNT], more_bits[8 * COUNT];
    char off[4096], ply[64], slt[64], written[64];
    size_t off_size, saved_size;
    void *saved;
} in;

static wild sc; /* of trees of either kind */
static const sl_bvh *asked;
static sl_rays apart;
static uint64_t totals[COUNT];
static size_t steps;

/* What the call under test makes, destroyed after it. */
static struct {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_boundary *boundary;
    sl_topology *topology;
    sl_pool *pool;
    sl_bvh *scene;
    sl_sight_memory *memory;
    sl_selection *selection;
    sl_build *build;
    sl_marks *marks;
} made;

static max_align_t buffer[8192];
static void *const room = buffer; /* for all other answers */
static sl_error error;

/* ---- The list */

static const char *const names[] = {
#define NAME(function, arguments) #function " " #arguments,
    TRAPS_CALLS(NAME) TRAPS_SCENE_CALLS(NAME)
#undef NAME
};

#define ONE(function, arguments) +1
enum {
    CALLS = sizeof names / sizeof names[0],
    SCENE_CALLS = 0 TRAPS_SCENE_CALLS(ONE) /* the last ones */
};
#undef ONE

static void make_call(int which)
{
    int place = 0;
#define MAKE(function, arguments)                                                                  \
    if (place++ == which) {                                                                        \
        (void)function arguments;                                                                  \
    }
    TRAPS_CALLS(MAKE)
    TRAPS_SCENE_CALLS(MAKE)
#undef MAKE
}

/* ---- A format that gives the sink denormal numbers */

static bool recognise(const sl_mesh_input *input)
{
    return input->size > 5 && memcmp(input->bytes, "traps", 5) == 0;
}

static sl_result load(const sl_mesh_input *input, sl_mesh_sink *sink, sl_error *out)
{
    const double xyz[3] = { 0x1p-1070, 0x1p-140, -0x1p-149 };
    uint32_t name = 0;
    (void)input;
    (void)out;
    bool good = sl_mesh_sink_reserve(sink, 1, 1) && sl_mesh_sink_spend(sink, 1, false) &&
                sl_mesh_sink_spend(sink, 1, true) && sl_mesh_sink_progress(sink, 0x1p-1070) &&
                sl_mesh_sink_name(sink, "part", 4, &name) &&
                sl_mesh_sink_part(sink, name, name, name, SL_NONE);
    sl_mesh_sink_at(sink, 0, 1);
    sl_mesh_sink_attributes(sink, 0);
    good = good && sl_mesh_sink_vertex(sink, xyz) && sl_mesh_sink_face(sink) &&
           !sl_mesh_sink_locating(sink);
    for (uint32_t corner = 0; corner < 3; corner++) {
        good = good && sl_mesh_sink_corner(sink, 0);
    }
    return good ? SL_OK : SL_CANCELLED;
}

/* ---- What is asked about */

static void fill(float *to, size_t count, uint32_t seed)
{
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        to[i] = (float)((int)(seed >> 24) - 127) * 0x1p-149f;
    }
}

static bool go_on(void *user, const sl_fault *fault)
{
    (void)user;
    return fault != NULL;
}

static void make_shapes(void)
{
    in.point[0] = in.point[1] = in.point[2] = TINY;
    fill(in.xyz, 3 * COUNT, 1);
    fill(in.matrix, 12, 2);
    in.matrix[3] = in.matrix[7] = in.matrix[11] = 0;
    in.matrix[15] = 1;
    for (int i = 0; i < 12; i++) {
        in.place.m[i / 4][i % 4] = (double)(i + 1) * 0x1p-1070;
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
    in.octahedron = (sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 2 } } };
    in.sphere = (sl_sphere){ { TINY, TINY, TINY }, TINY };
    in.capsule = (sl_capsule){ { TINY, TINY, TINY }, { -TINY, 0, TINY }, TINY };
    in.obb = (sl_obb){ { TINY, TINY, TINY },
                       { { TINY, 0, 0 }, { 0, TINY, 0 }, { 0, 0, TINY } },
                       { TINY, TINY, TINY } };
    in.box = (sl_aabb){ { -TINY, -TINY, -TINY }, { TINY, TINY, TINY } };
    in.frustum = (sl_frustum){ .plane = { in.plane, in.plane }, .count = 2 };
    in.hit = (sl_hit){ .t = TINY, .u = TINY, .v = TINY, .prim = 1 };
    in.volume = (sl_volume){ .kind = SL_VOLUME_SPHERE, .shape.sphere = in.sphere };
    static const sl_triangle_ref skip = { .prim = 0 };
    in.query = (sl_options){ .skip = &skip, .skip_count = 1 };
    in.planes[0] = in.planes[1] = in.plane;
    for (size_t i = 0; i < COUNT; i++) {
        in.rays[i] = in.ray;
        in.segments[i] = in.segment;
        in.volumes[i] = in.volume;
        in.hits[i] = in.hit;
        in.hint[i].prim = in.indices[i] = (uint32_t)i;
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

static void make_files(void)
{
    const char *folder = getenv("TMPDIR");
    folder = folder != NULL && strlen(folder) < 30 ? folder : "/tmp";
    snprintf(in.ply, sizeof in.ply, "%s/traps-%ld.ply", folder, (long)getpid());
    snprintf(in.slt, sizeof in.slt, "%s/traps-%ld.slt", folder, (long)getpid());
    snprintf(in.written, sizeof in.written, "%s/traps-%ld.out", folder, (long)getpid());
    in.ply_def = (sl_ply){ 0 };
    in.ply_def.xyz = in.ply_def.quality = in.xyz;
    in.ply_def.vertex_count = COUNT;
    in.ply_def.indices = in.indices;
    in.ply_def.triangle_count = COUNT / 3;
    assert_int_equal(sl_ply_write(in.ply, &in.ply_def, NULL), SL_OK);
    assert_int_equal(sl_bvh_save(in.bvh, in.slt, NULL), SL_OK);
    in.saved_size = sl_bvh_save_memory(in.bvh, NULL);
    in.saved = malloc(in.saved_size);
    assert_non_null(in.saved);
    sl_bvh_save_memory(in.bvh, in.saved);
    in.off_size = (size_t)snprintf(in.off, sizeof in.off,
                                   "OFF\n3 1 0\n1e-42 0 0\n0 1e-44 "
                                   "1e-310\n0 0 -1e-40\n3 0 1 2\n");
}

static int trapping; /* number of the environment; -1: this machine has none */

static void find_trapping(void)
{
    trapping = callers_env_count() - 1;
    while (trapping >= 0 && strcmp(callers_env_name(trapping), "trapping") != 0) {
        trapping--;
    }
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

TEST_BEFORE_ALL
{
    static const sl_mesh_format of_traps = {
        .name = "traps", .ending = ".traps", .recognise = recognise, .load = load
    };
    static const sl_mesh_format *const formats[] = { &of_traps, NULL };
    find_trapping();
    make_shapes();
    make_cameras();
    in.mesh_def = (sl_mesh_def){ 0 };
    in.mesh_def.formats = formats;
    in.mesh_def.recentre = true;
    in.high = in.compact = (sl_build_def){ 0 };
    in.high.quality = SL_BVH_QUALITY_HIGH;
    in.compact.layout = SL_BVH_LAYOUT_COMPACT;
    in.dirty = (sl_refit_def){ 0 };
    in.dirty.dirty = &in.some;
    in.dirty.dirty_count = 1;
    in.some = (sl_prim_range){ 1, COUNT / 3 - 1 };
    in.fault_hook.found = go_on;
    sl_mesh_def def = { 0 };
    def.uvs = def.normals = (sl_mesh_attribute){ in.xyz, COUNT, NULL };
    in.mesh = made_mesh(in.xyz, COUNT, NULL, COUNT / 3, &def);
    in.meshes = in.mesh;
    in.bvh = made_bvh(in.mesh, NULL);
    const sl_result begun = sl_build_begin(in.mesh, NULL, &in.build, NULL);
    assert_true(begun == SL_OK || begun == SL_NO_THREADS_LEFT);
    assert_int_equal(sl_boundary_create(&in.soup, NULL, NULL, &in.boundary, NULL), SL_OK);
    in.topology = made_topology(in.mesh, NULL);
    assert_true(sl_topology_get_info(in.topology).scratch_words <= 8 * COUNT);
    make_world();
    make_selections();
    make_files();
}

TEST_AFTER_ALL
{
    free(in.saved);
    sl_selection_destroy(in.selection[0]);
    sl_selection_destroy(in.selection[1]);
    wild_free(&sc);
    sl_build_destroy(in.build);
    sl_bvh_destroy(in.torus);
    sl_boundary_destroy(in.boundary);
    sl_topology_destroy(in.topology);
    unmake_bvh(in.bvh, in.mesh);
    assert_int_equal(unlink(in.ply) | unlink(in.slt) | unlink(in.written), 0);
}

/* ---- The tests */

static sigjmp_buf before_call;

static void on_trap(int number)
{
    (void)number;
    siglongjmp(before_call, 1);
}

static void free_made(void)
{
    sl_marks_destroy(made.marks);
    sl_sight_memory_destroy(made.memory);
    sl_selection_destroy(made.selection);
    sl_build_destroy(made.build);
    sl_bvh_destroy(made.scene);
    sl_pool_destroy(made.pool);
    sl_boundary_destroy(made.boundary);
    sl_topology_destroy(made.topology);
    unmake_bvh(made.bvh, made.mesh);
    memset(&made, 0, sizeof made);
}

/* False where the call raised a trap or changed the environment. */
static bool is_quiet(int which)
{
    if (sigsetjmp(before_call, 1) != 0) {
        callers_env_reset();
        return false;
    }
    callers_env_set(trapping);
    make_call(which);
    const bool kept = callers_env_leave(trapping);
    free_made();
    return kept;
}

TEST(no_function_raises_a_trap)
{
    if (trapping < 0) {
        skip();
    }
    struct sigaction action = { .sa_handler = on_trap }, old;
    assert_int_equal(sigaction(SIGFPE, &action, &old), 0);
    int trapped = 0;
    for (int i = 0; i < CALLS; i++) {
        if (!is_quiet(i)) {
            print_message("%s traps\n", names[i]);
            trapped++;
        }
    }
    assert_int_equal(sigaction(SIGFPE, &old, NULL), 0);
    assert_int_equal(trapped, 0);
}

/* On a scene, a tree and a tree of denormal numbers, with wild numbers of each kind in each
 * place. */
TEST(no_number_raises_a_trap)
{
    if (trapping < 0) {
        skip();
    }
    struct sigaction action = { .sa_handler = on_trap }, old;
    assert_int_equal(sigaction(SIGFPE, &action, &old), 0);
    volatile int trapped = 0;
    for (volatile int i = 0; i < 3 * WILD_KINDS * WILD_PLACES; i++) {
        const sl_bvh *const trees[3] = { sc.scene, in.torus, in.bvh };
        asked = trees[i % 3];
        wild_fill(&sc, i / 3 / WILD_PLACES, i / 3 % WILD_PLACES);
        for (volatile int call = CALLS - SCENE_CALLS; call < CALLS; call++) {
            if (!is_quiet(call)) {
                print_message("%s traps, tree %d, kind %d in place %d\n", names[call], i % 3,
                              i / 3 / WILD_PLACES, i / 3 % WILD_PLACES);
                trapped++;
            }
        }
    }
    assert_int_equal(sigaction(SIGFPE, &old, NULL), 0);
    assert_int_equal(trapped, 0);
}

/* The traps are really on. */
TEST(a_comparison_of_a_denormal_traps)
{
    if (trapping < 0) {
        skip();
    }
    struct sigaction action = { .sa_handler = on_trap }, old;
    volatile float tiny = TINY;
    volatile bool is = false;
    assert_int_equal(sigaction(SIGFPE, &action, &old), 0);
    const bool trapped = sigsetjmp(before_call, 1) != 0;
    if (!trapped) {
        callers_env_set(trapping);
        is = tiny < 1;
    }
    callers_env_reset();
    assert_int_equal(sigaction(SIGFPE, &old, NULL), 0);
    assert_true(trapped && !is);
}

static bool is_listed(const char *name, size_t length)
{
    for (int i = 0; i < CALLS; i++) {
        for (const char *at = names[i]; (at = strstr(at, "sl_")) != NULL; at++) {
            if (strncmp(at, name, length) == 0 && (at[length] == ' ' || at[length] == '(')) {
                return true;
            }
        }
    }
    return strncmp(name, "sl_mesh_sink_", 13) == 0;
}

/* Looks up every function of a header: the name before the first parenthesis after SL_API. */
static size_t look_up_header(const char *header)
{
    static char text[1 << 16];
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, header);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    text[size] = '\0';
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, "\nSL_API ")) != NULL; count++) {
        at = strchr(at, '(');
        assert_non_null(at);
        const char *name = at;
        while (name[-1] == '_' || (name[-1] >= '0' && name[-1] <= '9') ||
               (name[-1] >= 'a' && name[-1] <= 'z')) {
            name--;
        }
        if (!is_listed(name, (size_t)(at - name))) {
            fail_msg("%s declares %.*s, which traps_calls.h does not call", header,
                     (int)(at - name), name);
        }
    }
    return count;
}

/* The library of files and pictures has calls that take no numbers. */
static size_t look_up_headers(const char *folder)
{
    char path[1024];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, folder);
    DIR *all = opendir(path);
    assert_non_null(all);
    for (const struct dirent *entry; (entry = readdir(all)) != NULL;) {
        const char *name = entry->d_name;
        if (strstr(name, ".h") != NULL && strstr("gltf.h image.h io.h", name) == NULL) {
            snprintf(path, sizeof path, "%s/%s", folder, name);
            count += look_up_header(path);
        }
    }
    closedir(all);
    return count;
}

TEST(every_function_of_the_headers_is_called)
{
    assert_true(
        look_up_headers("lib/include/sightline") + look_up_headers("bvh/include/sightline") > 200);
}
