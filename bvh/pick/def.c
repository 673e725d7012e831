/* The options of picking: their defaults, and how they are read. */
#include "bvh/pick/def.h"

#include "lib/base/abi.h"

#include <float.h>

sl_pick_def sl_default_pick_def(void)
{
    return (sl_pick_def){ .size = sizeof(sl_pick_def),
                          .kinds = SL_PICK_FACE | SL_PICK_EDGE | SL_PICK_VERTEX,
                          .radius = 5,
                          .rank = { 0, 1, 2, 3 } };
}

bool sli_pick_def_take(const sl_pick_def *given, sl_pick_def *out)
{
    *out = sl_default_pick_def();
    return sli_def_read("sl_pick_def", given, SLI_END_OF(sl_pick_def, budget_ms), sizeof *out, out,
                        NULL) == SL_OK &&
           out->radius >= 0 && out->radius <= FLT_MAX;
}
