/* The pixels whose centres lie in a region: row by row, from where the region's border crosses the
 * row, which is estimated and then decided exactly at the centres next to it. */
#include "bvh/select/modes.h"
#include "bvh/select/region/planar.h"

typedef struct row {
    double y;
    int width;
    uint64_t *words;
} row;

/* Sets the bits from first to last - 1. */
static void row_put(uint64_t *words, int first, int last)
{
    for (int word = first / 64; first < last; word++) {
        const int end = (word + 1) * 64 < last ? (word + 1) * 64 : last;
        const uint64_t bits = UINT64_MAX >> (64 - (end - first)) << (first % 64);
        words[word] |= bits;
        first = end;
    }
}

/* The number of columns whose centre is surely less than x, but for one or two. */
static int column_about(double x, int width)
{
    const double columns = floor(x - 0.5);
    return columns >= width ? width : columns > 0 ? (int)columns : 0;
}

/* The first column whose centre is not less than x. */
static int column_at(double x, int width)
{
    int column = column_about(x, width);
    while (column > 0 && column - 0.5 >= x) {
        column--;
    }
    while (column < width && column + 0.5 < x) {
        column++;
    }
    return column;
}

/* The first column whose centre is more than x. */
static int column_behind(double x, int width)
{
    const int column = column_at(x, width);
    return column < width && column + 0.5 == x ? column + 1 : column;
}

/* ---- Brushes ---- */

static void range_widen(double range[2], double x)
{
    range[0] = x < range[0] ? x : range[0];
    range[1] = x > range[1] ? x : range[1];
}

/* Between which x a brush with a slightly larger radius meets a row, but for rounding. */
static void brush_range(const sli_region *region, double y, double range[2])
{
    const double *p = region->p, *q = region->q;
    const double size = fabs(p[0]) + fabs(p[1]) + fabs(q[0]) + fabs(q[1]) + region->radius + 1;
    const double radius = region->radius + size * 0x1p-30;
    const double along[2] = { q[0] - p[0], q[1] - p[1] };
    const double length = sqrt(along[0] * along[0] + along[1] * along[1]);
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int end = 0; end < 2; end++) {
        const double *centre = end == 0 ? p : q, up = y - centre[1];
        if (fabs(up) <= radius) {
            const double reach = sqrt(radius * radius - up * up);
            range_widen(range, centre[0] - reach);
            range_widen(range, centre[0] + reach);
        }
    }
    for (int side = -1; side <= 1 && length > 0; side += 2) {
        const double x = p[0] - side * radius * along[1] / length;
        const double share = (y - (p[1] + side * radius * along[0] / length)) / along[1];
        if (share >= -0x1p-20 && share <= 1 + 0x1p-20) {
            range_widen(range, x + share * along[0]);
        }
    }
}

static bool brush_has(const sli_region *region, const row *r, int column)
{
    const double centre[1][2] = { { column + 0.5, r->y } };
    return sli_region_holds(region, centre, 1);
}

static void row_put_brush(const sli_region *region, const row *r)
{
    double range[2];
    brush_range(region, r->y, range);
    if (!(range[0] <= range[1])) {
        return;
    }
    int first = column_at(range[0] - 1, r->width), end = column_behind(range[1] + 1, r->width);
    while (first < end && !brush_has(region, r, first)) {
        first++;
    }
    while (end > first && !brush_has(region, r, end - 1)) {
        end--;
    }
    row_put(r->words, first, end);
}

/* ---- Lassos ---- */

/* The sign of how far a side that goes up from p to q is to the right of a column's centre. */
static int column_side(const row *r, const double p[2], const double q[2], int column)
{
    const double centre[2] = { column + 0.5, r->y };
    return sli_orient2d(p, q, centre);
}

/* A side that crosses the row, and parts, flips all to its left: the last of these is noted in the
 * row's bits.  A centre on the side is kept in mind.  The columns are estimated, and
 * decided exactly where that leaves more than one. */
static void cross_row(const row *r, const sli_side *side, bool up, bool parts, uint64_t *on)
{
    const double *p = side->at[!up], *q = side->at[up];
    const double wide = q[0] - p[0], x = p[0] + (r->y - p[1]) / (q[1] - p[1]) * wide;
    const double slack = (fabs(p[0]) + fabs(wide)) * 0x1p-48;
    int column = column_about(x - slack, r->width), end = column_about(x + slack, r->width);
    end += end < r->width;
    while (column < end) {
        const int middle = column + (end - column) / 2;
        const bool left = middle + 0.5 < x - slack ||
                          (middle + 0.5 <= x + slack && column_side(r, p, q, middle) > 0);
        column = left ? middle + 1 : column;
        end = left ? end : middle;
    }
    if (parts && column > 0) {
        r->words[(column - 1) / 64] ^= 1ull << ((column - 1) % 64);
    }
    if (column < r->width && column + 0.5 <= x + slack && column_side(r, p, q, column) == 0) {
        row_put(on, column, column + 1);
    }
}

/* A side that ends in the row, or lies in it. */
static void touch_row(const row *r, const sli_side *side, uint64_t *on)
{
    const bool first = side->at[0][1] == r->y, second = side->at[1][1] == r->y;
    const double a = side->at[!first][0], b = side->at[second][0];
    row_put(on, column_at(a < b ? a : b, r->width), column_behind(a < b ? b : a, r->width));
}

/* Makes notes of where what is flipped ends into bits that are flipped. */
static void row_flip(uint64_t *bits, size_t words)
{
    uint64_t after = 0; /* all bits, where what comes after flips them */
    for (size_t i = words; i > 0; i--) {
        uint64_t x = bits[i - 1];
        for (int by = 1; by < 64; by *= 2) {
            x ^= x >> by;
        }
        bits[i - 1] = x ^ after;
        after = 0 - (bits[i - 1] & 1);
    }
}

static void row_put_lasso(const sli_lasso *lasso, const row *r, uint64_t *on, size_t words)
{
    const sli_sides *all = &lasso->all;
    const int cell = sli_lasso_cell(lasso, 1, r->y);
    memset(on, 0, words * sizeof *on);
    for (size_t i = all->first[cell]; i < all->first[cell + 1]; i++) {
        const sli_side *side = &all->sides[all->listed[i]];
        const bool first = side->at[0][1] > r->y, second = side->at[1][1] > r->y;
        if (first != second) {
            cross_row(r, side, second, sli_side_parts(lasso, all->listed[i]), on);
        }
        if (side->at[0][1] == r->y || side->at[1][1] == r->y) {
            touch_row(r, side, on);
        }
    }
    row_flip(r->words, words);
    for (size_t i = 0; i < words; i++) {
        r->words[i] |= on[i];
    }
}

void sli_region_pixels(const sli_region *region, sli_picture *picture)
{
    const size_t words = picture->row_words;
    const int width = (int)picture->width, height = (int)picture->height;
    memset(picture->wanted, 0, words * picture->height * sizeof *picture->wanted);
    if (region->none) {
        return;
    }
    const double *b = region->bounds;
    const int from = column_at(b[1], height), to = column_behind(b[3], height);
    for (int y = from; y < to; y++) {
        const row r = { y + 0.5, width, picture->wanted + (size_t)y * words };
        if (region->kind == SL_REGION_RECTANGLE) {
            row_put(r.words, column_at(b[0], width), column_behind(b[2], width));
        } else if (region->kind == SL_REGION_BRUSH) {
            row_put_brush(region, &r);
        } else {
            row_put_lasso(&region->lasso, &r, picture->on_side, words);
        }
    }
}
