#include "test/faults/fault_case.h"
#include "lib/base/thread/thread.h"
#include "test/support/test.h"

#include "test/faults/fault_contacts.h"
#include "test/faults/fault_files.h"
#include "test/faults/fault_scenes.h"
#include "test/faults/fault_selections.h"
#include "test/support/environment/folder.h"

enum {
    MOST_CASES = 500,
    MESHES = 3,
    SOUP = 400,
    WORKERS = 3,
    SIDE = 24 /* of a picture, in pixels */
};

static fault_case cases[MOST_CASES];
static size_t case_count;

static sl_mesh *meshes[MESHES];             /* empty; a soup; closed, with triangles left out */
static uint32_t masks[SOUP];                /* of the soup */
static sl_bvh *tree;                        /* of the soup */
static _Alignas(64) uint8_t saved[1 << 17]; /* that tree's file */
static size_t saved_size;
static uint8_t picture[3 * SIDE * SIDE];
static sl_pool *pool;

static fault_case *add(sl_result (*run)(const fault_case *, fault_run *), const char *name)
{
    assert_true(case_count < MOST_CASES);
    fault_case *added = &cases[case_count++];
    *added = (fault_case){ .run = run, .has_hook = true };
    snprintf(added->name, sizeof added->name, "%s", name);
    return added;
}

/* ---- Meshes: loaded, taken from arrays, generated */

static sl_mesh_def mesh_def(const fault_run *run)
{
    sl_mesh_def def = { .hooks.allocator = run->memory, .formats = sl_io_formats() };
    return def;
}

/* Takes the answer of a mesh and destroys it. */
static sl_result end_mesh(sl_result result, sl_mesh *const *made, fault_run *run)
{
    OWN(sl_mesh) mesh = *made; /* read behind the call that makes it */
    assert_true((result == SL_OK) == (mesh != NULL));
    if (mesh != NULL) {
        run->answer = sl_mesh_hash(mesh) + sl_mesh_soup(mesh).vertex_count +
                      sl_mesh_get_info(mesh).part_count;
    }
    return result;
}

enum { REFUSE, LEAVE_OUT, RECENTER, VARIANTS };

static sl_result load_memory(const fault_case *self, fault_run *run)
{
    size_t count;
    const fault_file *file = fault_files(&count) + self->which;
    sl_mesh_def def = mesh_def(run);
    def.bad = self->how == LEAVE_OUT ? SL_BAD_LEAVE_OUT : SL_BAD_REFUSE;
    def.recentre = self->how == RECENTER;
    sl_mesh *mesh = NULL;
    return end_mesh(
        sl_mesh_load_memory(file->bytes, file->size, file->name, &def, &mesh, &run->error), &mesh,
        run);
}

static sl_result load_file(const fault_case *self, fault_run *run)
{
    size_t count;
    const sl_mesh_def def = mesh_def(run);
    sl_mesh *mesh = NULL;
    const char *name = in_folder(fault_files(&count)[self->which].name);
    return end_mesh(sl_mesh_load(name, &def, &mesh, &run->error), &mesh, run);
}

/* Takes the answer of the nodes of a file and destroys them. */
static sl_result end_nodes(sl_result result, sl_gltf *const *made, fault_run *run)
{
    OWN(sl_gltf) nodes = *made;
    assert_true((result == SL_OK) == (nodes != NULL));
    if (nodes != NULL) {
        run->answer =
            1000 * sl_gltf_get_info(nodes).mesh_count + sl_gltf_get_info(nodes).instance_count;
    }
    return result;
}

static sl_result nodes_of_memory(const fault_case *self, fault_run *run)
{
    size_t count;
    const fault_file *file = fault_files(&count) + self->which;
    sl_mesh_def def = mesh_def(run);
    def.bad = self->how == LEAVE_OUT ? SL_BAD_LEAVE_OUT : SL_BAD_REFUSE;
    sl_gltf *nodes = NULL;
    return end_nodes(
        sl_gltf_load_memory(file->bytes, file->size, file->name, &def, &nodes, &run->error), &nodes,
        run);
}

static sl_result nodes_of_file(const fault_case *self, fault_run *run)
{
    size_t count;
    const sl_mesh_def def = mesh_def(run);
    sl_gltf *nodes = NULL;
    const char *name = in_folder(fault_files(&count)[self->which].name);
    return end_nodes(sl_gltf_load(name, &def, &nodes, &run->error), &nodes, run);
}

