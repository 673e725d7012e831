/* Lines against planes, boxes, spheres and capsules: the public functions, over those of paths.h.
 */
#include "lib/geom/intersect/paths.h"

#include "lib/base/fpenv.h"

#include <string.h>

/* Hits are written only where there is one. */
static SLI_NOINLINE int find_hit(const sl_line *line, sli_path_find *find, const void *volume,
                                 sl_start_inside inside, void *hit, size_t hit_size)
{
    union {
        sl_plane_hit plane;
        sl_aabb_hit aabb;
        sl_round_hit round;
    } found;
    sli_path path;
    bool unsure = false;
    void *out = hit != NULL ? &found : NULL;
    if (!sli_path_make(line, &path)) {
        return 0;
    }
    int met = find(&path, volume, inside, false, out, &unsure);
    if (unsure) {
        met = find(&path, volume, inside, true, out, &unsure);
    }
    if (met != 0 && hit != NULL) {
        memcpy(hit, &found, hit_size);
    }
    return met;
}

#define HIT(find, volume, inside)                                                                  \
    SLI_IN_FPENV(find_hit(&line, find, volume, inside, hit, sizeof *hit))

sl_plane_meet sl_line_plane(sl_line line, const sl_plane *plane, sl_plane_hit *hit)
{
    return (sl_plane_meet)HIT(sli_path_plane, plane, SL_INSIDE_SOLID);
}

bool sl_line_aabb(sl_line line, const sl_aabb *box, sl_start_inside inside, sl_aabb_hit *hit)
{
    return HIT(sli_path_aabb_hit, box, inside);
}

bool sl_line_obb(sl_line line, const sl_obb *box, sl_start_inside inside, sl_obb_hit *hit)
{
    return HIT(sli_path_obb, box, inside);
}

bool sl_line_unit_cube(sl_line line, const float inverse[16], sl_start_inside inside,
                       sl_obb_hit *hit)
{
    return HIT(sli_path_unit_cube, inverse, inside);
}

bool sl_line_sphere(sl_line line, const sl_sphere *sphere, sl_start_inside inside,
                    sl_round_hit *hit)
{
    return HIT(sli_path_sphere, sphere, inside);
}

bool sl_line_capsule(sl_line line, const sl_capsule *capsule, sl_start_inside inside,
                     sl_round_hit *hit)
{
    return HIT(sli_path_capsule, capsule, inside);
}
