/* The masks below each child: child_masks.h.  Depth-first, as the lines are: a node's blocks, then
 * the subtrees below it, so that all of it is read in order. */
#include "bvh/tree/fill_child_masks.h"

#include "lib/base/memory.h"

#include <string.h>

/* A count of up to 8 * SLI_MASK_SAMPLE. */
enum { COUNT_BITS = 10 };

static uint32_t *words_of(const sl_bvh *tree, uint32_t line)
{
    return tree->child_masks.words + sli_child_mask_at(line);
}

static uint32_t *sample_of(const sl_bvh *tree)
{
    return tree->child_masks.words + (tree->child_masks.capacity - SLI_MASK_SAMPLE);
}

/* The OR of the masks of a block's triangles; lanes that are not in use have none. */
static uint32_t mask_of_block(const sl_bvh *tree, uint32_t ref)
{
    const void *at = sli_tree_block(tree, ref);
    uint32_t all = 0;
    if (tree->vertices == NULL) {
        const sli_tri_pack *pack = at;
        return pack->mask[0] | pack->mask[1] | pack->mask[2] | pack->mask[3];
    }
    const sli_tri_index *block = at;
    for (int lane = 0; lane < SLI_PACK && block->id[lane] != SL_NONE; lane++) {
        all |= tree->masks != NULL ? tree->masks[block->id[lane]] : UINT32_MAX;
    }
    return all;
}

/* The OR of a node's words in use. */
static uint32_t mask_of_node(const sl_bvh *tree, uint32_t line)
{
    const sli_node_wide *node = sli_tree_node(tree, line);
    const uint32_t *words = words_of(tree, line);
    uint32_t all = 0;
    for (int child = 0; child < SLI_WIDTH; child++) {
        all |= node->child[child] != SLI_REF_EMPTY ? words[child] : 0;
    }
    return all;
}

/* What the word of a child should be; below it words are right. */
static uint32_t word_of(const sl_bvh *tree, uint32_t ref)
{
    if (ref == SLI_REF_EMPTY) {
        return UINT32_MAX;
    }
    return (ref & SLI_REF_LEAF) != 0 ? mask_of_block(tree, ref)
                                     : mask_of_node(tree, ref & SLI_REF_LINE);
}

bool sli_child_masks_reserve(sl_bvh *tree)
{
    sli_child_masks *masks = &tree->child_masks;
    const size_t count = sli_child_mask_count(tree->line_count);
    if (masks->capacity == count) {
        return true;
    }
    uint32_t *words = sli_alloc_large(&tree->allocator, count, sizeof *words);
    if (words == NULL) {
        return false;
    }
    sli_free_array(&tree->allocator, masks->words, masks->capacity, sizeof *masks->words);
    masks->words = words;
    masks->capacity = count;
    masks->filled = masks->present = false;
    return true;
}

void sli_child_masks_forget(sl_bvh *tree)
{
    sli_child_masks_clear(&tree->child_masks);
    tree->child_masks.known = false;
}

void sli_child_masks_join(sl_bvh *tree, uint32_t line, uint32_t children)
{
    const sli_node_wide *node = sli_tree_node(tree, line);
    uint32_t *words = words_of(tree, line);
    for (; children != 0; children &= children - 1) {
        const int child = __builtin_ctz(children);
        words[child] = word_of(tree, node->child[child]);
    }
}

/* A node on the way down, and which of its children comes next. */
typedef struct visit {
    uint32_t line;
    int child;
} visit;

/* Nodes come in the order of their lines: the first one at or behind each of SLI_MASK_SAMPLE equal
 * steps is in the sample. */
static void add_to_sample(sl_bvh *tree, uint32_t line)
{
    sli_child_masks *masks = &tree->child_masks;
    const size_t step = tree->line_count / SLI_MASK_SAMPLE;
    if (masks->sample_count < SLI_MASK_SAMPLE && line >= masks->sample_count * step) {
        sample_of(tree)[masks->sample_count++] = line;
    }
}

static void fill_below(sl_bvh *tree, uint32_t root, bool sample)
{
    visit stack[SLI_MAX_DEPTH];
    int top = 0;
    if (sample) {
        add_to_sample(tree, root);
    }
    stack[top++] = (visit){ root, 0 };
    while (top > 0) {
        visit *at = &stack[top - 1];
        const sli_node_wide *node = sli_tree_node(tree, at->line);
        while (at->child < SLI_WIDTH && (node->child[at->child] & SLI_REF_LEAF) != 0) {
            at->child++;
        }
        if (at->child < SLI_WIDTH) {
            const uint32_t line = node->child[at->child++] & SLI_REF_LINE;
            if (sample) {
                add_to_sample(tree, line);
            }
            stack[top++] = (visit){ line, 0 };
        } else {
            sli_child_masks_join(tree, at->line, 0xFF);
            top--;
        }
    }
}

