/* TOUCHED and INSIDE: down the tree over the instances and down theirs, to where the region before
 * and the region now tell boxes apart.
 *
 * Classes  a box that lies beside both regions, or in both, is left; one that came to lie beside
 *          the region or in it is taken whole.  Outlines themselves are tested where the region now
 *          leaves a box open, and those of triangles that were cut for the tree always: a box holds
 *          only a part of these, and each part that a region may meet is in some box that is
 *          visited. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/pick/visibility.h"
#include "bvh/query/visit.h"
#include "bvh/select/elements.h"
#include "bvh/select/modes.h"
#include "bvh/select/outline.h"

typedef struct walk {
    sl_selection *s;
    const sli_region *region[2]; /* before and now, as all pairs here */
    sli_judge_rows rows[2];
    sli_judge top[2], local[2];
    uint32_t instance;
    const sl_bvh *tree; /* of the instance; NULL: in the tree over the instances */
    /* The last two are about an instance as a whole. */
    bool any, all; /* of the triangles so far one is selected, and all are */
    bool stop;     /* that is decided */
} walk;

/* Not judged yet, and like no other class. */
enum { UNKNOWN = 3 };

static bool is_alike(uint8_t was, uint8_t is)
{
    return was == is && was != SLI_CLASS_MIXED;
}

static bool outline_is_selected(const walk *w, const double (*clip)[4], int count)
{
    sli_outline outline;
    sli_outline_make(&w->s->screen.view, clip, count, &outline);
    w->s->info.tested++;
    return w->s->mode == SL_SELECT_INSIDE ? sli_outline_is_inside(&outline, w->region[1])
                                          : sli_outline_touches(&outline, w->region[1]);
}

/* ---- Items ---- */

static void walk_set_all(walk *w, uint32_t prim, bool selected)
{
    const uint32_t count = sli_incidences_per_prim(w->s);
    for (uint32_t k = 0; k < count; k++) {
        sli_set_incidence(w->s, w->instance, prim, k, selected, selected);
    }
}

static void walk_set_corner(walk *w, uint32_t prim, uint32_t k, double clip[3][4])
{
    const bool selected = outline_is_selected(w, (const double(*)[4])clip[k], 1);
    sli_set_incidence(w->s, w->instance, prim, k, selected, selected);
}

static void walk_set_side(walk *w, uint32_t prim, uint32_t k, double clip[3][4])
{
    double ends[2][4];
    memcpy(ends[0], clip[k], sizeof ends[0]);
    memcpy(ends[1], clip[(k + 1) % 3], sizeof ends[1]);
    const bool selected = outline_is_selected(w, (const double(*)[4])ends, 2);
    sli_outline outline;
    bool whole = false;
    if (selected && w->s->mode == SL_SELECT_VISIBLE) {
        sli_outline_make(&w->s->screen.view, (const double(*)[4])ends, 2, &outline);
        whole = sli_outline_is_inside(&outline, w->region[1]);
    }
    sli_set_incidence(w->s, w->instance, prim, k, selected, whole);
}

/* A triangle whose answer is known, with all its sides or corners. */
static void walk_take(walk *w, uint32_t prim, bool selected)
{
    if (w->s->unit != SL_SELECT_INSTANCES) {
        walk_set_all(w, prim, selected);
    }
    w->any |= selected;
    w->all &= selected;
}

static void walk_to_world(const walk *w, const sli_tri_pack *pack, int lane, double v[3][3])
{
    sl_triangle triangle = sli_lane_triangle(pack, lane);
    sli_world_corners(&w->s->bvh->world.transformed[w->instance], triangle.v, v);
}

/* Whether the options leave a triangle in. */
static bool walk_has(const walk *w, const sli_tri_pack *pack, int lane)
{
    const sl_selection *s = w->s;
    const sl_triangle_ref ref = { w->instance, pack->prim[lane] };
    double v[3][3];
    if (!sli_item_has(&s->ray.item, ref, pack->mask[lane])) {
        return false;
    }
    if (s->ray.cull == SL_CULL_NONE) {
        return true;
    }
    walk_to_world(w, pack, lane, v);
    return !sli_triangle_is_culled(&s->screen.eye, &s->ray, &s->bvh->world.transformed[w->instance],
                                   (const double(*)[3])v);
}

static void walk_corners(const walk *w, const sli_tri_pack *pack, int lane, double clip[3][4])
{
    double v[3][3];
    walk_to_world(w, pack, lane, v);
    for (int corner = 0; corner < 3; corner++) {
        sli_view_clip(&w->s->screen.view, v[corner], clip[corner]);
    }
}

