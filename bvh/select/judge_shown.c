/* Boxes against a lasso or a brush, and triangles against a lasso: where they appear, estimated in
 * doubles, several at a time, with sure bounds of the errors.
 *
 * Rows     X, Y and W of a corner are off by half of low to high at most (screen.h); twice that is
 *          taken, so that the roundings of here are in it.
 * Places   with x the X / W of a box's middle, X - x W is a row, 0 in the middle: as much as it may
 *          differ from that, over the least W, is how far from x all of the box appears.
 * Sides    a side from p along d has a box beside it where d_x (Y - p_y W) - d_y (X - p_x W), which
 *          is a row, is nowhere 0 in the box. */
#include "bvh/select/judge.h"
#include "bvh/select/region/lasso_sure.h"

#include <math.h>

#define ROUNDING 0x1p-40

/* In pixels; worse estimates are left to exact outlines. */
#define OFFSET_MAX 0x1p-4

static double off_by(const sli_row_local *row)
{
    return (row->high - row->low) * (1 + ROUNDING);
}

static double middle_of(const sli_row_local *row)
{
    return 0.5 * (row->low + row->high);
}

/* ---- Boxes ---- */

/* A row in eight boxes: at their middles, and how much it differs elsewhere in them. */
typedef struct spread {
    double at[SLI_WIDTH], by[SLI_WIDTH];
} spread;

typedef struct boxes {
    double middle[3][SLI_WIDTH], half[3][SLI_WIDTH];
    spread x, y, w;
    /* Where the middle appears, and all of the box. */
    double position[2][SLI_WIDTH], low[2][SLI_WIDTH], high[2][SLI_WIDTH];
} boxes;

static void boxes_take(const sli_node_wide *node, boxes *out)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < SLI_WIDTH; i++) {
            const double least = node->bounds[axis][0][i], most = node->bounds[axis][1][i];
            out->middle[axis][i] = 0.5 * (least + most);
            out->half[axis][i] = 0.5 * (most - least) * (1 + ROUNDING);
        }
    }
}

static void spread_row(const sli_row_local *row, const boxes *b, spread *out)
{
    for (int i = 0; i < SLI_WIDTH; i++) {
        out->at[i] = middle_of(row);
        out->by[i] = off_by(row);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double n = row->n[axis], size = fabs(n);
        for (int i = 0; i < SLI_WIDTH; i++) {
            out->at[i] += n * b->middle[axis][i];
            out->by[i] += size * b->half[axis][i];
        }
    }
}

/* Bounds in the picture, about where the box's middle appears; of no use where W may be 0. */
static void boxes_take_positions(const sli_screen_rows_local *rows, boxes *b)
{
    const sli_row_local *w = &rows->row[SLI_ROW_W];
    double middle[SLI_WIDTH], least[SLI_WIDTH];
    for (int i = 0; i < SLI_WIDTH; i++) {
        middle[i] = 1 / b->w.at[i];
        least[i] = 1 / (b->w.at[i] - b->w.by[i]);
    }
    for (int axis = 0; axis < 2; axis++) {
        const sli_row_local *row = &rows->row[axis == 0 ? SLI_ROW_X : SLI_ROW_Y];
        const spread *s = axis == 0 ? &b->x : &b->y;
        double by[SLI_WIDTH];
        for (int i = 0; i < SLI_WIDTH; i++) {
            b->position[axis][i] = s->at[i] * middle[i];
            by[i] = off_by(row) + fabs(b->position[axis][i]) * off_by(w);
        }
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < SLI_WIDTH; i++) {
                by[i] += fabs(row->n[k] - b->position[axis][i] * w->n[k]) * b->half[k][i];
            }
        }
        for (int i = 0; i < SLI_WIDTH; i++) {
            const double at = b->position[axis][i];
            by[i] = by[i] * least[i] * (1 + ROUNDING) + fabs(at) * ROUNDING;
            b->low[axis][i] = at - by[i];
            b->high[axis][i] = at + by[i];
        }
    }
}

