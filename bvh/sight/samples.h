/* samples.h: the points of a target, one after the other. */
#pragma once

#include <sightline/visibility.h>

enum { SLI_SAMPLES_MAX = 1 << 24 };

/* Where a sequence is: begins as zeros. */
typedef struct sli_samples_at {
    uint64_t index; /* of the sequence; of given points, of the next one */
} sli_samples_at;

/* The local coordinates of the next sample. */
void sli_samples_next(const sl_sight_samples *samples, sli_samples_at *at, double s[3]);

/* Where they are of a target at a point. */
void sli_samples_position(const sl_sight_samples *samples, const double at[3], const double s[3],
                          double point[3]);

/* Writes the local coordinates of all samples, three numbers each: the first ones of a sequence
 * that fills the shape evenly, however many are taken, and the same on every machine. */
void sli_sight_sample_points(const sl_sight_samples *samples, double *points);
