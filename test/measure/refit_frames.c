/* refit_frames: what queries lose when a tree follows a mesh that deforms, and what the rule of
 * docs/moving.md makes of it.
 *
 *     refit_frames [TRIANGLES [MESH ...]]      default 100000 and generated meshes
 *
 * A hundred frames: for fifty the mesh is twisted about its vertical axis, up to two turns; then it
 * is torn: pieces fly apart, each its own way.  Four trees follow: one is only refitted, one is
 * mended as well (a tenth of its subtrees built anew in a frame, where they are bad), one is built
 * anew whenever its drift is above 1.25, one is built anew each time.  Every tenth frame:
 * the drift, and the time of a ray (closest hit, between random points) of the first three
 * over that of the third; at last, frames by the rule and the time that each way took in all. */
#include "test/measure/program.h"
#include "test/support/input/bent.h"
#include "test/support/query/of_one.h"
#include "tools/bench/harness/rounds.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 100, RAYS = 10000, ROUNDS = 3, EVERY = 10, PIECE = 600 };

static const double rule = 1.25;
static const float share = 0.1f; /* of the tree, that may be built anew in a frame */

typedef enum way { REFITTED, MENDED, BY_RULE, BUILT, WAYS } way;

typedef struct follower {
    sl_bvh *now, *before;
    double update, query; /* seconds in all; of this frame's rays */
    int builds;
} follower;

static sl_ray rays[RAYS];
static sl_hit hits[RAYS];

/* Corners of its own for each triangle, so that it can be torn. */
static bent shred(const sl_mesh *mesh)
{
    bent all = { .triangle_count = sl_mesh_soup(mesh).triangle_count,
                 .vertex_count = 3 * sl_mesh_soup(mesh).triangle_count };
    all.xyz = memory_for(3 * all.vertex_count, sizeof *all.xyz);
    for (size_t i = 0; i < all.triangle_count; i++) {
        sl_triangle triangle = { { { 0 } } };
        (void)sl_mesh_triangle(mesh, (uint32_t)i, &triangle);
        memcpy(all.xyz + 9 * i, &triangle, sizeof triangle);
    }
    return all;
}

/* Where the mesh is at a frame. */
static void pose(const bent *rest, const sl_aabb *box, int frame, bent *out)
{
    const float height = box->max[2] - box->min[2];
    const float turn = 12.57f * (float)(frame < FRAMES / 2 ? frame : FRAMES / 2) / (FRAMES / 2);
    const float apart = frame < FRAMES / 2 ? 0 : (float)(frame - FRAMES / 2) / (FRAMES / 2);
    const float size = box->max[0] - box->min[0];
    for (size_t i = 0; i < rest->vertex_count; i++) {
        const float *from = rest->xyz + 3 * i;
        float *to = out->xyz + 3 * i;
        const float x = from[0] - (box->min[0] + box->max[0]) / 2;
        const float y = from[1] - (box->min[1] + box->max[1]) / 2;
        const float angle = turn * (from[2] - box->min[2]) / fmaxf(height, size) +
                            turn * 0.2f * sqrtf(x * x + y * y) / size;
        test_random random = { i / 3 / PIECE + 1 };
        to[0] = x * cosf(angle) - y * sinf(angle);
        to[1] = x * sinf(angle) + y * cosf(angle);
        to[2] = from[2];
        for (int axis = 0; axis < 3; axis++) {
            to[axis] += test_random_in(&random, -0.5f, 0.5f) * size * apart;
        }
    }
}

static void build(follower *f, const bent *is)
{
    OWN(sl_mesh) mesh = NULL;
    sl_error error;
    must(sl_mesh_from_arrays(is->xyz, is->vertex_count, NULL, is->triangle_count, NULL, &mesh,
                             &error) == SL_OK,
         error.message);
    sl_bvh_destroy(f->now);
    const double start = bench_cpu_seconds(); /* the mesh is not counted: an engine has it */
    f->now = tree_of(mesh, NULL);
    f->update += bench_cpu_seconds() - start;
    f->builds++;
}

static void refit(follower *f, const bent *is, float rebuild_share)
{
    sl_refit_def def = { 0 };
    sl_bvh *next = NULL;
    sl_error error;
    def.recycle = f->before;
    def.rebuild_share = rebuild_share;
    const double start = bench_cpu_seconds();
    must(sl_bvh_refit(f->now, is->xyz, is->vertex_count, NULL, is->triangle_count, &def, &next,
                      &error) == SL_OK,
         error.message);
    f->update += bench_cpu_seconds() - start;
    f->before = f->now;
    f->now = next;
}

