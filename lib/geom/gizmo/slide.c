/* Slides along lines and in planes, as the mouse moves.
 *
 * Let a point of the world appear at p, and, moved by t in a plane (coordinates along two
 * directions), at p + G t / (1 + k . t).  It is asked to appear at p + d.  With A the inverse of
 * G, e = A d and w = 1 - k . e, that is at t = e / w, where w > 0 is in front of the eye.  The
 * derivative of t by d is (w I + e k^T) A / w^2, whose norm is at most (max(1, w) + |y|) |A| / w^2,
 * y = |k| times the part of e across k.  It is at most c |A| within
 *     K: |y| <= 2 (sqrt(c) w - 1),    c >= 1.5,
 * which is convex, as y and w are linear in d, and holds d = 0.  The nearest point of K to d is a
 * map with the Lipschitz constant 1, so t of it has c |A|. */
#include "lib/geom/gizmo/slide.h"

#include <math.h>

bool sli_seen_at(const sli_view *view, const double point[3], sli_drag_seen *out)
{
    sli_view_clip(view, point, out->clip);
    return sli_view_picture(view, out->clip, out->xy, NULL) &&
           sli_view_pixel_size(view, point, &out->pixel) && out->pixel > 0;
}

void sli_seen_rate(const sli_view *view, const sli_drag_seen *seen, const double dir[3],
                   double rate[2], double *fade)
{
    const double from[4] = { dir[0], dir[1], dir[2], 0 };
    double eye[4], clip[4];
    sli_transform(view->view, from, eye);
    sli_transform(view->projection, eye, clip);
    const double w = seen->clip[3];
    *fade = clip[3] / w;
    rate[0] = (clip[0] - seen->clip[0] / w * clip[3]) / w * (view->camera.width / 2.0);
    rate[1] =
        (clip[1] - seen->clip[1] / w * clip[3]) / w * (-view->y_sign * (view->camera.height / 2.0));
}

double sli_slide_line(const double rate[2], double fade, double limit, const double d[2],
                      bool *clamped)
{
    const double square = rate[0] * rate[0] + rate[1] * rate[1], least = 1 / (limit * limit);
    const double divisor = square >= least ? square : least;
    const double e = (rate[0] * d[0] + rate[1] * d[1]) / divisor;
    if (square < least) {
        *clamped = true;
    }
    /* The speed at d = 0, and w where it has grown to the limit. */
    const double norm = sqrt(square) / divisor, least_w = fmin(1, sqrt(norm / limit));
    const double w = 1 - fade * e;
    if (w >= least_w) {
        return e / w + 0.0;
    }
    *clamped = true;
    const double last = (1 - least_w) / fade;
    return last / least_w + (e - last);
}

/* f(S) G^T, where S = G^T G and f(x) = 1 / max(x, least): the inverse of G, but for singular values
 * below sqrt(least), whose inverses fall off to 0. */
static void damped_inverse(const double rate[2][2], double most, double fewest, double least,
                           double a[2][2])
{
    const double *u = rate[0], *v = rate[1];
    const double s[2][2] = { { u[0] * u[0] + u[1] * u[1], u[0] * v[0] + u[1] * v[1] },
                             { u[0] * v[0] + u[1] * v[1], v[0] * v[0] + v[1] * v[1] } };
    const double f_most = 1 / fmax(most, least), f_fewest = 1 / fmax(fewest, least);
    const double slope = most > fewest ? (f_most - f_fewest) / (most - fewest) : 0;
    for (int i = 0; i < 2; i++) {
        double f[2];
        for (int j = 0; j < 2; j++) {
            f[j] = slope * (s[i][j] - (i == j ? fewest : 0)) + (i == j ? f_fewest : 0);
        }
        for (int k = 0; k < 2; k++) {
            a[i][k] = f[0] * u[k] + f[1] * v[k];
        }
    }
}

