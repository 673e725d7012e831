/* fuzz_pick.c: any bytes as triangles, places, a camera or its matrices, positions and options:
 * picks and lists against looking at everything; what is picked, snapped to and marked is within
 * the radius, and what is said to be seen is; lists are sorted, and clicks go around them. */
#include "test/fuzz/bytes.h"
#include "test/fuzz/fuzz.h"
#include "test/support/oracle/pick_oracle.h"

#include <float.h>

enum { TRIANGLES = 16, INSTANCES = 4, MARKS = 6, POSITIONS = 4, LISTED = 40 };

/* ---- The world ---- */

typedef struct job {
    sl_bvh *tree;
    sl_topology *features;
    const sl_topology *topologies[INSTANCES];
    sl_bvh *scene;
    sl_marks *marks;
    pick_oracle *oracle;
    sl_view view;
    bool of_camera; /* otherwise its matrices are any numbers */
    sl_pick_def def;
    sl_options query;
    sl_snap_def snap;
} job;

static bool make_tree(bytes *b, job *j)
{
    float xyz[9 * TRIANGLES];
    sl_mesh_def def = { 0 };
    OWN(sl_mesh) mesh = NULL;
    const size_t count = 1 + next(b) % TRIANGLES;
    for (size_t i = 0; i < 9 * count; i++) {
        xyz[i] = number(b);
    }
    def.bad = SL_BAD_LEAVE_OUT;
    if (sl_mesh_from_arrays(xyz, 3 * count, NULL, count, &def, &mesh, NULL) != SL_OK) {
        return false;
    }
    return sl_bvh_build(mesh, NULL, &j->tree, NULL) == SL_OK &&
           sl_topology_build(mesh, NULL, &j->features, NULL) == SL_OK;
}

static bool make_marks(bytes *b, job *j)
{
    sl_mark list[MARKS];
    const uint32_t count = next(b) % (MARKS + 1);
    for (uint32_t i = 0; i < count; i++) {
        const double p[3] = { (double)number(b), (double)number(b), (double)number(b) };
        const double q[3] = { (double)number(b), (double)number(b), (double)number(b) };
        const uint8_t how = next(b);
        list[i] = sl_mark_wire(p, how % 2 == 0 ? p : q, how / 16, i);
        list[i].flags = how % 3 == 0 ? SL_MARK_ON_TOP : 0;
        list[i].priority = how % 5 == 0;
    }
    return sl_marks_build(list, count, NULL, &j->marks, NULL) == SL_OK;
}

static void make_defs(bytes *b, job *j)
{
    const uint8_t how = next(b);
    j->def = (sl_pick_def){ 0 };
    j->def.kinds = 1 + next(b) % 7;
    j->def.radius = next(b) % 8 == 0 ? number(b) : (float)(1 + next(b) % 64) / 4;
    j->def.radius = j->def.radius != 0 ? j->def.radius : 5;
    j->def.hidden = how % 4 == 0;
    j->def.unit = (sl_pick_unit)(how / 4 % 4);
    j->def.topologies = how % 3 == 0 ? NULL : j->topologies;
    for (int i = 0; i < 3 && how % 5 == 0; i++) {
        j->def.rank[i] = next(b) % 3;
    }
    j->query = (sl_options){ .cull = (sl_cull)(how / 64 % 3), .mask = next(b) };
    j->query.mask = how % 7 == 0 ? j->query.mask : 0;
    j->def.options = how % 2 == 0 ? NULL : &j->query;
    j->snap = (sl_snap_def){ 0 };
    j->snap.kinds = how % 3 == 0 ? next(b) % 256u * 8 + 7
                                 : SL_SNAP_VERTEX | SL_SNAP_EDGE | SL_SNAP_FACE | SL_SNAP_MARK;
    j->snap.radius = j->def.radius;
    j->snap.topologies = j->def.topologies;
    j->snap.options = j->def.options;
    j->snap.marks = j->marks;
    j->snap.hidden = j->def.hidden;
    j->snap.has_from = how % 2 == 1;
}

/* ---- Questions ---- */

static bool is_ordered(const sl_pick *a, const sl_pick *b)
{
    if (a->distance != b->distance) {
        return a->distance < b->distance;
    }
    if (a->instance != b->instance || a->prim != b->prim) {
        return a->instance != b->instance ? a->instance < b->instance : a->prim < b->prim;
    }
    return a->corner != b->corner ? a->corner < b->corner : a->kind > b->kind;
}

/* Of vertices, that they are seen: triangles that have them never block. */
static void judge(const job *j, const sl_pick *pick, double radius)
{
    sl_segment_d sight;
    sl_options open_end = { .flags = SL_OPEN_END };
    fuzz_expect(pick->pixels >= 0 && pick->pixels <= radius, "beyond the radius");
    fuzz_expect(isfinite(pick->distance) && pick->distance >= 0, "a distance that is none");
    fuzz_expect((pick->flags & SL_PICK_HIDDEN) == 0 || j->def.hidden, "hidden, unasked");
    if (pick->kind == SL_PICK_VERTEX) {
        if (j->def.options != NULL) {
            open_end = j->query;
            open_end.flags |= SL_OPEN_END;
        }
        fuzz_expect(sl_view_sight(&j->view, pick->point, &sight), "not in the picture");
        fuzz_expect(sl_bvh_occluded_d(j->scene, sight.p, sight.q, &open_end) ==
                        ((pick->flags & SL_PICK_HIDDEN) != 0),
                    "seen, or not");
    }
}

