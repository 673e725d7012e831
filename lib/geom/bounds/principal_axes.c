/* The eigenvectors of the covariance matrix of points, by Jacobi rotations; for bounding_obb.c. */
#include "lib/geom/bounds/point_set.h"

#include <math.h>
#include <string.h>

/* Elements off the diagonal that are at most this times the trace count as 0. */
#define NEGLIGIBLE 0x1p-60
enum { SWEEPS_MAX = 32 };

static void find_mean(const sli_point_set *points, double mean[3])
{
    double count = 0, point[3];
    mean[0] = mean[1] = mean[2] = 0;
    for (size_t i = 0; i < points->count; i++) {
        if (sli_point_set_framed(points, i, point)) {
            count++;
            for (int axis = 0; axis < 3; axis++) {
                mean[axis] += point[axis];
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        mean[axis] /= count;
    }
}

static void find_covariance(const sli_point_set *points, double m[3][3])
{
    double mean[3], point[3];
    find_mean(points, mean);
    memset(m, 0, 9 * sizeof m[0][0]);
    for (size_t i = 0; i < points->count; i++) {
        if (!sli_point_set_framed(points, i, point)) {
            continue;
        }
        for (int j = 0; j < 9; j++) {
            m[j / 3][j % 3] += (point[j / 3] - mean[j / 3]) * (point[j % 3] - mean[j % 3]);
        }
    }
}

/* m = R^T m R and axes = axes R, for the rotation R that makes m[p][q] vanish. */
static void principal_axes_rotate(double m[3][3], double axes[3][3], int p, int q)
{
    const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    const double size = fabs(theta) + sqrt(theta * theta + 1);
    const double t = theta < 0 ? -1 / size : 1 / size;
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    const int r = 3 - p - q;
    m[p][p] -= t * m[p][q];
    m[q][q] += t * m[p][q];
    m[p][q] = m[q][p] = 0;
    const double rp = m[r][p], rq = m[r][q];
    m[r][p] = m[p][r] = c * rp - s * rq;
    m[r][q] = m[q][r] = s * rp + c * rq;
    for (int row = 0; row < 3; row++) {
        const double ap = axes[row][p], aq = axes[row][q];
        axes[row][p] = c * ap - s * aq;
        axes[row][q] = s * ap + c * aq;
    }
}

/* Makes m diagonal; the columns of axes are the eigenvectors. */
static void principal_axes_diagonalise(double m[3][3], double axes[3][3])
{
    for (int i = 0; i < 9; i++) {
        axes[i / 3][i % 3] = i % 4 == 0 ? 1 : 0;
    }
    const double least = NEGLIGIBLE * (m[0][0] + m[1][1] + m[2][2]);
    for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
        bool done = true;
        for (int r = 2; r >= 0; r--) {
            const int p = r == 0 ? 1 : 0, q = r == 2 ? 1 : 2;
            if (fabs(m[p][q]) > least) {
                principal_axes_rotate(m, axes, p, q);
                done = false;
            }
        }
        if (done) {
            return;
        }
    }
}

static void take_column(double axes[3][3], int column, double out[3])
{
    double largest = 0, square = 0;
    for (int row = 0; row < 3; row++) {
        const double x = axes[row][column];
        largest = fabs(x) > fabs(largest) ? x : largest;
        square += x * x;
    }
    const double length = largest < 0 ? -sqrt(square) : sqrt(square);
    for (int row = 0; row < 3; row++) {
        out[row] = axes[row][column] / length;
    }
}

void sli_principal_axes(const sli_point_set *points, float axis[3][3])
{
    double m[3][3], axes[3][3], unit[3][3];
    find_covariance(points, m);
    principal_axes_diagonalise(m, axes);
    int first = 0, last = 0; /* of equal ones, the lowest first and the highest last */
    for (int i = 1; i < 3; i++) {
        first = m[i][i] > m[first][first] ? i : first;
        last = m[i][i] <= m[last][last] ? i : last;
    }
    take_column(axes, first, unit[0]);
    take_column(axes, 3 - first - last, unit[1]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        unit[2][i] = unit[0][j] * unit[1][k] - unit[0][k] * unit[1][j];
    }
    for (int i = 0; i < 9; i++) {
        axis[i / 3][i % 3] = (float)unit[i / 3][i % 3] + 0.0f;
    }
}