static sl_result from_arrays(const fault_case *self, fault_run *run)
{
    static const float xyz[12] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 };
    static const uint32_t wide[6] = { 0, 1, 2, 0, 2, 3 };
    static const uint16_t narrow[6] = { 0, 1, 2, 0, 2, 3 };
    sl_mesh_def def = mesh_def(run);
    def.index_type = self->how == 1 ? SL_INDEX_U16 : SL_INDEX_U32;
    const void *indices = self->how == 0 ? wide : self->how == 1 ? (const void *)narrow : NULL;
    def.normals = (sl_mesh_attribute){ .values = xyz, .count = 4 };
    def.uvs = (sl_mesh_attribute){ .values = xyz, .count = 6, .indices = wide };
    sl_mesh *mesh = NULL;
    return end_mesh(
        sl_mesh_from_arrays(xyz, 4, indices, indices != NULL ? 2 : 1, &def, &mesh, &run->error),
        &mesh, run);
}

static sl_result generate(const fault_case *self, fault_run *run)
{
    const sl_hooks hooks = { .allocator = run->memory };
    sl_mesh *mesh = NULL;
    sl_result result = SL_OK;
    switch (self->how) {
    case 0:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 3 } } }, &hooks,
                                  &mesh, &run->error);
        break;
    case 1:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 5, 4, 2, 1 } } },
                                  &hooks, &mesh, &run->error);
        break;
    case 2:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 4, 5, 1, 9 } } },
                                  &hooks, &mesh, &run->error);
        break;
    default:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 50, 0.1f, 3 } } },
                                  &hooks, &mesh, &run->error);
        break;
    }
    return end_mesh(result, &mesh, run);
}

static void add_nodes(const fault_file *files, int which)
{
    const bool alone = strstr(files[which].name, "beside") == NULL;
    for (int how = REFUSE; how < RECENTER && alone; how++) {
        fault_case *one = add(nodes_of_memory, "nodes from memory ");
        strcat(one->name, files[which].name);
        one->which = which;
        one->how = how;
    }
    fault_case *one = add(nodes_of_file, "nodes ");
    strcat(one->name, files[which].name);
    one->which = which;
    one->in_files = true;
}

static void add_meshes(void)
{
    size_t count;
    const fault_file *files = fault_files(&count);
    for (size_t i = 0; i < count; i++) {
        /* What names other files is none of memory's. */
        const bool alone = strstr(files[i].name, "beside") == NULL;
        for (int how = REFUSE; how < VARIANTS && alone; how++) {
            fault_case *one = add(load_memory, "load from memory ");
            strcat(one->name, files[i].name);
            one->which = (int)i;
            one->how = how;
        }
        fault_case *one = add(load_file, "load ");
        strcat(one->name, files[i].name);
        one->which = (int)i;
        one->in_files = true;
        if (strstr(files[i].name, ".gl") != NULL) {
            add_nodes(files, (int)i);
        }
    }
    for (int how = 0; how < 3; how++) {
        add(from_arrays, "mesh from arrays")->how = how;
    }
    for (int how = 0; how < 4; how++) {
        add(generate, "generate")->how = how;
    }
}

/* ---- Asked and changed */

static bool count_fault(void *user, const sl_fault *fault)
{
    *(uint64_t *)user += 1 + fault->prim;
    return true;
}

static sl_result inspect(const fault_case *self, fault_run *run)
{
    const sl_hooks hooks = { .allocator = run->memory };
    sl_mesh_report report = { .edges = 0 };
    uint64_t found = 0;
    const sl_fault_hook hook = { .found = count_fault, .user = &found };
    const sl_mesh *mesh = meshes[self->which];
    const sl_result result = self->how == 0
                                 ? sl_mesh_inspect(mesh, &hooks, NULL, &report, &run->error)
                                 : sl_mesh_inspect(mesh, &hooks, &hook, &report, &run->error);
    run->answer = report.edges + found;
    return result;
}

