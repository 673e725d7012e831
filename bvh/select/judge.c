/* Boxes against regions: eight at a time against planes, then, where the region is no rectangle,
 * those that are left by where their corners appear. */
#include "bvh/select/judge.h"

#include <math.h>
#include <string.h>

/* What is not negative where a x + b y + c is not; everywhere, for a bound that numbers are cut
 * off at. */
static sli_row judge_side(const sli_screen *screen, double a, double b, double c)
{
    return fabs(c) < 0x1p127 ? sli_screen_line(screen, a, b, c) : (sli_row){ .at = INFINITY };
}

void sli_judge_rows_make(const sli_screen *screen, const sli_region *region, sli_judge_rows *out)
{
    if (region->none) {
        return;
    }
    const double *b = region->bounds;
    out->row[SLI_JUDGE_NEAR] = screen->row[SLI_ROW_NEAR];
    out->row[SLI_JUDGE_FAR] = screen->row[SLI_ROW_FAR];
    out->row[SLI_JUDGE_W] = screen->row[SLI_ROW_W];
    out->row[SLI_JUDGE_LEFT] = judge_side(screen, 1, 0, -b[0]);
    out->row[SLI_JUDGE_TOP] = judge_side(screen, 0, 1, -b[1]);
    out->row[SLI_JUDGE_RIGHT] = judge_side(screen, -1, 0, b[2]);
    out->row[SLI_JUDGE_BOTTOM] = judge_side(screen, 0, -1, b[3]);
}

/* Whether all of a box lies between the near and the far plane, and in front of the eye. */
static bool judge_is_between(const sli_row_local *rows, const sl_aabb *box)
{
    bool found = true;
    for (int i = 0; i <= SLI_JUDGE_W; i++) {
        found = found && sli_row_low(&rows[i], box) >= 0;
    }
    return found;
}

void sli_judge_make(const sli_screen *screen, const sli_region *region, const sli_judge_rows *rows,
                    const sli_screen_space *space, const sl_aabb *bounds, sli_judge *out)
{
    out->region = region;
    if (region->none) {
        return;
    }
    for (int i = 0; i < SLI_JUDGE_COUNT; i++) {
        sli_row_local row = sli_row_to_local(&rows->row[i], space);
        const double slack = 0.5 * (row.high - row.low);
        if (isfinite(slack)) {
            row.low -= slack;
            row.high += slack;
        }
        out->row[i] = row;
    }
    out->is_between = judge_is_between(out->row, bounds);
    if (region->kind != SL_REGION_RECTANGLE) {
        sli_screen_rows_to_local(screen, space, &out->rows);
    }
}

/* Bits of children in which the row is surely negative everywhere, and nowhere. */
static void judge_row(const sli_row_local *row, const sli_node_wide *node, bool *out, bool *in)
{
    double low[SLI_WIDTH], high[SLI_WIDTH];
    for (int i = 0; i < SLI_WIDTH; i++) {
        low[i] = row->low;
        high[i] = row->high;
    }
    for (int axis = 0; axis < 3; axis++) {
        const double n = row->n[axis];
        const float *least = node->bounds[axis][n < 0], *most = node->bounds[axis][!(n < 0)];
        for (int i = 0; i < SLI_WIDTH; i++) {
            low[i] += n * (double)least[i];
            high[i] += n * (double)most[i];
        }
    }
    for (int i = 0; i < SLI_WIDTH; i++) {
        out[i] |= high[i] < 0;
        in[i] &= low[i] >= 0;
    }
}

/* A row at the eight corners of a child. */
static void row_at_corners(const sli_row_local *row, const sli_node_wide *node, int child,
                           double out[SLI_WIDTH])
{
    double part[3][2];
    for (int axis = 0; axis < 3; axis++) {
        part[axis][0] = row->n[axis] * (double)node->bounds[axis][0][child];
        part[axis][1] = row->n[axis] * (double)node->bounds[axis][1][child];
    }
    const double middle = 0.5 * (row->low + row->high);
    for (int corner = 0; corner < SLI_WIDTH; corner++) {
        out[corner] =
            part[0][corner & 1] + part[1][corner >> 1 & 1] + part[2][corner >> 2] + middle;
    }
}