/* What a side leaves of `free`, which is more than 0 of boxes that surely lie on one side of its
 * line, or beyond its ends. */
static void boxes_judge_side(const sli_screen_rows_local *rows, const boxes *b,
                             const sli_side *side, double free[SLI_WIDTH])
{
    const double *p = side->at[0], *q = side->at[1];
    const double dx = q[0] - p[0], dy = q[1] - p[1];
    const sli_row_local *x = &rows->row[SLI_ROW_X], *y = &rows->row[SLI_ROW_Y];
    const sli_row_local *w = &rows->row[SLI_ROW_W];
    double at[SLI_WIDTH], by[SLI_WIDTH];
    const double slack = fabs(dx) * (off_by(y) + fabs(p[1]) * off_by(w)) +
                         fabs(dy) * (off_by(x) + fabs(p[0]) * off_by(w));
    for (int i = 0; i < SLI_WIDTH; i++) {
        const double down = p[1] * b->w.at[i], right = p[0] * b->w.at[i];
        at[i] = dx * (b->y.at[i] - down) - dy * (b->x.at[i] - right);
        by[i] = slack + (fabs(dx) * (fabs(b->y.at[i]) + fabs(down)) +
                         fabs(dy) * (fabs(b->x.at[i]) + fabs(right))) *
                            0x1p-48;
    }
    for (int k = 0; k < 3; k++) {
        const double n = fabs(dx * (y->n[k] - p[1] * w->n[k]) - dy * (x->n[k] - p[0] * w->n[k]));
        for (int i = 0; i < SLI_WIDTH; i++) {
            by[i] += n * b->half[k][i];
        }
    }
    const double x0 = p[0] < q[0] ? p[0] : q[0], x1 = p[0] < q[0] ? q[0] : p[0];
    const double y0 = p[1] < q[1] ? p[1] : q[1], y1 = p[1] < q[1] ? q[1] : p[1];
    for (int i = 0; i < SLI_WIDTH; i++) {
        const double beside = fabs(at[i]) - by[i] * (1 + ROUNDING);
        const double left = b->low[0][i] - x1, right = x0 - b->high[0][i];
        const double above = b->low[1][i] - y1, below = y0 - b->high[1][i];
        const double across = left > right ? left : right, along = above > below ? above : below;
        const double apart = across > along ? across : along,
                     most = apart > beside ? apart : beside;
        free[i] = most < free[i] ? most : free[i];
    }
}

/* Boxes of which `mine` says that they are asked, by what is known of all between their bounds. */
static void boxes_judge(const sli_judge *judge, const boxes *b, const sli_lasso_vicinity *vicinity,
                        const bool mine[SLI_WIDTH], uint8_t classes[SLI_WIDTH])
{
    double free[SLI_WIDTH], side[SLI_WIDTH];
    for (int i = 0; i < SLI_WIDTH; i++) {
        free[i] = INFINITY;
        side[i] = vicinity->all;
    }
    if (vicinity->all == 0) {
        for (int k = 0; k < vicinity->count; k++) {
            boxes_judge_side(&judge->rows, b, vicinity->near[k], free);
        }
        sli_lasso_points(vicinity, b->position[0], b->position[1], side);
    }
    for (int i = 0; i < SLI_WIDTH; i++) {
        if (mine[i] && free[i] > 0 && side[i] != 0) {
            classes[i] = side[i] > 0 ? SLI_CLASS_IN : SLI_CLASS_OUT;
        }
    }
}

static bool is_known(const sli_lasso_vicinity *vicinity)
{
    return vicinity->all != 0 || vicinity->count >= 0;
}

