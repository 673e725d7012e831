/* simd/compress_table.h: for each byte, the numbers of its bits that are set, the lowest first;
 * zeros fill the row.
 *
 * Permuted by a row, a register holds the lanes that the byte names, one after the other: what
 * AVX-512 calls compress, for AVX2, NEON and WebAssembly. */
#pragma once

#include <stdint.h>

/* 1 where at most k of the bits 0 .. i are set.  The sum over i is the number of the set bit that
 * has k set ones below it, since the sum counts the bits before that one. */
#define COMPRESS_BEFORE(byte, k, i) (__builtin_popcount((byte) & ((2 << (i)) - 1)) <= (k))
#define COMPRESS_BIT(byte, k)                                                                      \
    ((k) >= __builtin_popcount(byte)                                                               \
         ? 0                                                                                       \
         : COMPRESS_BEFORE(byte, k, 0) + COMPRESS_BEFORE(byte, k, 1) +                             \
               COMPRESS_BEFORE(byte, k, 2) + COMPRESS_BEFORE(byte, k, 3) +                         \
               COMPRESS_BEFORE(byte, k, 4) + COMPRESS_BEFORE(byte, k, 5) +                         \
               COMPRESS_BEFORE(byte, k, 6))
#define COMPRESS_ROW(byte)                                                                         \
    { COMPRESS_BIT(byte, 0), COMPRESS_BIT(byte, 1), COMPRESS_BIT(byte, 2), COMPRESS_BIT(byte, 3),  \
      COMPRESS_BIT(byte, 4), COMPRESS_BIT(byte, 5), COMPRESS_BIT(byte, 6), COMPRESS_BIT(byte, 7) }
#define COMPRESS_ROWS_4(byte)                                                                      \
    COMPRESS_ROW(byte), COMPRESS_ROW((byte) + 1), COMPRESS_ROW((byte) + 2), COMPRESS_ROW((byte) + 3)
#define COMPRESS_ROWS_16(byte)                                                                     \
    COMPRESS_ROWS_4(byte), COMPRESS_ROWS_4((byte) + 4), COMPRESS_ROWS_4((byte) + 8),               \
        COMPRESS_ROWS_4((byte) + 12)
#define COMPRESS_ROWS_64(byte)                                                                     \
    COMPRESS_ROWS_16(byte), COMPRESS_ROWS_16((byte) + 16), COMPRESS_ROWS_16((byte) + 32),          \
        COMPRESS_ROWS_16((byte) + 48)

static const uint8_t compress_table[256][8] = { COMPRESS_ROWS_64(0), COMPRESS_ROWS_64(64),
                                                COMPRESS_ROWS_64(128), COMPRESS_ROWS_64(192) };
