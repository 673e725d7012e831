/* Picks, snaps and lists in a mesh that is being edited, after each edit: the tree refitted by the
 * triangles that moved, the next version of the scene, the topology updated; against everything
 * built anew. */
#include "test/support/input/pictures.h"
#include "test/support/oracle/pick_oracle.h"
#include "test/support/test.h"

enum { SEED = 20261202, EDITS = 200, QUERIES = 6, RANGES = 40, LISTED = 16 };

typedef struct version {
    sl_bvh *tree;
    sl_bvh *scene;
    sl_topology *topology;
} version;

typedef struct edited {
    float *xyz;
    sl_mesh *mesh; /* as it was at first */
    size_t vertices, triangles;
    version live;
    sl_bvh *before;
} edited;

/* The mesh twice, once mirrored, so that there are things behind others. */
static void build_scene(version *v, sl_bvh *recycle)
{
    sl_instance instances[2];
    sl_instances_def def = (sl_instances_def){ 0 };
    for (int i = 0; i < 2; i++) {
        instances[i] = sl_instance_of(v->tree);
        instances[i].transform.m[0][0] = i == 0 ? 1 : -0.5;
        instances[i].transform.m[2][3] = i;
    }
    def.previous = def.recycle = recycle;
    v->scene = made_scene(instances, 2, &def);
}

static void version_build(version *v, const sl_mesh *mesh, sl_bvh_layout layout)
{
    sl_build_def def = { .layout = layout };
    v->tree = made_bvh(mesh, &def);
    v->topology = made_topology(mesh, NULL);
    build_scene(v, NULL);
}

static void version_free(version *v)
{
    sl_bvh_destroy(v->scene);
    sl_topology_destroy(v->topology);
    sl_bvh_destroy(v->tree);
}

/* The same triangles without attributes, and one vertex for each position: what parts or meets, and
 * seams, would be others in a mesh that is built anew. */
static sl_mesh *plain(sl_mesh *mesh)
{
    const size_t triangles = sl_mesh_soup(mesh).triangle_count;
    FREED uint32_t *indices = made_memory(3 * triangles * sizeof *indices);
    sl_topology *topology = made_topology(mesh, NULL);
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        indices[i] = sl_topology_mesh_vertex(
            topology, sl_topology_element_of(topology, i / 3, SL_VERTICES, i % 3));
    }
    sl_mesh *made = made_mesh(sl_mesh_soup(mesh).xyz, sl_mesh_soup(mesh).vertex_count, indices,
                              triangles, NULL);
    unmake_topology(topology, mesh);
    return made;
}

static void begin(edited *e, sl_mesh *mesh, sl_bvh_layout layout)
{
    e->mesh = mesh;
    e->vertices = sl_mesh_soup(mesh).vertex_count;
    e->triangles = sl_mesh_soup(mesh).triangle_count;
    e->xyz = malloc(3 * e->vertices * sizeof *e->xyz);
    assert_non_null(e->xyz);
    memcpy(e->xyz, sl_mesh_soup(mesh).xyz, 3 * e->vertices * sizeof *e->xyz);
    e->before = NULL;
    version_build(&e->live, mesh, layout);
}

/* Moves some vertices; dirty: each triangle that has one, and now and then another. */
static void move(edited *e, test_random *random, sl_prim_range *dirty, size_t *count)
{
    const uint32_t *indices = sl_mesh_soup(e->mesh).indices;
    const uint32_t moved = test_random_below(random, (uint32_t)e->vertices);
    const uint32_t width = 1 + test_random_below(random, 3);
    const float far = test_random_below(random, 8) == 0 ? 3 : 0.2f;
    *count = 0;
    for (uint32_t i = moved; i < moved + width && i < e->vertices; i++) {
        for (int axis = 0; axis < 3; axis++) {
            e->xyz[3 * (size_t)i + (size_t)axis] += test_random_in(random, -far, far);
        }
    }
    for (uint32_t prim = 0; prim < e->triangles; prim++) {
        bool has = false;
        for (int k = 0; k < 3; k++) {
            const uint32_t vertex = indices[3 * (size_t)prim + (size_t)k];
            has = has || (vertex >= moved && vertex < moved + width);
        }
        if (has) {
            assert_in_range(*count, 0, RANGES - 1);
            dirty[(*count)++] = (sl_prim_range){ prim, 1 };
        }
    }
}