/* Large boxes, which have too many sides nearby to look at together. */
static void boxes_judge_singly(const sli_judge *judge, const boxes *b, const bool mine[SLI_WIDTH],
                               uint8_t classes[SLI_WIDTH])
{
    for (int i = 0; i < SLI_WIDTH; i++) {
        const double low[2] = { b->low[0][i], b->low[1][i] };
        const double high[2] = { b->high[0][i], b->high[1][i] };
        sli_lasso_vicinity vicinity;
        if (mine[i]) {
            sli_lasso_look(&judge->region->lasso, low, high, &vicinity);
            if (is_known(&vicinity)) {
                bool one[SLI_WIDTH] = { false };
                one[i] = true;
                boxes_judge(judge, b, &vicinity, one, classes);
            }
        }
    }
}

/* Which boxes are worth asking about, and bounds of all of them. */
static bool boxes_choose(const sli_judge *judge, const sli_node_wide *node,
                         const bool before[SLI_WIDTH], const boxes *b, bool mine[SLI_WIDTH],
                         uint8_t classes[SLI_WIDTH], double low[2], double high[2])
{
    const double *bounds = judge->region->bounds;
    bool any = false;
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (int i = 0; i < SLI_WIDTH; i++) {
        const double x0 = b->low[0][i], y0 = b->low[1][i], x1 = b->high[0][i], y1 = b->high[1][i];
        mine[i] = before[i] && node->child[i] != SLI_REF_EMPTY && b->w.at[i] - b->w.by[i] > 0 &&
                  x0 <= x1 && y0 <= y1;
        classes[i] = SLI_CLASS_MIXED;
        if (mine[i] && (x0 > bounds[2] || y0 > bounds[3] || x1 < bounds[0] || y1 < bounds[1])) {
            classes[i] = SLI_CLASS_OUT;
            mine[i] = false;
        }
        if (mine[i]) {
            low[0] = x0 < low[0] ? x0 : low[0];
            low[1] = y0 < low[1] ? y0 : low[1];
            high[0] = x1 > high[0] ? x1 : high[0];
            high[1] = y1 > high[1] ? y1 : high[1];
            any = true;
        }
    }
    return any;
}

/* Boxes by all that is near them, or each alone. */
static void boxes_judge_lasso(const sli_judge *judge, const boxes *b, const bool mine[SLI_WIDTH],
                              const double low[2], const double high[2], uint8_t classes[SLI_WIDTH])
{
    sli_lasso_vicinity vicinity;
    sli_lasso_look(&judge->region->lasso, low, high, &vicinity);
    if (is_known(&vicinity)) {
        boxes_judge(judge, b, &vicinity, mine, classes);
    } else {
        boxes_judge_singly(judge, b, mine, classes);
    }
}

void sli_judge_shown(const sli_judge *judge, const sli_node_wide *node,
                     const bool before[SLI_WIDTH], uint8_t classes[SLI_WIDTH])
{
    const sli_row_local *rows = judge->rows.row;
    boxes b;
    bool mine[SLI_WIDTH];
    double low[2], high[2];
    boxes_take(node, &b);
    spread_row(&rows[SLI_ROW_X], &b, &b.x);
    spread_row(&rows[SLI_ROW_Y], &b, &b.y);
    spread_row(&rows[SLI_ROW_W], &b, &b.w);
    boxes_take_positions(&judge->rows, &b);
    if (!boxes_choose(judge, node, before, &b, mine, classes, low, high)) {
        return;
    }
    if (judge->region->kind == SL_REGION_LASSO) {
        boxes_judge_lasso(judge, &b, mine, low, high, classes);
        return;
    }
    for (int i = 0; i < SLI_WIDTH; i++) {
        const double rectangle[4] = { b.low[0][i], b.low[1][i], b.high[0][i], b.high[1][i] };
        if (mine[i]) {
            classes[i] = (uint8_t)sli_brush_class(judge->region, rectangle);
        }
    }
}

/* ---- Triangles ---- */

/* A row at all vertices of a block, [vertex][lane]. */
static void at_vertices(const sli_row_local *row, const sli_tri_pack *pack, double add,
                        double out[3][SLI_PACK])
{
    for (int vertex = 0; vertex < 3; vertex++) {
        for (int lane = 0; lane < SLI_PACK; lane++) {
            double sum = add;
            for (int axis = 0; axis < 3; axis++) {
                sum += row->n[axis] * (double)pack->axis[axis].vertex[vertex][lane];
            }
            out[vertex][lane] = sum;
        }
    }
}

