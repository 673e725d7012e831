/* tri_pack.h: the triangles of one leaf, as arrays along each axis.
 *
 *   offset size field
 *        0   64 axis[0]  x of vertex 0, 1, 2 of each triangle (48 bytes), then prim[4]
 *       64   64 axis[1]  y likewise, then mask[4]
 *      128   64 axis[2]  z likewise, then before[4]: 0 where the triangle is in this block only;
 *                        else the slot before this one of the triangle's slots, or
 *                        SLI_SLOT_FIRST where there is none
 *
 * A slot is a line of the arena times 4, plus the lane.
 *
 * Vertices are stored exactly.  A leaf is one block; lanes in use come first; unused ones have
 * prim SL_NONE and zeros for coordinates, and are told by their prim, never by a NaN.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SLI_PACK = 4, SLI_PACK_LINES = 3, SLI_SLOT_FIRST = 1 };

/* The same bytes by axis, for loops over axes, and by name. */
typedef struct sli_tri_pack {
    union {
        struct {
            float vertex[3][SLI_PACK]; /* [vertex][lane] */
            uint32_t meta[SLI_PACK];   /* prim, mask or before */
        } axis[3];
        struct {
            float x[3][SLI_PACK];
            uint32_t prim[SLI_PACK];
            float y[3][SLI_PACK];
            uint32_t mask[SLI_PACK];
            float z[3][SLI_PACK];
            uint32_t before[SLI_PACK];
        };
    };
} sli_tri_pack;

_Static_assert(offsetof(sli_tri_pack, prim) == 48 && offsetof(sli_tri_pack, mask) == 112 &&
                   offsetof(sli_tri_pack, before) == 176 && sizeof(sli_tri_pack) == 192,
               "axis[k].meta is prim, mask, before");

/* Whether the triangle of a lane is in other blocks too. */
static inline int sli_pack_is_split(const sli_tri_pack *pack, int lane)
{
    return pack->before[lane] != 0;
}

/* The corners of the triangle in a lane. */
static inline void sli_pack_corners(const sli_tri_pack *pack, int lane, float v[3][3])
{
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            v[corner][axis] = pack->axis[axis].vertex[corner][lane];
        }
    }
}

/* Lanes in use of a block with these prims: they come first. */
static inline uint32_t sli_lane_count(const uint32_t prim[SLI_PACK])
{
    uint32_t lanes = 0;
    while (lanes < SLI_PACK && prim[lanes] != UINT32_MAX) {
        lanes++;
    }
    return lanes;
}

/* Makes a lane's triangle that of a box, as trees over boxes have them: world.h. */
static inline void sli_pack_set_box(sli_tri_pack *pack, uint32_t lane, const float *min,
                                    const float *max)
{
    for (int axis = 0; axis < 3; axis++) {
        pack->axis[axis].vertex[0][lane] = pack->axis[axis].vertex[2][lane] = min[axis];
        pack->axis[axis].vertex[1][lane] = max[axis];
    }
}
