/* range.h: the range in which float filters hold, and what they allow for roundings.
 *
 * Filters work on a ray whose direction is scaled by a power of two so that max |dir| is in [1, 2);
 * its parameter is t' = t * 2^e, counted from the ray's base (filter/base.inl), and limits go
 * outward when they become floats.  With D the largest difference between the base and a corner of
 * the tree's bounds and u = 2^-24, the float filters hold for 2^-40 <= D <= 2^38.  Derivations:
 * docs/notes/filters.md. */
#pragma once

#define WALK_U     0x1p-24f
#define WALK_LEAST 0x1p-40f
#define WALK_MOST  0x1p38f
/* Smaller components of dir count as this; the bases of slabs are moved by more than is lost. */
#define WALK_TINY 0x1p-80f

/* Of slabs that are measured from the base, relative to themselves: 4u are needed.  Where the base
 * is never behind a hit, and so all that matters is ahead, a margin on exits alone does for exits
 * and entries; and a margin for what underflows. */
#define SLAB_SLACK (1 + 16 * WALK_U)
#define SLAB_TINY  0x1p-100f
/* How often the error of a moved base is in the bound on sheared coordinates. */
#define BASE_ERRORS 3.0f
