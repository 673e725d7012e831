#include "test/support/oracle/crossing_oracle.h"

#include "test/support/oracle/rational.h"

#include <math.h>
#include <stdlib.h>

enum {
    FINE = 149,      /* every float times 2^149 is an integer */
    MOVED = 400,     /* e = 2^-400 */
    ALONG = 1 << 20, /* the direction along its axis, and at most across it */
    ACROSS = 1 << 10
};

typedef struct box {
    float min[3], max[3];
} box;

struct crossing_oracle {
    const sl_mesh *mesh;
    box *boxes;
    test_random random;
    mpz_t point[3], dir[3], v[3][3], det, product, minor;
};

/* One attempt: a direction, in integers and in doubles. */
typedef struct attempt {
    const float *at;
    int scale; /* of the integers: 2^scale */
    int axis;
    long dir[3];
    int winding, crossings;
    bool on_surface;
} attempt;

typedef enum verdict { MISSED, CROSSED, UNLUCKY } verdict;

crossing_oracle *crossing_oracle_open(const sl_mesh *mesh, uint64_t seed)
{
    crossing_oracle *o = malloc(sizeof *o);
    *o = (crossing_oracle){ .mesh = mesh, .random = { seed } };
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    o->boxes = malloc(count * sizeof *o->boxes);
    for (size_t prim = 0; prim < count; prim++) {
        sl_triangle t;
        o->boxes[prim] = (box){ { NAN, NAN, NAN }, { NAN, NAN, NAN } };
        for (int axis = 0; axis < 3 && sl_mesh_triangle(mesh, (uint32_t)prim, &t); axis++) {
            o->boxes[prim].min[axis] = fminf(fminf(t.v[0][axis], t.v[1][axis]), t.v[2][axis]);
            o->boxes[prim].max[axis] = fmaxf(fmaxf(t.v[0][axis], t.v[1][axis]), t.v[2][axis]);
        }
    }
    for (int i = 0; i < 3; i++) {
        mpz_inits(o->point[i], o->dir[i], o->v[i][0], o->v[i][1], o->v[i][2], NULL);
    }
    mpz_inits(o->det, o->product, o->minor, NULL);
    return o;
}

void crossing_oracle_close(crossing_oracle *o)
{
    for (int i = 0; i < 3; i++) {
        mpz_clears(o->point[i], o->dir[i], o->v[i][0], o->v[i][1], o->v[i][2], NULL);
    }
    mpz_clears(o->det, o->product, o->minor, NULL);
    free(o->boxes);
    free(o);
}

/* Sign of det(a, b, c). */
static int det_sign(crossing_oracle *o, mpz_t a[3], mpz_t b[3], mpz_t c[3])
{
    mpz_set_ui(o->det, 0);
    for (int i = 0; i < 3; i++) {
        mpz_mul(o->minor, b[(i + 1) % 3], c[(i + 2) % 3]);
        mpz_mul(o->product, b[(i + 2) % 3], c[(i + 1) % 3]);
        mpz_sub(o->minor, o->minor, o->product);
        mpz_addmul(o->det, a[i], o->minor);
    }
    return mpz_sgn(o->det);
}

/* Whether the triangle may be met: in doubles, with a wide margin. */
static bool may_meet(const crossing_oracle *o, const attempt *a, size_t prim)
{
    const box *b = &o->boxes[prim];
    const int m = a->axis;
    const double far = a->dir[m] > 0 ? (double)b->max[m] - a->at[m] : (double)a->at[m] - b->min[m];
    if (!(far >= 0)) {
        return false;
    }
    const double room = far * (2 * (double)ACROSS / (double)ALONG);
    for (int k = 1; k < 3; k++) {
        const int axis = (m + k) % 3;
        if (!((double)b->min[axis] - room <= a->at[axis] &&
              (double)b->max[axis] + room >= a->at[axis])) {
            return false;
        }
    }
    return true;
}

/* The corners seen from the point. */
static void see(crossing_oracle *o, const attempt *a, const sl_triangle *t)
{
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            rational_scaled(o->v[i][axis], t->v[i][axis], a->scale);
            mpz_sub(o->v[i][axis], o->v[i][axis], o->point[axis]);
        }
    }
}

