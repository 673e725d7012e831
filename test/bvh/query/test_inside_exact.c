/* Points in and around closed meshes, many straight under vertices and edges, against winding
 * numbers in integers of any length; and rays from outside, which cross an even number of times.
 * SIGHTLINE_TEST_SCALE=120 asks 1,080,000 points of the generated meshes, and as many rays. */
#include "test/support/environment/needs.h"
#include "test/support/hard/rays.h"
#include "test/support/input/solids.h"
#include "test/support/oracle/crossing_oracle.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"
#include "test/support/volume.h"

#define SCENES SOURCE_DIR "/../shared/scenes/"

enum { SEED = 20260804, POINTS = 500, RAYS = 500, SCENE_POINTS = 40, LARGEST = 300000 };

typedef enum point_kind {
    AROUND,       /* anywhere in the bounds and about */
    UNDER_VERTEX, /* so that a ray along +x meets a vertex, in front or behind */
    UNDER_EDGE,   /* the same with the rounded middle of an edge */
    OF_VERTICES,  /* each coordinate from another vertex: in planes of faces, above edges */
    AT,           /* a vertex, or the rounded middle of an edge or a triangle */
    BESIDE,       /* the same, a step or none to each side */
    POINT_KINDS
} point_kind;

static float step(float x, test_random *random)
{
    const uint32_t way = test_random_below(random, 3);
    return way == 0 ? x : nextafterf(x, way == 1 ? INFINITY : -INFINITY);
}

static void corner_or_middle(const sl_triangle *t, uint32_t which, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double a = t->v[0][axis], b = t->v[1][axis], c = t->v[2][axis];
        out[axis] = (float)(which == 0 ? a : which == 1 ? (a + b) / 2 : (a + b + c) / 3);
    }
}

static void make_point(const sl_mesh *mesh, point_kind kind, test_random *random, float point[3])
{
    const sl_triangle t = hard_triangle(mesh, random);
    float at[3];
    hard_point(mesh, random, point);
    switch (kind) {
    case UNDER_VERTEX:
    case UNDER_EDGE:
        corner_or_middle(&t, kind == UNDER_EDGE, at);
        memcpy(point + 1, at + 1, 2 * sizeof *at);
        break;
    case OF_VERTICES:
        for (int axis = 0; axis < 3; axis++) {
            const sl_triangle of = hard_triangle(mesh, random);
            corner_or_middle(&of, test_random_below(random, 2), at);
            point[axis] = at[axis];
        }
        break;
    case AT:
    case BESIDE:
        corner_or_middle(&t, test_random_below(random, 3), at);
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = kind == AT ? at[axis] : step(at[axis], random);
        }
        break;
    default:
        break;
    }
}

typedef struct tally {
    size_t points, inside, surface, differ, wrong, rays, crossed, odd;
} tally;

static void show(const char *name, const float point[3], const crossing_answer *truth,
                 const sl_inside *found)
{
    print_error("%s: %a %a %a: winding %lld, odd %d, on %d; found %g, %d, %d\n", name,
                (double)point[0], (double)point[1], (double)point[2], (long long)truth->winding,
                truth->odd, truth->on_surface, found->winding, found->by_parity, found->on_surface);
}

/* Every other question goes to a tree of the other quality. */
static void query_points(const char *name, const sl_mesh *mesh, sl_bvh *const bvh[2], size_t count,
                         uint64_t seed, tally *t)
{
    crossing_oracle *oracle = crossing_oracle_open(mesh, seed + 1);
    test_random random = { seed };
    for (size_t i = 0; i < count; i++) {
        float point[3];
        sl_inside found;
        make_point(mesh, (point_kind)(i % POINT_KINDS), &random, point);
        const bool inside = winding_of_one(bvh[i / POINT_KINDS % 2], NULL, point, NULL, &found);
        const crossing_answer truth = crossing_oracle_ask(oracle, point);
        const bool right = found.winding == (double)truth.winding && found.by_parity == truth.odd &&
                           inside == truth.odd && found.by_winding == (truth.winding != 0) &&
                           found.differ == (truth.odd != (truth.winding != 0)) &&
                           found.on_surface == truth.on_surface;
        if (!right && t->wrong++ < 10) {
            show(name, point, &truth, &found);
        }
        t->inside += truth.odd;
        t->surface += truth.on_surface;
        t->differ += found.differ;
    }
    t->points += count;
    crossing_oracle_close(oracle);
}

/* From a point outside of the bounds, or from infinity. */
static sl_ray from_outside(const sl_mesh *mesh, size_t i, test_random *random)
{
    const hard_kind kinds[3] = { HARD_BEYOND, HARD_AXIS, HARD_BOX };
    sl_ray ray = hard_ray_make(mesh, kinds[i % 3], random).ray;
    const sl_aabb bounds = sl_mesh_get_info(mesh).bounds;
    if (sl_volume_contains_point(AS_AABB(&bounds), ray.origin)) {
        ray.tmin = -INFINITY;
    }
    return ray;
}

