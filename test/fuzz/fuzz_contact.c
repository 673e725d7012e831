/* fuzz_contact.c: any bytes as two small worlds and shapes that move: what meets, how far it is
 * apart and what is on the way hold together, whichever call says it, of whichever is asked first,
 * in whichever order triangles come. */
#include "test/fuzz/bytes.h"
#include "test/fuzz/fuzz.h"

#include <sightline/clashes.h>
#include <sightline/sweep.h>
#include <sightline/volumes.h>

enum { MOST_TRIANGLES = 6, MOST = 8 * MOST_TRIANGLES * MOST_TRIANGLES, HULL = 6 };

/* ---- Worlds ---- */

typedef struct world {
    sl_bvh *tree, *turned, *scene; /* turned: the same triangles from the last to the first */
} world;

static sl_bvh *build(const float *xyz, size_t triangles)
{
    sl_bvh *bvh = NULL;
    OWN(sl_mesh) mesh = NULL;
    if (sl_mesh_from_arrays(xyz, 3 * triangles, NULL, triangles, NULL, &mesh, NULL) == SL_OK) {
        (void)sl_bvh_build(mesh, NULL, &bvh, NULL);
    }
    return bvh;
}

/* Numbers of bytes.h, far away, tiny, huge or as they are. */
static float coordinate(bytes *b, uint8_t how)
{
    const float x = number(b);
    return how == 0 ? x * 0x1p-140f : how == 1 ? x * 0x1p110f : how == 2 ? x + 1e7f : x;
}

static bool next_world(bytes *b, world *out)
{
    float xyz[2][MOST_TRIANGLES][9];
    const sl_topology *none[2];
    const uint8_t how = next(b) % 16;
    const size_t count = 1 + next(b) % MOST_TRIANGLES;
    *out = (world){ .tree = NULL };
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 9; k++) {
            xyz[0][i][k] = xyz[1][count - 1 - i][k] = coordinate(b, how);
        }
    }
    out->tree = build(xyz[0][0], count);
    out->turned = build(xyz[1][0], count);
    return out->tree != NULL && out->turned != NULL &&
           next_scene(b, out->tree, NULL, 2, none, &out->scene);
}

static void free_world(world *w)
{
    sl_bvh_destroy(w->scene);
    sl_bvh_destroy(w->tree);
    sl_bvh_destroy(w->turned);
}

/* ---- What meets ---- */

static bool is_same_ref(sl_triangle_ref a, sl_triangle_ref b)
{
    return a.instance == b.instance && a.prim == b.prim;
}

/* Corners do not tell the front of a mirrored instance, which is that of the object. */
static bool is_same_relation(sl_relation a, sl_relation b)
{
    return a == b || (a + b == SL_COPLANAR_SAME + SL_COPLANAR_OPPOSITE &&
                      (a == SL_COPLANAR_SAME || b == SL_COPLANAR_SAME));
}

static void compare_pair(const sl_bvh *a, const sl_bvh *b, const sl_clash_pair *pair, float margin)
{
    sl_triangle_d of_a, of_b;
    sl_closest_points points;
    fuzz_expect(sl_bvh_triangle(a, pair->a, of_a.v) && sl_bvh_triangle(b, pair->b, of_b.v),
                "a pair of no triangles");
    fuzz_expect(is_same_relation(sl_triangle_triangle(&of_a, &of_b, NULL), pair->relation) &&
                    sl_triangle_distance(&of_a, &of_b, &points) &&
                    (points.distance == 0 || pair->relation == SL_APART) &&
                    memcmp(&points.distance, &pair->distance, sizeof pair->distance) == 0 &&
                    (pair->relation != SL_APART || points.distance <= margin),
                "a pair that lies otherwise");
}

static size_t compare_pairs(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash)
{
    static sl_clash_pair pairs[MOST], turned[MOST], few[2];
    const size_t count = sl_bvh_clash_all(a, b, clash, pairs, MOST, NULL, NULL);
    fuzz_expect(count <= MOST && count == sl_bvh_clash_all(b, a, clash, turned, MOST, NULL, NULL) &&
                    count == sl_bvh_clash_all(a, b, clash, NULL, 0, NULL, NULL) &&
                    count == sl_bvh_clash_all(a, b, clash, few, 2, NULL, NULL) &&
                    memcmp(few, pairs, (count < 2 ? count : 2) * sizeof *few) == 0 &&
                    sl_bvh_clash_any(a, b, clash) == (count > 0),
                "another count of pairs");
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < count &&
               !(is_same_ref(pairs[i].a, turned[k].b) && is_same_ref(pairs[i].b, turned[k].a))) {
            k++;
        }
        fuzz_expect(k < count && pairs[i].relation == turned[k].relation &&
                        pairs[i].distance == turned[k].distance,
                    "a pair is not one from the other side");
        compare_pair(a, b, &pairs[i], clash->margin);
    }
    return count;
}

