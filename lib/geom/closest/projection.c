#include "lib/geom/closest/projection.h"

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

void sli_projection_on_point(const sli_number base[3], const sli_number w[3], bool exact,
                             sli_projection *out)
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
void sli_projection_on_line(const sli_number base[3], const sli_number w[3],
                            const sli_number dir[3], sli_number *along, sli_projection *out)
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
void sli_projection_on_plane(const sli_number point[3], const sli_number *height,
                             const sli_number normal[3], sli_projection *out)
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

void sli_projection_point(const sli_projection *foot, float point[3], bool *unsure)
{
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = sli_number_round_ratio(&foot->top[axis], &foot->bottom, unsure);
    }
}

float sli_projection_distance(const sli_projection *foot, bool *unsure)
{
    return foot->has_height ? sli_round_height(&foot->height, &foot->over, unsure)
                            : sli_round_root(&foot->square, &foot->over, unsure);
}

/* What tells a root from a boundary x: the sign of left - (x 2^exponent)^2 over, if it is surely
 * that of what left stands for. */
typedef struct root {
    const sli_number *left, *over;
    int exponent;
    double error; /* of left */
} root;

static int order_of_root(const void *user, double boundary)
{
    const root *r = user;
    sli_number x, right;
    bool unsure = false; /* all is exact here */
    sli_number_set(ldexp(boundary, r->exponent), true, &x);
    sli_number_mul(r->over, &x, &right);
    sli_number_mul(&right, &x, &right);
    sli_number_sub(r->left, &right, &right);
    return fabs(right.value) > r->error || r->error == 0 ? sli_number_sign(&right, &unsure) : 0;
}

/* Where the root, q, may be. */
static bool rounds_alike(const sli_number *q, double *low, double *high, float *rounded)
{
    const double margin = q->error + fabs(q->value) * 0x1p-52;
    *low = fmax(q->value - margin, 0);
    *high = q->value + margin;
    return sli_rounds_alike(*low, *high, rounded);
}

float sli_round_root(const sli_number *square, const sli_number *over, bool *unsure)
{
    sli_number q;
    double low, high;
    float rounded = 0;
    sli_number_div(square, over, &q);
    sli_number_sqrt(&q, &q);
    if (rounds_alike(&q, &low, &high, &rounded)) {
        return rounded;
    }
    if (square->n < 0 || over->n < 0) {
        *unsure = true;
        return rounded;
    }
    const root r = { square, over, 0, 0 };
    return sli_round_by_order(low, high, order_of_root, &r);
}

/* The square of a height of degree 4 may reach over more than the range of doubles.  So the height
 * is brought to the size of 2^480, and its components below 2^-484, which change its square by less
 * than 8, are left out: of the square, 2^960, only a tie but for one part in 2^957 is not told. */
static void square_height(const sli_number *height, root *r, sli_number *square)
{
    int size;
    frexp(height->value, &size);
    r->exponent = 480 - size;
    r->error = 0;
    sli_number scaled = { .n = 0 };
    for (int i = 0; i < height->n; i++) {
        const double c = ldexp(height->c[i], r->exponent);
        if (fabs(c) < 0x1p-484) {
            r->error = 8;
        } else {
            scaled.c[scaled.n++] = c;
        }
    }
    sli_number_mul(&scaled, &scaled, square);
    r->left = square;
}

float sli_round_height(const sli_number *height, const sli_number *over, bool *unsure)
{
    sli_number q, square;
    double low, high;
    float rounded = 0;
    sli_number_sqrt(over, &q);
    sli_number_div(height, &q, &q);
    q.value = fabs(q.value);
    if (rounds_alike(&q, &low, &high, &rounded)) {
        return rounded;
    }
    if (height->n < 0 || over->n < 0) {
        *unsure = true;
        return rounded;
    }
    root r = { .over = over };
    square_height(height, &r, &square);
    return sli_round_by_order(low, high, order_of_root, &r);
}
