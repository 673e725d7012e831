/* shapes.h: numbers for lines and shapes that are hard to decide: on a small lattice, where nearly
 * everything touches, is parallel or degenerate; and floats of any size, often equal to one
 * another. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/shapes.h>

/* What a line stands for. */
typedef enum hard_kind {
    HARD_RAY,
    HARD_SEGMENT,
    HARD_WHOLE, /* without limits */
    HARD_PART,  /* none of these: any tail, any limits */
    HARD_KINDS
} hard_kind;

/* An integer within +-size. */
float hard_whole(test_random *random, int size);

/* Any float; now and then `before` or its neighbour. */
float hard_wild(test_random *random, float before);

/* Where numbers come from. */
typedef enum hard_numbers {
    HARD_LATTICE, /* small and whole: nearly everything touches, is parallel or degenerate */
    HARD_WILD,    /* floats of any size, often equal or next to another */
    HARD_EXTREME, /* the largest and the smallest there are */
    HARD_NUMBERS
} hard_numbers;

/* One of these; before is another, size for the lattice. */
float hard_number(test_random *random, hard_numbers numbers, float before, int size);

/* From a and to (or along) b; limits of the same numbers, on the lattice by quarters. */
sl_line hard_line(test_random *random, hard_kind kind, const float a[3], const float b[3],
                  hard_numbers numbers);