static float compare_distance(const sl_bvh *a, const sl_bvh *b, size_t meet, float margin,
                              size_t near)
{
    sl_distance out, turned;
    const bool found = sl_bvh_distance(a, b, INFINITY, NULL, &out);
    fuzz_expect(found == sl_bvh_distance(b, a, INFINITY, NULL, &turned) &&
                    found == sl_bvh_distance(a, b, INFINITY, NULL, NULL) &&
                    out.distance == turned.distance,
                "a distance has two sides");
    fuzz_expect(meet == 0 || (found && out.distance == 0), "what meets is apart");
    fuzz_expect(sl_bvh_distance(a, b, 0, NULL, NULL) == (meet > 0), "the limit 0");
    if (margin >= 0) {
        fuzz_expect(sl_bvh_distance(a, b, margin, NULL, NULL) == (near > 0), "a limit");
    }
    if (found) {
        sl_triangle_d of_a, of_b;
        sl_closest_points points;
        fuzz_expect(sl_bvh_triangle(a, out.a, of_a.v) && sl_bvh_triangle(b, out.b, of_b.v) &&
                        sl_triangle_distance(&of_a, &of_b, &points) &&
                        points.distance == out.distance &&
                        memcmp(points.a, out.point_a, sizeof points.a) == 0 &&
                        memcmp(points.b, out.point_b, sizeof points.b) == 0,
                    "points of a pair");
    }
    return out.distance;
}

static void compare_places(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash)
{
    sl_transform places[2] = { sl_transform_identity(), sl_transform_identity() };
    sl_distance out[2], alone;
    uint8_t any[2];
    places[1].m[0][3] = 0.5;
    places[1].m[1][1] = -1;
    sl_bvh_clash_any_many(a, b, places, 2, clash, any, NULL, NULL);
    sl_bvh_distance_many(a, b, places, 2, INFINITY, clash, out, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        OWN(sl_bvh) placed = NULL;
        sl_instance instance = sl_instance_of(b);
        sl_instances_def def = { .bad = SL_BAD_INSTANCES_LEAVE_OUT };
        instance.transform = places[i];
        if (sl_bvh_build_instances(&instance, 1, &def, &placed, NULL) == SL_OK) {
            (void)sl_bvh_distance(a, placed, INFINITY, clash, &alone);
            fuzz_expect(any[i] == sl_bvh_clash_any(a, placed, clash), "any, under a transform");
            fuzz_expect(alone.distance == out[i].distance &&
                            memcmp(alone.point_a, out[i].point_a, sizeof alone.point_a) == 0 &&
                            memcmp(alone.point_b, out[i].point_b, sizeof alone.point_b) == 0,
                        "a distance under a transform");
        }
    }
}

static void compare_solids(const sl_bvh *a, const sl_bvh *b, size_t meet)
{
    static const sl_solid_relation other[] = { SL_SOLIDS_APART,       SL_SOLIDS_TOUCHING,
                                               SL_SOLIDS_OVERLAPPING, SL_SOLIDS_B_INSIDE,
                                               SL_SOLIDS_A_INSIDE,    SL_SOLIDS_EQUAL,
                                               SL_SOLIDS_NONE };
    for (int parity = 0; parity < 2; parity++) {
        const sl_solids_def def = { .by_parity = parity != 0 };
        sl_solids one, two;
        fuzz_expect(sl_bvh_solids(a, b, &def, &one, NULL) == SL_OK &&
                        sl_bvh_solids(b, a, &def, &two, NULL) == SL_OK &&
                        two.relation == other[one.relation] && one.surfaces == two.surfaces &&
                        one.boundaries_meet == two.boundaries_meet && one.open[0] == two.open[1] &&
                        one.open[1] == two.open[0] && (one.surfaces != SL_APART) == (meet > 0),
                    "solids have two sides");
    }
}

static void compare_report(const sl_bvh *bvh, const sl_clash *clash)
{
    const sl_clashes_def def = { .clash = clash };
    sl_clashes *clashes = NULL;
    size_t count = 0;
    const sl_result result = sl_clashes_find(bvh, &def, &clashes, NULL);
    fuzz_expect((result == SL_OK) == (clash->margin >= 0), "a report");
    if (result == SL_OK) {
        const size_t pairs = sl_bvh_clash_instances(bvh, 0, 1, clash, NULL, 0);
        const sl_instance_clash *list = sl_clashes_list(clashes, &count);
        fuzz_expect(count == (pairs > 0), "a clash more or less");
        fuzz_expect(count == 0 || list->kind == SL_CLASH_CLEARANCE || list->pairs > 0,
                    "pairs of a clash");
    }
    sl_clashes_destroy(clashes);
}