static void follow(edited *e, bool in_place, const sl_prim_range *dirty, size_t count)
{
    sl_refit_def def = { 0 };
    sl_bvh *next;
    def.dirty = dirty;
    def.dirty_count = count;
    def.recycle = in_place ? e->live.tree : e->before;
    assert_int_equal(sl_bvh_refit(e->live.tree, e->xyz, e->vertices, sl_mesh_soup(e->mesh).indices,
                                  e->triangles, &def, &next, NULL),
                     SL_OK);
    e->before = in_place ? e->before : e->live.tree;
    e->live.tree = next;
    build_scene(&e->live, e->live.scene);
    assert_int_equal(sl_topology_update(e->live.topology, e->xyz, dirty, count, NULL), SL_OK);
}

static void expect_same(const version *a, const version *b, test_random *random, size_t *found)
{
    const sl_topology *const of_a[] = { a->topology, a->topology };
    const sl_topology *const of_b[] = { b->topology, b->topology };
    for (int i = 0; i < QUERIES; i++) {
        static sl_pick p[LISTED], q[LISTED];
        sl_snap s, t;
        sl_pick_def def = { 0 }, same = def;
        sl_snap_def snap = { 0 }, same_snap = snap;
        double xy[2];
        const sl_view view = pictures_view(b->scene, random);
        pictures_position(b->scene, &view, random, xy);
        def.unit = same.unit = SL_PICK_FACES;
        def.radius = same.radius = i % 2 == 0 ? 5 : 40;
        snap.kinds = same_snap.kinds = i % 2 == 0 ? snap.kinds : (1u << SL_SNAP_KINDS) - 1;
        def.topologies = snap.topologies = i < 2 ? NULL : of_a;
        same.topologies = same_snap.topologies = i < 2 ? NULL : of_b;
        const bool any = sl_pick_at(a->scene, &view, xy, &def, p);
        assert_true(any == sl_pick_at(b->scene, &view, xy, &same, q));
        assert_true(!any || pick_oracle_difference(p, q) == NULL);
        *found += any && p->kind != SL_PICK_FACE;
        const size_t count = sl_pick_all(a->scene, &view, xy, &def, p, LISTED);
        assert_int_equal(count, sl_pick_all(b->scene, &view, xy, &same, q, LISTED));
        for (size_t k = 0; k < count && k < LISTED; k++) {
            assert_true(pick_oracle_difference(&p[k], &q[k]) == NULL);
        }
        if (i % 3 != 0) {
            continue;
        }
        const bool snaps = sl_snap_at(a->scene, &view, xy, &snap, NULL, &s);
        assert_true(snaps == sl_snap_at(b->scene, &view, xy, &same_snap, NULL, &t));
        assert_true(s.kind == t.kind && s.instance == t.instance && s.prim == t.prim &&
                    s.corner == t.corner && s.target == t.target &&
                    memcmp(s.point, t.point, sizeof s.point) == 0);
    }
}

static size_t edit_mesh(sl_mesh *mesh, sl_bvh_layout layout, uint64_t seed)
{
    test_random random = { seed };
    edited e;
    size_t found = 0;
    mesh = plain(mesh);
    begin(&e, mesh, layout);
    for (size_t i = 0; i < (test_is_brief() ? 10 : EDITS); i++) {
        sl_prim_range dirty[RANGES];
        size_t count;
        version anew;
        move(&e, &random, dirty, &count);
        follow(&e, test_random_below(&random, 3) == 0 && e.before == NULL, dirty, count);
        sl_mesh *moved =
            made_mesh(e.xyz, e.vertices, sl_mesh_soup(mesh).indices, e.triangles, NULL);
        version_build(&anew, moved, SL_BVH_LAYOUT_DEFAULT);
        expect_same(&e.live, &anew, &random, &found);
        version_free(&anew);
        sl_mesh_destroy(moved);
    }
    version_free(&e.live);
    unmake_bvh(e.before, mesh);
    free(e.xyz);
    return found;
}

TEST(picks_after_edits_are_those_of_what_is_built_anew)
{
    for (int i = 0; i < 3; i++) {
        const uint64_t seed = test_seed(SEED) + (uint64_t)i;
        sl_mesh *mesh;
        assert_int_equal(
            i == 1
                ? sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 11, 11, 1, 3 } } },
                                   NULL, &mesh, NULL)
                : sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 6 } } }, NULL,
                                   &mesh, NULL),
            SL_OK);
        print_message("seed %llu\n", (unsigned long long)seed);
        const size_t found =
            edit_mesh(mesh, i == 2 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT, seed);
        assert_true(found > 0);
    }
}