static void walk_test_triangle(walk *w, const sli_tri_pack *pack, int lane)
{
    double clip[3][4];
    walk_corners(w, pack, lane, clip);
    walk_take(w, pack->prim[lane], outline_is_selected(w, (const double(*)[4])clip, 3));
}

/* Sides or corners, by what is sure of them. */
static void walk_test_incidences(walk *w, const sli_tri_pack *pack, int lane,
                                 const uint8_t answers[3][SLI_PACK])
{
    double clip[3][4];
    bool taken = false;
    for (uint32_t k = 0; k < 3; k++) {
        if (answers[k][lane] != SLI_ANSWER_UNKNOWN) {
            const bool selected = answers[k][lane] == SLI_ANSWER_YES;
            w->s->info.tested++;
            sli_set_incidence(w->s, w->instance, pack->prim[lane], k, selected, selected);
            continue;
        }
        if (!taken) {
            walk_corners(w, pack, lane, clip);
            taken = true;
        }
        if (w->s->unit == SL_SELECT_EDGES) {
            walk_set_side(w, pack->prim[lane], k, clip);
        } else {
            walk_set_corner(w, pack->prim[lane], k, clip);
        }
    }
}

static bool walk_is_decided(const walk *w)
{
    return w->s->unit == SL_SELECT_INSTANCES && (w->s->mode == SL_SELECT_INSIDE ? !w->all : w->any);
}

/* What is sure of a block's triangles, or of their sides or corners, without exact outlines. */
static void walk_estimate(const walk *w, const sli_spot *leaf, const sli_tri_pack *pack,
                          uint8_t answers[3][SLI_PACK])
{
    const sl_selection *s = w->s;
    const bool inside = s->mode == SL_SELECT_INSIDE;
    memset(answers, SLI_ANSWER_UNKNOWN, 3 * sizeof answers[0]);
    if (leaf->is != SLI_CLASS_MIXED || w->region[1]->kind != SL_REGION_LASSO) {
        return;
    }
    if (s->unit < SL_SELECT_EDGES) {
        sli_judge_triangles(&w->local[1], pack, inside, answers[0]);
    } else if (s->mode != SL_SELECT_VISIBLE) {
        const int ends = s->unit == SL_SELECT_EDGES ? 2 : 1;
        sli_judge_incidences(&w->local[1], pack, ends, inside, answers);
    }
}

static bool walk_block(void *context, const sli_spot *leaf)
{
    walk *w = context;
    sli_tri_pack buffer;
    const sli_tri_pack *pack = sli_tree_pack(w->tree, leaf->ref, &buffer);
    uint8_t answers[3][SLI_PACK];
    walk_estimate(w, leaf, pack, answers);
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        const bool open = leaf->is == SLI_CLASS_MIXED || sli_pack_is_split(pack, lane);
        if (!walk_has(w, pack, lane)) {
            continue;
        }
        if (!open) {
            walk_take(w, pack->prim[lane], leaf->is == SLI_CLASS_IN);
        } else if (w->s->unit >= SL_SELECT_EDGES) {
            walk_test_incidences(w, pack, lane, (const uint8_t(*)[SLI_PACK])answers);
        } else if (answers[0][lane] != SLI_ANSWER_UNKNOWN) {
            w->s->info.tested++;
            walk_take(w, pack->prim[lane], answers[0][lane] == SLI_ANSWER_YES);
        } else {
            walk_test_triangle(w, pack, lane);
        }
    }
    w->stop = walk_is_decided(w);
    return !w->stop;
}

/* ---- Trees ---- */

/* Whether the class of a child says all that there is to say of an instance as a whole. */
static bool walk_is_said(walk *w, uint8_t is)
{
    const sl_selection *s = w->s;
    const bool touched = s->mode == SL_SELECT_TOUCHED;
    if (s->unit != SL_SELECT_INSTANCES || is == SLI_CLASS_MIXED || w->tree == NULL) {
        return false;
    }
    if (touched && is == SLI_CLASS_OUT) {
        return true; /* what else a cut triangle has is in other boxes */
    }
    if (!s->plain || w->tree->info.reference_count != w->tree->info.triangle_count) {
        return false;
    }
    w->any |= is == SLI_CLASS_IN;
    w->all &= is == SLI_CLASS_IN;
    w->stop = walk_is_decided(w);
    return true;
}

