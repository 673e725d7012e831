/* simd/ops.h: rows for operations of simd.h that are one instruction, or the same operation on the
 * parts of a longer register.  A row gives the operation, its type, and what does it. */
#pragma once

#include <stdint.h>

#define SIMD_FROM(name, type, from, does)                                                          \
    static inline type name(from a)                                                                \
    {                                                                                              \
        return does(a);                                                                            \
    }
#define SIMD_STORE(name, number, type, does)                                                       \
    static inline void name(number *p, type a)                                                     \
    {                                                                                              \
        does(p, a);                                                                                \
    }
#define SIMD_BITS(name, type, does)                                                                \
    static inline uint32_t name(type a, type b)                                                    \
    {                                                                                              \
        return does(a, b);                                                                         \
    }
#define SIMD_UNARY(name, type, does) SIMD_FROM(name, type, type, does)
#define SIMD_BINARY(name, type, does)                                                              \
    static inline type name(type a, type b)                                                        \
    {                                                                                              \
        return does(a, b);                                                                         \
    }
#define SIMD_TERNARY(name, type, does)                                                             \
    static inline type name(type a, type b, type c)                                                \
    {                                                                                              \
        return does(a, b, c);                                                                      \
    }
#define SIMD_OPERATOR(name, type, operator)                                                        \
    static inline type name(type a, type b)                                                        \
    {                                                                                              \
        return a operator b;                                                                       \
    }

/* Of a type whose fields are low and high. */
#define SIMD_SPLAT_HALVES(name, type, number, half)                                                \
    static inline type name(number x)                                                              \
    {                                                                                              \
        return (type){ half(x), half(x) };                                                         \
    }
#define SIMD_UNARY_HALVES(name, type, half)                                                        \
    static inline type name(type a)                                                                \
    {                                                                                              \
        return (type){ half(a.low), half(a.high) };                                                \
    }
#define SIMD_BINARY_HALVES(name, type, half)                                                       \
    static inline type name(type a, type b)                                                        \
    {                                                                                              \
        return (type){ half(a.low, b.low), half(a.high, b.high) };                                 \
    }
#define SIMD_TERNARY_HALVES(name, type, half)                                                      \
    static inline type name(type a, type b, type c)                                                \
    {                                                                                              \
        return (type){ half(a.low, b.low, c.low), half(a.high, b.high, c.high) };                  \
    }

/* Of a type with three parts, v. */
#define SIMD_BINARY_THIRDS(name, type, third)                                                      \
    static inline type name(type a, type b)                                                        \
    {                                                                                              \
        return (type){ { third(a.v[0], b.v[0]), third(a.v[1], b.v[1]), third(a.v[2], b.v[2]) } };  \
    }
#define SIMD_TERNARY_THIRDS(name, type, third)                                                     \
    static inline type name(type a, type b, type c)                                                \
    {                                                                                              \
        return (type){ { third(a.v[0], b.v[0], c.v[0]), third(a.v[1], b.v[1], c.v[1]),             \
                         third(a.v[2], b.v[2], c.v[2]) } };                                        \
    }
