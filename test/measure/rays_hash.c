/* A hash of what rays answer in each mesh, by each kernel, to hold builds for other machines
 * against one another (in WebAssembly: .ci/wasm/run.mjs runs this):
 *
 *     rays_hash RAYS MESH...
 *
 * Of each kind in turn: between points of the bounds, towards a vertex, along an axis through one.
 * Hashed are the closest hit and the next one, any hit, and how many there are. */
#include "bvh/kernel/kernel.h"
#include "test/support/hard/rays.h"
#include "test/support/own.h"
#include "test/support/query/answers_hash.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 10000, SEED = 30 };

static void must(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "%s\n", words);
        exit(1);
    }
}

/* By the C library's files, since a build may have none of its own. */
static sl_mesh *mesh_of(const char *path)
{
    sl_mesh *mesh = NULL;
    sl_error error;
    FILE *file = fopen(path, "rb");
    must(file != NULL && fseek(file, 0, SEEK_END) == 0, path);
    const long size = ftell(file);
    must(size >= 0 && fseek(file, 0, SEEK_SET) == 0, path);
    FREED void *bytes = malloc((size_t)size + 1);
    must(bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size, path);
    fclose(file);
    must(sl_mesh_load_memory(bytes, (size_t)size, path, NULL, &mesh, &error) == SL_OK,
         error.message);
    return mesh;
}

typedef struct answers {
    sl_hit closest[BLOCK], next[BLOCK];
    uint64_t totals[BLOCK];
    uint8_t any[BLOCK];
} answers;

static uint64_t hash_block(uint64_t h, const sl_bvh *bvh, const sl_ray *rays, size_t count)
{
    static answers a;
    const sl_rays given = sl_rays_of(rays, count);
    sl_bvh_closest_many(bvh, given, NULL, sl_hits_of(a.closest), NULL, NULL);
    memcpy(a.next, a.closest, sizeof a.next);
    sl_bvh_next_many(bvh, given, NULL, sl_hits_of(a.next), NULL, NULL);
    sl_bvh_all_many(bvh, given, NULL, sl_hits_of(NULL), 0, a.totals, NULL, NULL);
    sl_bvh_any_many(bvh, given, NULL, a.any, NULL, NULL, NULL);
    h = test_hash(h, a.closest, count * sizeof *a.closest, 4);
    h = test_hash(h, a.next, count * sizeof *a.next, 4);
    h = test_hash(h, a.totals, count * sizeof *a.totals, 8);
    return test_hash(h, a.any, count, 1);
}

static uint64_t hash_mesh(const sl_mesh *mesh, const sl_bvh *bvh, size_t count)
{
    static const hard_kind kinds[3] = { HARD_BOX, HARD_BEYOND, HARD_AXIS };
    static sl_ray rays[BLOCK];
    test_random random = { SEED };
    uint64_t h = TEST_HASH_NOTHING;
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t some = count - first < BLOCK ? count - first : BLOCK;
        for (size_t i = 0; i < some; i++) {
            rays[i] = hard_ray_make(mesh, kinds[i % 3], &random).ray;
        }
        h = hash_block(h, bvh, rays, some);
    }
    return h;
}

int main(int argc, char **argv)
{
    must(argc > 2, "usage: rays_hash RAYS MESH...");
    const size_t count = strtoul(argv[1], NULL, 10);
    for (int m = 2; m < argc; m++) {
        OWN(sl_mesh) mesh = mesh_of(argv[m]);
        OWN(sl_bvh) bvh = NULL;
        must(sl_bvh_build(mesh, NULL, &bvh, NULL) == SL_OK, "no tree");
        for (int i = 0; sli_kernels_at(i) != NULL; i++) {
            bvh->kernels = sli_kernels_at(i);
            printf("%016llx  %-8s %s\n", (unsigned long long)hash_mesh(mesh, bvh, count),
                   bvh->kernels->name, argv[m]);
            fflush(stdout);
        }
    }
    return 0;
}
