/* pick_live: what a pick costs in a mesh that is being edited.
 *
 *     pick_live [TRIANGLES [EDITS]]      default 1000000 and 200
 *
 * A sheet of shared vertices; each edit moves all vertices of some 1,000 triangles: those about one
 * place, as a brush does, or some all over the mesh.  Then the tree is refitted by the dirty
 * ranges, in place or into the version before the last, the scene is built from the version before,
 * the topology is updated, and what is under the mouse, near a vertex that moved, is picked, with a
 * topology.  Prints the median and the worst of each part in milliseconds, and of all together.
 * Which triangles have moved is known to an editor, and not counted. */
#include "test/measure/program.h"
#include "test/support/input/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOVED = 1000, MOST = 4 * MOVED };
enum { REFIT, SCENE, TOPOLOGY, PICK, PARTS };

static const char *const part_names[] = { "refit", "scene", "topology", "pick", "all" };

typedef struct live {
    sl_mesh *mesh;
    float *xyz;
    sl_topology *topology;
    sl_bvh *now, *before;
    sl_scene *scene;
    sl_view view;
    uint32_t *mark; /* of each triangle, the last edit that named it */
    uint32_t edit;
    uint32_t prims[MOST];
    size_t prim_count;
    uint32_t moved; /* a vertex of the mesh */
} live;

static void look(live *l)
{
    sl_camera_def def = sl_default_camera_def();
    const sl_aabb box = sl_bvh_bounds(l->now);
    const float size = box.max[0] - box.min[0];
    for (int axis = 0; axis < 2; axis++) {
        def.target[axis] = 0.5f * (box.min[axis] + box.max[axis]);
        def.eye[axis] = def.target[axis] - 0.1f * size;
    }
    def.eye[2] = 0.9f * size;
    def.near_distance = 1e-3f * size;
    l->view = view_of(def);
}

static void make_scene(live *l)
{
    sl_instance instance = sl_instance_of(l->now);
    sl_scene_def def = sl_default_scene_def();
    def.previous = def.recycle = l->scene;
    must(sl_scene_build(&instance, 1, &def, &l->scene, NULL) == SL_OK, "scene");
}

static void begin(live *l, uint32_t side)
{
    memset(l, 0, sizeof *l);
    must(sl_mesh_generate_grid(side, side, 1, 5, NULL, &l->mesh, NULL) == SL_OK, "mesh");
    const size_t bytes = 3 * sl_mesh_vertex_count(l->mesh) * sizeof *l->xyz;
    l->xyz = memory_for(bytes, 1);
    l->mark = memory_for(sl_mesh_triangle_count(l->mesh), sizeof *l->mark);
    memcpy(l->xyz, sl_mesh_positions(l->mesh), bytes);
    l->now = tree_of(l->mesh, NULL);
    must(sl_topology_build(l->mesh, NULL, &l->topology, NULL) == SL_OK, "topology");
    make_scene(l);
    look(l);
}

static void end(live *l)
{
    sl_scene_destroy(l->scene);
    sl_topology_destroy(l->topology);
    sl_bvh_destroy(l->now);
    sl_bvh_destroy(l->before);
    sl_mesh_destroy(l->mesh);
    free(l->xyz);
    free(l->mark);
}

/* ---- Edits ---- */

/* Moves one vertex, and names the triangles that have it. */
static void move(live *l, uint32_t prim, uint32_t corner, float by)
{
    uint32_t list[32];
    const uint32_t vertex = sl_topology_vertex_of(l->topology, prim, corner);
    const size_t count = sl_topology_triangles_of_vertex(l->topology, vertex, list, 32);
    l->moved = sl_topology_mesh_vertex(l->topology, vertex);
    l->xyz[3 * (size_t)l->moved + 2] += by;
    for (size_t i = 0; i < count && i < 32 && l->prim_count < MOST; i++) {
        if (l->mark[list[i]] != l->edit) {
            l->mark[list[i]] = l->edit;
            l->prims[l->prim_count++] = list[i];
        }
    }
}

static void edit(live *l, bool scattered, test_random *random)
{
    const uint32_t count = (uint32_t)sl_mesh_triangle_count(l->mesh);
    l->edit++;
    l->prim_count = 0;
    if (scattered) {
        while (l->prim_count < MOVED) {
            move(l, test_random_below(random, count), test_random_below(random, 3),
                 test_random_in(random, -0.3f, 0.3f));
        }
        return;
    }
    move(l, test_random_below(random, count), 0, 0.3f);
    for (size_t i = 0; i < l->prim_count && l->prim_count < MOVED; i++) {
        move(l, l->prims[i], (uint32_t)(i % 3), test_random_in(random, 0, 0.3f));
    }
}

