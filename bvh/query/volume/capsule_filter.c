/* A capsule against boxes and triangles, by alternating projections. */
#include "bvh/query/volume/capsule_filter.h"

#include "lib/geom/exact/arithmetic/vector.h"

/* Allowed for rounding, of the sum of all sizes: as in volume/filter.h. */
#define SLACK 0x1p-48

enum { TURNS = 3 };

typedef struct axis {
    double p[3], along[3], length2, radius;
} axis;

static double size_of(const double a[3])
{
    return fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
}

/* Everything is seen from p, so that what is far from the origin loses nothing. */
static axis make_axis(const sl_capsule *capsule)
{
    axis a = { .radius = (double)capsule->radius };
    for (int i = 0; i < 3; i++) {
        a.p[i] = (double)capsule->p[i];
        a.along[i] = (double)capsule->q[i] - a.p[i];
    }
    a.length2 = sli_dot(a.along, a.along);
    return a;
}

static void from_axis(const axis *a, const float point[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = (double)point[i] - a->p[i];
    }
}

static void nearest_on_axis(const axis *a, const double x[3], double out[3])
{
    const double part = sli_dot(a->along, x);
    const double t = part <= 0 ? 0 : part >= a->length2 ? 1 : part / a->length2;
    for (int i = 0; i < 3; i++) {
        out[i] = t * a->along[i];
    }
}

/* Along n, the least of the body and the greatest of the axis: more than the radius lies between.
 */
static bool capsule_filter_separates(const axis *a, const double n[3], double body_least,
                                     double sizes)
{
    const double end = sli_dot(n, a->along), greatest = end > 0 ? end : 0;
    const double slack = SLACK * size_of(n) * sizes;
    return body_least - greatest - slack > a->radius * sqrt(sli_dot(n, n)) * (1 + SLACK);
}

sli_tribool sli_capsule_filter_box(const sl_capsule *capsule, const sl_aabb *box)
{
    const axis a = make_axis(capsule);
    double low[3], high[3], at[3], on[3], n[3], least = 0;
    from_axis(&a, box->min, low);
    from_axis(&a, box->max, high);
    for (int i = 0; i < 3; i++) {
        at[i] = (low[i] + high[i]) / 2;
    }
    for (int turn = 0; turn < TURNS; turn++) {
        nearest_on_axis(&a, at, on);
        for (int i = 0; i < 3; i++) {
            at[i] = on[i] < low[i] ? low[i] : on[i] > high[i] ? high[i] : on[i];
        }
    }
    sli_subtract(at, on, n);
    for (int i = 0; i < 3; i++) {
        least += n[i] * (n[i] > 0 ? low[i] : high[i]);
    }
    return capsule_filter_separates(&a, n, least, size_of(low) + size_of(high) + size_of(a.along))
               ? SLI_NO
               : SLI_UNSURE;
}

/* At times / of of the edge, kept within it. */
static void along_edge(const double from[3], const double edge[3], double times, double of,
                       double out[3])
{
    const double t = !(times > 0) ? 0 : times >= of ? 1 : times / of;
    for (int i = 0; i < 3; i++) {
        out[i] = from[i] + t * edge[i];
    }
}

/* A point of the triangle, the nearest but for rounding.  v is only read. */
static void nearest_on_triangle(double v[3][3], const double x[3], double out[3])
{
    double ab[3], ac[3], bc[3], ax[3], bx[3], cx[3];
    sli_subtract(v[1], v[0], ab);
    sli_subtract(v[2], v[0], ac);
    sli_subtract(v[2], v[1], bc);
    sli_subtract(x, v[0], ax);
    sli_subtract(x, v[1], bx);
    sli_subtract(x, v[2], cx);
    const double d1 = sli_dot(ab, ax), d2 = sli_dot(ac, ax), d3 = sli_dot(ab, bx),
                 d4 = sli_dot(ac, bx);
    const double d5 = sli_dot(ab, cx), d6 = sli_dot(ac, cx);
    const double wa = d3 * d6 - d5 * d4, wb = d5 * d2 - d1 * d6, wc = d1 * d4 - d3 * d2;
    if (wc <= 0 && d1 >= 0 && d3 <= 0) {
        along_edge(v[0], ab, d1, d1 - d3, out);
    } else if (wb <= 0 && d2 >= 0 && d6 <= 0) {
        along_edge(v[0], ac, d2, d2 - d6, out);
    } else if (wa <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        along_edge(v[1], bc, d4 - d3, d4 - d3 + d5 - d6, out);
    } else if (d1 <= 0 && d2 <= 0) {
        along_edge(v[0], ab, 0, 1, out);
    } else if (d3 >= 0 && d4 <= d3) {
        along_edge(v[1], bc, 0, 1, out);
    } else if (!(wa > 0 && wb > 0 && wc > 0)) {
        along_edge(v[1], bc, 1, 1, out);
    } else {
        const double sum = wa + wb + wc;
        for (int i = 0; i < 3; i++) {
            out[i] = v[0][i] + ab[i] * (wb / sum) + ac[i] * (wc / sum);
        }
    }
}

sli_tribool sli_capsule_filter_triangle(const sl_capsule *capsule, const sl_triangle *triangle)
{
    const axis a = make_axis(capsule);
    double v[3][3], at[3], on[3], n[3], sizes = size_of(a.along);
    for (int corner = 0; corner < 3; corner++) {
        from_axis(&a, triangle->v[corner], v[corner]);
        sizes += size_of(v[corner]);
    }
    for (int i = 0; i < 3; i++) {
        at[i] = (v[0][i] + v[1][i] + v[2][i]) / 3;
    }
    for (int turn = 0; turn < TURNS; turn++) {
        nearest_on_axis(&a, at, on);
        nearest_on_triangle(v, on, at);
    }
    sli_subtract(at, on, n);
    if (sqrt(sli_dot(n, n)) + SLACK * sizes <= a.radius * (1 - SLACK)) {
        return SLI_YES;
    }
    const double least = fmin(sli_dot(n, v[0]), fmin(sli_dot(n, v[1]), sli_dot(n, v[2])));
    return capsule_filter_separates(&a, n, least, sizes) ? SLI_NO : SLI_UNSURE;
}

bool sli_capsule_filter_contains(const sl_capsule *capsule, const float point[3])
{
    const axis a = make_axis(capsule);
    double x[3], on[3], n[3];
    from_axis(&a, point, x);
    nearest_on_axis(&a, x, on);
    sli_subtract(x, on, n);
    return sqrt(sli_dot(n, n)) + SLACK * (size_of(x) + size_of(a.along)) <= a.radius * (1 - SLACK);
}
