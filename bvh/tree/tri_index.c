/* Compact blocks unpacked, for the queries of compact trees. */
#include "bvh/tree/tri_index.h"

typedef float four __attribute__((vector_size(16)));
typedef float four_anywhere __attribute__((vector_size(16), aligned(4), may_alias));

static const float *vertex_at(const float *vertices, uint32_t number)
{
    return vertices + 3 * (size_t)number;
}

void sli_tri_fetch(const sli_tri_index *block, const float *vertices)
{
    for (int i = 0; i < 3 * SLI_PACK; i++) {
        __builtin_prefetch(vertex_at(vertices, block->vertex[i / SLI_PACK][i % SLI_PACK]));
    }
}

/* One vertex of each lane, transposed.  The fourth float that is read of a vertex is dropped. */
static void unpack_corner(const uint32_t number[SLI_PACK], const float *vertices, int corner,
                          sli_tri_pack *out)
{
    four lane[SLI_PACK];
    for (int i = 0; i < SLI_PACK; i++) {
        lane[i] = *(const four_anywhere *)vertex_at(vertices, number[i]);
    }
    const four xy01 = __builtin_shufflevector(lane[0], lane[1], 0, 4, 1, 5);
    const four xy23 = __builtin_shufflevector(lane[2], lane[3], 0, 4, 1, 5);
    const four z01 = __builtin_shufflevector(lane[0], lane[1], 2, 6, 2, 6);
    const four z23 = __builtin_shufflevector(lane[2], lane[3], 2, 6, 2, 6);
    four_anywhere *to[3];
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = (four_anywhere *)out->axis[axis].vertex[corner];
    }
    *to[0] = __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5);
    *to[1] = __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7);
    *to[2] = __builtin_shufflevector(z01, z23, 0, 1, 4, 5);
}

void sli_tri_unpack(const sli_tri_index *block, const float *vertices, const uint32_t *masks,
                    sli_tri_pack *out)
{
    for (int corner = 0; corner < 3; corner++) {
        unpack_corner(block->vertex[corner], vertices, corner, out);
    }
    for (int lane = 0; lane < SLI_PACK; lane++) {
        const uint32_t id = block->id[lane];
        const uint32_t mask = masks == NULL || id == UINT32_MAX ? UINT32_MAX : masks[id];
        out->prim[lane] = id;
        out->mask[lane] = id == UINT32_MAX ? 0 : mask;
        out->before[lane] = 0;
    }
}