static sl_result weld(const fault_case *self, fault_run *run)
{
    static uint32_t triangle_map[SOUP], vertex_map[3 * SOUP];
    sl_weld_def def = { .hooks.allocator = run->memory };
    if (self->how == 1) {
        def.drop = SL_DROP_LEFT_OUT | SL_DROP_ZERO_AREA | SL_DROP_DUPLICATES;
        def.triangle_map = triangle_map;
        def.vertex_map = vertex_map;
    }
    sl_mesh *mesh = NULL;
    return end_mesh(sl_mesh_weld(meshes[self->which], &def, &mesh, NULL, &run->error), &mesh, run);
}

static sl_result split(const fault_case *self, fault_run *run)
{
    sl_split_def def = { .hooks.allocator = run->memory };
    sl_mesh *mesh = NULL;
    return end_mesh(sl_mesh_split_vertices(meshes[self->which], &def, &mesh, &run->error), &mesh,
                    run);
}

static sl_result boundary(const fault_case *self, fault_run *run)
{
    const sl_hooks hooks = { .allocator = run->memory };
    const sl_soup soup = sl_mesh_soup(meshes[self->which]);
    OWN(sl_boundary) made = NULL;
    const sl_result result = sl_boundary_create(&soup, NULL, &hooks, &made, &run->error);
    assert_true((result == SL_OK) == (made != NULL));
    run->answer = made != NULL ? sl_boundary_get_info(made).edge_count : 0;
    return result;
}

static sl_result topology(const fault_case *self, fault_run *run)
{
    sl_topology_def def = { .hooks.allocator = run->memory };
    OWN(sl_topology) made = NULL;
    const sl_result result = sl_topology_build(meshes[self->which], &def, &made, &run->error);
    assert_true((result == SL_OK) == (made != NULL));
    sl_topology_info info = { .edge_count = 0 };
    if (made != NULL) {
        info = sl_topology_get_info(made);
    }
    run->answer = info.edge_count + 1000 * info.feature_edge_count;
    return result;
}

static void add_questions(void)
{
    for (int mesh = 0; mesh < MESHES; mesh++) {
        for (int how = 0; how < 2; how++) {
            fault_case *one = add(inspect, how == 0 ? "inspect" : "find faults");
            one->which = mesh;
            one->how = how;
            one = add(weld, how == 0 ? "weld" : "weld and drop");
            one->which = mesh;
            one->how = how;
        }
        add(split, "split")->which = mesh;
        add(boundary, "boundary")->which = mesh;
        add(topology, "topology")->which = mesh;
    }
}

/* ---- Trees */

/* Takes the answer of a tree and destroys it. */
static sl_result end_tree(sl_result result, sl_bvh *const *made, fault_run *run)
{
    OWN(sl_bvh) bvh = *made;
    assert_true((result == SL_OK) == (bvh != NULL));
    if (bvh != NULL) {
        const sl_bvh_info info = sl_bvh_get_info(bvh);
        run->answer = sl_bvh_mesh_hash(bvh) + info.node_count + 1000 * (uint64_t)info.layout;
    }
    return result;
}

/* Bits of how, beside the quality. */
enum { COMPACT = 4, LIMITED = 8, SMALL = 16, QUALITY = 3 };

/* Enough for a compact tree of that mesh only, found by asking. */
static size_t small_enough(int mesh)
{
    static size_t bytes[MESHES];
    if (bytes[mesh] == 0) {
        sl_build_def def = { .layout = SL_BVH_LAYOUT_COMPACT };
        OWN(sl_bvh) bvh = made_bvh(meshes[mesh], &def);
        bytes[mesh] = sl_bvh_get_info(bvh).bytes * 5 / 4;
    }
    return bytes[mesh];
}

static sl_result build(const fault_case *self, fault_run *run)
{
    sl_build_def def = { .hooks.allocator = run->memory,
                         .quality = (sl_bvh_quality)(self->how & QUALITY),
                         .layout =
                             self->how & COMPACT ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT,
                         .max_memory = self->how & LIMITED ? 1 << 20 : 0,
                         .max_tree_size = self->how & SMALL ? small_enough(self->which) : 0 };
    def.masks = self->which == 1 ? masks : NULL;
    def.hooks.tasks = self->workers > 0 ? sl_pool_tasks(pool) : NULL;
    sl_bvh *bvh = NULL;
    return end_tree(sl_bvh_build(meshes[self->which], &def, &bvh, &run->error), &bvh, run);
}

