/* moving_mesh.c: a mesh that deforms, queried in every frame.
 *
 *     moving_mesh spot.obj
 *
 * The mesh sways; its tree is refitted, by turns in the memory of two versions, and built anew
 * where it has become slow.  Then one triangle of it is edited, in place. */
#include <sightline/sightline.h>

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 60, SIDE = 128 };

static const double drift_max = 1.25;

/* The mesh of a frame: it leans to and fro, the more the higher, and is drawn out on the way. */
static void pose(const float *rest, size_t vertex_count, int frame, float *xyz)
{
    const int phase = frame % 40;
    const float lean = (float)(phase < 20 ? phase : 40 - phase) / 10 - 1;
    for (size_t i = 0; i < 3 * vertex_count; i += 3) {
        xyz[i] = rest[i] + lean * rest[i + 1] * rest[i + 1];
        xyz[i + 1] = rest[i + 1] * (1 + (float)frame / (float)FRAMES);
        xyz[i + 2] = rest[i + 2] + 4 * lean * rest[i] * rest[i + 1];
    }
}

/* How many rays of a grid hit it. */
static size_t count_hits(const sl_bvh *bvh)
{
    static sl_ray rays[SIDE * SIDE];
    static uint8_t any[SIDE * SIDE];
    size_t hits = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const float from[3] = { (float)(i % SIDE) / 32 - 2, (float)(i / SIDE) / 32 - 2, -8 };
        rays[i] = sl_ray_make(from, (const float[3]){ 0, 0, 1 });
    }
    sl_bvh_any_many(bvh, sl_rays_of(rays, SIDE * SIDE), NULL, any, NULL, NULL, NULL);
    for (int i = 0; i < SIDE * SIDE; i++) {
        hits += any[i];
    }
    return hits;
}

static sl_result build(const sl_mesh *mesh, const float *xyz, sl_bvh **out, sl_error *error)
{
    sl_mesh *moved = NULL;
    sl_result result =
        sl_mesh_from_arrays(xyz, sl_mesh_soup(mesh).vertex_count, sl_mesh_soup(mesh).indices,
                            sl_mesh_soup(mesh).triangle_count, NULL, &moved, error);
    if (result == SL_OK) {
        result = sl_bvh_build(moved, NULL, out, error);
    }
    sl_mesh_destroy(moved);
    return result;
}

/* The tree of the next frame: *now, which others may still query, becomes *before, and the memory
 * of *before the new version. */
static sl_result follow(const sl_mesh *mesh, const float *xyz, sl_bvh **now, sl_bvh **before,
                        sl_error *error)
{
    sl_refit_def def = { 0 };
    sl_bvh *next = NULL;
    def.recycle = *before;
    sl_result result =
        sl_bvh_refit(*now, xyz, sl_mesh_soup(mesh).vertex_count, sl_mesh_soup(mesh).indices,
                     sl_mesh_soup(mesh).triangle_count, &def, &next, error);
    if (result != SL_OK) {
        return result;
    }
    *before = *now;
    *now = next;
    if (sl_bvh_drift(next) > drift_max) {
        sl_bvh *built = NULL;
        result = build(mesh, xyz, &built, error);
        if (result == SL_OK) {
            sl_bvh_destroy(*now); /* no other thread has it yet */
            *now = built;
        }
    }
    return result;
}

/* An editor moves the corners of triangle 1000, in place, since nothing else uses the tree.  It
 * tells which triangles these corners belong to: a range for each. */
static sl_result edit(const sl_mesh *mesh, float *xyz, sl_bvh **now, sl_error *error)
{
    const uint32_t *indices = sl_mesh_soup(mesh).indices, *moved = indices + (size_t)3 * 1000;
    sl_prim_range dirty[64];
    sl_refit_def def = { 0 };
    for (uint32_t i = 0; i < 3 * (uint32_t)sl_mesh_soup(mesh).triangle_count; i++) {
        if (indices[i] == moved[0] || indices[i] == moved[1] || indices[i] == moved[2]) {
            dirty[def.dirty_count++ % 64] = (sl_prim_range){ i / 3, 1 };
        }
    }
    for (size_t corner = 0; corner < 3; corner++) {
        xyz[3 * (size_t)moved[corner]] += 1.5f;
    }
    def.dirty = def.dirty_count <= 64 ? dirty : NULL; /* NULL: any triangle may have moved */
    def.dirty_count = def.dirty != NULL ? def.dirty_count : 0;
    def.recycle = *now;
    return sl_bvh_refit(*now, xyz, sl_mesh_soup(mesh).vertex_count, indices,
                        sl_mesh_soup(mesh).triangle_count, &def, now, error);
}

int main(int argc, char **argv)
{
    sl_error error = { .message = "out of memory" };
    sl_mesh *mesh = NULL;
    sl_bvh *now = NULL, *before = NULL;
    float *xyz = NULL;
    int builds = 0;
    sl_result result = sl_mesh_load(argc > 1 ? argv[1] : "spot.obj", NULL, &mesh, &error);
    if (result == SL_OK) {
        xyz = calloc(3 * sl_mesh_soup(mesh).vertex_count, sizeof *xyz);
        result = xyz != NULL ? sl_bvh_build(mesh, NULL, &now, &error) : SL_OUT_OF_MEMORY;
    }
    for (int frame = 0; frame < FRAMES && result == SL_OK; frame++) {
        pose(sl_mesh_soup(mesh).xyz, sl_mesh_soup(mesh).vertex_count, frame, xyz);
        result = follow(mesh, xyz, &now, &before, &error);
        builds += result == SL_OK && sl_bvh_drift(now) == 1;
        if (frame % 10 == 9 && result == SL_OK) {
            printf("frame %2d: %zu of %d rays hit, built anew %d times\n", frame, count_hits(now),
                   SIDE * SIDE, builds);
        }
    }
    if (result == SL_OK) {
        result = edit(mesh, xyz, &now, &error);
    }
    if (result == SL_OK) {
        printf("edited: %zu of %d rays hit\n", count_hits(now), SIDE * SIDE);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    free(xyz);
    sl_bvh_destroy(before);
    sl_bvh_destroy(now);
    sl_mesh_destroy(mesh);
    return result == SL_OK ? 0 : 1;
}