static void try_list(const job *j, const double xy[2])
{
    static sl_pick list[LISTED], expected[LISTED], few[2];
    sl_pick at;
    const size_t total = sl_pick_all(j->scene, &j->view, xy, &j->def, list, LISTED);
    fuzz_expect(sl_pick_all(j->scene, &j->view, xy, &j->def, few, 2) == total, "another total");
    for (size_t i = 0; i < total && i < LISTED; i++) {
        judge(j, &list[i], (double)j->def.radius);
        fuzz_expect(i == 0 || is_ordered(&list[i - 1], &list[i]), "not sorted");
        fuzz_expect(i >= 2 || pick_oracle_difference(&list[i], &few[i]) == NULL, "a shorter list");
    }
    if (j->of_camera) {
        fuzz_expect(pick_oracle_all(j->oracle, &j->view, xy, &j->def, expected, LISTED) == total,
                    "more or fewer than there are");
        for (size_t i = 0; i < total && i < LISTED; i++) {
            fuzz_expect(pick_oracle_difference(&list[i], &expected[i]) == NULL, "another list");
        }
    }
    fuzz_expect(sl_pick_next(j->scene, &j->view, xy, &j->def, NULL, &at) == (total > 0),
                "no first");
    for (size_t i = 0; i < total && total <= LISTED; i++) {
        fuzz_expect(pick_oracle_difference(&at, &list[i]) == NULL, "clicks go elsewhere");
        fuzz_expect(sl_pick_next(j->scene, &j->view, xy, &j->def, &at, &at), "no next");
    }
    fuzz_expect(total == 0 || total > LISTED || pick_oracle_difference(&at, &list[0]) == NULL,
                "clicks do not go around");
}

static void try_position(const job *j, const double xy[2])
{
    sl_pick pick, expected, marks[MARKS];
    sl_snap snap, again;
    const bool found = sl_pick_at(j->scene, &j->view, xy, &j->def, &pick);
    if (found) {
        fuzz_expect((pick.kind & j->def.kinds) != 0, "a kind that was not asked for");
        judge(j, &pick, (double)j->def.radius);
    }
    if (j->of_camera) {
        fuzz_expect(pick_oracle_at(j->oracle, &j->view, xy, &j->def, &expected) == found,
                    "found, or not");
        fuzz_expect(!found || pick_oracle_difference(&pick, &expected) == NULL, "another pick");
    }
    try_list(j, xy);
    if (sl_snap_at(j->scene, &j->view, xy, &j->snap, NULL, &snap)) {
        fuzz_expect((snap.kind & j->snap.kinds) != 0 && !snap.kept, "a kind of snap");
        fuzz_expect(snap.kind == SL_SNAP_MARK || snap.pixels <= (double)j->snap.radius, "too far");
        fuzz_expect(sl_snap_at(j->scene, &j->view, xy, &j->snap, &snap, &again) && again.kept &&
                        again.target == snap.target,
                    "a snap is not kept");
    }
    const size_t total = sl_marks_pick_all(j->marks, j->scene, &j->view, xy, &j->def, marks, MARKS);
    fuzz_expect(total <= MARKS &&
                    sl_marks_pick(j->marks, j->scene, &j->view, xy, &j->def, &pick) == (total > 0),
                "no best mark");
    for (size_t i = 0; i < total; i++) {
        judge(j, &marks[i], (double)j->def.radius + 16);
        fuzz_expect(i == 0 || is_ordered(&marks[i - 1], &marks[i]), "marks are not sorted");
    }
}

/* Corners of triangles, or anywhere. */
static void try_positions(bytes *b, const job *j)
{
    for (int i = 0; i < POSITIONS; i++) {
        double xy[2] = { 0, 0 }, v[3][3];
        const sl_triangle_ref ref = { next(b) % INSTANCES, next(b) % TRIANGLES };
        if (sl_bvh_triangle(j->scene, ref, v)) {
            (void)sl_view_project(&j->view, v[next(b) % 3], xy, NULL);
        }
        xy[0] += (double)number(b);
        xy[1] += (double)number(b);
        try_position(j, xy);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = { data, size, 0 };
    job j = { .tree = NULL };
    if (next_view(&b, &(view_limits){ 256, 256, 256, 1000 }, &j.view, &j.of_camera) &&
        make_tree(&b, &j) &&
        next_scene(&b, j.tree, j.features, INSTANCES, j.topologies, &j.scene) &&
        make_marks(&b, &j)) {
        make_defs(&b, &j);
        j.oracle = pick_oracle_make(j.scene);
        try_positions(&b, &j);
        pick_oracle_free(j.oracle);
    }
    sl_marks_destroy(j.marks);
    sl_bvh_destroy(j.scene);
    sl_topology_destroy(j.features);
    sl_bvh_destroy(j.tree);
    return 0;
}
