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
    request *want = context;
    sli_kept *kept = want->kept;
    const bool fits = sli_grow_array(&kept->front.from, &kept->blocks, &kept->capacity,
                                     kept->count + 1, sizeof *kept->blocks);
    want->memory = fits ? sli_front_behind(&kept->front, want->size, want->align) : NULL;
    if (want->memory != NULL) {
        kept->blocks[kept->count++] = (sli_kept_block){ want->memory, want->size };
    }
    return true;
}

static bool take_back(void *context)
{
    const request *want = context;
    sli_kept *kept = want->kept;
    size_t i = kept->count;
    while (kept->blocks[i - 1].memory != want->memory) { /* mostly one of the last */
        i--;
    }
    kept->blocks[i - 1] = kept->blocks[--kept->count];
    sli_free(&kept->front.from, want->memory, want->size);
    return true;
}

static void kept_send(sli_slices_call *call, request *want)
{
    if (want->kept->is_callers) {
        sli_slices_hand_over(want->kept->slices, call, want);
    } else {
        (void)call(want);
    }
}

static void *kept_alloc(sli_front *front, size_t size, size_t align)
{
    request want = { .kept = (sli_kept *)front, .size = size, .align = align };
    kept_send(kept_give, &want);
    return want.memory;
}

static void kept_free(sli_front *front, void *memory, size_t size)
{
    request want = { .kept = (sli_kept *)front, .memory = memory, .size = size };
    for (size_t done = 0; !want.kept->is_callers && size >= LEAST_LARGE && done < size;) {
        done = sli_drop_pages(memory, done, size);
        sli_slices_pause(want.kept->slices);
    }
    kept_send(take_back, &want);
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