/* Whether bits of blocks can be written without a test. */
static bool walk_is_quick(const walk *w)
{
    const sl_selection *s = w->s;
    return s->incidence_words == s->words && s->plain && s->unit <= SL_SELECT_TRIANGLES &&
           s->unit != SL_SELECT_INSTANCES && w->tree != NULL &&
           w->tree->info.reference_count == w->tree->info.triangle_count;
}

/* How far ahead of a block memory is prefetched. */
enum { AHEAD = 2048 };

/* All triangles below a node, which is contiguous in memory.  The stack has numbers alone: with the
 * spots of query/visit.h the walk would copy more than it looks at. */
static void walk_fill(walk *w, uint32_t root, bool selected)
{
    sl_selection *s = w->s;
    uint64_t *to = s->words + s->offset[w->instance], changed = 0;
    uint32_t stack[SLI_STACK];
    int size = 0;
    stack[size++] = root;
    while (size > 0) {
        const uint32_t ref = stack[--size];
        if ((ref & SLI_REF_LEAF) == 0) {
            const sli_node_wide *node = sli_tree_node(w->tree, ref);
            for (int child = SLI_WIDTH - 1; child >= 0; child--) {
                if (node->child[child] != SLI_REF_EMPTY) {
                    stack[size++] = node->child[child];
                }
            }
            continue;
        }
        const uint32_t *ids = sli_tree_ids(w->tree, ref);
        __builtin_prefetch((const char *)ids + AHEAD);
        for (int lane = 0; lane < SLI_PACK && ids[lane] != SL_NONE; lane++) {
            uint64_t *word = &to[ids[lane] / 64];
            const uint64_t bit = *word >> (ids[lane] % 64) & 1;
            changed += bit ^ (uint64_t)selected;
            *word ^= (bit ^ (uint64_t)selected) << (ids[lane] % 64);
        }
    }
    s->selected[w->instance] += selected ? changed : 0 - changed;
    s->info.selected += selected ? changed : 0 - changed;
}

/* Reads the first lines of a node or block ahead of its turn. */
static void walk_prefetch(const sl_bvh *tree, uint32_t ref)
{
    const char *at = (const char *)sli_tree_node(tree, ref & SLI_REF_LINE);
    for (int line = 0; line < SLI_PACK_LINES; line++) {
        __builtin_prefetch(at + 64 * line);
    }
}

/* What is filled at once needs no more. */
static bool walk_wants(void *context, const sli_spot *spot)
{
    walk *w = context;
    if (!w->stop && spot->is != SLI_CLASS_MIXED && walk_is_quick(w)) {
        walk_fill(w, spot->ref, spot->is == SLI_CLASS_IN);
        return false;
    }
    return !w->stop;
}

/* Children from the last to the first, so that blocks come as they lie in memory. */
static int walk_children(void *context, const sli_spot *spot, const sli_node_wide *node,
                         sli_spot out[SLI_WIDTH])
{
    walk *w = context;
    uint8_t before[SLI_WIDTH], now[SLI_WIDTH];
    int count = 0;
    const sli_judge *judges = w->tree != NULL ? w->local : w->top;
    sli_judge_below(&judges[0], spot->was, node, before);
    sli_judge_below(&judges[1], spot->is, node, now);
    w->s->info.boxes += SLI_WIDTH;
    for (int child = SLI_WIDTH - 1; child >= 0; child--) {
        if (node->child[child] != SLI_REF_EMPTY && !is_alike(before[child], now[child]) &&
            !walk_is_said(w, now[child])) {
            out[count].ref = node->child[child];
            out[count].was = before[child];
            out[count++].is = now[child];
            walk_prefetch(w->tree != NULL ? w->tree : w->s->bvh->world.top, node->child[child]);
        }
    }
    return count;
}

/* Whether all elements of an instance can be set at once, without looking at any. */
static bool walk_can_set_whole(const walk *w)
{
    const sl_selection *s = w->s;
    return s->incidence_words == s->words && s->plain && s->unit != SL_SELECT_INSTANCES &&
           w->tree->triangle_count == w->tree->prim_count;
}

static void walk_set_whole(walk *w, bool selected)
{
    sl_selection *s = w->s;
    const uint32_t instance = w->instance;
    const uint64_t count = s->bit_count[instance], words = (count + 63) / 64;
    uint64_t *to = s->words + s->offset[instance];
    memset(to, selected ? 0xFF : 0, (size_t)words * sizeof *to);
    if (selected && count % 64 != 0) {
        to[words - 1] = (1ull << (count % 64)) - 1;
    }
    s->info.selected += (selected ? count : 0) - s->selected[instance];
    s->selected[instance] = selected ? count : 0;
}