/* The signs of cross(v[i], v[i + 1]) along an axis; returns the sign of their sum, twice the
 * projected area. */
static int side_signs(crossing_oracle *o, int axis, int signs[3])
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    mpz_set_ui(o->det, 0);
    for (int i = 0; i < 3; i++) {
        mpz_t *from = o->v[i], *to = o->v[(i + 1) % 3];
        mpz_mul(o->product, from[j], to[k]);
        mpz_submul(o->product, from[k], to[j]);
        signs[i] = mpz_sgn(o->product);
        mpz_add(o->det, o->det, o->product);
    }
    return mpz_sgn(o->det);
}

/* False for a triangle of zero area.  *on: the point is in its plane and, projected along an axis
 * where the triangle has area, beyond no side. */
static bool look(crossing_oracle *o, bool *on)
{
    int signs[3], area = 0;
    for (int axis = 0; axis < 3 && area == 0; axis++) {
        area = side_signs(o, axis, signs);
    }
    *on = area != 0;
    for (int i = 0; i < 3; i++) {
        *on = *on && signs[i] != -area;
    }
    *on = *on && det_sign(o, o->v[0], o->v[1], o->v[2]) == 0;
    return area != 0;
}

static verdict cross(crossing_oracle *o, attempt *a)
{
    int signs[3];
    bool positive = false, negative = false, zero = false;
    for (int i = 0; i < 3; i++) {
        signs[i] = det_sign(o, o->dir, o->v[(i + 1) % 3], o->v[(i + 2) % 3]);
        positive |= signs[i] > 0;
        negative |= signs[i] < 0;
        zero |= signs[i] == 0;
    }
    if (positive && negative) {
        return MISSED;
    }
    if (zero) {
        return UNLUCKY;
    }
    const int ahead = det_sign(o, o->v[0], o->v[1], o->v[2]) * signs[0];
    if (ahead > 0) {
        a->winding += signs[0];
        a->crossings++;
    }
    return ahead > 0 ? CROSSED : MISSED;
}

/* False if the direction has to be discarded. */
static bool try_once(crossing_oracle *o, attempt *a)
{
    a->axis = (int)test_random_below(&o->random, 3);
    for (int axis = 0; axis < 3; axis++) {
        const long way = (test_random_u64(&o->random) & 1) != 0 ? 1 : -1;
        a->dir[axis] =
            axis == a->axis ? way * ALONG : way * (1 + (long)test_random_below(&o->random, ACROSS));
        mpz_set_si(o->dir[axis], a->dir[axis]);
    }
    a->winding = a->crossings = 0;
    a->on_surface = false;
    for (size_t prim = 0; prim < sl_mesh_soup(o->mesh).triangle_count; prim++) {
        sl_triangle t;
        bool on = false;
        if (!may_meet(o, a, prim) || !sl_mesh_triangle(o->mesh, (uint32_t)prim, &t)) {
            continue;
        }
        see(o, a, &t);
        if (!look(o, &on)) {
            continue;
        }
        a->on_surface = a->on_surface || on;
        if (cross(o, a) == UNLUCKY) {
            return false;
        }
    }
    return true;
}

static crossing_answer ask(crossing_oracle *o, const float point[3], bool moved)
{
    attempt a = { .at = point, .scale = moved ? FINE + 3 * MOVED : FINE };
    for (int axis = 0; axis < 3; axis++) {
        rational_scaled(o->point[axis], point[axis], a.scale);
        if (moved) {
            mpz_set_ui(o->product, 1);
            mpz_mul_2exp(o->product, o->product, (mp_bitcnt_t)(a.scale - (axis + 1) * MOVED));
            mpz_add(o->point[axis], o->point[axis], o->product);
        }
    }
    while (!try_once(o, &a) && !a.on_surface) {
    }
    return (crossing_answer){ a.winding, a.crossings % 2 != 0, a.on_surface };
}

crossing_answer crossing_oracle_ask(crossing_oracle *o, const float point[3])
{
    const crossing_answer found = ask(o, point, false);
    if (!found.on_surface) {
        return found;
    }
    crossing_answer beside = ask(o, point, true);
    beside.on_surface = true;
    return beside;
}
