/* atomic.h: the atomic operations we use, and no more. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(__GNUC__) && !defined(__clang__) /* clang-cl defines the latter only */
#error "compiled by gcc, clang or clang-cl only, and linked by cl, too (docs/platforms.md)"
#endif

/* Plain memory of the caller's, added to by several threads. */
static inline void sli_atomic_add_u64(uint64_t *to, uint64_t amount)
{
    if (amount != 0) {
        __atomic_fetch_add(to, amount, __ATOMIC_RELAXED);
    }
}

static inline uint64_t sli_atomic_load_u64(const uint64_t *from)
{
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}

static inline void sli_atomic_store_u64(uint64_t *to, uint64_t value)
{
    __atomic_store_n(to, value, __ATOMIC_RELAXED);
}

static inline void sli_atomic_or_u64(uint64_t *to, uint64_t bits)
{
    __atomic_fetch_or(to, bits, __ATOMIC_RELAXED);
}

static inline uint32_t sli_atomic_load_u32(const uint32_t *from)
{
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}

static inline void sli_atomic_store_u32(uint32_t *to, uint32_t value)
{
    __atomic_store_n(to, value, __ATOMIC_RELAXED);
}

/* *at becomes value if it is 0; returns what it is then. */
static inline uint32_t sli_atomic_claim_u32(uint32_t *at, uint32_t value)
{
    uint32_t is = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (is == 0 &&
        __atomic_compare_exchange_n(at, &is, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        return value;
    }
    return is;
}

static inline size_t sli_atomic_fetch_add_size(size_t *to, size_t amount)
{
    return __atomic_fetch_add(to, amount, __ATOMIC_RELAXED);
}

static inline size_t sli_atomic_load_size(const size_t *from)
{
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}

/* One less; true where none is left.  What other threads did before they let go is done then. */
static inline bool sli_atomic_release_size(size_t *at)
{
    return __atomic_sub_fetch(at, 1, __ATOMIC_ACQ_REL) == 0;
}

/* *at becomes next if it still is *was; else *was becomes what it is, and false comes back; now and
 * then for no reason. */
static inline bool sli_atomic_swap_size(size_t *at, size_t *was, size_t next)
{
    return __atomic_compare_exchange_n(at, was, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
