/* refit_cost: what following a mesh costs, beside a build and beside a plain pass over the same
 * bytes.
 *
 *     refit_cost [TRIANGLES]      default 1000000
 *
 * For each generated mesh, in milliseconds and as a share of a whole refit, minima of interleaved
 * rounds, one thread:
 *     pass       reads indices, positions and the tree, and writes the tree, in order
 *     gather     the same bytes in the order of the tree: each block's triangles, their indices and
 *                positions, written to the block; no boxes, no orders
 *     whole      every triangle, with the memory of the version before last
 *     in place   the same without another version
 *     1 %        ten thousand of a million: patches of neighbouring triangles, and a version
 *     brush      in place, the one per cent nearest to a point: many short runs of the mesh's order
 *     edit       one patch of a thousandth, in place, and a ray
 *     frame      what an editor does then: that refit, the next version of the scene, the update of
 *                the topology, and a pick with it */
#include "bvh/tree/tree.h"
#include "lib/base/memory.h"
#include "test/measure/program.h"
#include "test/support/input/bent.h"
#include "test/support/query/of_one.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 9, PATCHES = 20 };

typedef enum way {
    BUILD,
    PASS,
    GATHER,
    WHOLE,
    IN_PLACE,
    DIRTY,
    DIRTY_IN_PLACE,
    BRUSH,
    EDIT,
    FRAME,
    WAYS
} way;
static const char *const names[WAYS] = { "build",        "pass",     "gather",
                                         "whole",        "in place", "1 % as a version",
                                         "1 % in place", "brush",    "edit",
                                         "frame" };

typedef struct state {
    bent mesh;
    sl_bvh *now, *before; /* two versions that take turns */
    sl_bvh *alone;        /* refitted in place */
    sl_prim_range patches[PATCHES], patch, *brush;
    size_t brush_count; /* runs */
    float *scratch;     /* as large as the tree */
    size_t floats;
    sl_mesh *source;
    /* Of alone, for a frame: */
    sl_topology *topology;
    sl_bvh *scene;
    sl_view view;
} state;

static void refit(const state *s, const sl_bvh *from, sl_bvh *recycle, const sl_prim_range *dirty,
                  size_t count, sl_bvh **out)
{
    sl_refit_def def = { 0 };
    sl_error error;
    def.recycle = recycle;
    def.dirty = dirty;
    def.dirty_count = count;
    must(sl_bvh_refit(from, s->mesh.xyz, s->mesh.vertex_count, s->mesh.indices,
                      s->mesh.triangle_count, &def, out, &error) == SL_OK,
         error.message);
}

static void next_version(state *s, const sl_prim_range *dirty, size_t count)
{
    sl_bvh *next = NULL;
    refit(s, s->now, s->before, dirty, count, &next);
    s->before = s->now;
    s->now = next;
}

static volatile float kept;

/* A copy in huge pages, as an engine would have it: else the misses of the TLB are measured. */
static void *in_huge_pages(void *from, size_t size)
{
    const sl_allocator allocator = sli_allocator(NULL);
    void *to = sli_alloc_large(&allocator, size, 1);
    must(to != NULL, "not enough memory");
    memcpy(to, from, size);
    free(from);
    return to;
}

/* In order, each float once: what no refit can leave undone. */
static void pass(const state *s)
{
    float sum = 0;
    uint32_t indices = 0;
    for (size_t i = 0; i < 3 * s->mesh.triangle_count; i++) {
        indices += s->mesh.indices[i];
    }
    for (size_t i = 0; i < 3 * s->mesh.vertex_count; i++) {
        sum = s->mesh.xyz[i] > sum ? s->mesh.xyz[i] : sum;
    }
    for (size_t i = 0; i < s->floats; i++) {
        s->scratch[i] += 1;
    }
    kept = sum + (float)indices;
}

/* One block after the other, in the order of the lines. */
static void gather(const state *s)
{
    const sl_bvh *tree = s->alone;
    for (size_t line = SLI_HEADER_LINES; line < tree->line_count;) {
        const sli_node_wide *node = sli_tree_node(tree, (uint32_t)line);
        line += SLI_NODE_LINES;
        for (int child = 0; child < SLI_WIDTH; child++) {
            if ((node->child[child] & (SLI_REF_LEAF | SLI_REF_KIND)) != SLI_REF_LEAF) {
                continue;
            }
            sli_tri_pack *pack = (sli_tri_pack *)(void *)(tree->lines + line * SLI_LINE);
            for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
                const uint32_t *corners = s->mesh.indices + 3 * (size_t)pack->prim[lane];
                for (int corner = 0; corner < 3; corner++) {
                    const float *vertex = s->mesh.xyz + 3 * (size_t)corners[corner];
                    pack->x[corner][lane] = vertex[0];
                    pack->y[corner][lane] = vertex[1];
                    pack->z[corner][lane] = vertex[2];
                }
            }
            line += SLI_PACK_LINES;
        }
    }
}

static void run_frame(state *s)
{
    static const double xy[2] = { PICTURE_WIDTH / 2, PICTURE_HEIGHT / 2 };
    const sl_topology *const topologies[] = { s->topology };
    sl_instances_def scene_def = (sl_instances_def){ 0 };
    sl_pick_def pick_def = { 0 };
    sl_pick pick;
    refit(s, s->alone, s->alone, &s->patch, 1, &s->alone);
    const sl_instance one = sl_instance_of(s->alone);
    scene_def.previous = scene_def.recycle = s->scene;
    must(sl_bvh_build_instances(&one, 1, &scene_def, &s->scene, NULL) == SL_OK &&
             sl_topology_update(s->topology, s->mesh.xyz, &s->patch, 1, NULL) == SL_OK,
         "no scene, or no topology");
    pick_def.topologies = topologies;
    (void)sl_pick_at(s->scene, &s->view, xy, &pick_def, &pick);
}

