#include "test/cliffs/world_places.h"

#include "test/cliffs/draw.h"

#include <string.h>

static void multiply(const double a[3][3], const double b[3][3], double out[3][3])
{
    double product[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
    }
    memcpy(out, product, sizeof product);
}

static void diagonal(double x, double y, double z, double out[3][3])
{
    const double m[3][3] = { { x, 0, 0 }, { 0, y, 0 }, { 0, 0, z } };
    memcpy(out, m, sizeof m);
}

/* By Rodrigues' formula. */
void draw_rotation(test_random *random, double out[3][3])
{
    const double angle = draw_in(random, 0, 6.2831853), c = cos(angle), s = sin(angle);
    double k[3];
    draw_direction(random, k);
    diagonal(c, c, c, out);
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            out[i][j] += (1 - c) * k[i] * k[j];
        }
        out[i][next] -= s * k[last];
        out[i][last] += s * k[next];
    }
}

/* Axes to axes, in any order and either way. */
static void draw_quarters(test_random *random, double out[3][3])
{
    const uint32_t first = test_random_below(random, 3), step = 1 + test_random_below(random, 2);
    diagonal(0, 0, 0, out);
    for (uint32_t i = 0; i < 3; i++) {
        out[i][(first + i * step) % 3] = test_random_below(random, 2) != 0 ? 1 : -1;
    }
}

/* What CASE_PLACES says of one instance. */
static void draw_linear(const cliff_case *c, test_random *random, double out[3][3])
{
    const double condition = c->field[CASE_CONDITION];
    double turn[3][3], other[3][3];
    draw_rotation(random, turn);
    draw_rotation(random, other);
    diagonal(1, 1, 1, out);
    switch ((place_kind)case_int(c, CASE_PLACES)) {
    case PLACE_TURNED:
        memcpy(out, turn, sizeof turn);
        break;
    case PLACE_QUARTERS:
        draw_quarters(random, out);
        break;
    case PLACE_MIRRORED:
        diagonal(1, 1, -1, other);
        multiply((const double(*)[3])turn, (const double(*)[3])other, out);
        break;
    case PLACE_SHEARED:
        out[0][1] = sqrt(condition) - 1;
        multiply((const double(*)[3])turn, (const double(*)[3])out, out);
        break;
    case PLACE_STRETCHED:
        diagonal(1, 1, 1 / condition, out);
        multiply((const double(*)[3])turn, (const double(*)[3])out, out);
        multiply((const double(*)[3])out, (const double(*)[3])other, out);
        break;
    case PLACE_FLATTENED:
        diagonal(1, 1, 1 / condition, out);
        multiply((const double(*)[3])turn, (const double(*)[3])out, out);
        break;
    default:
        break;
    }
}

static double draw_scale(const cliff_case *c, size_t i, size_t count, test_random *random)
{
    const double large = c->field[CASE_LARGE];
    if (large == 0) {
        return pow(c->field[CASE_SCALES], -draw_in(random, 0, 1));
    }
    return (double)i < ceil(large * (double)count) ? 1 : 1 / c->field[CASE_SCALES];
}

/* How many stand along each axis. */
static void sides_of(world_kind kind, size_t count, double side[3])
{
    const double n = (double)count;
    side[0] = kind == WORLD_ROW ? n : ceil(kind == WORLD_FLOOR ? sqrt(n) : cbrt(n));
    side[1] = kind == WORLD_ROW ? 1 : side[0];
    side[2] = kind == WORLD_ROW || kind == WORLD_FLOOR ? 1 : side[0];
    if (kind == WORLD_SAME) {
        side[0] = side[1] = side[2] = 1;
    }
}

/* Where the middle of instance i goes, about the middle of all. */
static void draw_position(world_kind kind, size_t i, const double side[3], double step,
                          test_random *random, double out[3])
{
    double rest = (double)i;
    for (int axis = 0; axis < 3; axis++) {
        const double at = fmod(rest, side[axis]);
        rest = floor(rest / side[axis]);
        out[axis] = (at - 0.5 * (side[axis] - 1)) * step;
        if (kind == WORLD_SCATTERED) {
            out[axis] = draw_in(random, -0.5, 0.5) * step * side[axis];
        }
        out[axis] = kind == WORLD_SAME ? 0 : out[axis];
    }
}

void places_make(const cliff_case *c, bool meshes, const placed_thing *thing, size_t count,
                 test_random *random, sl_transform *out, placed_thing *group)
{
    const world_kind kind = (world_kind)case_int(c, CASE_WORLD);
    const double step = thing->size * c->field[CASE_GAP];
    double side[3];
    sides_of(kind, count, side);
    *group = (placed_thing){ .size = thing->size + step * (side[0] - 1) };
    for (size_t i = 0; i < count; i++) {
        double linear[3][3], position[3];
        const double scale = meshes ? draw_scale(c, i, count, random) : 1;
        draw_position(kind, i, side, step, random, position);
        if (meshes) {
            draw_linear(c, random, linear);
        } else {
            draw_quarters(random, linear);
        }
        for (int axis = 0; axis < 3; axis++) {
            double *row = out[i].m[axis];
            row[3] = position[axis];
            for (int k = 0; k < 3; k++) {
                row[k] = linear[axis][k] * scale;
                row[3] -= row[k] * thing->middle[k];
            }
        }
    }
}

double place_scale(const sl_transform *place)
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            square += place->m[axis][k] * place->m[axis][k];
        }
        most = fmax(most, sqrt(square));
    }
    return most;
}
