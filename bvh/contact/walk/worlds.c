/* Pairs of triangles of two worlds: down both top trees to pairs of instances; and such walks cut
 * into parts. */
#include "bvh/contact/walk/parts.h"
#include "bvh/kernel/instance/intersect.h"

#include <math.h>
#include <string.h>

/* A walk on its way through two worlds. */
typedef struct world_walk {
    sli_walk *walk;
    const sli_world *world[2];
    const sl_transform *under;
} world_walk;

/* A block of instances: their boxes, and their numbers. */
typedef struct walk_block {
    sli_boxes8 boxes;
    uint32_t instance[SLI_WIDTH];
} walk_block;

static void block_open(const sl_bvh *top, uint32_t ref, walk_block *block, sli_siblings *out)
{
    sli_tri_pack buffer;
    const sli_tri_pack *pack = sli_tree_pack(top, ref, &buffer);
    *out = (sli_siblings){ .boxes = &block->boxes, .ref = block->instance };
    for (int lane = 0; lane < SLI_WIDTH; lane++) {
        const int from = lane % SLI_PACK;
        block->instance[lane] = pack->prim[from];
        out->there |= (uint32_t)(lane == from && pack->prim[from] != SL_NONE) << lane;
        for (int axis = 0; axis < 3; axis++) {
            block->boxes.at[axis][0][lane] = pack->axis[axis].vertex[0][from];
            block->boxes.at[axis][1][lane] = pack->axis[axis].vertex[1][from];
        }
    }
}

/* Whether the pair is of interest. */
static bool walk_wants(const world_walk *w, uint32_t i, uint32_t j)
{
    const sli_walk *walk = w->walk;
    return sli_world_selects(&walk->a, &w->world[0]->transformed[i], i) &&
           sli_world_selects(&walk->b, &w->world[1]->transformed[j], j) &&
           (walk->instances == NULL || walk->instances(walk->context, i, j));
}

bool sli_walk_move(const sl_transform *under, const sli_transformed *b, sli_transformed *out)
{
    sl_transform product;
    sli_world_box box;
    return sl_transform_product(under, &b->transform, &product) &&
           sli_transformed_make(b->tree, &product, sli_transformed_grid(b), b->mask, out, &box) ==
               SLI_TRANSFORM_OK;
}

static bool walk_pair(world_walk *w, uint32_t i, uint32_t j)
{
    const sli_transformed *a = &w->world[0]->transformed[i], *b = &w->world[1]->transformed[j];
    sli_transformed moved;
    if (!walk_wants(w, i, j) || (w->under != NULL && !sli_walk_move(w->under, b, &moved))) {
        return true;
    }
    return sli_walk_instances(w->walk, a, i, w->under != NULL ? &moved : b, j);
}

/* Pairs of instances of two blocks of the top trees: their numbers. */
static int walk_numbers(const world_walk *w, const sli_dual *dual, const sli_node_pair *from,
                        sli_node_pair out[SLI_DUAL_SPLIT])
{
    walk_block blocks[2];
    sli_siblings siblings[2];
    for (int side = 0; side < 2; side++) {
        block_open(w->world[side]->top, from->ref[side], &blocks[side], &siblings[side]);
    }
    return sli_dual_pairs(dual, siblings, false, out);
}

static bool walk_blocks(void *context, sli_dual *dual, const sli_node_pair *from)
{
    world_walk *w = context;
    sli_node_pair pairs[SLI_DUAL_SPLIT];
    int count = walk_numbers(w, dual, from, pairs);
    while (count > 0) {
        const sli_node_pair *pair = &pairs[--count];
        if ((!dual->apart || pair->gap <= dual->limit) &&
            !walk_pair(w, pair->ref[0], pair->ref[1])) {
            return false;
        }
        sli_dual_set_margin(dual, w->walk->margin);
    }
    return true;
}

/* Beyond this no product is usable (carry.h). */
static bool is_in_range(const sl_transform *under)
{
    bool in_range = true;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 4; k++) {
            in_range = in_range && fabs(under->m[axis][k]) < 0x1p600;
        }
    }
    return in_range;
}

void sli_walk_tell(const sli_walk *walk, sli_dual *dual)
{
    dual->mask[0] = walk->a.mask;
    dual->mask[1] = walk->b.mask;
    dual->nearest_first = walk->nearest_first;
    dual->deepest_first = walk->deepest_first;
    sli_dual_set_margin(dual, walk->margin);
}

