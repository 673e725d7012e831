/* splay.c: the list as a binary tree, in which what is looked at comes to the root. */
#include "lib/base/splay.h"

#define NONE UINT32_MAX

static void rotate(sli_splay *list, uint32_t item)
{
    sli_splay_node *nodes = list->nodes;
    const uint32_t parent = nodes[item].parent, grand = nodes[parent].parent;
    const int which = nodes[parent].child[1] == item;
    const uint32_t inner = nodes[item].child[!which];
    nodes[parent].child[which] = inner;
    if (inner != NONE) {
        nodes[inner].parent = parent;
    }
    nodes[item].child[!which] = parent;
    nodes[parent].parent = item;
    nodes[item].parent = grand;
    if (grand != NONE) {
        nodes[grand].child[nodes[grand].child[1] == parent] = item;
    }
}

static void splay(sli_splay *list, uint32_t item)
{
    const sli_splay_node *nodes = list->nodes;
    while (nodes[item].parent != NONE) {
        const uint32_t parent = nodes[item].parent, grand = nodes[parent].parent;
        if (grand != NONE) {
            const bool straight =
                (nodes[grand].child[1] == parent) == (nodes[parent].child[1] == item);
            rotate(list, straight ? parent : item);
        }
        rotate(list, item);
    }
    list->root = item;
}

static void join(sli_splay *list, uint32_t before, uint32_t behind)
{
    if (before == NONE) {
        list->first = behind;
    } else {
        list->nodes[before].beside[1] = behind;
    }
    if (behind != NONE) {
        list->nodes[behind].beside[0] = before;
    }
}

void sli_splay_insert(sli_splay *list, uint32_t before, uint32_t item)
{
    sli_splay_node *nodes = list->nodes;
    const uint32_t behind = sli_splay_next(list, before);
    const bool on_right = before != NONE && nodes[before].child[1] == NONE;
    const uint32_t parent = on_right ? before : behind;
    join(list, before, item);
    join(list, item, behind);
    nodes[item].child[0] = nodes[item].child[1] = NONE;
    nodes[item].parent = parent;
    if (parent != NONE) {
        nodes[parent].child[on_right] = item;
    }
    splay(list, item);
}

void sli_splay_remove(sli_splay *list, uint32_t item)
{
    sli_splay_node *nodes = list->nodes;
    const uint32_t before = nodes[item].beside[0];
    splay(list, item);
    const uint32_t left = nodes[item].child[0], right = nodes[item].child[1];
    join(list, before, nodes[item].beside[1]);
    list->root = right;
    if (left != NONE) {
        nodes[left].parent = NONE;
        splay(list, before); /* the highest there, so that it has nothing above it */
        nodes[before].child[1] = right;
    }
    if (right != NONE) {
        nodes[right].parent = left != NONE ? before : NONE;
    }
}

uint32_t sli_splay_find(sli_splay *list, bool (*goes_on)(const void *context, uint32_t item),
                        const void *context)
{
    uint32_t found = NONE, seen = NONE;
    for (uint32_t item = list->root; item != NONE;) {
        const bool further = goes_on(context, item);
        seen = item;
        found = further ? item : found;
        item = list->nodes[item].child[further];
    }
    if (seen != NONE) {
        splay(list, seen);
    }
    return found;
}