static void make_rays(const sl_bvh *bvh, test_random *random)
{
    const sl_aabb box = bounds_in_floats(bvh);
    for (int i = 0; i < RAYS; i++) {
        float ends[2][3];
        for (int k = 0; k < 6; k++) {
            ends[k / 3][k % 3] = test_random_in(random, box.min[k % 3], box.max[k % 3]);
        }
        for (int axis = 0; axis < 3; axis++) {
            ends[1][axis] -= ends[0][axis];
        }
        rays[i] = sl_ray_make(ends[0], ends[1]);
    }
}

static void query_all(follower all[WAYS])
{
    const bench_rays asked = { .query = BENCH_CLOSEST, .count = RAYS, .rays = rays };
    const bench_answers answers = { .rows = hits };
    double seconds[WAYS][BENCH_ROUNDS_MAX];
    bench_asking asking[WAYS];
    bench_way ways[WAYS];
    for (int w = 0; w < WAYS; w++) {
        asking[w] = (bench_asking){ { .bvh = all[w].now }, &asked, 0, &answers };
        ways[w] = bench_way_of(&asking[w]);
    }
    bench_time_rounds(ways, WAYS, ROUNDS, seconds);
    for (int w = 0; w < WAYS; w++) {
        all[w].query = bench_spread_of(seconds[w], ROUNDS).min;
    }
}

static void follow(const char *name, const sl_mesh *mesh)
{
    follower all[WAYS] = { { .now = NULL } };
    bent rest = shred(mesh), is = shred(mesh);
    sl_mesh_info info;
    test_random random = { 1 };
    info = sl_mesh_get_info(mesh);
    for (int w = 0; w < WAYS; w++) {
        build(&all[w], &rest);
        all[w].update = all[w].builds = 0;
    }
    printf("%s, %zu triangles\n", name, rest.triangle_count);
    for (int frame = 1; frame <= FRAMES; frame++) {
        pose(&rest, &info.bounds, frame, &is);
        refit(&all[REFITTED], &is, 0);
        refit(&all[MENDED], &is, share);
        refit(&all[BY_RULE], &is, 0);
        if (sl_bvh_drift(all[BY_RULE].now) > rule) {
            build(&all[BY_RULE], &is);
        }
        if (frame % EVERY == 0) {
            build(&all[BUILT], &is);
            make_rays(all[BUILT].now, &random);
            query_all(all);
            printf("  frame %3d:", frame);
            for (int w = 0; w < BUILT; w++) {
                static const char *const names[] = { "refitted", "mended", "by the rule" };
                printf(" %s drift %.2f, rays x %.2f;", names[w], sl_bvh_drift(all[w].now),
                       all[w].query / all[BUILT].query);
            }
            printf(" built %.0f ns a ray\n", 1e9 * all[BUILT].query / (double)RAYS);
        }
    }
    printf("  a frame: refit %.2f ms, mended %.2f ms, by the rule %.2f ms (%d builds), build %.2f "
           "ms\n",
           1e3 * all[REFITTED].update / (double)FRAMES, 1e3 * all[MENDED].update / (double)FRAMES,
           1e3 * all[BY_RULE].update / (double)FRAMES, all[BY_RULE].builds,
           1e3 * all[BUILT].update / all[BUILT].builds);
    fflush(stdout);
    for (int w = 0; w < WAYS; w++) {
        sl_bvh_destroy(all[w].now);
        sl_bvh_destroy(all[w].before);
    }
    bent_free(&rest);
    bent_free(&is);
}

int main(int argc, char **argv)
{
    for (int shape = 0; shape < SHAPES_MEASURED && argc <= 2; shape++) {
        OWN(sl_mesh) mesh =
            shape_mesh((bench_shape)shape, (size_t)number_at(argc, argv, 1, 100000));
        follow(bench_shape_names[shape], mesh);
    }
    for (int i = 2; i < argc; i++) {
        OWN(sl_mesh) mesh = file_mesh(argv[i]);
        follow(strrchr(argv[i], '/') != NULL ? strrchr(argv[i], '/') + 1 : argv[i], mesh);
    }
    return 0;
}
