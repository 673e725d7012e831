/* Rays, segments and lines against planes, boxes, spheres and capsules: the public functions, over
 * those of paths.h. */
#include "lib/geom/intersect/paths.h"

#include "lib/base/fpenv.h"

#include <string.h>

/* What is asked of a path: any of paths.h. */
typedef struct question {
    sli_path_find *find;
    const void *volume;
    sl_start_inside inside;
} question;

/* Hits are written only where there is one. */
static SLI_NOINLINE int find_hit(sli_path_kind kind, const void *shape, question asked, void *hit,
                                 size_t hit_size)
{
    union {
        sl_plane_hit plane;
        sl_aabb_hit aabb;
        sl_round_hit round;
        sl_obb_hit obb;
    } found;
    sli_path path;
    bool unsure = false;
    void *out = hit != NULL ? &found : NULL;
    if (!sli_path_make(kind, shape, &path)) {
        return 0;
    }
    int met = asked.find(&path, asked.volume, asked.inside, false, out, &unsure);
    if (unsure) {
        met = asked.find(&path, asked.volume, asked.inside, true, out, &unsure);
    }
    if (met != 0 && hit != NULL) {
        memcpy(hit, &found, hit_size);
    }
    return met;
}

static SLI_NOINLINE bool find_span(sli_path_kind kind, const void *shape, const sl_aabb *box,
                                   float *t0, float *t1)
{
    sli_path path;
    return sli_path_make(kind, shape, &path) && sli_path_aabb_span(&path, box, t0, t1);
}

/* The functions for a ray, a segment and a line, of which call is made with kind and shape. */
#define PARAMETERS(...) __VA_ARGS__
#define DEFINE_FOR_PATHS(type, name, parameters, call)                                             \
    type sl_ray_##name(const sl_ray *shape, PARAMETERS parameters)                                 \
    {                                                                                              \
        const sli_path_kind kind = SLI_PATH_RAY;                                                   \
        return (type)SLI_IN_FPENV(call);                                                           \
    }                                                                                              \
    type sl_segment_##name(const sl_segment *shape, PARAMETERS parameters)                         \
    {                                                                                              \
        const sli_path_kind kind = SLI_PATH_SEGMENT;                                               \
        return (type)SLI_IN_FPENV(call);                                                           \
    }                                                                                              \
    type sl_line_##name(const sl_line *shape, PARAMETERS parameters)                               \
    {                                                                                              \
        const sli_path_kind kind = SLI_PATH_LINE;                                                  \
        return (type)SLI_IN_FPENV(call);                                                           \
    }

#define HIT(find, volume, inside)                                                                  \
    find_hit(kind, shape, (question){ find, volume, inside }, hit, sizeof *hit)

DEFINE_FOR_PATHS(sl_plane_meet, axis_plane, (int axis, float k, sl_plane_hit *hit),
                 HIT(sli_path_axis_plane, (&(sli_axis_plane){ axis, k }), SL_INSIDE_SOLID))
DEFINE_FOR_PATHS(sl_plane_meet, plane, (const sl_plane *plane, sl_plane_hit *hit),
                 HIT(sli_path_plane, plane, SL_INSIDE_SOLID))
DEFINE_FOR_PATHS(bool, aabb_span, (const sl_aabb *box, float *t0, float *t1),
                 find_span(kind, shape, box, t0, t1))
DEFINE_FOR_PATHS(bool, aabb, (const sl_aabb *box, sl_start_inside inside, sl_aabb_hit *hit),
                 HIT(sli_path_aabb_hit, box, inside))
DEFINE_FOR_PATHS(bool, sphere, (const sl_sphere *sphere, sl_start_inside inside, sl_round_hit *hit),
                 HIT(sli_path_sphere, sphere, inside))
DEFINE_FOR_PATHS(bool, capsule,
                 (const sl_capsule *capsule, sl_start_inside inside, sl_round_hit *hit),
                 HIT(sli_path_capsule, capsule, inside))
DEFINE_FOR_PATHS(bool, obb, (const sl_obb *box, sl_start_inside inside, sl_obb_hit *hit),
                 HIT(sli_path_obb, box, inside))
DEFINE_FOR_PATHS(bool, unit_cube,
                 (const float inverse[16], sl_start_inside inside, sl_obb_hit *hit),
                 HIT(sli_path_unit_cube, inverse, inside))