/* Which triangles surely lie between the planes. */
static void block_between_planes(const sli_judge *judge, const sli_tri_pack *pack,
                                 bool between[SLI_PACK])
{
    double at[3][SLI_PACK];
    for (int lane = 0; lane < SLI_PACK; lane++) {
        between[lane] = true;
    }
    for (int i = 0; i <= SLI_JUDGE_W && !judge->is_between; i++) {
        at_vertices(&judge->row[i], pack, judge->row[i].low, at);
        for (int lane = 0; lane < SLI_PACK; lane++) {
            between[lane] &= at[0][lane] >= 0 && at[1][lane] >= 0 && at[2][lane] >= 0;
        }
    }
}

typedef struct corners {
    double x[3][SLI_PACK], y[3][SLI_PACK], off[SLI_PACK];
} corners;

/* Positions from rows, and what they are off by: with d of X and e of W, (d + |X / W| e) / (W - e)
 * at most, and a few roundings; INFINITY or NaN where W may be 0. */
static void block_corners(const sli_row_local *rows, const sli_tri_pack *pack, corners *out)
{
    const double e = off_by(&rows[SLI_ROW_W]);
    const double d = off_by(&rows[SLI_ROW_X]) + off_by(&rows[SLI_ROW_Y]);
    double w[3][SLI_PACK], least[SLI_PACK], size[SLI_PACK] = { 0 };
    at_vertices(&rows[SLI_ROW_X], pack, middle_of(&rows[SLI_ROW_X]), out->x);
    at_vertices(&rows[SLI_ROW_Y], pack, middle_of(&rows[SLI_ROW_Y]), out->y);
    at_vertices(&rows[SLI_ROW_W], pack, middle_of(&rows[SLI_ROW_W]), w);
    for (int lane = 0; lane < SLI_PACK; lane++) {
        const double both = w[0][lane] < w[1][lane] ? w[0][lane] : w[1][lane];
        least[lane] = (both < w[2][lane] ? both : w[2][lane]) - e;
    }
    for (int vertex = 0; vertex < 3; vertex++) {
        for (int lane = 0; lane < SLI_PACK; lane++) {
            const double by = 1 / w[vertex][lane];
            out->x[vertex][lane] *= by;
            out->y[vertex][lane] *= by;
            size[lane] += fabs(out->x[vertex][lane]) + fabs(out->y[vertex][lane]);
        }
    }
    for (int lane = 0; lane < SLI_PACK; lane++) {
        const double off = (d + size[lane] * e) / least[lane] * (1 + ROUNDING);
        out->off[lane] = least[lane] > 0 ? off + size[lane] * ROUNDING + 0x1p-149 : INFINITY;
    }
}

/* Which lanes have an estimate, their bounds and the largest error; the others repeat one of
 * them. */
