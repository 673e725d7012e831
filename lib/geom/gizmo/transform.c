/* Transforms moved, turned and scaled, and the turns that drags and editors want. */
#include "lib/base/fpenv.h"
#include "lib/geom/gizmo/drag.h"
#include "lib/geom/gizmo/turn.h"

static bool transform_put(const sl_transform *made, sl_transform *out)
{
    if (!sli_are_finite(made->m[0], 12)) {
        return false;
    }
    *out = *made;
    return true;
}

static SLI_NOINLINE bool transform_moved(const sl_transform *transform, const double translation[3],
                                         sl_transform *out)
{
    sl_transform made = *transform;
    for (int i = 0; i < 3; i++) {
        made.m[i][3] = translation[i] == 0 ? made.m[i][3] : made.m[i][3] + translation[i];
    }
    return transform_put(&made, out);
}

bool sli_transform_moved(const sl_transform *transform, const double translation[3],
                         sl_transform *out)
{
    return SLI_IN_FPENV(transform_moved(transform, translation, out));
}

static SLI_NOINLINE bool transform_turned(const sl_transform *transform, const double centre[3],
                                          const double rotation[4], sl_transform *out)
{
    sl_transform turn, made = *transform;
    if (!sli_are_finite(centre, 3) || !sl_transform_from_trs(NULL, rotation, NULL, &turn)) {
        return false;
    }
    if (rotation[0] == 0 && rotation[1] == 0 && rotation[2] == 0) {
        return transform_put(&made, out);
    }
    for (int i = 0; i < 3; i++) {
        const double *row = turn.m[i];
        for (int k = 0; k < 4; k++) {
            double column[3];
            for (int j = 0; j < 3; j++) {
                column[j] = k < 3 ? transform->m[j][k] : transform->m[j][3] - centre[j];
            }
            const double sum = sli_dot(row, column);
            made.m[i][k] = k < 3 ? sum : sum + centre[i];
        }
    }
    return transform_put(&made, out);
}

bool sl_transform_turned(const sl_transform *transform, const double centre[3],
                         const double rotation[4], sl_transform *out)
{
    return SLI_IN_FPENV(transform_turned(transform, centre, rotation, out));
}

static SLI_NOINLINE bool transform_scaled(const sl_transform *transform, const double centre[3],
                                          const double axis[3], double factor, sl_transform *out)
{
    double unit[3];
    sl_transform made = *transform;
    if (!sli_are_finite(centre, 3) || !isfinite(factor) ||
        (axis != NULL && !sli_unit(axis, unit))) {
        return false;
    }
    if (factor == 1) {
        return transform_put(&made, out);
    }
    for (int k = 0; k < 4; k++) {
        double column[3];
        for (int i = 0; i < 3; i++) {
            column[i] = k < 3 ? transform->m[i][k] : transform->m[i][3] - centre[i];
        }
        const double along = axis != NULL ? (factor - 1) * sli_dot(unit, column) : 0;
        for (int i = 0; i < 3; i++) {
            const double part = axis != NULL ? column[i] + unit[i] * along : factor * column[i];
            made.m[i][k] = k < 3 ? part : part + centre[i];
        }
    }
    return transform_put(&made, out);
}

bool sl_transform_scaled(const sl_transform *transform, const double centre[3],
                         const double axis[3], double factor, sl_transform *out)
{
    return SLI_IN_FPENV(transform_scaled(transform, centre, axis, factor, out));
}

bool sl_drag_transform(const sl_drag *drag, const sl_drag_move *move, const sl_transform *start,
                       sl_transform *out)
{
    switch (drag->kind) {
    case SL_DRAG_RING:
    case SL_DRAG_ROLL:
        return sl_transform_turned(start, drag->centre, move->rotation, out);
    case SL_DRAG_SCALE:
        return sl_transform_scaled(start, drag->centre, NULL, move->factor, out);
    case SL_DRAG_STRETCH:
        return sl_transform_scaled(start, drag->centre, drag->axis, move->factor, out);
    case SL_DRAG_AXIS:
    case SL_DRAG_PLANE:
    case SL_DRAG_SCREEN:
    case SL_DRAG_SURFACE:
    default:
        return sli_transform_moved(start, move->translation, out);
    }
}

static SLI_NOINLINE bool turn_about(const double axis[3], double angle_rad, double rotation[4])
{
    double unit[3];
    if (!sli_unit(axis, unit) || !(fabs(angle_rad) <= 1e6)) {
        return false;
    }
    sli_turn(unit, angle_rad, rotation);
    return true;
}

bool sl_turn_about(const double axis[3], double angle_rad, double rotation[4])
{
    return SLI_IN_FPENV(turn_about(axis, angle_rad, rotation));
}

/* The quaternion (a x b, 1 + a . b), of unit length; with 1 + a . b as |a + b|^2 / 2, which does
 * not cancel. */
static SLI_NOINLINE bool turn_between(const double from[3], const double to[3], double rotation[4])
{
    double a[3], b[3], both[3], q[3];
    if (!sli_unit(from, a) || !sli_unit(to, b)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        both[i] = a[i] + b[i];
    }
    if (!(sli_length(both) > 0x1p-40)) {
        sli_perpendicular(a, rotation);
        rotation[3] = 0;
        return true;
    }
    sli_cross(a, b, q);
    /* Of nearly opposite directions the product has few digits that hold: what must hold is that it
     * is perpendicular to a. */
    const double along = sli_dot(a, q);
    for (int i = 0; i < 3; i++) {
        q[i] -= along * a[i];
    }
    const double w = sli_dot(both, both) / 2, size = sqrt(sli_dot(q, q) + w * w);
    for (int i = 0; i < 3; i++) {
        rotation[i] = q[i] / size + 0.0;
    }
    rotation[3] = w / size;
    return true;
}

bool sl_turn_between(const double from[3], const double to[3], double rotation[4])
{
    return SLI_IN_FPENV(turn_between(from, to, rotation));
}
