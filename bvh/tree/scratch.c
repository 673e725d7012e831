/* Keeps blocks from one version of a tree over instances to the next, for build.c.  In front of
 * each block stands a line that tells its capacity; few blocks are kept, so a list does. */
#include "bvh/tree/scratch.h"

#include "lib/base/memory.h"

enum { LINE = 64, SLACK_MIN = 4096, IDLE_MAX = 8 /* builds in a row */ };

typedef struct sli_scratch_block {
    struct sli_scratch_block *next;
    size_t capacity; /* bytes behind the line */
    int idle;        /* builds since one has taken it */
} sli_scratch_block;

_Static_assert(sizeof(sli_scratch_block) <= LINE, "the line in front of a block");

static void free_block(sli_scratch *scratch, sli_scratch_block *block)
{
    scratch->bytes -= LINE + block->capacity;
    sli_free(&scratch->from, block, LINE + block->capacity);
}

/* The smallest kept block of at least size bytes, taken from the list; or NULL. */
static sli_scratch_block *scratch_take(sli_scratch *scratch, size_t size)
{
    sli_scratch_block **best = NULL;
    for (sli_scratch_block **at = &scratch->kept; *at != NULL; at = &(*at)->next) {
        if ((*at)->capacity >= size && (best == NULL || (*at)->capacity < (*best)->capacity)) {
            best = at;
        }
    }
    if (best == NULL) {
        return NULL;
    }
    sli_scratch_block *found = *best;
    *best = found->next;
    return found;
}

/* No request of the library is aligned to more than a line. */
static void *scratch_alloc(void *user, size_t size, size_t align)
{
    (void)align;
    sli_scratch *scratch = user;
    sli_scratch_block *block = scratch_take(scratch, size);
    if (block == NULL) {
        const size_t slack = scratch->keeps ? size / 4 + SLACK_MIN : 0;
        const size_t capacity = (size + slack + LINE - 1) / LINE * LINE;
        if (capacity < size || capacity > SIZE_MAX - LINE) {
            return NULL;
        }
        block = sli_alloc_large(&scratch->from, LINE + capacity, 1);
        if (block == NULL) {
            return NULL;
        }
        block->capacity = capacity;
        scratch->bytes += LINE + capacity;
    }
    block->idle = 0;
    return (char *)block + LINE;
}

static void scratch_free(void *user, void *memory, size_t size)
{
    (void)size;
    sli_scratch *scratch = user;
    sli_scratch_block *block = (sli_scratch_block *)(void *)((char *)memory - LINE);
    if (!scratch->keeps) {
        free_block(scratch, block);
        return;
    }
    block->next = scratch->kept;
    scratch->kept = block;
}

sl_allocator sli_scratch_allocator(sli_scratch *scratch)
{
    return (sl_allocator){ .alloc = scratch_alloc, .free = scratch_free, .user = scratch };
}

void sli_scratch_end(sli_scratch *scratch)
{
    scratch->built += scratch->keeps && scratch->built < 2;
    for (sli_scratch_block **at = &scratch->kept; *at != NULL;) {
        sli_scratch_block *block = *at;
        if (++block->idle <= IDLE_MAX) {
            at = &block->next;
        } else {
            *at = block->next;
            free_block(scratch, block);
        }
    }
}

void sli_scratch_close(sli_scratch *scratch)
{
    scratch->keeps = false;
    while (scratch->kept != NULL) {
        sli_scratch_block *block = scratch->kept;
        scratch->kept = block->next;
        free_block(scratch, block);
    }
}
