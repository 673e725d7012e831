/* Where corners appear, and what is too far away: four triangles at a time. */
#include "bvh/pick/shown.h"

#include <math.h>

/* Allowed for rounding, of the sum of all sizes; and of the pixels. */
#define SLACK 0x1p-50
#define MORE  (1 + 0x1p-40)

void sli_shown_pack_make(const sli_screen_at_local *local, const sli_tri_pack *pack,
                         sli_shown_pack *out)
{
    for (int corner = 0; corner < 3; corner++) {
        const float *x = pack->axis[0].vertex[corner], *y = pack->axis[1].vertex[corner],
                    *z = pack->axis[2].vertex[corner];
        for (int i = 0; i < 2; i++) {
            const sli_row_local *row = i == 0 ? &local->x : &local->y;
            for (int lane = 0; lane < SLI_PACK; lane++) {
                const double at = (row->n[0] * (double)x[lane] + row->n[1] * (double)y[lane]) +
                                  row->n[2] * (double)z[lane];
                out->low[i][corner][lane] = at + row->low;
                out->high[i][corner][lane] = at + row->high;
            }
        }
        for (int lane = 0; lane < SLI_PACK; lane++) {
            const sli_row_local *row = &local->w;
            out->w[corner][lane] = ((row->n[0] * (double)x[lane] + row->n[1] * (double)y[lane]) +
                                    row->n[2] * (double)z[lane]) +
                                   row->high;
        }
    }
}

void sli_shown_pack_get(const sli_shown_pack *pack, int lane, sli_shown *out)
{
    for (int corner = 0; corner < 3; corner++) {
        for (int i = 0; i < 2; i++) {
            out->low[i][corner] = pack->low[i][corner][lane];
            out->high[i][corner] = pack->high[i][corner][lane];
        }
        out->w[corner] = pack->w[corner][lane];
    }
}

/* ---- One triangle ---- */

/* Pixels times W, where that is positive. */
static double reach_at(double w, double pixels)
{
    return w > 0 ? w * pixels * MORE : 0;
}

/* Whether some corners (bits) are beyond along an axis. */
static bool beyond_along_axes(const sli_shown *t, uint32_t corners, double pixels)
{
    uint32_t beyond = 15;
    for (int k = 0; k < 3; k++) {
        if ((corners >> k & 1) != 0) {
            const double reach = reach_at(t->w[k], pixels);
            beyond &= (t->low[0][k] > reach ? 1u : 0u) | (t->high[0][k] < -reach ? 2u : 0u) |
                      (t->low[1][k] > reach ? 4u : 0u) | (t->high[1][k] < -reach ? 8u : 0u);
        }
    }
    return beyond != 0;
}

/* Of points at least x away on one axis and y on the other. */
static double shown_gap(double low, double high)
{
    return low > 0 ? low : high < 0 ? -high : 0;
}

bool sli_shown_corner_is_beyond(const sli_shown *t, uint32_t k, double pixels)
{
    const double x = shown_gap(t->low[0][k], t->high[0][k]),
                 y = shown_gap(t->low[1][k], t->high[1][k]);
    const double reach = reach_at(t->w[k], pixels);
    return t->w[k] <= 0 || (x * x + y * y) * (1 - 0x1p-40) > reach * reach + 0x1p-1000;
}

/* At right angles to the line through two corners. */
static void shown_across(const sli_shown *t, uint32_t a, uint32_t b, double n[2])
{
    n[0] = t->low[1][a] * t->w[b] - t->low[1][b] * t->w[a];
    n[1] = t->low[0][b] * t->w[a] - t->low[0][a] * t->w[b];
}

/* Whether some corners (bits) are beyond along n, or the other way; compared in squares. */
static bool beyond_along(const sli_shown *t, uint32_t corners, const double n[2], double pixels)
{
    const double square = n[0] * n[0] + n[1] * n[1] + 0x1p-900;
    uint32_t beyond = 3;
    for (int k = 0; k < 3; k++) {
        if ((corners >> k & 1) != 0) {
            const double x0 = n[0] * t->low[0][k], x1 = n[0] * t->high[0][k];
            const double y0 = n[1] * t->low[1][k], y1 = n[1] * t->high[1][k];
            const double slack =
                SLACK * ((fabs(x0) + fabs(x1)) + (fabs(y0) + fabs(y1))) + 0x1p-1000;
            const double low = (x0 < x1 ? x0 : x1) + (y0 < y1 ? y0 : y1) - slack;
            const double high = (x0 < x1 ? x1 : x0) + (y0 < y1 ? y1 : y0) + slack;
            const double reach = reach_at(t->w[k], pixels);
            const double least = reach * reach * square * MORE;
            beyond &= (low > 0 && low * low > least ? 1u : 0u) |
                      (high < 0 && high * high > least ? 2u : 0u);
        }
    }
    return beyond != 0;
}

