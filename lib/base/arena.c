/* arena.c: blocks of growing size, freed all at once; for the builder's and the glTF reader's
 * scratch arrays. */
#include "lib/base/arena.h"

#include "lib/base/memory.h"

enum { ALIGN = 16, BLOCK = 16 * 1024 };

/* What stands at the beginning of a block; the arrays follow. */
typedef struct sli_arena_block {
    struct sli_arena_block *next;
    size_t size; /* of all of it */
} block;

_Static_assert(sizeof(block) <= ALIGN, "arrays begin behind the head of their block");

sli_arena sli_arena_make(const sl_allocator *allocator)
{
    return (sli_arena){ .allocator = *allocator };
}

static uint8_t *behind_head(block *at)
{
    return (uint8_t *)at + ALIGN;
}

/* A block of which an array takes the first `taken` bytes.  It comes first, unless the one that is
 * there has more space left. */
static void *add_block(sli_arena *arena, size_t taken)
{
    if (taken > SIZE_MAX - ALIGN) {
        return NULL;
    }
    const size_t size = taken + ALIGN > BLOCK ? taken + ALIGN : BLOCK;
    block *added = sli_alloc(&arena->allocator, size, ALIGN);
    if (added == NULL) {
        return NULL;
    }
    added->size = size;
    if (arena->blocks != NULL && arena->capacity - arena->used > size - ALIGN - taken) {
        added->next = arena->blocks->next;
        arena->blocks->next = added;
    } else {
        added->next = arena->blocks;
        arena->blocks = added;
        arena->used = taken;
        arena->capacity = size - ALIGN;
    }
    return behind_head(added);
}

void *sli_arena_array(sli_arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - ALIGN) / size) {
        return NULL;
    }
    const size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    if (arena->blocks == NULL || bytes > arena->capacity - arena->used) {
        return add_block(arena, bytes);
    }
    void *array = behind_head(arena->blocks) + arena->used;
    arena->used += bytes;
    return array;
}

void sli_arena_free(sli_arena *arena)
{
    while (arena->blocks != NULL) {
        block *first = arena->blocks;
        arena->blocks = first->next;
        sli_free(&arena->allocator, first, first->size);
    }
    arena->used = arena->capacity = 0;
}