/* Writes everything or nothing first, where less is then left to write. */
static void walk_begin_near(walk *w, sli_spot *root)
{
    if (!walk_can_set_whole(w)) {
        return;
    }
    const uint8_t start = sli_judge_start(w->tree, &w->local[0], &w->local[1], root->was, root->is,
                                          &w->s->info.boxes);
    if (start != SLI_CLASS_MIXED) {
        walk_set_whole(w, start == SLI_CLASS_IN);
        root->was = start;
    }
}

static void walk_descend(walk *w, sli_spot root)
{
    static const sli_descent down = { walk_wants, walk_children, walk_block, false };
    sli_descend(w->tree, root, &down, w);
}

/* An instance as a whole, whose answer does not go by what it was. */
static void walk_set_instance(walk *w, sli_spot root)
{
    sl_selection *s = w->s;
    w->any = false;
    w->all = true;
    root.was = UNKNOWN;
    if (root.is == SLI_CLASS_MIXED || !s->plain) {
        walk_descend(w, root);
    } else {
        w->any = w->all = root.is == SLI_CLASS_IN;
    }
    w->stop = false;
    const bool selected = s->mode == SL_SELECT_INSIDE ? w->all && w->any : w->any;
    if (sli_bit(s->words + s->offset[w->instance], 0) != selected) {
        sli_count_element(s, w->instance, 0, selected ? 1 : -1);
    }
}

static void walk_instance(walk *w, uint32_t instance, const sli_spot *leaf)
{
    sl_selection *s = w->s;
    const sli_transformed *transformed = &s->bvh->world.transformed[instance];
    uint8_t classes[2] = { leaf->was, leaf->is };
    if (!sli_has_instance(s, instance)) {
        return;
    }
    w->instance = instance;
    w->tree = transformed->tree;
    const sl_aabb *bounds = &transformed->tree->bounds;
    sli_screen_space space;
    if (classes[0] == SLI_CLASS_MIXED || classes[1] == SLI_CLASS_MIXED) {
        sli_screen_to_object(&s->screen, transformed, &space);
    }
    for (int i = 0; i < 2; i++) {
        if (classes[i] == SLI_CLASS_MIXED) {
            sli_judge_make(&s->screen, w->region[i], &w->rows[i], &space, bounds, &w->local[i]);
            classes[i] = (uint8_t)sli_judge_box(&w->local[i], bounds);
        }
    }
    const uint8_t is = classes[1];
    if (is_alike(classes[0], is)) {
        return;
    }
    sli_spot root = { .was = classes[0], .is = is };
    if (s->unit == SL_SELECT_INSTANCES) {
        walk_set_instance(w, root);
    } else if (is != SLI_CLASS_MIXED && walk_can_set_whole(w)) {
        walk_set_whole(w, is == SLI_CLASS_IN);
    } else {
        walk_begin_near(w, &root);
        walk_descend(w, root);
    }
}

static bool walk_instances(void *context, const sli_spot *leaf)
{
    walk *w = context;
    sli_tri_pack buffer;
    const sli_tri_pack *pack = sli_tree_pack(w->s->bvh->world.top, leaf->ref, &buffer);
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        walk_instance(w, pack->prim[lane], leaf);
    }
    w->tree = NULL;
    return true;
}

void sli_select_outlines(sl_selection *s)
{
    static const sli_descent down = { walk_wants, walk_children, walk_instances, false };
    const sl_bvh *top = s->bvh->world.top;
    walk w; /* the rest of which is written when it is needed */
    w.s = s;
    w.any = w.all = false; /* which other units write to, too, and do not read */
    w.region[0] = &s->regions[!s->current];
    w.region[1] = &s->regions[s->current];
    w.stop = false;
    w.tree = NULL;
    if (top->root == SLI_REF_EMPTY) {
        return;
    }
    sli_screen_space space;
    sli_screen_to_top(&s->screen, &s->bvh->world, &space);
    for (int i = 0; i < 2; i++) {
        sli_judge_rows_make(&s->screen, w.region[i], &w.rows[i]);
        sli_judge_make(&s->screen, w.region[i], &w.rows[i], &space, &top->bounds, &w.top[i]);
    }
    sli_descend(top, (sli_spot){ .is = SLI_CLASS_MIXED }, &down, &w);
}
