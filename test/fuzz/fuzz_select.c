/* fuzz_select.c: any bytes as triangles, places, a camera or its matrices, options and a series of
 * regions: what a selection of a unit and a mode says after each is compared with everything one by
 * one, with a fresh selection, and with what it says after nothing. */
#include "test/fuzz/bytes.h"
#include "test/fuzz/fuzz.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/selection/selection_oracle.h"

#include <float.h>

enum { TRIANGLES = 12, INSTANCES = 3, REGIONS = 5, CORNERS = 24, LISTED = 64 };

/* Of a region: mostly a multiple of 1/2, within the picture or near it; or any double. */
static double coordinate(bytes *b)
{
    const uint8_t first = next(b);
    if (first < 240) {
        return first / 2.0 - 10;
    }
    const uint64_t bits = next_bits(b, 8);
    double any;
    memcpy(&any, &bits, sizeof any);
    return any;
}

/* ---- The world ---- */

typedef struct job {
    sl_bvh *tree;
    sl_topology *features;
    const sl_topology *topologies[INSTANCES];
    sl_bvh *scene;
    sl_view view;
    bool of_camera; /* otherwise its matrices are any numbers */
    sl_options query;
    sl_triangle_ref skip[2];
    sl_instance_range ignore;
    sl_selection_def def;
    selection_oracle *oracle;
    sl_selection *moving;
    scrambled_tasks scrambled;
    const sl_tasks *tasks;
    double corners[2 * CORNERS];
} job;

static bool make_tree(bytes *b, job *j)
{
    float xyz[9 * TRIANGLES];
    uint32_t masks[TRIANGLES];
    sl_mesh_def def = { 0 };
    sl_build_def build = { 0 };
    OWN(sl_mesh) mesh = NULL;
    const size_t count = 1 + next(b) % TRIANGLES;
    const uint8_t how = next(b);
    for (size_t i = 0; i < 9 * count; i++) {
        xyz[i] = number(b);
        masks[i / 9] = how % 4 == 0 ? (uint32_t)i % 5 : ~0u;
    }
    def.bad = SL_BAD_LEAVE_OUT;
    build.quality = (sl_bvh_quality)(how / 4 % 3);
    build.layout = (sl_bvh_layout)(how / 16 % 2);
    build.masks = masks;
    if (sl_mesh_from_arrays(xyz, 3 * count, NULL, count, &def, &mesh, NULL) != SL_OK) {
        return false;
    }
    return sl_bvh_build(mesh, &build, &j->tree, NULL) == SL_OK &&
           sl_topology_build(mesh, NULL, &j->features, NULL) == SL_OK;
}

static bool make_selection(bytes *b, job *j, sl_selection **out)
{
    const uint8_t how = next(b);
    sl_options *q = &j->query;
    j->def = (sl_selection_def){ 0 };
    j->def.unit = (sl_select_unit)(SL_SELECT_INSTANCES + next(b) % 6);
    j->def.mode = (sl_select_mode)(how % 3);
    j->def.topologies = how % 5 == 0 ? NULL : j->topologies;
    *q = (sl_options){ .cull = (sl_cull)(how / 64 % 3), .mask = next(b) % 8 };
    q->mask = how % 7 == 0 ? q->mask : 0;
    for (int i = 0; i < 2; i++) {
        j->skip[i] = (sl_triangle_ref){ next(b) % INSTANCES, next(b) % TRIANGLES };
    }
    j->ignore = (sl_instance_range){ next(b) % INSTANCES, next(b) % 3 };
    q->ignore = &j->ignore;
    q->ignore_count = how % 13 == 0;
    q->skip = j->skip;
    q->skip_count = how % 11 == 0 ? 2 : 0;
    j->def.options = how % 2 == 0 ? NULL : q;
    return sl_selection_create(j->scene, &j->view, &j->def, out, NULL) == SL_OK;
}

/* ---- Regions ---- */

/* Some coordinates are those of a corner of the world in the picture. */
static void place(bytes *b, const job *j, double xy[2])
{
    double v[3][3];
    const uint8_t how = next(b);
    xy[0] = coordinate(b);
    xy[1] = coordinate(b);
    const sl_triangle_ref ref = { how / 4 % INSTANCES, next(b) % TRIANGLES };
    if (how % 4 == 0 && sl_bvh_triangle(j->scene, ref, v)) {
        (void)sl_view_project(&j->view, v[how % 3], xy, NULL);
    }
}