static sl_result build_in_slices(const fault_case *self, fault_run *run)
{
    sl_build_def def = { .hooks.allocator = run->memory,
                         .quality = (sl_bvh_quality)(self->how & QUALITY),
                         .layout =
                             self->how & COMPACT ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT };
    def.hooks.tasks = self->workers > 0 ? sl_pool_tasks(pool) : NULL;
    OWN(sl_build) in_slices = NULL;
    sl_bvh *bvh = NULL;
    sl_result result = sl_build_begin(meshes[self->which], &def, &in_slices, &run->error);
    for (bool done = false; result == SL_OK && !done;) {
        result = sl_build_step(in_slices, 0.2, &done, &run->error);
    }
    if (result == SL_OK) {
        result = sl_build_end(in_slices, &bvh, &run->error);
    }
    return end_tree(result, &bvh, run);
}

static void add_builds_in_slices(void)
{
    for (int i = 0; SLI_HAVE_THREADS && i < MESHES * 4 * 2; i++) {
        fault_case *one = add(build_in_slices, "");
        one->which = i / 8;
        one->how = i / 2 % 4 == 3 ? COMPACT : i / 2 % 4;
        one->workers = i % 2 * WORKERS;
        snprintf(one->name, sizeof one->name, "build mesh %d in slices, way %d, %d workers",
                 one->which, one->how, one->workers);
    }
}

static void add_builds(void)
{
    static const char *const qualities[] = { "default", "fast", "high" };
    for (int i = 0; i < MESHES * 3 * 8 * 2; i++) {
        const int how = i / 2 % 8 * COMPACT, quality = i / 16 % 3, mesh = i / 48;
        if (mesh == 0 && how > COMPACT) {
            continue; /* nothing is limited by nothing */
        }
        fault_case *one = add(build, "");
        one->which = mesh;
        one->how = how | quality;
        one->workers = i % 2 * WORKERS;
        snprintf(one->name, sizeof one->name, "build mesh %d, %s%s%s%s, %d workers", mesh,
                 qualities[quality], how & COMPACT ? ", compact" : "",
                 how & LIMITED ? ", limited" : "", how & SMALL ? ", small" : "", one->workers);
    }
}

/* ---- Refits */

enum { VERSION, RECYCLED, TAKES_TURNS, IN_ITSELF, OTHERS, TORN, MENDED, MASKS, REFITS };

/* Positions of the soup that moved: by VERSION and so on together, or apart, or not finite in one
 * triangle. */
static float *moved_soup(const fault_case *self, uint32_t corners[3 * SOUP])
{
    static float xyz[9 * SOUP];
    const float *from = sl_mesh_soup(meshes[1]).xyz;
    for (uint32_t i = 0; i < 3 * SOUP; i++) {
        const uint32_t vertex = sl_mesh_soup(meshes[1]).indices[i];
        corners[i] = i;
        for (uint32_t axis = 0; axis < 3; axis++) {
            const float torn = self->which == TORN || self->which == MENDED ? (float)(i % 7) : 0;
            xyz[3 * i + axis] = from[3 * vertex + axis] * 2 + torn;
        }
    }
    if (self->which == OTHERS) {
        xyz[4] = NAN;
    }
    return xyz;
}

static sl_result refit_once(const fault_case *self, const sl_bvh *from, sl_bvh *recycle,
                            sl_bvh **out, fault_run *run)
{
    static uint32_t corners[3 * SOUP];
    static const sl_prim_range some = { 3, SOUP / 2 };
    sl_refit_def def = { 0 };
    const float *xyz = moved_soup(self, corners);
    def.hooks.allocator = run->memory;
    def.hooks.tasks = self->workers > 0 ? sl_pool_tasks(pool) : NULL;
    def.recycle = recycle;
    def.bad = SL_BAD_LEAVE_OUT;
    def.dirty = self->which == TAKES_TURNS ? &some : NULL;
    def.dirty_count = self->which == TAKES_TURNS;
    def.rebuild_share = self->which == MENDED ? 1 : 0;
    if (self->which == MASKS) {
        def.masks = masks;
        return sl_bvh_set_masks(from, SOUP, &def, out, &run->error);
    }
    return sl_bvh_refit(from, xyz, (size_t)3 * SOUP, corners, SOUP, &def, out, &run->error);
}