static bool block_gather(const sli_tri_pack *pack, const bool between[SLI_PACK], corners *c,
                         bool mine[SLI_PACK], double low[2], double high[2], double *off)
{
    int any = -1;
    *off = 0;
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (int lane = 0; lane < SLI_PACK; lane++) {
        mine[lane] = pack->prim[lane] != SL_NONE && between[lane] && c->off[lane] < OFFSET_MAX;
        any = mine[lane] ? lane : any;
        *off = mine[lane] && c->off[lane] > *off ? c->off[lane] : *off;
    }
    for (int lane = 0; lane < SLI_PACK && any >= 0; lane++) {
        for (int vertex = 0; vertex < 3; vertex++) {
            if (!mine[lane]) {
                c->x[vertex][lane] = c->x[vertex][any];
                c->y[vertex][lane] = c->y[vertex][any];
            }
            const double x = c->x[vertex][lane], y = c->y[vertex][lane];
            low[0] = x < low[0] ? x : low[0];
            low[1] = y < low[1] ? y : low[1];
            high[0] = x > high[0] ? x : high[0];
            high[1] = y > high[1] ? y : high[1];
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        low[axis] -= *off + fabs(low[axis]) * ROUNDING;
        high[axis] += *off + fabs(high[axis]) * ROUNDING;
    }
    return any >= 0;
}

/* What is sure of a block's corners and sides. */
typedef struct sure {
    bool mine[SLI_PACK];
    int all; /* 1, -1: of all of mine */
    double side[3 * SLI_PACK], free[3 * SLI_PACK];
} sure;

/* False where nothing is. */
static bool block_judge(const sli_judge *judge, const sli_tri_pack *pack, sure *out)
{
    corners c;
    bool between[SLI_PACK];
    double low[2], high[2], off;
    sli_lasso_vicinity vicinity;
    block_between_planes(judge, pack, between);
    block_corners(judge->rows.row, pack, &c);
    if (!block_gather(pack, between, &c, out->mine, low, high, &off)) {
        return false;
    }
    sli_lasso_look(&judge->region->lasso, low, high, &vicinity);
    out->all = vicinity.all;
    if (vicinity.all == 0 && vicinity.count >= 0) {
        sli_lasso_triangles(&vicinity, &c.x[0][0], &c.y[0][0], off, out->side, out->free);
    }
    return is_known(&vicinity);
}

/* Corners from `from`, every SLI_PACK-th one.  One in the polygon is enough to touch it, one beside
 * it not to be inside; and one tells of all where no side is met. */
static sli_answer sure_answer(const sure *s, int from, int count, bool inside, bool free)
{
    const int wanted = inside ? -1 : 1;
    double any = 0;
    for (int i = 0; i < count; i++) {
        const double side = s->side[(from + i * SLI_PACK) % (3 * SLI_PACK)];
        if (side * wanted > 0) {
            return inside ? SLI_ANSWER_NO : SLI_ANSWER_YES;
        }
        any = side != 0 ? side : any;
    }
    return !free || any == 0 ? SLI_ANSWER_UNKNOWN : any > 0 ? SLI_ANSWER_YES : SLI_ANSWER_NO;
}

void sli_judge_triangles(const sli_judge *judge, const sli_tri_pack *pack, bool inside,
                         uint8_t answers[SLI_PACK])
{
    sure s;
    memset(answers, SLI_ANSWER_UNKNOWN, SLI_PACK);
    if (!block_judge(judge, pack, &s)) {
        return;
    }
    for (int lane = 0; lane < SLI_PACK; lane++) {
        const double *f = s.free + lane;
        const bool free = f[0] > 0 && f[SLI_PACK] > 0 && f[2 * SLI_PACK] > 0;
        if (s.mine[lane] && s.all != 0) {
            answers[lane] = s.all > 0 ? SLI_ANSWER_YES : SLI_ANSWER_NO;
        } else if (s.mine[lane]) {
            answers[lane] = (uint8_t)sure_answer(&s, lane, 3, inside, free);
        }
    }
}

void sli_judge_incidences(const sli_judge *judge, const sli_tri_pack *pack, int ends, bool inside,
                          uint8_t answers[3][SLI_PACK])
{
    sure s;
    memset(answers, SLI_ANSWER_UNKNOWN, 3 * sizeof answers[0]);
    if (!block_judge(judge, pack, &s)) {
        return;
    }
    for (int i = 0; i < 3 * SLI_PACK; i++) {
        uint8_t *answer = &answers[i / SLI_PACK][i % SLI_PACK];
        if (s.mine[i % SLI_PACK] && s.all != 0) {
            *answer = s.all > 0 ? SLI_ANSWER_YES : SLI_ANSWER_NO;
        } else if (s.mine[i % SLI_PACK]) {
            *answer = (uint8_t)sure_answer(&s, i, ends, inside, ends == 1 || s.free[i] > 0);
        }
    }
}
