/* Rays, segments and lines against boxes of any orientation, held against fractions: decisions,
 * rounded t and points; and faces by plain arithmetic, where that is good enough.
 * SIGHTLINE_TEST_SCALE=5 tries 200,000 cases a question and more. */
#include "test/support/hard/shapes.h"
#include "test/support/oracle/convex_oracle.h"
#include "test/support/test.h"

static void print_line(const char *wrong, const sl_line *line)
{
    print_message("%s: origin %a %a %a, from %a %a %a towards %a %a %a, limits %a %a\n", wrong,
                  line->origin[0], line->origin[1], line->origin[2], line->tail[0], line->tail[1],
                  line->tail[2], line->head[0], line->head[1], line->head[2], line->tmin,
                  line->tmax);
}

static bool check_box(const sl_line *line, const sl_obb *box)
{
    sl_obb_hit hit, other;
    memset(&hit, 0, sizeof hit);
    const bool met = sl_line_obb(*line, box, SL_INSIDE_SOLID, &hit);
    const contact got = contact_of_box(met, &hit);
    const char *wrong = convex_oracle_box(line, box, &got);
    if (wrong != NULL) {
        print_line(wrong, line);
        print_message("box %a %a %a", box->centre[0], box->centre[1], box->centre[2]);
        for (int i = 0; i < 3; i++) {
            print_message(", %a * %a %a %a", box->half[i], box->axis[i][0], box->axis[i][1],
                          box->axis[i][2]);
        }
        print_message("\n");
    }
    assert_null(wrong);
    assert_int_equal(sl_line_obb(*line, box, SL_INSIDE_IGNORE, NULL), met && !hit.inside);
    const bool leaves = hit.exit != SL_BOX_FACE_NONE;
    assert_int_equal(sl_line_obb(*line, box, SL_INSIDE_HOLLOW, &other),
                     met && (!hit.inside || leaves));
    if (met && hit.inside && leaves) {
        assert_true(other.t == hit.t1 && other.face == hit.exit && other.t0 == hit.t0);
    }
    return met;
}

static void make_box(test_random *random, hard_numbers numbers, sl_obb *box)
{
    float last = 1;
    for (int i = 0; i < 3; i++) {
        box->centre[i] = last = hard_number(random, numbers, last, 1);
        box->half[i] = fabsf(hard_number(random, numbers, last, 2));
        for (int k = 0; k < 3; k++) {
            box->axis[i][k] = last = hard_number(random, numbers, last, 1);
        }
    }
    /* Flat in one of several ways, or with an axis of a coordinate. */
    const int i = (int)test_random_below(random, 3), j = (i + 1) % 3, k = (i + 2) % 3;
    switch (test_random_below(random, 8)) {
    case 0:
        memset(box->axis[i], 0, sizeof box->axis[i]);
        break;
    case 1:
        memcpy(box->axis[i], box->axis[j], sizeof box->axis[i]);
        break;
    case 2: /* in one plane, if nothing is rounded */
        for (int x = 0; x < 3; x++) {
            const float rest = box->axis[j][x] - box->axis[k][x];
            box->axis[i][x] = isfinite(rest) ? rest : box->axis[j][x];
        }
        break;
    case 3:
        box->half[i] = 0;
        break;
    case 4:
        memset(box->axis[i], 0, sizeof box->axis[i]);
        box->axis[i][i] = numbers == HARD_LATTICE ? 1 : hard_number(random, numbers, 1, 1);
        break;
    default:
        break;
    }
}

TEST(every_answer_is_that_of_exact_arithmetic)
{
    test_random random = { 44 };
    const size_t count = test_count(7000);
    size_t hits[HARD_NUMBERS] = { 0 };
    print_message("seed 44, %zu cases\n", HARD_KINDS * HARD_NUMBERS * count);
    for (size_t i = 0; i < HARD_NUMBERS * count; i++) {
        const hard_numbers numbers = (hard_numbers)(i % HARD_NUMBERS);
        float a[3], b[3], last = 1;
        sl_obb box;
        make_box(&random, numbers, &box);
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = last = hard_number(&random, numbers, last, 3);
            b[axis] = last = hard_number(&random, numbers, last, 3);
        }
        for (int kind = 0; kind < HARD_KINDS; kind++) {
            const sl_line line = hard_line(&random, (hard_kind)kind, a, b, numbers);
            hits[numbers] += check_box(&line, &box);
        }
    }
    print_message("hits: %zu on the lattice, %zu wild, %zu extreme\n", hits[0], hits[1], hits[2]);
    assert_true(hits[0] > count / 2 && hits[1] > count / 4);
}

