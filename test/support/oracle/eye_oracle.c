#include "test/support/oracle/eye_oracle.h"

#include "lib/geom/exact/predicates.h"

#include <float.h>
#include <math.h>

/* A row of the product of both matrices: 0 to 3 are x, y, z and w of clip space. */
static void row_of(const sl_camera *camera, int row, long double out[4])
{
    for (int column = 0; column < 4; column++) {
        out[column] = 0;
        for (int k = 0; k < 4; k++) {
            out[column] += (long double)camera->projection[4 * k + row] *
                           (long double)camera->view[4 * column + k];
        }
    }
}

static long double minor_without(long double rows[3][4], int column)
{
    long double m[3][3];
    for (int row = 0; row < 3; row++) {
        for (int i = 0, k = 0; i < 4; i++) {
            if (i != column) {
                m[row][k++] = rows[row][i];
            }
        }
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* The point that has neither x, y nor w, with the sign that brings it before the near plane. */
static void eye_of(const sl_camera *camera, long double eye[4])
{
    long double rows[3][4], depths[4], depth = 0;
    row_of(camera, 0, rows[0]);
    row_of(camera, 1, rows[1]);
    row_of(camera, 3, rows[2]);
    row_of(camera, 2, depths);
    for (int i = 0; i < 4; i++) {
        eye[i] = (i % 2 == 0 ? 1 : -1) * minor_without(rows, i);
        depth += depths[i] * eye[i];
    }
    for (int i = 0; i < 4; i++) {
        eye[i] *= (depth < 0) == (camera->clip == SL_CLIP_SPACE_REVERSED) ? -1 : 1;
    }
}

bool eye_oracle_culls(const sl_view *view, sl_cull cull, bool mirrored, const double v[3][3])
{
    long double eye[4], largest = 0;
    double at[3];
    sli_decision_stage stage;
    if (cull == SL_CULL_NONE) {
        return false;
    }
    eye_of(&view->camera, eye);
    for (int i = 0; i < 3; i++) {
        largest = fmaxl(largest, fabsl(eye[i]));
    }
    const bool is_point = fabsl(eye[3]) * (long double)FLT_MAX > largest;
    for (int i = 0; i < 3; i++) {
        at[i] =
            (double)(is_point ? eye[i] / eye[3] + (long double)view->origin[i] : eye[i] / largest);
        at[i] = (double)(roundl((long double)at[i] * 0x1p149L) * 0x1p-149L);
    }
    const int side =
        sli_triple3d(is_point ? v[0] : (double[3]){ 0, 0, 0 }, at, v[0], v[1], v[0], v[2], &stage) *
        (is_point && eye[3] < 0 ? -1 : 1) * (mirrored ? -1 : 1);
    return side != (cull == SL_CULL_BACK ? 1 : -1);
}