static sl_region make_region(bytes *b, job *j)
{
    const uint8_t how = next(b);
    double p[2], q[2];
    if (how % 3 == 0) {
        const size_t count = how / 4 % (CORNERS + 1);
        for (size_t i = 0; i < count; i++) {
            place(b, j, j->corners + 2 * i);
            if (how % 5 == 0 && i > 1) { /* back to an earlier one */
                const size_t from = next(b) % (2 * i);
                memcpy(j->corners + 2 * i, j->corners + 2 * (from < i ? from : i),
                       2 * sizeof j->corners[0]);
            }
        }
        return (sl_region){ .kind = SL_REGION_LASSO, .corners = j->corners, .corner_count = count };
    }
    place(b, j, p);
    place(b, j, q);
    return how % 3 == 1 ? sl_region_rectangle(p, q)
                        : sl_region_brush(p, how % 2 == 0 ? p : q, coordinate(b));
}

/* ---- What is said ---- */

static void assert_same(const sl_selection *a, const sl_selection *b)
{
    sl_selection_info of_a, of_b;
    of_a = sl_selection_get_info(a);
    of_b = sl_selection_get_info(b);
    fuzz_expect(of_a.selected == of_b.selected && of_a.word_count == of_b.word_count,
                "other counts");
    fuzz_expect(of_a.word_count == 0 ||
                    memcmp(sl_selection_of(a, SL_NONE).words, sl_selection_of(b, SL_NONE).words,
                           (size_t)of_a.word_count * sizeof(uint64_t)) == 0,
                "other bits than a fresh one");
}

static void judge_list(const sl_selection *s)
{
    static sl_selected list[LISTED];
    const sl_selection_info info = sl_selection_get_info(s);
    fuzz_expect(sl_selection_list(s, 0, list, LISTED) == info.selected, "a list of another length");
    for (uint64_t i = 0; i < info.selected && i < LISTED; i++) {
        fuzz_expect(sl_selection_has(s, list[i].instance, list[i].element), "listed, not selected");
        fuzz_expect(
            i == 0 || list[i - 1].instance < list[i].instance ||
                (list[i - 1].instance == list[i].instance && list[i - 1].element < list[i].element),
            "not sorted");
    }
}

static void try_region(bytes *b, job *j)
{
    const sl_region region = make_region(b, j);
    OWN(sl_selection) fresh = NULL;
    const sl_result result = sl_selection_update(j->moving, &region, j->tasks, NULL);
    if (result != SL_OK) {
        fuzz_expect(result == SL_NOT_FINITE || result == SL_INVALID_ARGUMENT, "another error");
        return;
    }
    fuzz_expect(sl_selection_create(j->scene, &j->view, &j->def, &fresh, NULL) == SL_OK &&
                    sl_selection_update(fresh, &region, NULL, NULL) == SL_OK,
                "no fresh one");
    assert_same(j->moving, fresh);
    judge_list(fresh);
    if (j->of_camera && selection_oracle_ask(j->oracle, &region, j->def.mode) == 0) {
        fuzz_expect(selection_oracle_differences(j->oracle, j->def.unit, fresh) == 0,
                    "not what everything says");
    }
}

static void try_regions(bytes *b, job *j)
{
    sl_selection_info info;
    for (int i = 0; i < REGIONS; i++) {
        try_region(b, j);
    }
    fuzz_expect(sl_selection_update(j->moving, NULL, NULL, NULL) == SL_OK, "not emptied");
    info = sl_selection_get_info(j->moving);
    fuzz_expect(info.selected == 0, "not empty");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = { data, size, 0 };
    job j = { .tree = NULL };
    if (next_view(&b, &(view_limits){ 100, 20, 64, 0 }, &j.view, &j.of_camera) &&
        make_tree(&b, &j) &&
        next_scene(&b, j.tree, j.features, INSTANCES, j.topologies, &j.scene) &&
        make_selection(&b, &j, &j.moving)) {
        j.tasks = scrambled_tasks_start(&j.scrambled, 3, size);
        j.oracle = selection_oracle_make(j.scene, &j.view, j.def.options, j.def.topologies);
        try_regions(&b, &j);
        selection_oracle_free(j.oracle);
    }
    sl_selection_destroy(j.moving);
    sl_bvh_destroy(j.scene);
    sl_topology_destroy(j.features);
    sl_bvh_destroy(j.tree);
    return 0;
}
