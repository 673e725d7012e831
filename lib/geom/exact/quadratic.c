/* Exact order and rounding of the roots of a quadratic, for rays against spheres and capsules. */
#include "lib/geom/exact/quadratic.h"

#include "lib/geom/exact/arithmetic/rounding.h"

int sli_root_order(sli_root root, int value, int slope)
{
    if (value < 0) {
        return (int)root; /* between the two */
    }
    if (slope == 0) {
        return 0; /* both roots are one, and it is here */
    }
    /* Beyond both or before both; where the value is 0, at the one and not at the other. */
    const bool at_it = value == 0 && (slope < 0) == (root == SLI_ROOT_ENTRY);
    return at_it ? 0 : -slope;
}

static int compare_ratio(const sli_quadratic *q, sli_root root, const sli_number *n,
                         const sli_number *d, bool *unsure)
{
    sli_number an, bd, slope, cd, value;
    sli_number_mul(&q->a, n, &an);
    sli_number_mul(&q->b, d, &bd);
    sli_number_mul(&q->c, d, &cd);
    sli_number_add(&an, &bd, &slope);
    /* (a n + b d) n + (b n + c d) d */
    sli_number_mul(&slope, n, &value);
    sli_number_mul(&q->b, n, &an);
    sli_number_add(&an, &cd, &cd);
    sli_number_mul(&cd, d, &cd);
    sli_number_add(&value, &cd, &value);
    return sli_root_order(root, sli_number_sign(&value, unsure),
                          sli_number_sign(&slope, unsure) * sli_number_sign(d, unsure));
}

int sli_root_compare(const sli_quadratic *q, sli_root root, double t, bool *unsure)
{
    if (isinf(t)) {
        return t > 0 ? -1 : 1;
    }
    sli_number n, d;
    sli_number_set(t, true, &n);
    sli_number_set(1, true, &d);
    return compare_ratio(q, root, &n, &d, unsure);
}

void sli_root_reach(const sli_quadratic *q, sli_root root, sli_number *out)
{
    sli_number x, y;
    sli_number_sqrt(&q->part, &x);
    sli_number_sqrt(&q->scale, &y);
    sli_number_mul(&x, &y, out);
    sli_number_turn(out, (int)root);
}

/* -(b + s) / a or -c / (b + s), with the sign of s that lets b and s not cancel. */
void sli_root_estimate(const sli_quadratic *q, sli_root root, sli_number *out)
{
    const sli_root far_side = q->b.value > 0 ? SLI_ROOT_ENTRY : SLI_ROOT_EXIT;
    sli_number sum;
    sli_root_reach(q, far_side, &sum);
    sli_number_sub(&sum, &q->b, &sum);
    if (sum.value == 0 && sum.error == 0) {
        sli_number_set(0, false, out); /* b = c = 0 */
    } else if (root == far_side) {
        sli_number_div(&sum, &q->a, out);
    } else {
        sli_number_div(&q->c, &sum, out);
    }
}

/* What sli_round_by_order needs of a root: comparing origin + t along with a boundary is comparing
 * t with (boundary - origin) / along. */
typedef struct rounding {
    const sli_quadratic *q;
    sli_root root;
    double origin;
    const sli_number *along;
    int sign; /* of along */
} rounding;

static int order_of_coordinate(const void *user, double boundary)
{
    const rounding *r = user;
    bool unsure = false; /* all is exact here */
    sli_number n;
    sli_number_diff(boundary, r->origin, true, &n);
    return r->sign * compare_ratio(r->q, r->root, &n, r->along, &unsure);
}

float sli_root_coordinate(const sli_quadratic *q, sli_root root, double origin,
                          const sli_number *along, bool *unsure)
{
    const rounding r = { q, root, origin, along, sli_number_sign(along, unsure) };
    if (r.sign == 0) {
        return (float)origin + 0.0f;
    }
    sli_number x, from;
    sli_root_estimate(q, root, &x);
    sli_number_mul(&x, along, &x);
    sli_number_set(origin, false, &from);
    sli_number_add(&x, &from, &x);
    const double margin = x.error + fabs(x.value) * 0x1p-52;
    const double low = x.value - margin, high = x.value + margin;
    float rounded;
    if (sli_rounds_alike(low, high, &rounded)) {
        return rounded;
    }
    if (q->a.n < 0) {
        *unsure = true;
        return 0;
    }
    return sli_round_by_order(low, high, order_of_coordinate, &r);
}

float sli_root_t(const sli_quadratic *q, sli_root root, bool *unsure)
{
    sli_number one;
    sli_number_set(1, true, &one);
    return sli_root_coordinate(q, root, 0, &one, unsure);
}
