/* judge.h: boxes of a tree against a region, by rows (bvh/pick/screen.h) taken to the tree's
 * space: what is sure about the outlines of all triangles in them.
 *
 * Slack    rows bound what sli_view_clip computes of a point; cutting at planes rounds a few times
 *          more, by less than the same share of the same sizes, so slacks are doubled here.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/pick/screen.h"
#include "bvh/select/region/region.h"

#include <string.h>

enum {
    SLI_JUDGE_NEAR,
    SLI_JUDGE_FAR,
    SLI_JUDGE_W,
    SLI_JUDGE_LEFT,
    SLI_JUDGE_TOP,
    SLI_JUDGE_RIGHT,
    SLI_JUDGE_BOTTOM,
    SLI_JUDGE_COUNT
};

/* A region seen from the world: rows that are not negative between the planes, and within its
 * bounds. */
typedef struct sli_judge_rows {
    sli_row row[SLI_JUDGE_COUNT];
} sli_judge_rows;

typedef struct sli_judge {
    const sli_region *region;
    bool is_between; /* the near and the far plane: the whole tree */
    sli_row_local row[SLI_JUDGE_COUNT];
    sli_screen_rows_local rows; /* where the region is no rectangle */
} sli_judge;

void sli_judge_rows_make(const sli_screen *screen, const sli_region *region, sli_judge_rows *out);
/* bounds: of the tree, or of what is asked about in it. */
void sli_judge_make(const sli_screen *screen, const sli_region *region, const sli_judge_rows *rows,
                    const sli_screen_space *space, const sl_aabb *bounds, sli_judge *out);

/* The children of a node: OUT: no outline there touches the region, nor is one inside; IN: all are
 * uncut and inside. */
void sli_judge_children(const sli_judge *judge, const sli_node_wide *node,
                        uint8_t classes[SLI_WIDTH]);

sli_class sli_judge_box(const sli_judge *judge, const sl_aabb *box);

/* The same against a lasso or a brush, of children of which `before` says that they surely lie
 * between the planes; others are MIXED (judge_shown.c). */
void sli_judge_shown(const sli_judge *judge, const sli_node_wide *node,
                     const bool before[SLI_WIDTH], uint8_t classes[SLI_WIDTH]);

typedef enum sli_answer { SLI_ANSWER_UNKNOWN, SLI_ANSWER_NO, SLI_ANSWER_YES } sli_answer;

/* Of the triangles of a leaf, against a lasso: whether it touches their outlines; inside: whether
 * they are inside. */
void sli_judge_triangles(const sli_judge *judge, const sli_tri_pack *pack, bool inside,
                         uint8_t answers[SLI_PACK]);

/* The same of their three corners, ends 1, or sides, ends 2: from each corner to the next one. */
void sli_judge_incidences(const sli_judge *judge, const sli_tri_pack *pack, int ends, bool inside,
                          uint8_t answers[3][SLI_PACK]);

/* The same below a node whose own class is known. */
static inline void sli_judge_below(const sli_judge *judge, uint8_t above, const sli_node_wide *node,
                                   uint8_t classes[SLI_WIDTH])
{
    if (above != SLI_CLASS_MIXED) {
        memset(classes, above, SLI_WIDTH);
    } else {
        sli_judge_children(judge, node, classes);
    }
}

/* From what a selection of a tree that the regions leave open is best made: SLI_CLASS_IN, as if
 * everything was selected before; SLI_CLASS_OUT, as if nothing was; or SLI_CLASS_MIXED, from what
 * it is.  Adds the boxes that were looked at. */
uint8_t sli_judge_start(const sl_bvh *tree, const sli_judge *was, const sli_judge *is,
                        uint8_t root_was, uint8_t root_is, uint64_t *boxes);
