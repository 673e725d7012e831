/* atomic.h: the atomic operations we use, and no more. */
#ifndef SLI_BASE_ATOMIC_H
#define SLI_BASE_ATOMIC_H

#include <stddef.h>
#include <stdint.h>

#if !defined(__GNUC__)
#error "atomic.h needs the __atomic builtins of gcc or clang"
#endif

/* Plain memory of the caller's, added to by several threads. */
static inline void sli_atomic_add_u64(uint64_t *to, uint64_t amount)
{
    if (amount != 0) {
        __atomic_fetch_add(to, amount, __ATOMIC_RELAXED);
    }
}

static inline size_t sli_atomic_fetch_add_size(size_t *to, size_t amount)
{
    return __atomic_fetch_add(to, amount, __ATOMIC_RELAXED);
}

#endif
