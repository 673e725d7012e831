/* Boxes against regions: eight at a time against planes, then, where the region is no rectangle,
 * those that are left by where their corners appear. */
#include "bvh/select/judge.h"

#include <math.h>

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

void sli_judge_children(const sli_judge *judge, const sli_node_wide *node,
                        uint8_t classes[SLI_WIDTH])
{
    bool out[SLI_WIDTH] = { false }, before[SLI_WIDTH];
    const sl_region_kind kind = judge->region->kind;
    if (judge->region->none) {
        memset(classes, SLI_CLASS_OUT, SLI_WIDTH);
        return;
    }
    memset(before, true, sizeof before);
    for (int i = 0; i <= SLI_JUDGE_W && !judge->is_between; i++) {
        judge_row(&judge->row[i], node, out, before);
    }
    if (kind != SL_REGION_RECTANGLE) {
        sli_judge_shown(judge, node, before, classes);
        for (int i = 0; i < SLI_WIDTH; i++) {
            classes[i] = out[i] ? SLI_CLASS_OUT : classes[i];
        }
        return;
    }
    for (int i = SLI_JUDGE_LEFT; i < SLI_JUDGE_COUNT; i++) {
        judge_row(&judge->row[i], node, out, before);
    }
    for (int i = 0; i < SLI_WIDTH; i++) {
        classes[i] = out[i] ? SLI_CLASS_OUT : before[i] ? SLI_CLASS_IN : SLI_CLASS_MIXED;
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
