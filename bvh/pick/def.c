/* The options of picking: their defaults, and how they are read. */
#include "bvh/pick/def.h"

#include <float.h>
#include <string.h>

bool sli_pick_def_take(const sl_pick_def *given, sl_pick_def *out)
{
    static const uint8_t ranks[4] = { 0, 1, 2, 3 }, none[4];
    *out = given != NULL ? *given : (sl_pick_def){ 0 };
    if (out->kinds == 0) {
        out->kinds = SL_PICK_FACE | SL_PICK_EDGE | SL_PICK_VERTEX;
    }
    if (memcmp(out->rank, none, sizeof none) == 0) {
        memcpy(out->rank, ranks, sizeof ranks);
    }
    out->radius = out->radius != 0 ? out->radius : 5;
    return out->radius >= 0 && out->radius <= FLT_MAX;
}
