/* shown.h: where the corners of a triangle appear, seen from a position, in bounds that are sure;
 * and whether all of it appears farther away than some pixels.
 *
 * Farther  along a direction n of the picture, the function n . L - r |n| W of points of the world
 *          is linear, L being (X - p_x W, Y - p_y W): where it is positive at some corners it is so
 *          at all points between them, and those that have W > 0 appear more than r pixels away.
 *          Tried are the picture's axes, and what is at right angles to sides, without which a
 *          needle across the picture is near whatever its rectangle has within.
 * NaN      leaves a triangle in.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/pick/screen.h"

/* Of each corner: the bounds of L of x and y, and the highest W. */
typedef struct sli_shown {
    double low[2][3], high[2][3], w[3];
} sli_shown;

/* The same of the triangles of a leaf. */
typedef struct sli_shown_pack {
    double low[2][3][SLI_PACK], high[2][3][SLI_PACK], w[3][SLI_PACK];
} sli_shown_pack;

void sli_shown_pack_make(const sli_screen_at_local *local, const sli_tri_pack *pack,
                         sli_shown_pack *out);
void sli_shown_pack_get(const sli_shown_pack *pack, int lane, sli_shown *out);

/* Bits of the lanes that may appear within this many pixels. */
uint32_t sli_shown_pack_within(const sli_shown_pack *pack, double pixels);

bool sli_shown_corner_is_beyond(const sli_shown *shown, uint32_t corner, double pixels);
bool sli_shown_side_is_beyond(const sli_shown *shown, uint32_t side, double pixels);
