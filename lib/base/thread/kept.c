/* kept.c: an allocator in front of another one, which lists what is held; for builds in slices. */
#include "lib/base/thread/kept.h"

/* Bytes from which on pages are dropped before a block is freed. */
enum { LEAST_LARGE = 4 * 1024 * 1024 };

/* A call of the allocator behind. */
typedef struct request {
    sli_kept *kept;
    void *memory; /* to be freed, or what was given */
    size_t size, align;
} request;

/* Makes memory for one more block first, so that what is given can be listed. */
static bool kept_give(void *context)
{
    request *asked = context;
    sli_kept *kept = asked->kept;
    void *blocks = kept->blocks;
    const bool fits = sli_grow_array(&kept->front.from, &blocks, &kept->capacity, kept->count + 1,
                                     sizeof *kept->blocks);
    kept->blocks = blocks;
    asked->memory = fits ? sli_front_behind(&kept->front, asked->size, asked->align) : NULL;
    if (asked->memory != NULL) {
        kept->blocks[kept->count++] = (sli_kept_block){ asked->memory, asked->size };
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
    sli_free(&kept->front.from, asked->memory, asked->size);
    return true;
}

static void kept_ask(sli_slices_call *call, request *asked)
{
    if (asked->kept->is_callers) {
        sli_slices_hand_over(asked->kept->slices, call, asked);
    } else {
        (void)call(asked);
    }
}

static void *kept_alloc(sli_front *front, size_t size, size_t align)
{
    request asked = { .kept = (sli_kept *)front, .size = size, .align = align };
    kept_ask(kept_give, &asked);
    return asked.memory;
}

static void kept_free(sli_front *front, void *memory, size_t size)
{
    request asked = { .kept = (sli_kept *)front, .memory = memory, .size = size };
    for (size_t done = 0; !asked.kept->is_callers && size >= LEAST_LARGE && done < size;) {
        done = sli_drop_pages(memory, done, size);
        sli_slices_pause(asked.kept->slices);
    }
    kept_ask(take_back, &asked);
}

sl_allocator sli_kept_start(sli_kept *kept, const sl_allocator *from, sli_slices *slices)
{
    *kept = (sli_kept){ .front = { *from, kept_alloc, kept_free },
                        .slices = slices,
                        .is_callers = !sli_is_malloc(from) };
    return sli_front_start(&kept->front);
}

void sli_kept_release(sli_kept *kept)
{
    sli_free_array(&kept->front.from, kept->blocks, kept->capacity, sizeof *kept->blocks);
    kept->blocks = NULL;
    kept->count = kept->capacity = 0;
}

void sli_kept_free_all(sli_kept *kept)
{
    while (kept->count > 0) {
        const sli_kept_block *last = &kept->blocks[--kept->count];
        sli_free(&kept->front.from, last->memory, last->size);
    }
    sli_kept_release(kept);
}
