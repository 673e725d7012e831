/* Whether a point is behind planes: signs of polynomials in the given floats. */
#include "lib/base/fpenv.h"
#include "lib/geom/closest/projection.h"
#include "lib/geom/exact/valid.h"

#include <sightline/closest.h>

static bool behind_plane(const sl_plane *plane, const float point[3], bool exact, bool *unsure)
{
    sli_number normal[3], height;
    sli_number_set3(plane->normal, exact, normal);
    sli_plane_height(plane, normal, point, exact, &height);
    return sli_number_sign(&height, unsure) <= 0;
}

static SLI_NOINLINE bool planes_contain(const sl_plane *planes, size_t count, const float point[3])
{
    bool inside = true;
    for (size_t i = 0; i < count; i++) {
        if (!sli_plane_is_valid(&planes[i])) {
            return false;
        }
        bool unsure = false;
        bool behind = inside && behind_plane(&planes[i], point, false, &unsure);
        if (unsure) {
            behind = behind_plane(&planes[i], point, true, &unsure);
        }
        inside = behind;
    }
    return inside;
}

bool sli_convex_contains_point(const sl_plane *planes, size_t count, const float point[3])
{
    return SLI_IN_FPENV(sli_finite(point, 3) && planes_contain(planes, count, point));
}