static int compare_prims(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static size_t ranges_of(live *l, sl_prim_range *ranges)
{
    size_t count = 0;
    qsort(l->prims, l->prim_count, sizeof *l->prims, compare_prims);
    for (size_t i = 0; i < l->prim_count; i++) {
        if (count > 0 && ranges[count - 1].first + ranges[count - 1].count == l->prims[i]) {
            ranges[count - 1].count++;
        } else {
            ranges[count++] = (sl_prim_range){ l->prims[i], 1 };
        }
    }
    return count;
}

/* ---- Parts ---- */

static void refit(live *l, bool in_place, const sl_prim_range *ranges, size_t count)
{
    sl_refit_def def = sl_default_refit_def();
    sl_bvh *next;
    def.dirty = ranges;
    def.dirty_count = count;
    def.recycle = in_place ? l->now : l->before;
    must(sl_bvh_refit(l->now, l->xyz, sl_mesh_vertex_count(l->mesh), sl_mesh_indices(l->mesh),
                      sl_mesh_triangle_count(l->mesh), &def, &next, NULL) == SL_OK,
         "refit");
    l->before = in_place ? NULL : l->now;
    l->now = next;
}

static void pick(const live *l)
{
    const sl_topology *const topologies[] = { l->topology };
    sl_pick_def def = sl_default_pick_def();
    double at[3], xy[2];
    sl_pick found;
    def.topologies = topologies;
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (double)l->xyz[3 * (size_t)l->moved + (size_t)axis];
    }
    must(sl_view_project(&l->view, at, xy, NULL), "the mouse");
    (void)sl_pick_at(l->scene, &l->view, xy, &def, &found);
}

/* Seconds of each part. */
static void step(live *l, bool in_place, double seconds[PARTS])
{
    static sl_prim_range ranges[MOST];
    const size_t count = ranges_of(l, ranges);
    double at[PARTS + 1];
    at[0] = bench_cpu_seconds();
    refit(l, in_place, ranges, count);
    at[1] = bench_cpu_seconds();
    make_scene(l);
    at[2] = bench_cpu_seconds();
    must(sl_topology_update(l->topology, l->xyz, l->prims, l->prim_count, NULL) == SL_OK,
         "topology");
    at[3] = bench_cpu_seconds();
    pick(l);
    at[4] = bench_cpu_seconds();
    for (int part = 0; part < PARTS; part++) {
        seconds[part] = at[part + 1] - at[part];
    }
}

static void measure(uint32_t side, size_t edits, bool scattered, bool in_place)
{
    live l;
    test_random random = { 7 };
    double *all = memory_for((PARTS + 1) * edits, sizeof *all);
    begin(&l, side);
    for (size_t i = 0; i < edits + 3; i++) { /* three to have memory */
        double seconds[PARTS], sum = 0;
        edit(&l, scattered, &random);
        step(&l, in_place, seconds);
        for (size_t part = 0; part < PARTS && i >= 3; part++) {
            all[part * edits + i - 3] = seconds[part];
            sum += seconds[part];
        }
        if (i >= 3) {
            all[PARTS * edits + i - 3] = sum;
        }
    }
    printf("%s, refitted %s:", scattered ? "all over" : "a brush",
           in_place ? "in place" : "in turns");
    for (size_t part = 0; part <= PARTS; part++) {
        const double median = bench_median(all + part * edits, edits);
        printf(" %s %.3f (%.3f);", part_names[part], 1e3 * median,
               1e3 * all[part * edits + edits - 1]);
    }
    printf("\n");
    fflush(stdout);
    end(&l);
    free(all);
}

int main(int argc, char **argv)
{
    const size_t edits = (size_t)number_at(argc, argv, 2, 200);
    const uint32_t side = (uint32_t)ceil(sqrt(number_at(argc, argv, 1, 1e6) / 2));
    must(edits > 0 && side > 20, "usage: pick_live [TRIANGLES [EDITS]]");
    printf("%zu triangles; milliseconds: median (worst)\n", 2 * (size_t)side * side);
    for (int way = 0; way < 4; way++) {
        measure(side, edits, way % 2 == 1, way < 2);
    }
    return 0;
}