TEST(every_cube_is_that_of_exact_arithmetic)
{
    test_random random = { 45 };
    const size_t count = test_count(5000);
    size_t hits[HARD_NUMBERS] = { 0 };
    print_message("seed 45, %zu cases\n", HARD_KINDS * HARD_NUMBERS * count);
    for (size_t i = 0; i < HARD_NUMBERS * count; i++) {
        const hard_numbers numbers = (hard_numbers)(i % HARD_NUMBERS);
        float a[3], b[3], last = 1, matrix[16], inverse[16];
        for (int k = 0; k < 16; k++) {
            matrix[k] = last = hard_number(&random, numbers, last, 3);
        }
        matrix[3] = matrix[7] = matrix[11] = 0;
        matrix[15] = 1;
        if (!sl_matrix_inverse(matrix, inverse)) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = last = hard_number(&random, numbers, last, 3);
            b[axis] = last = hard_number(&random, numbers, last, 3);
        }
        for (int kind = 0; kind < HARD_KINDS; kind++) {
            const sl_line line = hard_line(&random, (hard_kind)kind, a, b, numbers);
            for (int form = 0; form < 2; form++) { /* a matrix of the lattice is an inverse too */
                const float *m = form == 0 ? inverse : matrix;
                sl_obb_hit hit;
                memset(&hit, 0, sizeof hit);
                const bool met = sl_line_unit_cube(line, m, SL_INSIDE_SOLID, &hit);
                const contact got = contact_of_box(met, &hit);
                const char *wrong = convex_oracle_cube(&line, m, &got);
                if (wrong != NULL) {
                    print_line(wrong, &line);
                }
                assert_null(wrong);
                hits[numbers] += met;
            }
        }
    }
    print_message("hits: %zu on the lattice, %zu wild, %zu extreme\n", hits[0], hits[1], hits[2]);
    assert_true(hits[0] > count / 4 && hits[1] > count / 8);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* By how much t crosses each face; the lowest axis of those that are last. */
static int entry_axis(const sl_line *line, const sl_obb *box, double normal[3][3], double volume)
{
    int found = -1;
    double last = -INFINITY, from[3], dir[3];
    for (int k = 0; k < 3; k++) {
        from[k] = (double)line->origin[k] - (double)box->centre[k];
        dir[k] = (double)line->head[k];
    }
    for (int i = 0; i < 3; i++) {
        const double along = dot(normal[i], dir), reach = (double)box->half[i] * volume;
        if (along != 0) {
            const double t = (copysign(reach, -along) - dot(normal[i], from)) / along;
            if (t > last + 1e-9) {
                last = t;
                found = i;
            }
        }
    }
    return found;
}

