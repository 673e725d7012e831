/* input/scene/place.c: where an instance of a scene file stands, and on which grid. */
#include "tools/cli/numbers.h"
#include "tools/input/scene/reader.h"

#include <math.h>

static int read_matrix(const scene_reader *r, const json_t *object, const char *where,
                       sl_transform *place)
{
    double m[16];
    const int status =
        scene_read_numbers(r, object, where, "matrix", 16, "16 numbers, column by column", m);
    if (status != EXIT_DONE) {
        return status;
    }
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) {
        return scene_complain(r, where,
                              "the last row of \"matrix\", its elements 3, 7, 11 and 15, is "
                              "not 0, 0, 0, 1; write the matrix column by column");
    }
    for (int i = 0; i < 12; i++) {
        place->m[i / 4][i % 4] = m[4 * (i % 4) + i / 4];
    }
    return EXIT_DONE;
}

static int read_trs(const scene_reader *r, const json_t *object, const char *where,
                    sl_transform *place)
{
    double t[3] = { 0, 0, 0 }, q[4] = { 0, 0, 0, 1 }, s[3] = { 1, 1, 1 };
    int status = EXIT_DONE;
    if (!scene_is_missing(object, "translation")) {
        status = scene_read_numbers(r, object, where, "translation", 3, "three numbers", t);
    }
    if (status == EXIT_DONE && !scene_is_missing(object, "rotation")) {
        status = scene_read_numbers(r, object, where, "rotation", 4, "a quaternion, x y z w", q);
    }
    const json_t *scale = json_object_get(object, "scale");
    if (status == EXIT_DONE && json_is_number(scale)) {
        s[0] = s[1] = s[2] = json_number_value(scale);
    } else if (status == EXIT_DONE && scale != NULL) {
        status = scene_read_numbers(r, object, where, "scale", 3, "a number, or three", s);
    }
    if (status == EXIT_DONE && !sl_transform_from_trs(t, q, s, place)) {
        return scene_complain(r, where,
                              q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0
                                  ? "\"rotation\" is all zeros, which is no quaternion; 0, 0, "
                                    "0, 1 turns nothing"
                                  : "translation, rotation and scale make a place that is not "
                                    "finite; write smaller numbers");
    }
    return status;
}

int scene_read_place(const scene_reader *r, const json_t *object, const char *where,
                     sl_transform *place)
{
    const bool trs = !scene_is_missing(object, "translation") ||
                     !scene_is_missing(object, "rotation") || !scene_is_missing(object, "scale");
    const bool matrix = !scene_is_missing(object, "matrix"),
               rows = !scene_is_missing(object, "place");
    if (trs + matrix + rows > 1) {
        return scene_complain(r, where, "it has %s; say where it stands in one way",
                              !trs ? "both \"matrix\" and \"place\""
                              : matrix
                                  ? "both \"matrix\" and one of \"translation\", \"rotation\" and "
                                    "\"scale\""
                                  : "both \"place\" and one of \"translation\", \"rotation\" and "
                                    "\"scale\"");
    }
    int status = EXIT_DONE;
    if (matrix) {
        status = read_matrix(r, object, where, place);
    } else if (rows) {
        status = scene_read_numbers(r, object, where, "place", 12, "12 numbers, three rows of four",
                                    &place->m[0][0]);
    } else {
        status = read_trs(r, object, where, place);
    }
    if (status == EXIT_DONE && !numbers_are_finite(&place->m[0][0], 12)) {
        status = scene_complain(r, where, "its place is not finite; write smaller numbers");
    }
    return status;
}

int scene_read_grid(const scene_reader *r, const json_t *object, const char *where, double *grid)
{
    const json_t *json = json_object_get(object, "grid");
    int exponent;
    if (json == NULL) {
        return EXIT_DONE;
    }
    *grid = json_number_value(json);
    if (!json_is_number(json) || (*grid != 0 && !(*grid >= 0x1p-149 && *grid <= 0x1p127 &&
                                                  frexp(*grid, &exponent) == 0.5))) {
        return scene_complain(r, where,
                              "\"grid\" must be a power of two, such as 0.0009765625, or 0 for "
                              "none");
    }
    return EXIT_DONE;
}
