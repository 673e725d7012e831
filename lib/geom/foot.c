#include "lib/geom/foot.h"

void sli_number_set3(const float x[3], bool exact, sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(x[axis], exact, &out[axis]);
    }
}

void sli_number_diff3(const float a[3], const float b[3], bool exact, sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_diff(a[axis], b[axis], exact, &out[axis]);
    }
}

void sli_foot_on_point(const sli_number base[3], const sli_number w[3], bool exact, sli_foot *out)
{
    for (int axis = 0; axis < 3; axis++) {
        out->top[axis] = base[axis];
    }
    sli_number_set(1, exact, &out->bottom);
    sli_number_dot(w, w, &out->square);
    out->over = out->bottom;
    out->has_height = false;
}

/* base + dir (w . dir) / (dir . dir), at |w x dir| / |dir|. */
void sli_foot_on_line(const sli_number base[3], const sli_number w[3], const sli_number dir[3],
                      sli_number *along, sli_foot *out)
{
    sli_number cross[3], step;
    sli_number_dot(w, dir, along);
    sli_number_dot(dir, dir, &out->bottom);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_mul(&base[axis], &out->bottom, &out->top[axis]);
        sli_number_mul(&dir[axis], along, &step);
        sli_number_add(&out->top[axis], &step, &out->top[axis]);
    }
    sli_number_cross(w, dir, cross);
    sli_number_dot(cross, cross, &out->square);
    out->over = out->bottom;
    out->has_height = false;
}

/* point - normal height / |normal|^2. */
void sli_foot_on_plane(const sli_number point[3], const sli_number *height,
                       const sli_number normal[3], sli_foot *out)
{
    sli_number step;
    sli_number_dot(normal, normal, &out->over);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_mul(&point[axis], &out->over, &out->top[axis]);
        sli_number_mul(&normal[axis], height, &step);
        sli_number_sub(&out->top[axis], &step, &out->top[axis]);
    }
    out->bottom = out->over;
    out->height = *height;
    out->has_height = true;
}

void sli_foot_point(const sli_foot *foot, float point[3], bool *unsure)
{
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = sli_number_round_ratio(&foot->top[axis], &foot->bottom, unsure);
    }
}

float sli_foot_distance(const sli_foot *foot, bool *unsure)
{
    return foot->has_height ? sli_round_height(&foot->height, &foot->over, unsure)
                            : sli_round_root(&foot->square, &foot->over, unsure);
}

/* What the order of a root and a boundary is asked of: left^2 (or left itself) against
 * (boundary * scale)^2 * over. */
typedef struct root {
    const sli_number *left, *over;
    double scale;
} root;

static int order_of_root(const void *user, double boundary)
{
    const root *r = user;
    const double x = boundary * r->scale;
    sli_number square, right;
    bool unsure = false;                  /* all is exact here */
    sli_number_set(x * x, true, &square); /* 25 bits by 25 */
    sli_number_mul(r->over, &square, &right);
    sli_number_sub(r->left, &right, &right);
    return sli_number_sign(&right, &unsure);
}

/* The root is q; if that does not tell it, it is left / (scale^2 over) where these are exact. */
static float round_by(const sli_number *q, const root *r, bool *unsure)
{
    const double margin = q->error + fabs(q->value) * 0x1p-52;
    const double low = fmax(q->value - margin, 0), high = q->value + margin;
    float rounded;
    if (sli_rounds_alike(low, high, &rounded)) {
        return rounded;
    }
    if (r->left->n < 0 || r->over->n < 0) {
        *unsure = true;
        return 0;
    }
    return sli_round_by_order(low, high, order_of_root, r);
}

float sli_round_root(const sli_number *square, const sli_number *over, bool *unsure)
{
    sli_number q;
    sli_number_div(square, over, &q);
    sli_number_sqrt(&q, &q);
    const root r = { square, over, 1 };
    return round_by(&q, &r, unsure);
}

float sli_round_height(const sli_number *height, const sli_number *over, bool *unsure)
{
    sli_number q;
    sli_number_sqrt(over, &q);
    sli_number_div(height, &q, &q);
    q.value = fabs(q.value);
    if (height->n <= 0 || over->n < 0) {
        const root r = { height, over, 1 };
        return round_by(&q, &r, unsure);
    }
    /* Where its square has no room in a double's range, the height is brought to the size of 1. */
    int exponent = 0;
    if (fabs(height->c[0]) < 0x1p-470 || fabs(height->value) > 0x1p480) {
        frexp(height->value, &exponent);
    }
    sli_number scaled = *height;
    for (int i = 0; i < scaled.n; i++) {
        scaled.c[i] = ldexp(scaled.c[i], -exponent);
    }
    const double scale = ldexp(1, -exponent), x = q.value * scale;
    if (fabs(scaled.c[0]) < 0x1p-470 || fabs(over->c[0]) * x * x < 0x1p-900) {
        return (float)q.value; /* no room either way; right but for the hardest ties */
    }
    sli_number square;
    sli_number_mul(&scaled, &scaled, &square);
    const root r = { &square, over, scale };
    return round_by(&q, &r, unsure);
}