static void query_rays(const sl_mesh *mesh, sl_bvh *const bvh[2], size_t count, uint64_t seed,
                       tally *t)
{
    const sl_options options = { .flags = SL_CROSSINGS };
    test_random random = { seed };
    for (size_t i = 0; i < count; i++) {
        const sl_ray ray = from_outside(mesh, i, &random);
        const size_t crossings = sl_bvh_all(bvh[i / 3 % 2], &ray, &options, NULL, 0);
        t->odd += crossings % 2;
        t->crossed += crossings > 0;
    }
    t->rays += count;
}

static tally query_mesh(const char *name, const sl_mesh *mesh, size_t points, size_t rays,
                        uint64_t seed)
{
    tally t = { 0 };
    sl_bvh *bvh[2] = { NULL, NULL };
    sl_build_def def = { 0 };
    bvh[0] = made_bvh(mesh, &def);
    def.quality = SL_BVH_QUALITY_HIGH;
    bvh[1] = made_bvh(mesh, &def);
    query_points(name, mesh, bvh, points, seed, &t);
    query_rays(mesh, bvh, rays, seed + 2, &t);
    sl_bvh_destroy(bvh[0]);
    sl_bvh_destroy(bvh[1]);
    print_message("%-33s %7zu points: %zu inside, %zu on the surface, %zu differ, %zu wrong; "
                  "%zu rays: %zu cross, %zu odd\n",
                  name, t.points, t.inside, t.surface, t.differ, t.wrong, t.rays, t.crossed, t.odd);
    return t;
}

TEST(no_point_of_a_generated_solid_is_told_wrong)
{
    for (int kind = 0; kind < SOLID_KINDS; kind++) {
        OWN(sl_mesh) mesh = solid_make((solid_kind)kind);
        /* Few points of the needles see that a triangle stands in several leaves. */
        const size_t scale = test_scale() * (kind == SOLID_NEEDLES ? 10 : 1);
        const tally t = query_mesh(solid_names[kind], mesh, POINTS * scale, RAYS * scale,
                                   SEED + 10 * (uint64_t)kind);
        assert_int_equal(t.wrong, 0);
        assert_int_equal(t.odd, 0);
        assert_true(t.inside > t.points / 50 && t.inside < t.points);
        assert_true(t.surface > t.points / 50);
        assert_true(t.crossed > t.rays / 4);
        assert_true(t.differ == 0 || kind == SOLID_SHELLS || kind == SOLID_NEEDLES);
        assert_true(t.differ > 0 || kind != SOLID_SHELLS);
    }
}

static bool has_ending(const char *name, const char *const *endings)
{
    const size_t length = strlen(name);
    for (; *endings != NULL; endings++) {
        const size_t wanted = strlen(*endings);
        if (length > wanted && strcmp(name + length - wanted, *endings) == 0) {
            return true;
        }
    }
    return false;
}

/* The mesh of a file that the manifest names, if it is closed and not too large. */
static sl_mesh *closed_scene(const char *folder, const char *name)
{
    static const char *const ours[] = { ".obj", ".ply", ".stl", ".STL", ".off", NULL };
    char path[1024];
    sl_mesh *mesh = NULL;
    sl_mesh_report report = { .closed = false };
    snprintf(path, sizeof path, SCENES "%s%s", folder, name);
    if (!has_ending(name, ours) || sl_mesh_load(path, NULL, &mesh, NULL) != SL_OK) {
        return NULL;
    }
    if (sl_mesh_soup(mesh).triangle_count == 0 || sl_mesh_soup(mesh).triangle_count > LARGEST ||
        sl_mesh_inspect(mesh, NULL, NULL, &report, NULL) != SL_OK || !report.closed) {
        sl_mesh_destroy(mesh);
        return NULL;
    }
    return mesh;
}

TEST(no_point_of_a_real_solid_is_told_wrong)
{
    test_needs_scenes();
    FILE *manifest = fopen(SCENES "MANIFEST.md", "r");
    if (manifest == NULL) {
        print_message("skipped: %sMANIFEST.md is not there\n", SCENES);
        return;
    }
    char line[4096], folder[64] = "", name[256];
    int meshes = 0;
    while (fgets(line, sizeof line, manifest) != NULL) {
        if (sscanf(line, "## %63s", folder) == 1 || sscanf(line, "| %255s |", name) != 1) {
            continue;
        }
        OWN(sl_mesh) mesh = closed_scene(folder, name);
        if (mesh != NULL) {
            const tally t = query_mesh(name, mesh, SCENE_POINTS * test_scale(),
                                       SCENE_POINTS * test_scale(), SEED + 1000);
            assert_int_equal(t.wrong, 0);
            assert_int_equal(t.odd, 0);
            meshes++;
        }
    }
    fclose(manifest);
    assert_true(meshes > 0);
}