TEST(faces_and_normals_are_where_it_comes_in)
{
    test_random random = { 46 };
    int hits = 0;
    for (int i = 0; i < 60000; i++) {
        sl_obb box;
        sl_line line = { .tmin = -INFINITY, .tmax = INFINITY };
        double axis[3][3], normal[3][3];
        make_box(&random, HARD_LATTICE, &box);
        for (int k = 0; k < 3; k++) {
            line.origin[k] = hard_whole(&random, 3);
            line.head[k] = hard_whole(&random, 3);
            for (int j = 0; j < 3; j++) {
                axis[k][j] = (double)box.axis[k][j];
            }
        }
        for (int k = 0; k < 3; k++) {
            const double *p = axis[(k + 1) % 3], *q = axis[(k + 2) % 3];
            for (int j = 0; j < 3; j++) {
                normal[k][j] = p[(j + 1) % 3] * q[(j + 2) % 3] - p[(j + 2) % 3] * q[(j + 1) % 3];
            }
        }
        double volume = dot(axis[0], normal[0]);
        sl_obb_hit hit;
        if (volume == 0 || !sl_line_obb(line, &box, SL_INSIDE_SOLID, &hit) ||
            hit.face == SL_BOX_FACE_NONE) {
            continue;
        }
        hits++;
        for (int k = 0; k < 9 && volume < 0; k++) {
            normal[k / 3][k % 3] *= -1;
        }
        volume = fabs(volume);
        assert_int_equal(hit.face / 2, entry_axis(&line, &box, normal, volume));
        const double *out = normal[hit.face / 2], length = sqrt(dot(out, out));
        const double side = hit.face % 2 != 0 ? 1 : -1;
        const double dir[3] = { (double)line.head[0], (double)line.head[1], (double)line.head[2] };
        assert_true(side * dot(out, dir) < 0); /* inwards */
        for (int k = 0; k < 3; k++) {
            assert_true(fabs((double)hit.normal[k] - side * out[k] / length) <= 0x1p-24);
        }
    }
    print_message("%d crossings\n", hits);
    assert_true(hits > 5000);
}

/* A parallelogram, and lines in its plane: in its own coordinates, a square and a line. */
TEST(rims_of_flat_boxes_face_outwards)
{
    test_random random = { 47 };
    int hits = 0;
    for (int i = 0; i < 20000; i++) {
        const int flat = i % 3, first = flat == 0 ? 1 : 0, second = flat == 2 ? 1 : 2;
        sl_obb box = { .half = { 1, 1, 1 } };
        sl_line line = { .tmin = -INFINITY, .tmax = INFINITY };
        double from[2], dir[2], normal[3];
        for (int k = 0; k < 2; k++) {
            from[k] = (double)hard_whole(&random, 4);
            dir[k] = (double)hard_whole(&random, 4);
        }
        for (int k = 0; k < 3; k++) {
            box.axis[first][k] = hard_whole(&random, 3);
            box.axis[second][k] = hard_whole(&random, 3);
            line.origin[k] =
                (float)from[0] * box.axis[first][k] + (float)from[1] * box.axis[second][k];
            line.head[k] = (float)dir[0] * box.axis[first][k] + (float)dir[1] * box.axis[second][k];
        }
        const float *u = box.axis[first], *v = box.axis[second];
        for (int k = 0; k < 3; k++) {
            const int x = (k + 1) % 3, y = (k + 2) % 3;
            normal[k] = (double)(u[x] * v[y] - u[y] * v[x]);
        }
        sl_obb_hit hit;
        if (dot(normal, normal) == 0 || !sl_line_obb(line, &box, SL_INSIDE_SOLID, &hit) ||
            hit.entry == SL_BOX_FACE_NONE) {
            continue;
        }
        /* The last side that is crossed inwards; of two, the lower axis. */
        int axis = -1;
        double last = -INFINITY;
        for (int k = 0; k < 2; k++) {
            const double t = dir[k] == 0 ? -INFINITY : (copysign(1, -dir[k]) - from[k]) / dir[k];
            axis = t > last + 1e-9 ? k : axis;
            last = t > last ? t : last;
        }
        const int face = axis == 0 ? first : second, along = axis == 0 ? second : first;
        const double side = dir[axis] < 0 ? 1 : -1;
        const double out[3] = { (double)hit.normal[0], (double)hit.normal[1],
                                (double)hit.normal[2] };
        double up = 0, beside = 0;
        for (int k = 0; k < 3; k++) {
            up += out[k] * (double)box.axis[face][k];
            beside += out[k] * (double)box.axis[along][k];
        }
        assert_int_equal(hit.entry, 2 * face + (side > 0));
        assert_true(side * up > 0 && fabs(beside) < 1e-5 && fabs(dot(normal, out)) < 1e-4);
        assert_true(fabs(dot(out, out) - 1) < 1e-6);
        hits++;
    }
    print_message("%d crossings\n", hits);
    assert_true(hits > 2000);
}