/* Returns whether there is anything. */
static void try_pairs(bytes *b, const world *a, const world *c)
{
    const sl_clash meets = { .a = NULL }, within = { .margin = number(b) };
    const size_t meet = compare_pairs(a->tree, c->scene, &meets);
    const size_t near = compare_pairs(a->tree, c->scene, &within);
    const float distance = compare_distance(a->tree, c->scene, meet, within.margin, near);
    sl_distance turned;
    sl_curves *curves = NULL;
    fuzz_expect(near >= meet, "a margin takes away");
    fuzz_expect(sl_bvh_clash_all(a->turned, c->scene, &within, NULL, 0, NULL, NULL) == near,
                "the order of triangles counts");
    (void)sl_bvh_distance(a->turned, c->scene, INFINITY, NULL, &turned);
    fuzz_expect(turned.distance == distance, "the order of triangles matters to the distance");
    (void)compare_pairs(c->scene, c->scene, &within);
    compare_places(a->tree, c->tree, &within);
    compare_solids(a->tree, c->scene, meet);
    compare_report(c->scene, &within);
    fuzz_expect(sl_bvh_clash_curves(a->tree, c->scene, NULL, NULL, &curves, NULL) == SL_OK &&
                    (curves->curve_count == 0 || meet > 0),
                "curves of what does not meet");
    sl_curves_destroy(curves);
}

/* ---- What moves ---- */

static sl_sweep next_sweep(bytes *b, float points[HULL][3])
{
    sl_sweep sweep = { .volume.kind = (sl_volume_kind)(next(b) % 8) };
    float *numbers = (float *)(void *)&sweep.volume.shape;
    const uint8_t how = next(b);
    if (sweep.volume.kind == SL_VOLUME_HULL) {
        numbers = points[0];
        sweep.volume.shape.hull = (sl_hull){ points[0], 1 + next(b) % HULL };
    }
    for (int i = 0; i < 15; i++) {
        numbers[i] = number(b);
    }
    if (sweep.volume.kind == SL_VOLUME_OBB && how % 4 != 0) {
        sl_obb *obb = &sweep.volume.shape.obb;
        for (int i = 0; i < 3; i++) {
            obb->half[i] = fabsf(obb->half[i]);
        }
    } else if (sweep.volume.kind == SL_VOLUME_FRUSTUM) {
        sweep.volume.shape.frustum.count = how % 4;
    }
    const uint8_t touching = next(b);
    sweep.touching = (sl_start_contact)(touching % 3);
    sweep.ignore_grazing = touching / 3 % 2 != 0;
    sweep.overlapping = (sl_start_contact)(next(b) % 3);
    for (int axis = 0; axis < 3 && how % 8 != 0; axis++) {
        sweep.dir[axis] = number(b);
    }
    return sweep;
}

/* Moves each point that a shape is given by; false where doubles do not hold where they come. */
static bool move(sl_volume_d *volume, const double by[3])
{
    static const int points_of[] = {
        [SL_VOLUME_AABB] = 2,    [SL_VOLUME_SPHERE] = 1,  [SL_VOLUME_OBB] = 1,
        [SL_VOLUME_CAPSULE] = 2, [SL_VOLUME_FRUSTUM] = 0, [SL_VOLUME_TRIANGLE] = 3,
        [SL_VOLUME_HULL] = 0
    };
    double *points = (double *)(void *)&volume->shape;
    bool is_exact = points_of[volume->kind] > 0;
    for (int i = 0; i < 3 * points_of[volume->kind]; i++) {
        const double from = points[i], step = by[i % 3];
        points[i] += step;
        is_exact = is_exact && points[i] - from == step && points[i] - step == from &&
                   points[i] * 0x1p149 == floor(points[i] * 0x1p149);
    }
    return is_exact;
}

/* A shape that starts apart is apart just before the contact, too: at a time of few digits, where
 * doubles hold where it is. */
static void compare_before(const sl_sweep_d *sweep, const sl_volume_d *triangle, double t)
{
    sl_sweep_d there = { .volume = sweep->volume };
    double by[3];
    int exponent;
    const double digits = floor(frexp(t, &exponent) * 0x1p20 - 1);
    const double before = ldexp(digits, exponent - 20);
    bool is_exact = t > 0;
    for (int axis = 0; axis < 3; axis++) {
        by[axis] = before * sweep->dir[axis];
        is_exact = is_exact && fma(before, sweep->dir[axis], -by[axis]) == 0;
    }
    if (is_exact && move(&there.volume, by)) {
        fuzz_expect(!sl_sweep_volume(&there, triangle, NULL), "met before it is met");
    }
}