void sli_slide_plane_make(const double rate[2][2], const double fade[2], double first,
                          sli_slide_plane *out)
{
    const double *u = rate[0], *v = rate[1];
    const double uu = u[0] * u[0] + u[1] * u[1], vv = v[0] * v[0] + v[1] * v[1];
    const double uv = u[0] * v[0] + u[1] * v[1], det = u[0] * v[1] - u[1] * v[0];
    const double half = (uu - vv) / 2;
    /* The eigenvalues of G^T G, squares of the singular values. */
    const double most = (uu + vv) / 2 + sqrt(half * half + uv * uv);
    const double fewest = most > 0 ? fmin(most, det / most * det) : 0;
    const double least = 1 / (first * first);
    out->fade[0] = fade[0];
    out->fade[1] = fade[1];
    out->clamped = !(fewest >= least);
    if (!out->clamped) {
        out->inverse[0][0] = v[1] / det;
        out->inverse[0][1] = -v[0] / det;
        out->inverse[1][0] = -u[1] / det;
        out->inverse[1][1] = u[0] / det;
        out->norm = 1 / sqrt(fewest);
        return;
    }
    damped_inverse(rate, most, fewest, least, out->inverse);
    out->norm = fmax(sqrt(most) / fmax(most, least), sqrt(fewest) / least);
}

static double slide_dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/* The point of n[0] . x <= m, n[1] . x <= m that is nearest to d, for m > 0; returns whether that
 * is d. */
static bool nearest_within(const double n[2][2], double m, const double d[2], double out[2])
{
    out[0] = d[0];
    out[1] = d[1];
    if (slide_dot2(n[0], d) <= m && slide_dot2(n[1], d) <= m) {
        return true;
    }
    for (int i = 0; i < 2; i++) {
        const double square = slide_dot2(n[i], n[i]), beyond = slide_dot2(n[i], d) - m;
        if (!(beyond > 0)) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            out[k] = d[k] - n[i][k] * (beyond / square);
        }
        const double *other = n[1 - i], over = slide_dot2(other, out) - m;
        if (over <= 0x1p-46 * (fabs(other[0] * out[0]) + fabs(other[1] * out[1]) + m)) {
            return false;
        }
    }
    /* The corner.  It is no farther from 0 than d is, as 0 is within. */
    const double det = n[0][0] * n[1][1] - n[0][1] * n[1][0];
    out[0] = m * (n[1][1] - n[0][1]) / det;
    out[1] = m * (n[0][0] - n[1][0]) / det;
    if (!(slide_dot2(out, out) <= slide_dot2(d, d))) {
        const double scale = m / fmax(slide_dot2(n[0], d), slide_dot2(n[1], d));
        out[0] = d[0] * scale;
        out[1] = d[1] * scale;
    }
    return false;
}

static void slide_times(const double a[2][2], const double x[2], double out[2])
{
    for (int i = 0; i < 2; i++) {
        out[i] = slide_dot2(a[i], x);
    }
}

void sli_slide_in_plane(const sli_slide_plane *plane, double stretch, bool onward,
                        const double d[2], double steps[2], bool *clamped)
{
    const double *k = plane->fade, root = sqrt(stretch);
    double n[2][2], inner[2], e[2], rest[2];
    for (int i = 0; i < 2; i++) {
        /* The gradients of 1 - w and of y. */
        const double fall = k[0] * plane->inverse[0][i] + k[1] * plane->inverse[1][i];
        const double across = k[0] * plane->inverse[1][i] - k[1] * plane->inverse[0][i];
        n[0][i] = 2 * root * fall + across;
        n[1][i] = 2 * root * fall - across;
    }
    const bool within = nearest_within((const double(*)[2])n, 2 * (root - 1), d, inner);
    if (!within || plane->clamped) {
        *clamped = true;
    }
    slide_times(plane->inverse, inner, e);
    const double w = 1 - slide_dot2(k, e), outer[2] = { d[0] - inner[0], d[1] - inner[1] };
    slide_times(plane->inverse, outer, rest);
    for (int i = 0; i < 2; i++) {
        steps[i] = (onward && !within ? e[i] / w + rest[i] : e[i] / w) + 0.0;
    }
}