/* What may not fail: whatever is refused, the trees that were there are as they were. */
static sl_result refit(const fault_case *self, fault_run *run)
{
    sl_build_def def = { 0 };
    sl_bvh *bvh = NULL, *next = NULL, *last = NULL;
    def.hooks.allocator = run->memory;
    def.quality = (sl_bvh_quality)(self->how & QUALITY);
    def.layout = self->how & COMPACT ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
    sl_result result = sl_bvh_build(meshes[1], &def, &bvh, &run->error);
    if (result != SL_OK) {
        return result;
    }
    const uint64_t hash = sl_bvh_mesh_hash(bvh);
    if (self->which == IN_ITSELF) {
        result = refit_once(self, bvh, bvh, &next, run);
        assert_true(result == SL_OK || sl_bvh_mesh_hash(bvh) == hash);
        if (result != SL_OK) {
            sl_bvh_destroy(bvh);
        }
        return end_tree(result, &next, run);
    }
    result = refit_once(self, bvh, NULL, &next, run);
    if (result == SL_OK && self->which >= RECYCLED) {
        result = refit_once(self, next, bvh, &last, run);
        bvh = result == SL_OK ? NULL : bvh;
    }
    assert_true(bvh == NULL || sl_bvh_mesh_hash(bvh) == hash);
    sl_bvh_destroy(bvh);
    if (last != NULL || result != SL_OK) {
        sl_bvh_destroy(next);
        return end_tree(result, &last, run);
    }
    return end_tree(result, &next, run);
}

static void add_refits(void)
{
    static const char *const names[REFITS] = { "a version", "recycled", "in turns", "in place",
                                               "others",    "torn",     "mended",   "other masks" };
    for (int i = 0; i < REFITS * 3 * 2; i++) {
        static const int hows[] = { SL_BVH_QUALITY_DEFAULT, SL_BVH_QUALITY_HIGH, COMPACT };
        fault_case *one = add(refit, "");
        one->which = i / 6;
        one->how = hows[i / 2 % 3];
        one->workers = i % 2 * WORKERS;
        snprintf(one->name, sizeof one->name, "refit, %s, how %d, %d workers", names[one->which],
                 one->how, one->workers);
    }
}

/* ---- Tree files */

enum { LOAD, MAP, LOAD_MEMORY, IN_PLACE, WAYS };

static sl_result open_tree(const fault_case *self, fault_run *run)
{
    sl_bvh_load_def def = { .hooks.allocator = run->memory,
                            .flags = self->which ? SL_LOAD_TRUSTED : 0 };
    def.flags |= self->how == IN_PLACE ? SL_LOAD_IN_PLACE : 0;
    sl_bvh *bvh = NULL;
    sl_result result;
    if (self->how >= LOAD_MEMORY) {
        result = sl_bvh_load_memory(saved, saved_size, &def, &bvh, &run->error);
    } else if (self->how == MAP) {
        result = sl_bvh_map(in_folder("tree.slt"), &def, &bvh, &run->error);
    } else {
        result = sl_bvh_load(in_folder("tree.slt"), &def, &bvh, &run->error);
    }
    return end_tree(result, &bvh, run);
}

static sl_result check_tree(const fault_case *self, fault_run *run)
{
    (void)self;
    OWN(sl_bvh) bvh = NULL;
    sl_build_def def = { .hooks.allocator = run->memory };
    sl_result result = sl_bvh_build(meshes[1], &def, &bvh, &run->error);
    if (result == SL_OK && !sl_bvh_check(bvh, meshes[1], &run->error)) {
        result = run->error.code;
    }
    return result;
}

static sl_result save_tree(const fault_case *self, fault_run *run)
{
    return sl_bvh_save(tree, in_folder(self->writes), &run->error);
}

static void add_trees(void)
{
    static const char *const names[WAYS] = { "open a tree file", "map a tree file",
                                             "open a tree in memory", "use a tree in place" };
    for (int how = LOAD; how < WAYS; how++) {
        for (int trusted = 0; trusted < 2; trusted++) {
            fault_case *one = add(open_tree, names[how]);
            one->which = trusted;
            one->how = how;
            one->in_files = how < LOAD_MEMORY;
        }
    }
    add(check_tree, "build and check");
    fault_case *one = add(save_tree, "save a tree");
    one->has_hook = false;
    one->in_files = true;
    one->writes = "made.slt";
}

/* ---- Other files that are written, and the pool */

