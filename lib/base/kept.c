/* kept.c: an allocator in front of another one, which lists what is held; for builds in slices. */
#include "lib/base/kept.h"

#include "lib/base/memory.h"

/* Bytes from which on pages are dropped before a block is freed. */
enum { LEAST_LARGE = 4 * 1024 * 1024 };

/* A call of the allocator behind. */
typedef struct request {
    sli_kept *kept;
    void *memory; /* to be freed, or what was given */
    size_t count, size, align;
    bool large;
} request;

/* Room for one more block first, so that what is given can be listed. */
static bool give(void *context)
{
    request *asked = context;
    sli_kept *kept = asked->kept;
    void *blocks = kept->blocks;
    const bool room = sli_grow_array(&kept->from, &blocks, &kept->capacity, kept->count + 1,
                                     sizeof *kept->blocks);
    kept->blocks = blocks;
    asked->memory = NULL;
    if (room && asked->large) {
        asked->memory = sli_alloc_large(&kept->from, asked->count, asked->size);
    } else if (room) {
        asked->memory = sli_alloc(&kept->from, asked->size, asked->align);
    }
    if (asked->memory != NULL) {
        kept->blocks[kept->count++] = (sli_kept_block){ asked->memory, asked->count * asked->size };
    }
    return true;
}

static bool take_back(void *context)
{
    const request *asked = context;
    sli_kept *kept = asked->kept;
    size_t i = kept->count;
    while (kept->blocks[i - 1].memory != asked->memory) { /* mostly one of the last */
        i--;
    }
    kept->blocks[i - 1] = kept->blocks[--kept->count];
    sli_free(&kept->from, asked->memory, asked->size);
    return true;
}

static void ask(sli_slices_call *call, request *asked)
{
    if (asked->kept->is_callers) {
        sli_slices_hand_over(asked->kept->slices, call, asked);
    } else {
        (void)call(asked);
    }
}

static void *kept_alloc(void *user, size_t size, size_t align)
{
    request asked = { .kept = user, .count = 1, .size = size, .align = align };
    ask(give, &asked);
    return asked.memory;
}

static void kept_free(void *user, void *memory, size_t size)
{
    request asked = { .kept = user, .memory = memory, .size = size };
    for (size_t done = 0; !asked.kept->is_callers && size >= LEAST_LARGE && done < size;) {
        done = sli_drop_pages(memory, done, size);
        sli_slices_pause(asked.kept->slices);
    }
    ask(take_back, &asked);
}

sl_allocator sli_kept_start(sli_kept *kept, const sl_allocator *from, sli_slices *slices)
{
    *kept = (sli_kept){ .from = *from, .slices = slices, .is_callers = !sli_is_malloc(from) };
    return (sl_allocator){ kept_alloc, kept_free, kept };
}

void sli_kept_release(sli_kept *kept)
{
    sli_free_array(&kept->from, kept->blocks, kept->capacity, sizeof *kept->blocks);
    kept->blocks = NULL;
    kept->count = kept->capacity = 0;
}

void sli_kept_free_all(sli_kept *kept)
{
    while (kept->count > 0) {
        const sli_kept_block *last = &kept->blocks[--kept->count];
        sli_free(&kept->from, last->memory, last->size);
    }
    sli_kept_release(kept);
}

sli_kept *sli_kept_of(const sl_allocator *allocator)
{
    return allocator->alloc == kept_alloc ? allocator->user : NULL;
}

void *sli_kept_alloc_large(sli_kept *kept, size_t count, size_t size)
{
    request asked = { .kept = kept, .count = count, .size = size, .large = true };
    ask(give, &asked);
    return asked.memory;
}
