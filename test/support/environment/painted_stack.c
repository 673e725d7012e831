#include "test/support/environment/painted_stack.h"

#include "test/support/test.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAINT 0xA55A5AA53CC3C33CULL

/* Left alone below the frame that paints. */
enum { MARGIN = 512 };

struct painted_stack {
    volatile uint64_t *low;
    void (*run)(painted_stack *, void *);
    void *context;
    size_t *most; /* of painted_stack_note */
};

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif

bool painted_stack_is_padded(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
    return true;
#else
    return HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer) ||
           HAS_FEATURE(memory_sanitizer) || HAS_FEATURE(undefined_behavior_sanitizer);
#endif
}

#if defined(__GNUC__)
__attribute__((noinline, no_sanitize_address))
#endif
size_t
painted_stack_depth(painted_stack *stack)
{
    char *here = __builtin_frame_address(0);
    volatile uint64_t *word = stack->low;
    volatile uint64_t *end = (volatile uint64_t *)(void *)(here - MARGIN - (uintptr_t)here % 8);
    while (word < end && *word == PAINT) {
        word++;
    }
    const size_t depth = (size_t)(here - (char *)(uintptr_t)word);
    for (; word < end; word++) {
        *word = PAINT;
    }
    return depth;
}

static void *start(void *context)
{
    painted_stack *stack = context;
    (void)painted_stack_depth(stack);
    stack->run(stack, stack->context);
    return NULL;
}

void painted_stack_note(painted_stack *stack)
{
    const size_t depth = painted_stack_depth(stack);
    *stack->most = depth > *stack->most ? depth : *stack->most;
}

static bool run_noting(size_t size, void (*run)(painted_stack *, void *), void *context,
                       size_t *most)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    painted_stack stack = { .low = (volatile uint64_t *)(void *)(memory + page),
                            .run = run,
                            .context = context,
                            .most = most };
    pthread_t thread;
    pthread_attr_t attributes;
    bool ran = mprotect(memory, page, PROT_NONE) == 0 && pthread_attr_init(&attributes) == 0;
    if (ran) {
        ran = pthread_attr_setstack(&attributes, memory + page, size) == 0 &&
              pthread_create(&thread, &attributes, start, &stack) == 0 &&
              pthread_join(thread, NULL) == 0;
        pthread_attr_destroy(&attributes);
    }
    munmap(memory, size + page);
    return ran;
}

bool painted_stack_run(size_t size, void (*run)(painted_stack *, void *), void *context)
{
    size_t most = 0;
    return run_noting(size, run, context, &most);
}

void painted_stack_expect(size_t size, size_t limit, void (*run)(painted_stack *, void *),
                          void *context)
{
    size_t most = 0;
    if (!run_noting(size, run, context, &most)) {
        skip();
    }
    print_message("%zu bytes of stack\n", most);
    assert_in_range(most, 1000, painted_stack_is_padded() ? SIZE_MAX : limit);
}
