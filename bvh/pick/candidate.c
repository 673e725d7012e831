/* Corners and sides of triangles as candidates. */
#include "bvh/pick/candidate.h"

#include "bvh/kernel/instance/intersect.h"

bool sli_triangle_corners(const sl_bvh *bvh, sl_triangle_ref triangle, sl_triangle *found,
                          double v[3][3])
{
    if (triangle.instance >= bvh->world.count ||
        bvh->world.transformed[triangle.instance].tree == NULL ||
        !sli_tree_triangle(bvh->world.transformed[triangle.instance].tree, triangle.prim, found)) {
        return false;
    }
    sli_world_corners(&bvh->world.transformed[triangle.instance], found->v, v);
    return true;
}

bool sli_candidate_appears(const sli_view *view, const double xy[2], double v[3][3],
                           sli_candidate *candidate)
{
    const uint32_t corner = candidate->corner, next = (corner + 1) % 3;
    const bool vertex = candidate->kind == SL_PICK_VERTEX;
    candidate->reversed = !vertex && sli_corner_is_lower(v[next], v[corner]);
    const double *lower = v[candidate->reversed ? next : corner];
    const double *higher = v[vertex || candidate->reversed ? corner : next];
    memcpy(candidate->end[0], lower, sizeof candidate->end[0]);
    memcpy(candidate->end[1], higher, sizeof candidate->end[1]);
    return vertex ? sli_along_point(view, xy, lower, &candidate->shown)
                  : !sli_corner_equals(lower, higher) &&
                        sli_along_segment(view, xy, lower, higher, &candidate->shown);
}

bool sli_candidate_find_sight(const sli_view *view, sli_candidate *candidate)
{
    sl_segment_d sight;
    if (!sli_view_sight(view, candidate->shown.point, &sight)) {
        return false;
    }
    memcpy(candidate->from, sight.p, sizeof candidate->from);
    candidate->distance = sli_along_length(&sight);
    return true;
}

uint64_t sli_ends_hash(uint64_t number, const double end[2][3])
{
    uint64_t hash = number, bits[6];
    memcpy(bits, end, sizeof bits);
    for (int i = 0; i < 6; i++) {
        hash = (hash + 0x9E3779B97F4A7C15u) * 0xFF51AFD7ED558CCDu ^ bits[i];
    }
    return sli_mix(hash);
}