void sli_child_masks_fill_below(sl_bvh *tree, uint32_t line)
{
    fill_below(tree, line, false);
}

/* How many words of the sample lack each bit, all bits of a word at a time: bit k of counts[i] is
 * bit i of the number for mask bit k. */
static void count_lacking(const sl_bvh *tree, uint32_t counts[COUNT_BITS])
{
    const sli_child_masks *masks = &tree->child_masks;
    memset(counts, 0, COUNT_BITS * sizeof *counts);
    for (uint32_t i = 0; i < masks->sample_count; i++) {
        const uint32_t *words = words_of(tree, sample_of(tree)[i]);
        for (int child = 0; child < SLI_WIDTH; child++) {
            uint32_t carry = ~words[child];
            for (int k = 0; k < COUNT_BITS; k++) {
                const uint32_t sum = counts[k] ^ carry;
                carry &= counts[k];
                counts[k] = sum;
            }
        }
    }
}

static uint32_t children_of_sample(const sl_bvh *tree)
{
    const sli_child_masks *masks = &tree->child_masks;
    uint32_t used = 0;
    for (uint32_t i = 0; i < masks->sample_count; i++) {
        const sli_node_wide *node = sli_tree_node(tree, sample_of(tree)[i]);
        for (int child = 0; child < SLI_WIDTH; child++) {
            used += node->child[child] != SLI_REF_EMPTY;
        }
    }
    return used;
}

/* The bits whose number is at least this, all bits at a time, from the highest digit down.  Without
 * a shift by a number that differs from bit to bit, which compilers make of conversions between
 * floats and integers, and those may trap. */
static uint32_t bits_from(const uint32_t counts[COUNT_BITS], uint32_t least)
{
    uint32_t more = 0, equal = UINT32_MAX;
    for (int k = COUNT_BITS - 1; k >= 0; k--) {
        const uint32_t digit = (least >> k & 1) != 0 ? UINT32_MAX : 0;
        more |= equal & counts[k] & ~digit;
        equal &= ~(counts[k] ^ digit);
    }
    return more | equal;
}

void sli_child_masks_complete(sl_bvh *tree)
{
    sli_child_masks *masks = &tree->child_masks;
    uint32_t counts[COUNT_BITS];
    const uint32_t used = children_of_sample(tree);
    count_lacking(tree, counts);
    masks->lacked = bits_from(counts, (used + SLI_MASK_SHARE - 1) / SLI_MASK_SHARE);
    masks->known = masks->filled = true;
    masks->present = masks->lacked != 0;
    masks->all = mask_of_node(tree, tree->root);
}

void sli_child_masks_fill(sl_bvh *tree)
{
    tree->child_masks.sample_count = 0;
    if (tree->root == SLI_REF_EMPTY) {
        sli_child_masks_clear(&tree->child_masks);
        return;
    }
    fill_below(tree, tree->root, true);
    sli_child_masks_complete(tree);
}

void sli_child_masks_follow(const sl_bvh *from, sl_bvh *to)
{
    const sli_child_masks own = to->child_masks;
    to->child_masks = from->child_masks;
    to->child_masks.words = own.words;
    to->child_masks.capacity = own.capacity;
}

bool sli_child_masks_differ(const sl_bvh *tree, uint32_t *line)
{
    uint32_t stack[SLI_STACK];
    int top = 0;
    if (tree->root != SLI_REF_EMPTY) {
        stack[top++] = tree->root & SLI_REF_LINE;
    }
    while (top > 0) {
        const uint32_t at = stack[--top];
        const sli_node_wide *node = sli_tree_node(tree, at);
        const uint32_t *words = words_of(tree, at);
        for (int child = 0; child < SLI_WIDTH; child++) {
            if (words[child] != word_of(tree, node->child[child])) {
                *line = at;
                return true;
            }
            if ((node->child[child] & SLI_REF_LEAF) == 0) {
                stack[top++] = node->child[child] & SLI_REF_LINE;
            }
        }
    }
    return false;
}
