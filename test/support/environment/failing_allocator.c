#include "test/support/environment/failing_allocator.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A block is: padding up to the alignment, this header just below the memory handed out, the
 * memory, and MARK again behind it. */
typedef struct header {
    void *block;
    size_t size;
    uint64_t mark;
} header;

static const uint64_t MARK = 0x5AFE5AFE5AFE5AFEu;
static const uint64_t FREED = 0xDEADDEADDEADDEADu;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Counts the block; false if its allocation is to fail. */
static bool admit(sli_failing_allocator *memory, size_t size)
{
    const size_t number = memory->allocations++;
    const bool chosen = memory->once ? number == memory->fail_at : number >= memory->fail_at;
    if (chosen || size > memory->limit || memory->live_bytes > memory->limit - size) {
        memory->failed = true;
        return false;
    }
    memory->live_blocks++;
    memory->live_bytes += size;
    if (memory->live_bytes > memory->peak_bytes) {
        memory->peak_bytes = memory->live_bytes;
    }
    return true;
}

static void *failing_alloc(void *user, size_t size, size_t align)
{
    sli_failing_allocator *memory = user;
    pthread_mutex_lock(&mutex);
    if (align == 0 || (align & (align - 1)) != 0) {
        memory->misuses++;
    }
    const bool admitted = admit(memory, size);
    pthread_mutex_unlock(&mutex);
    const size_t extra = sizeof(header) + align + sizeof MARK;
    char *block = admitted && size <= SIZE_MAX - extra ? malloc(size + extra) : NULL;
    if (block == NULL) {
        if (admitted) {
            pthread_mutex_lock(&mutex);
            memory->failed = true;
            memory->live_blocks--;
            memory->live_bytes -= size;
            pthread_mutex_unlock(&mutex);
        }
        return NULL;
    }
    const uintptr_t first = (uintptr_t)(block + sizeof(header));
    char *given = block + sizeof(header) + (align - first % align) % align;
    const header head = { .block = block, .size = size, .mark = MARK };
    memcpy(given - sizeof head, &head, sizeof head);
    memset(given, 0xA5, size);
    memcpy(given + size, &MARK, sizeof MARK);
    return given;
}

static void failing_free(void *user, void *given, size_t size)
{
    sli_failing_allocator *memory = user;
    header head;
    memcpy(&head, (char *)given - sizeof head, sizeof head);
    uint64_t behind = 0;
    if (head.mark == MARK) {
        memcpy(&behind, (char *)given + head.size, sizeof behind);
    }
    pthread_mutex_lock(&mutex);
    if (head.mark != MARK || behind != MARK || head.size != size) {
        memory->misuses++;
    }
    if (head.mark == MARK) {
        memory->live_blocks--;
        memory->live_bytes -= head.size;
    }
    pthread_mutex_unlock(&mutex);
    if (head.mark == MARK) {
        memset(given, 0xEE, head.size);
        head.mark = FREED;
        memcpy((char *)given - sizeof head, &head, sizeof head);
        free(head.block);
    }
}

sl_allocator sli_failing_allocator_start(sli_failing_allocator *memory, size_t fail_at)
{
    *memory = (sli_failing_allocator){ .fail_at = fail_at, .limit = SIZE_MAX };
    return (sl_allocator){ .alloc = failing_alloc, .free = failing_free, .user = memory };
}

bool sli_failing_allocator_clean(const sli_failing_allocator *memory)
{
    return memory->live_blocks == 0 && memory->misuses == 0;
}