bool sli_shown_side_is_beyond(const sli_shown *t, uint32_t side, double pixels)
{
    const uint32_t next = (side + 1) % 3, ends = 1u << side | 1u << next;
    double n[2];
    if (beyond_along_axes(t, ends, pixels)) {
        return true;
    }
    shown_across(t, side, next, n);
    return beyond_along(t, ends, n, pixels);
}

/* ---- A leaf's ---- */

typedef struct lanes {
    double at[SLI_PACK];
} lanes;

/* Lanes that are beyond along one of the axes. */
static uint32_t pack_beyond_axes(const sli_shown_pack *p, const lanes reach[3])
{
    uint32_t out = 0;
    for (int i = 0; i < 2; i++) {
        for (int lane = 0; lane < SLI_PACK; lane++) {
            bool above = true, below = true;
            for (int k = 0; k < 3; k++) {
                above = above & (p->low[i][k][lane] > reach[k].at[lane]);
                below = below & (p->high[i][k][lane] < -reach[k].at[lane]);
            }
            out |= (uint32_t)(above | below) << lane;
        }
    }
    return out;
}

static inline double shown_lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double shown_greater(double a, double b)
{
    return a > b ? a : b;
}

/* By how much lanes are beyond at right angles to a side, in units of their own: not at all where
 * it is not positive.  As beyond_along, with the middles of bounds and one slack for all corners.
 * *sum is finite where nothing overflowed. */
static inline double beyond_side(const double x[3], const double y[3], const double w[3],
                                 const double reach[3], const double error[2], int k, double *sum)
{
    const int next = (k + 1) % 3;
    const double nx = y[k] * w[next] - y[next] * w[k], ny = x[next] * w[k] - x[k] * w[next];
    const double size_x = fabs(nx), size_y = fabs(ny);
    const double norm =
        shown_greater(size_x, size_y) + 0.5 * shown_lesser(size_x, size_y); /* or more */
    const double slack = size_x * error[0] + size_y * error[1] + 0x1p-1000;
    double above = INFINITY, below = INFINITY;
    *sum = 0;
    for (int corner = 0; corner < 3; corner++) {
        const double at = nx * x[corner] + ny * y[corner];
        const double off = (norm * reach[corner] + slack) * MORE;
        above = shown_lesser(above, at - off);
        below = shown_lesser(below, -at - off);
        *sum += at + off;
    }
    return shown_greater(above, below);
}

static uint32_t pack_beyond_sides(const sli_shown_pack *p, const lanes reaches[3])
{
    lanes beyond, sums;
    for (int lane = 0; lane < SLI_PACK; lane++) {
        double x[3], y[3], w[3], reach[3], error[2] = { 0, 0 }, sum = 0, part, most = 0;
        for (int k = 0; k < 3; k++) {
            const double x0 = p->low[0][k][lane], x1 = p->high[0][k][lane];
            const double y0 = p->low[1][k][lane], y1 = p->high[1][k][lane];
            x[k] = 0.5 * x0 + 0.5 * x1;
            y[k] = 0.5 * y0 + 0.5 * y1;
            w[k] = p->w[k][lane];
            reach[k] = reaches[k].at[lane];
            error[0] = shown_greater(error[0], (x1 - x0) + SLACK * fabs(x[k]));
            error[1] = shown_greater(error[1], (y1 - y0) + SLACK * fabs(y[k]));
        }
        for (int k = 0; k < 3; k++) {
            most = shown_greater(most, beyond_side(x, y, w, reach, error, k, &part));
            sum += part;
        }
        beyond.at[lane] = most;
        sums.at[lane] = sum - sum;
    }
    uint32_t out = 0;
    for (int lane = 0; lane < SLI_PACK; lane++) {
        out |= (uint32_t)((beyond.at[lane] > 0) & (sums.at[lane] == 0)) << lane;
    }
    return out;
}

uint32_t sli_shown_pack_within(const sli_shown_pack *p, double pixels)
{
    const uint32_t all = (1u << SLI_PACK) - 1;
    lanes reach[3];
    for (int k = 0; k < 3; k++) {
        for (int lane = 0; lane < SLI_PACK; lane++) {
            reach[k].at[lane] = reach_at(p->w[k][lane], pixels);
        }
    }
    const uint32_t within = all & ~pack_beyond_axes(p, reach);
    return within == 0 ? 0 : within & ~pack_beyond_sides(p, reach);
}