static bool walk_from(world_walk *w, const sli_node_pair *from)
{
    sli_world_sizes sizes;
    sli_dual dual;
    if (w->under != NULL) {
        sli_world_sizes_find(w->world[1], &sizes);
    }
    sli_dual_of_tops(w->world[0], w->world[1], w->under, &sizes, &dual);
    sli_walk_tell(w->walk, &dual);
    return sli_dual_walk(&dual, from, walk_blocks, w, w->walk->stats);
}

bool sli_walk_worlds(sli_walk *walk, const sli_world *a, const sli_world *b,
                     const sl_transform *under)
{
    world_walk w = { .walk = walk, .world = { a, b }, .under = under };
    sli_node_pair root;
    return !sli_dual_root(a->top, b->top, &root) || (under != NULL && !is_in_range(under)) ||
           walk_from(&w, &root);
}

/* ---- In parts ---- */

static bool is_of_tops(const sli_walk_part *part)
{
    return part->instance[0] == SL_NONE;
}

static bool ends_in_leaves(const sli_walk_part *part)
{
    return (part->from.ref[0] & part->from.ref[1] & SLI_REF_LEAF) != 0;
}

/* The pairs of instances that a part in the top trees comes to at once. */
static size_t part_enter(const world_walk *w, const sli_dual *tops, const sli_walk_part *part,
                         sli_walk_part *out)
{
    sli_node_pair pairs[SLI_DUAL_SPLIT];
    const int count = walk_numbers(w, tops, &part->from, pairs);
    size_t entered = 0;
    for (int i = 0; i < count; i++) {
        const uint32_t a = pairs[i].ref[0], b = pairs[i].ref[1];
        sli_walk_part *to = &out[entered];
        *to = (sli_walk_part){ .instance = { a, b } };
        entered +=
            walk_wants(w, a, b) && sli_dual_root(w->world[0]->transformed[a].tree,
                                                 w->world[1]->transformed[b].tree, &to->from);
    }
    return entered;
}

/* What a part that may be split becomes. */
static size_t part_split(const world_walk *w, const sli_dual *tops, const sli_walk_part *part,
                         sli_walk_part *out)
{
    sli_dual dual;
    sli_node_pair pairs[SLI_DUAL_SPLIT];
    const uint32_t *instance = part->instance;
    if (is_of_tops(part) && ends_in_leaves(part)) {
        return part_enter(w, tops, part, out);
    }
    if (!is_of_tops(part)) {
        sli_walk_dual(w->walk, &w->world[0]->transformed[instance[0]],
                      &w->world[1]->transformed[instance[1]], &dual);
    }
    const int count =
        sli_dual_split(is_of_tops(part) ? tops : &dual, &part->from, false, pairs, w->walk->stats);
    for (int i = 0; i < count; i++) {
        out[i] = (sli_walk_part){ .instance = { instance[0], instance[1] }, .from = pairs[i] };
    }
    return (size_t)count;
}

/* Takes parts from the front and puts what they become behind the others. */
size_t sli_walk_cut(sli_walk *walk, const sli_world *a, const sli_world *b,
                    sli_walk_part parts[SLI_WALK_PARTS])
{
    world_walk w = { .walk = walk, .world = { a, b } };
    sli_dual tops;
    size_t first = 0, count = 1, whole = 0; /* the last ones that were found to be so */
    parts[0] = (sli_walk_part){ .instance = { SL_NONE, SL_NONE } };
    if (!sli_dual_root(a->top, b->top, &parts[0].from)) {
        return 0;
    }
    sli_dual_of_tops(a, b, NULL, NULL, &tops);
    sli_walk_tell(walk, &tops);
    while (whole < count && count < SLI_WALK_PARTS - 2 * SLI_DUAL_SPLIT) {
        const sli_walk_part next = parts[first++];
        if (first + count > SLI_WALK_PARTS - SLI_DUAL_SPLIT) {
            memmove(parts, parts + first, (count - 1) * sizeof *parts);
            first = 0;
        }
        sli_walk_part *end = parts + first + --count;
        if (!is_of_tops(&next) && ends_in_leaves(&next)) {
            *end = next;
            count++;
            whole++;
        } else {
            count += part_split(&w, &tops, &next, end);
            whole = 0;
        }
    }
    memmove(parts, parts + first, count * sizeof *parts);
    return count;
}

bool sli_walk_part_of(sli_walk *walk, const sli_world *a, const sli_world *b,
                      const sli_walk_part *part)
{
    world_walk w = { .walk = walk, .world = { a, b } };
    const uint32_t i = part->instance[0], j = part->instance[1];
    return is_of_tops(part) ? walk_from(&w, &part->from)
                            : sli_walk_instances_from(walk, &a->transformed[i], i,
                                                      &b->transformed[j], j, &part->from);
}