static sl_result write_ply(const fault_case *self, fault_run *run)
{
    static float quality[3 * SOUP];
    static uint8_t rgb[9 * SOUP];
    const sl_mesh *mesh = meshes[1];
    const sl_ply ply = { .xyz = sl_mesh_soup(mesh).xyz,
                         .vertex_count = sl_mesh_soup(mesh).vertex_count,
                         .indices = sl_mesh_soup(mesh).indices,
                         .triangle_count = sl_mesh_soup(mesh).triangle_count,
                         .quality = quality,
                         .rgb = rgb };
    return sl_ply_write(in_folder(self->writes), &ply, &run->error);
}

static sl_result save_mesh(const fault_case *self, fault_run *run)
{
    sl_save_def def = { .drop = SL_MESH_COLOURS };
    def.hooks.allocator = run->memory;
    return sl_mesh_save(meshes[1], in_folder(self->writes), &def, NULL, &run->error);
}

static sl_result write_png(const fault_case *self, fault_run *run)
{
    (void)self;
    uint8_t *bytes = NULL;
    size_t size = 0;
    const sl_result result = sl_png_write_memory(picture, SIDE, SIDE, &bytes, &size, &run->error);
    assert_true((result == SL_OK) == (bytes != NULL));
    free(bytes);
    run->answer = size;
    return result;
}

static sl_result make_pool(const fault_case *self, fault_run *run)
{
    OWN(sl_pool) made = NULL;
    const sl_allocator *hook = run->memory.alloc != NULL ? &run->memory : NULL;
    const sl_result result = sl_pool_create(self->workers, hook, &made, &run->error);
    assert_true((result == SL_OK) == (made != NULL));
    return result;
}

static void add_writers(void)
{
    fault_case *one = add(write_ply, "write a PLY");
    one->has_hook = false;
    one->in_files = true;
    one->writes = "made.ply";
    static const char *const saves[] = { "saved.ply", "saved.obj", "saved.stl", "saved.glb" };
    for (int i = 0; i < 4; i++) {
        one = add(save_mesh, saves[i]);
        one->in_files = true;
        one->writes = saves[i];
    }
    add(write_png, "write a PNG to memory")->has_hook = false;
    add(make_pool, "make a pool of 1")->workers = 1;
    add(make_pool, "make a pool of 4")->workers = 4;
}

/* ---- All together */

static void make_inputs(void)
{
    static const float xyz[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    static const uint32_t indices[] = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2, 0, 1, 99, 2, 2, 2 };
    sl_mesh_def leave_out = { .bad = SL_BAD_LEAVE_OUT };
    meshes[0] = made_mesh(NULL, 0, NULL, 0, NULL);
    meshes[1] = made_soup(SOUP, 0.4f, 7);
    leave_out.uvs = (sl_mesh_attribute){ .values = xyz, .count = 6, .indices = indices };
    meshes[2] = made_mesh(xyz, 4, indices, 6, &leave_out);
    for (int i = 0; i < SOUP; i++) {
        masks[i] = (uint32_t)(i * i);
    }
    for (size_t i = 0; i < sizeof picture; i++) {
        picture[i] = (uint8_t)(i * i >> 3);
    }
    tree = made_bvh(meshes[1], NULL);
    saved_size = sl_bvh_save_memory(tree, NULL);
    assert_in_range(saved_size, 1, sizeof saved);
    sl_bvh_save_memory(tree, saved);
    put(in_folder("tree.slt"), saved, saved_size);
    pool = made_pool(WORKERS);
}

const fault_case *fault_cases(size_t *count)
{
    if (case_count == 0) {
        make_inputs();
        add_meshes();
        add_questions();
        add_builds();
        add_builds_in_slices();
        add_refits();
        add_trees();
        add_writers();
        fault_scenes_add(cases, &case_count, MOST_CASES, tree, sl_pool_tasks(pool));
        fault_contacts_add(cases, &case_count, MOST_CASES, tree, sl_pool_tasks(pool));
        fault_selections_add(cases, &case_count, MOST_CASES, tree, sl_pool_tasks(pool));
    }
    *count = case_count;
    return cases;
}

void fault_cases_end(void)
{
    fault_selections_end();
    fault_scenes_end();
    fault_contacts_end();
    sl_pool_destroy(pool);
    sl_bvh_destroy(tree);
    for (int i = 0; i < MESHES; i++) {
        sl_mesh_destroy(meshes[i]);
    }
}
