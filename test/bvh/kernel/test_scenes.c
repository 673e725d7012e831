/* One answer on real meshes: every kernel that this machine can run, on trees of every quality,
 * gives the same bytes on all of the bench scenes.
 *
 * Trees of both layouts: one of each quality, and a compact one.  And building them takes no more
 * memory than bvh.h says.
 *
 * Scenes with more than LARGE triangles get one tree, which is another for each of them, unless
 * SIGHTLINE_TEST_SCALE asks for more than usual; all scenes do where it is 0. */
#include "bvh/kernel/kernel.h"
#include "test/support/environment/needs.h"
#include "test/support/query/every_question.h"
#include "test/support/test.h"

#include <dirent.h>

enum { SEED = 20260921, LARGE = 250000, TREES = 4, MOST_SCENES = 64 };

#define FOLDER SOURCE_DIR "/../shared/scenes/bench"

static const struct {
    sl_bvh_quality quality;
    sl_bvh_layout layout;
} trees[TREES] = { { SL_BVH_QUALITY_DEFAULT, SL_BVH_LAYOUT_DEFAULT },
                   { SL_BVH_QUALITY_DEFAULT, SL_BVH_LAYOUT_COMPACT },
                   { SL_BVH_QUALITY_FAST, SL_BVH_LAYOUT_DEFAULT },
                   { SL_BVH_QUALITY_HIGH, SL_BVH_LAYOUT_DEFAULT } };

typedef struct scene {
    queries q;
    answers truth, other; /* truth: the first tree's, by the scalar kernel */
    bool known;
    int compared;
} scene;

static void compare(const char *name, sl_bvh *bvh, scene *s)
{
    if (!s->known) {
        bvh->kernels = &sli_kernels_scalar;
        queries_run(bvh, &s->q, &s->truth);
        s->known = true;
    }
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        bvh->kernels = sli_kernels_at(i);
        queries_run(bvh, &s->q, &s->other);
        const char *difference = answers_differ(&s->truth, &s->other);
        if (difference != NULL) {
            fail_msg("%s, quality %d, layout %d, kernel %s: %s", name, (int)bvh->info.quality,
                     (int)bvh->info.layout, bvh->kernels->name, difference);
        }
        s->compared++;
    }
}

/* The trees of a scene, the one whose turn it is first. */
static void query_scene(const char *name, const sl_mesh *mesh, int turn, scene *s)
{
    const bool one_tree =
        test_is_brief() || (sl_mesh_soup(mesh).triangle_count > LARGE && test_scale() == 1);
    test_random random = { SEED };
    s->compared = 0;
    for (size_t round = 0; round < test_scale(); round++) {
        s->known = false;
        queries_make(mesh, &random, &s->q);
        for (int i = 0; i < (one_tree ? 1 : TREES); i++) {
            sl_build_def def = { 0 };
            sli_failing_allocator memory;
            def.quality = trees[(turn + i) % TREES].quality;
            def.layout = trees[(turn + i) % TREES].layout;
            def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
            OWN(sl_bvh) bvh = made_bvh(mesh, &def);
            assert_in_range(memory.peak_bytes, 0,
                            memory.live_bytes + 140 * sl_mesh_soup(mesh).triangle_count + 65536);
            compare(name, bvh, s);
        }
    }
    print_message("%s: %d comparisons\n", name, s->compared);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int list_scenes(char names[MOST_SCENES][256])
{
    DIR *dir = opendir(FOLDER);
    int count = 0;
    if (dir == NULL) {
        return 0;
    }
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (entry->d_name[0] != '.' && count < MOST_SCENES) {
            snprintf(names[count++], sizeof names[0], "%s", entry->d_name);
        }
    }
    closedir(dir);
    qsort(names, (size_t)count, sizeof names[0], by_name);
    return count;
}

TEST(every_kernel_gives_the_same_bytes_on_every_bench_scene)
{
    test_needs_scenes();
    static char names[MOST_SCENES][256];
    const int count = list_scenes(names);
    if (count == 0) {
        print_message("there is no " FOLDER ": skipped\n");
        skip();
    }
    scene *s = calloc(1, sizeof *s);
    int asked = 0;
    for (int i = 0; i < count; i++) {
        char path[sizeof FOLDER + sizeof names[0]];
        OWN(sl_mesh) mesh = NULL;
        snprintf(path, sizeof path, FOLDER "/%.255s", names[i]);
        if (sl_mesh_load(path, NULL, &mesh, NULL) != SL_OK) {
            print_message("%s: not a format of ours, left out\n", names[i]);
            continue;
        }
        query_scene(names[i], mesh, asked++, s);
    }
    free(s);
    assert_true(asked > 0);
}
