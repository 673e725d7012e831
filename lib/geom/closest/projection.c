/* Projections of a point on a point, a line or a plane, in numbers: for closest points of all
 * shapes. */
#include "lib/geom/closest/projection.h"

#include "lib/geom/exact/arithmetic/round_root.h"

void sli_projection_on_point(const sli_number base[3], const sli_number w[3], bool exact,
                             sli_projection *out)
{
    sli_number_copy3(base, out->top);
    sli_number_set(1, exact, &out->bottom);
    sli_number_dot(w, w, &out->square);
    out->over = out->bottom;
    out->has_height = false;
}

/* base + dir (w . dir) / (dir . dir), at |w x dir| / |dir|. */
void sli_projection_on_line(const sli_number base[3], const sli_number w[3],
                            const sli_number dir[3], sli_number *along, sli_projection *out)
{
    sli_number cross[3];
    sli_number_dot(w, dir, along);
    sli_number_dot(dir, dir, &out->bottom);
    sli_number_scale3(&out->bottom, base, out->top);
    sli_number_step3(along, dir, 1, out->top);
    sli_number_cross(w, dir, cross);
    sli_number_dot(cross, cross, &out->square);
    out->over = out->bottom;
    out->has_height = false;
}

/* point - normal height / |normal|^2. */
void sli_projection_on_plane(const sli_number point[3], const sli_number *height,
                             const sli_number normal[3], sli_projection *out)
{
    sli_number_dot(normal, normal, &out->over);
    sli_number_scale3(&out->over, point, out->top);
    sli_number_step3(height, normal, -1, out->top);
    out->bottom = out->over;
    out->height = *height;
    out->has_height = true;
}

void sli_projection_point(const sli_projection *projection, float point[3], bool *unsure)
{
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = sli_number_round_ratio(&projection->top[axis], &projection->bottom, unsure);
    }
}

float sli_projection_distance(const sli_projection *projection, bool *unsure)
{
    return projection->has_height ? sli_round_height(&projection->height, &projection->over, unsure)
                                  : sli_round_root(&projection->square, &projection->over, unsure);
}

void sli_plane_height(const sl_plane *plane, const sli_number normal[3], const float point[3],
                      bool exact, sli_number *height)
{
    sli_number from[3], offset;
    sli_number_set3(point, exact, from);
    sli_number_set(plane->offset, exact, &offset);
    sli_number_dot(normal, from, height);
    sli_number_sub(height, &offset, height);
}