static void compare_contacts(const sl_bvh *bvh, const sl_sweep_d *sweep, const sl_options *options)
{
    static sl_contact all[MOST];
    sl_contact first, row[2];
    uint8_t any;
    uint64_t total;
    const sl_sweeps one = sl_sweeps_of(sweep, 1, SL_DOUBLE);
    const bool met = sl_bvh_sweep_d(bvh, sweep, options, &first);
    const size_t count = sl_bvh_sweep_all(bvh, sweep, options, all, MOST);
    sl_bvh_sweep_any_many(bvh, one, options, &any, NULL, NULL);
    sl_bvh_sweep_all_many(bvh, one, options, row, 2, &total, NULL, NULL);
    fuzz_expect(met == (count > 0) && any == met && total == count &&
                    sl_bvh_sweep_d(bvh, sweep, options, NULL) == met &&
                    sl_bvh_sweep_all(bvh, sweep, options, NULL, 0) == count &&
                    memcmp(row, all, (count < 2 ? count : 2) * sizeof *row) == 0,
                "another count of contacts");
    sl_bvh_sweep_many(bvh, one, options, row, NULL, NULL);
    fuzz_expect(memcmp(row, &first, sizeof first) == 0, "the first of an array");
    fuzz_expect(met ? memcmp(all, &first, sizeof first) == 0
                    : first.prim == SL_NONE && first.t == 1 && first.t_safe == 1,
                "the first contact");
    for (size_t i = 0; i < count; i++) {
        sl_volume_d triangle = { .kind = SL_VOLUME_TRIANGLE };
        sl_contact alone;
        fuzz_expect(sl_bvh_triangle(bvh, (sl_triangle_ref){ all[i].instance, all[i].prim },
                                    triangle.shape.triangle.v) &&
                        sl_sweep_volume(sweep, &triangle, &alone) && alone.t == all[i].t &&
                        alone.t_safe == all[i].t_safe && alone.start == all[i].start &&
                        all[i].t_safe <= all[i].t && all[i].t >= 0 && all[i].t <= 1,
                    "a contact alone");
        if (all[i].start == SL_START_APART) {
            compare_before(sweep, &triangle, all[i].t_safe);
        }
        fuzz_expect(i == 0 || all[i - 1].t <= all[i].t, "the order of contacts");
    }
}

/* What does not move meets what overlap.h says. */
static void compare_standing(const sl_bvh *bvh, sl_sweep sweep)
{
    memset(sweep.dir, 0, sizeof sweep.dir);
    sweep.touching = sweep.overlapping = SL_START_REPORT;
    fuzz_expect(sl_bvh_sweep(bvh, &sweep, NULL, NULL) ==
                    (sweep.volume.kind != SL_VOLUME_FRUSTUM &&
                     sl_bvh_overlap_any(bvh, &sweep.volume, NULL)),
                "what stands");
}

static void compare_way_out(const sl_bvh *bvh, const sl_sweep_d *sweep)
{
    double offset[3];
    if (sl_bvh_push_out(bvh, &sweep->volume, INFINITY, NULL, offset)) {
        sl_sweep_d moved = { .volume = sweep->volume, .touching = SL_START_IGNORE };
        (void)move(&moved.volume, offset);
        fuzz_expect(!sl_bvh_sweep_d(bvh, &moved, NULL, NULL), "pushed out, and not out");
    }
}

static void try_sweep(bytes *b, const world *w)
{
    float points[HULL][3];
    double xyz[HULL][3];
    sl_contact in_floats, in_doubles;
    const sl_sweep sweep = next_sweep(b, points);
    const sl_sweep_d wide = sl_sweep_d_from_sweep(&sweep, xyz[0]);
    const sl_options options = { .cull = (sl_cull)(next(b) % 3), .mask = next(b) % 3 };
    compare_contacts(w->tree, &wide, NULL);
    compare_contacts(w->scene, &wide, &options);
    compare_standing(w->tree, sweep);
    compare_standing(w->scene, sweep);
    compare_way_out(w->scene, &wide);
    (void)sl_bvh_sweep(w->scene, &sweep, &options, &in_floats);
    (void)sl_bvh_sweep_d(w->scene, &wide, &options, &in_doubles);
    fuzz_expect(memcmp(&in_floats, &in_doubles, sizeof in_floats) == 0, "floats and doubles");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = { data, size, 0 };
    world worlds[2] = { { .tree = NULL }, { .tree = NULL } };
    if (next_world(&b, &worlds[0]) && next_world(&b, &worlds[1])) {
        try_pairs(&b, &worlds[0], &worlds[1]);
        for (int i = 0; i < 4; i++) {
            try_sweep(&b, &worlds[i % 2]);
        }
    }
    free_world(&worlds[0]);
    free_world(&worlds[1]);
    return 0;
}
