/* sl_mesh_hash and sl_bvh_mesh_hash: hashes 36 bytes for each triangle, its corners or, where it is
 * left out, 36 times 0xFF. */
#include "bvh/tree/tree.h"
#include "lib/base/hash.h"

#include <sightline/store.h>

#include <string.h>

typedef struct batch {
    sli_hasher hasher;
    size_t count;
    sl_triangle triangles[256];
} batch;

static void mesh_hash_flush(batch *b)
{
    sli_hash_add(&b->hasher, b->triangles, b->count * sizeof b->triangles[0]);
    b->count = 0;
}

static void mesh_hash_add(batch *b, const sl_triangle *triangle)
{
    if (triangle != NULL) {
        b->triangles[b->count] = *triangle;
    } else {
        memset(&b->triangles[b->count], 0xFF, sizeof b->triangles[0]);
    }
    b->count++;
    if (b->count == sizeof b->triangles / sizeof b->triangles[0]) {
        mesh_hash_flush(b);
    }
}

uint64_t sl_mesh_hash(const sl_mesh *mesh)
{
    batch b = { .count = 0 };
    sli_hash_begin(&b.hasher);
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    for (size_t prim = 0; prim < count; prim++) {
        sl_triangle triangle;
        mesh_hash_add(&b, sl_mesh_triangle(mesh, (uint32_t)prim, &triangle) ? &triangle : NULL);
    }
    mesh_hash_flush(&b);
    return sli_hash_end(&b.hasher);
}

uint64_t sl_bvh_mesh_hash(const sl_bvh *bvh)
{
    batch b = { .count = 0 };
    sli_hash_begin(&b.hasher);
    for (uint32_t prim = 0; prim < bvh->prim_count; prim++) {
        sl_triangle triangle;
        mesh_hash_add(&b, sli_tree_triangle(bvh, prim, &triangle) ? &triangle : NULL);
    }
    mesh_hash_flush(&b);
    return sli_hash_end(&b.hasher);
}