static double row_half_slack(const sli_row_local *row)
{
    return 0.5 * (row->high - row->low) * (1 + 0x1p-40);
}

/* Bounds of where points of a child appear, by one slack for all corners: what is divided by is
 * positive, so the extremes are at corners. */
static bool child_rectangle(const sli_screen_rows_local *rows, const sli_node_wide *node, int child,
                            double rectangle[4])
{
    const sli_row_local *w_row = &rows->row[SLI_ROW_W];
    double w[SLI_WIDTH], x[SLI_WIDTH], least_w;
    row_at_corners(w_row, node, child, w);
    least_w = w[0];
    for (int i = 1; i < SLI_WIDTH; i++) {
        least_w = w[i] < least_w ? w[i] : least_w;
    }
    least_w -= row_half_slack(w_row) + least_w * 0x1p-40;
    if (!(least_w > 0)) {
        return false;
    }
    for (int i = 0; i < SLI_WIDTH; i++) {
        w[i] = 1 / w[i];
    }
    for (int axis = 0; axis < 2; axis++) {
        const sli_row_local *row = &rows->row[axis == 0 ? SLI_ROW_X : SLI_ROW_Y];
        row_at_corners(row, node, child, x);
        double least = x[0] * w[0], most = least;
        for (int i = 1; i < SLI_WIDTH; i++) {
            const double at = x[i] * w[i];
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        const double size = fabs(least) > fabs(most) ? fabs(least) : fabs(most);
        const double slack =
            (row_half_slack(row) + size * row_half_slack(w_row)) / least_w * (1 + 0x1p-40) +
            size * 0x1p-40;
        rectangle[axis] = least - slack;
        rectangle[2 + axis] = most + slack;
    }
    return rectangle[0] <= rectangle[2] && rectangle[1] <= rectangle[3];
}

static uint8_t judge_brush(const sli_judge *judge, const sli_node_wide *node, int child)
{
    double rectangle[4];
    return (uint8_t)(child_rectangle(&judge->rows, node, child, rectangle)
                         ? sli_brush_class(judge->region, rectangle)
                         : SLI_CLASS_MIXED);
}

void sli_judge_children(const sli_judge *judge, const sli_node_wide *node,
                        uint8_t classes[SLI_WIDTH])
{
    bool out[SLI_WIDTH] = { false }, before[SLI_WIDTH], in[SLI_WIDTH];
    const sl_region_kind kind = judge->region->kind;
    if (judge->region->none) {
        memset(classes, SLI_CLASS_OUT, SLI_WIDTH);
        return;
    }
    memset(before, true, sizeof before);
    for (int i = 0; i <= SLI_JUDGE_W && !judge->is_between; i++) {
        judge_row(&judge->row[i], node, out, before);
    }
    if (kind == SL_REGION_LASSO) {
        sli_judge_lasso(judge, node, before, classes);
        for (int i = 0; i < SLI_WIDTH; i++) {
            classes[i] = out[i] ? SLI_CLASS_OUT : classes[i];
        }
        return;
    }
    memcpy(in, before, sizeof in);
    for (int i = SLI_JUDGE_LEFT; i < SLI_JUDGE_COUNT; i++) {
        judge_row(&judge->row[i], node, out, in);
    }
    for (int i = 0; i < SLI_WIDTH; i++) {
        classes[i] = out[i] ? SLI_CLASS_OUT : in[i] ? SLI_CLASS_IN : SLI_CLASS_MIXED;
        if (kind == SL_REGION_BRUSH && !out[i]) {
            classes[i] = before[i] ? judge_brush(judge, node, i) : SLI_CLASS_MIXED;
        }
    }
}

sli_class sli_judge_box(const sli_judge *judge, const sl_aabb *box)
{
    sli_node_wide node;
    uint8_t classes[SLI_WIDTH];
    for (int i = 0; i < SLI_WIDTH; i++) {
        node.child[i] = i == 0 ? 0 : SLI_REF_EMPTY;
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < SLI_WIDTH; i++) {
            node.bounds[axis][0][i] = box->min[axis];
            node.bounds[axis][1][i] = box->max[axis];
        }
    }
    sli_judge_children(judge, &node, classes);
    return (sli_class)classes[0];
}
