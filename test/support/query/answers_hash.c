#include "test/support/query/answers_hash.h"

#include "lib/base/fpenv.h"

static SLI_NOINLINE void narrow(const sl_surface *from, test_surface *to)
{
    for (int axis = 0; axis < 3; axis++) {
        to->point[axis] = (float)from->point[axis];
        to->normal[axis] = (float)from->normal[axis];
        to->front_origin[axis] = (float)from->front_origin[axis];
        to->back_origin[axis] = (float)from->back_origin[axis];
    }
    to->error = (float)(from->error * (1 + 0x1p-22));
}

void test_surface_of(const sl_bvh *bvh, const sl_hit *hit, test_surface *out)
{
    const sl_triangle_ref triangle = { hit->instance, hit->prim };
    sl_surface surface;
    if (sl_bvh_surface(bvh, triangle, hit->u, hit->v, SL_FLOAT, &surface)) {
        SLI_DO_IN_FPENV(narrow(&surface, out));
    }
}
