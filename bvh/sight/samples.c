/* Points that fill a box or a ball evenly: the sequence of Roberts (2018), whose step along axis k
 * is 1 / phi^(k + 1), with phi^4 = phi + 1, in 64-bit fractions, so that it is the same everywhere.
 * A seed says where it begins.  Of the cube, the ball takes what is in it. */
#include "bvh/sight/samples.h"

#include "lib/base/fpenv.h"
#include "lib/base/hash.h"

static const uint64_t step[3] = { UINT64_C(0xD1B54A32D192ED03), UINT64_C(0xABC98388FB8FAC02),
                                  UINT64_C(0x8CB92BA72F3D8DD7) };

/* Where the sequence of a seed begins along an axis: splitmix64. */
static uint64_t sequence_start(uint64_t seed, int axis)
{
    return sli_mix(seed * 3 + (uint64_t)axis + UINT64_C(0x9E3779B97F4A7C15));
}

void sli_samples_next(const sl_sight_samples *samples, sli_samples_at *at, double s[3])
{
    if (samples->shape == SL_SIGHT_POINTS) {
        for (int axis = 0; axis < 3; axis++) {
            s[axis] = samples->points[3 * at->index + (uint64_t)axis];
        }
        at->index++;
        return;
    }
    double length2;
    do {
        length2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            const uint64_t fraction = sequence_start(samples->seed, axis) + at->index * step[axis];
            s[axis] = (double)(fraction >> 11) * 0x1p-52 - 1;
            length2 += s[axis] * s[axis];
        }
        at->index++;
    } while (samples->shape == SL_SIGHT_BALL && length2 > 1);
}

void sli_samples_position(const sl_sight_samples *samples, const double at[3], const double s[3],
                          double point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double sum = at[axis];
        for (int k = 0; k < 3; k++) {
            sum += s[k] * samples->axes[k][axis];
        }
        point[axis] = sum;
    }
}

void sli_sight_sample_points(const sl_sight_samples *samples, double *points)
{
    const sli_fpenv saved = sli_fpenv_enter();
    sli_samples_at at = { .index = 0 };
    for (uint32_t i = 0; i < samples->count && i < SLI_SAMPLES_MAX; i++) {
        sli_samples_next(samples, &at, points + 3 * (size_t)i);
    }
    sli_fpenv_leave(saved);
}
