#include "test/support/oracle/document_box.h"

static bool plane_is_met_in_face(const float a[3], const float b[3], const sl_aabb *box, int axis,
                                 float contact[3])
{
    const float plane = b[axis] - a[axis] > 0 ? box->min[axis] : box->max[axis];
    const float ratio = (b[axis] - plane) / (b[axis] - a[axis]);
    bool in_face = true;
    for (int i = 0; i < 3; i++) {
        contact[i] = i == axis ? plane : (a[i] - b[i]) * ratio + b[i];
        in_face =
            in_face && (i == axis || (box->min[i] <= contact[i] && contact[i] <= box->max[i]));
    }
    return in_face;
}

bool document_raycast(const float a[3], const float b[3], const sl_aabb *box, bool check_length,
                      float contact[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!plane_is_met_in_face(a, b, box, axis, contact)) {
            continue;
        }
        float whole = 0, length = 0;
        for (int i = 0; i < 3; i++) {
            whole += (b[i] - a[i]) * (b[i] - a[i]);
            length += (contact[i] - a[i]) * (contact[i] - a[i]);
        }
        return !check_length || !(whole < length);
    }
    return false;
}

bool document_slabs(const float s0[3], const float s1[3], const sl_aabb *box, float *t_min,
                    float *t_max)
{
    *t_min = 0;
    *t_max = 1;
    for (int axis = 0; axis < 3; axis++) {
        const float along = s1[axis] - s0[axis];
        float least = 0, most = 1;
        if (along == 0) {
            if (s0[axis] < box->min[axis] || s0[axis] > box->max[axis]) {
                return false;
            }
        } else {
            const float t0 = (box->min[axis] - s0[axis]) / along;
            const float t1 = (box->max[axis] - s0[axis]) / along;
            least = t0 < t1 ? t0 : t1;
            most = t0 < t1 ? t1 : t0;
            if (most < 0 || least > 1) {
                return false;
            }
        }
        if (*t_min > most || *t_max < least) {
            return false;
        }
        *t_min = *t_min > least ? *t_min : least;
        *t_max = *t_max < most ? *t_max : most;
    }
    return *t_min <= 1 && *t_max >= 0;
}
