/* Keeps blocks from one version of a tree over instances to the next, for build.c.  In front of
 * each block stands a line that tells its capacity; few blocks are kept, so a list does. */
#include "bvh/tree/room.h"

#include "lib/base/memory.h"

enum { LINE = 64, IDLE_MAX = 8 /* builds in a row */ };

typedef struct sli_room_block {
    struct sli_room_block *next;
    size_t capacity; /* bytes behind the line */
    int idle;        /* builds since one has taken it */
} sli_room_block;

_Static_assert(sizeof(sli_room_block) <= LINE, "the line in front of a block");

static void free_block(sli_room *room, sli_room_block *block)
{
    room->bytes -= LINE + block->capacity;
    sli_free(&room->from, block, LINE + block->capacity);
}

/* The smallest kept block of at least size bytes, taken from the list; or NULL. */
static sli_room_block *room_take(sli_room *room, size_t size)
{
    sli_room_block **best = NULL;
    for (sli_room_block **at = &room->kept; *at != NULL; at = &(*at)->next) {
        if ((*at)->capacity >= size && (best == NULL || (*at)->capacity < (*best)->capacity)) {
            best = at;
        }
    }
    if (best == NULL) {
        return NULL;
    }
    sli_room_block *found = *best;
    *best = found->next;
    return found;
}

/* No request of the library is aligned to more than a line. */
static void *room_alloc(void *user, size_t size, size_t align)
{
    (void)align;
    sli_room *room = user;
    sli_room_block *block = room_take(room, size);
    if (block == NULL) {
        const size_t slack = room->keeps ? size / 4 : 0;
        const size_t capacity = (size + slack + LINE - 1) / LINE * LINE;
        if (capacity < size || capacity > SIZE_MAX - LINE) {
            return NULL;
        }
        block = sli_alloc_large(&room->from, LINE + capacity, 1);
        if (block == NULL) {
            return NULL;
        }
        block->capacity = capacity;
        room->bytes += LINE + capacity;
    }
    block->idle = 0;
    return (char *)block + LINE;
}

static void room_free(void *user, void *memory, size_t size)
{
    (void)size;
    sli_room *room = user;
    sli_room_block *block = (sli_room_block *)(void *)((char *)memory - LINE);
    if (!room->keeps) {
        free_block(room, block);
        return;
    }
    block->next = room->kept;
    room->kept = block;
}

sl_allocator sli_room_allocator(sli_room *room)
{
    return (sl_allocator){ .alloc = room_alloc, .free = room_free, .user = room };
}

void sli_room_end(sli_room *room)
{
    for (sli_room_block **at = &room->kept; *at != NULL;) {
        sli_room_block *block = *at;
        if (++block->idle <= IDLE_MAX) {
            at = &block->next;
        } else {
            *at = block->next;
            free_block(room, block);
        }
    }
}

void sli_room_close(sli_room *room)
{
    room->keeps = false;
    while (room->kept != NULL) {
        sli_room_block *block = room->kept;
        room->kept = block->next;
        free_block(room, block);
    }
}