static void run_way(state *s, way what)
{
    switch (what) {
    case BUILD:
        sl_bvh_destroy(tree_of(s->source, NULL));
        break;
    case PASS:
        pass(s);
        break;
    case GATHER:
        gather(s);
        break;
    case WHOLE:
        next_version(s, NULL, 0);
        break;
    case IN_PLACE:
        refit(s, s->alone, s->alone, NULL, 0, &s->alone);
        break;
    case DIRTY:
        next_version(s, s->patches, PATCHES);
        break;
    case DIRTY_IN_PLACE:
        refit(s, s->alone, s->alone, s->patches, PATCHES, &s->alone);
        break;
    case BRUSH:
        refit(s, s->alone, s->alone, s->brush, s->brush_count, &s->alone);
        break;
    case FRAME:
        run_frame(s);
        break;
    default: {
        const sl_ray ray = sl_ray_make((float[3]){ 0.3f, 0.4f, 50 }, (float[3]){ 0.001f, 0, -1 });
        sl_hit hit;
        refit(s, s->alone, s->alone, &s->patch, 1, &s->alone);
        kept = sl_bvh_closest(s->alone, &ray, NULL, &hit) ? hit.t : 0;
    }
    }
}

/* Patches are runs of the mesh's order, in which neighbours follow one another. */
static void make_patches(state *s)
{
    const uint32_t each = (uint32_t)(s->mesh.triangle_count / 100 / PATCHES);
    for (uint32_t i = 0; i < PATCHES; i++) {
        s->patches[i].first = (uint32_t)((s->mesh.triangle_count - each) / PATCHES * i);
        s->patches[i].count = each;
    }
    s->patch =
        (sl_prim_range){ s->patches[PATCHES / 2].first, (uint32_t)(s->mesh.triangle_count / 1000) };
}

/* The triangles whose first vertices are nearest to that of the middle one, as runs. */
static void make_brush(state *s)
{
    const size_t count = s->mesh.triangle_count, share = count / 100;
    const float *xyz = s->mesh.xyz, *centre = xyz + 3 * (size_t)s->mesh.indices[3 * (count / 2)];
    double *distance = memory_for(2 * count, sizeof *distance), *sorted = distance + count;
    s->brush = memory_for(share, sizeof *s->brush);
    for (size_t i = 0; i < count; i++) {
        const float *vertex = xyz + 3 * (size_t)s->mesh.indices[3 * i];
        for (int axis = 0; axis < 3; axis++) {
            const double off = (double)vertex[axis] - (double)centre[axis];
            distance[i] += off * off;
        }
        sorted[i] = distance[i];
    }
    (void)bench_median(sorted, count); /* which sorts them */
    for (size_t i = 0; i < count; i++) {
        if (!(distance[i] < sorted[share])) {
            continue;
        }
        sl_prim_range *run = s->brush_count > 0 ? &s->brush[s->brush_count - 1] : NULL;
        if (run != NULL && run->first + run->count == i) {
            run->count++;
        } else {
            s->brush[s->brush_count++] = (sl_prim_range){ (uint32_t)i, 1 };
        }
    }
    free(distance);
}

static void measure(int shape, size_t triangles)
{
    state s = { .source = shape_mesh((bench_shape)shape, triangles) };
    double best[WAYS];
    s.now = tree_of(s.source, NULL);
    s.alone = tree_of(s.source, NULL);
    const sl_aabb box = bounds_in_floats(s.alone);
    must(sl_topology_build(s.source, NULL, &s.topology, NULL) == SL_OK, "no topology");
    s.scene = scene_of_one(s.alone);
    s.view = view_of_box(&box);
    s.mesh = bent_make(s.source);
    s.mesh.xyz = in_huge_pages(s.mesh.xyz, 3 * s.mesh.vertex_count * sizeof(float));
    s.mesh.indices = in_huge_pages(s.mesh.indices, 3 * s.mesh.triangle_count * sizeof(uint32_t));
    make_patches(&s);
    make_brush(&s);
    s.floats = sl_bvh_get_info(s.now).bytes / sizeof(float);
    s.scratch = in_huge_pages(memory_for(s.floats, sizeof(float)), s.floats * sizeof(float));
    for (int w = 0; w < WAYS; w++) {
        best[w] = INFINITY;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int w = round < 3 ? BUILD : PASS; w < WAYS; w++) {
            const int times = w == DIRTY || w == WHOLE ? 3 : 1; /* the first may copy */
            for (int i = 0; i < times; i++) {
                const double start = bench_cpu_seconds();
                run_way(&s, (way)w);
                best[w] = fmin(best[w], bench_cpu_seconds() - start);
            }
        }
    }
    printf("%s, %zu triangles:", bench_shape_names[shape], s.mesh.triangle_count);
    for (int w = 0; w < WAYS; w++) {
        printf("%s %s %.2f ms (%.1f %%)", w > 0 ? "," : "", names[w], 1e3 * best[w],
               100 * best[w] / best[WHOLE]);
    }
    printf("\n");
    fflush(stdout);
    sl_bvh_destroy(s.scene);
    sl_topology_destroy(s.topology);
    sl_bvh_destroy(s.now);
    sl_bvh_destroy(s.before);
    sl_bvh_destroy(s.alone);
    sl_mesh_destroy(s.source);
    bent_free(&s.mesh);
    free(s.brush);
    free(s.scratch);
}

int main(int argc, char **argv)
{
    for (int shape = 0; shape < SHAPES_MEASURED; shape++) {
        measure(shape, (size_t)number_at(argc, argv, 1, 1e6));
    }
    return 0;
}
