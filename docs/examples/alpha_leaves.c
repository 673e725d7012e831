/* alpha_leaves.c: a hit filter: leaves are rectangles, cut out by a texture.
 *
 *     alpha_leaves
 *
 * Two leaves, one behind the other, are looked at along z.  Where the texture is empty a hit does
 * not exist, and the ray goes on: to the leaf behind, or to nothing. */
#include <sightline/sightline.h>

#include <stdio.h>

enum { WIDTH = 48, HEIGHT = 20, TEXELS = 8 };

/* Where a leaf is there: rows from bottom to top. */
static const char *const texture[TEXELS] = { "...##...", "...##...", "..####..", ".######.",
                                             "########", "###..###", ".##..##.", "...##..." };

/* A small leaf at z = 0 and a large one at z = 1: corners, what of the texture lies there, and the
 * triangles 0, 1 and 2, 3. */
static const float xyz[8][3] = { { -1, -1, 0 },   { 1, -1, 0 },   { 1, 1, 0 },   { -1, 1, 0 },
                                 { -2, -1.5, 1 }, { 2, -1.5, 1 }, { 2, 1.5, 1 }, { -2, 1.5, 1 } };
static const float uv[8][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 },
                                { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
static const uint32_t triangles[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 4, 5, 6 }, { 4, 6, 7 } };

/* Whether the texture is there where the ray hits.  Pure: the answer depends on the hit alone. */
static bool leaf_is_there(void *user, size_t index, const sl_hit *hit)
{
    const char *const *rows = user;
    const uint32_t *corner = triangles[hit->prim];
    const float weight[3] = { 1 - hit->u - hit->v, hit->u, hit->v };
    int texel[2];
    for (int axis = 0; axis < 2; axis++) {
        float at = 0;
        for (int i = 0; i < 3; i++) {
            at += weight[i] * uv[corner[i]][axis];
        }
        texel[axis] = at < 0 ? 0 : at < 1 ? (int)(at * (float)TEXELS) : TEXELS - 1;
    }
    (void)index; /* of the ray: for rays that see different things */
    return rows[texel[1]][texel[0]] == '#';
}

static void print_picture(const sl_hit *hits)
{
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const uint32_t prim = hits[y * WIDTH + x].prim;
            putchar(prim == SL_NONE ? '.' : prim < 2 ? '#' : '-');
        }
        putchar('\n');
    }
}

int main(void)
{
    static sl_ray rays[WIDTH * HEIGHT];
    static sl_hit hits[WIDTH * HEIGHT];
    sl_error error;
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    if (sl_mesh_from_arrays(xyz[0], 8, triangles[0], 4, NULL, &mesh, &error) != SL_OK ||
        sl_bvh_build(mesh, NULL, &bvh, &error) != SL_OK) {
        fprintf(stderr, "%s\n", error.message);
        sl_mesh_destroy(mesh);
        return 1;
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const float x = (float)(i % WIDTH) / (float)WIDTH * 4 - 2 + 2.0f / (float)WIDTH;
        const float y = 1.5f - (float)(i / WIDTH) / (float)HEIGHT * 3 - 1.5f / (float)HEIGHT;
        const float origin[3] = { x, y, -1 }, dir[3] = { 0, 0, 1 };
        rays[i] = sl_ray_make(origin, dir);
    }
    const sl_options options = { .filter = leaf_is_there, .filter_user = (void *)texture };
    sl_bvh_closest_many(bvh, sl_rays_of(rays, WIDTH * HEIGHT), &options, sl_hits_of(hits), NULL,
                        NULL);
    print_picture(hits);
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    return 0;
}
