/* walk/lanes.h: loops over lanes that become vector instructions of the baseline.  gcc unrolls
 * short loops before it looks for vectors, and then finds none; clang need not be told. */
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#define SLI_LANES(lane, count) _Pragma("GCC unroll 1") for (int lane = 0; lane < (count); lane++)
#else
#define SLI_LANES(lane, count) for (int lane = 0; lane < (count); lane++)
#endif
