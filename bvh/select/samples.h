/* samples.h: the samples of a side (select.h, Samples), one after the other.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/camera/view.h"

typedef struct sli_samples {
    double end[2][3];  /* of the side, the lower one first */
    double s[2];       /* where what is in front of the near plane begins and ends along it */
    double w[2];       /* the w of these two points */
    double at[2];      /* their positions in the picture, along the major axis */
    double next, last; /* pixels along that axis; next > last: there are no more */
    bool middle;       /* the one sample is the middle */
} sli_samples;

/* False: the side has none. */
bool sli_samples_open(const sli_view *view, const double a[3], const double b[3], sli_samples *out);

/* The one sample of a corner. */
void sli_samples_open_corner(const double corner[3], sli_samples *out);

static inline bool sli_samples_are_left(const sli_samples *samples)
{
    return samples->next <= samples->last;
}

/* Takes the next one, where some are left. */
void sli_samples_take(sli_samples *samples, double out[3]);
