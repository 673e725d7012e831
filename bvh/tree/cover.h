/* cover.h: proves that boxes cover a triangle.
 *
 * Method   the triangle's own box is cut into cells at the faces of the boxes.  A cell is done when
 *          a box contains it, or when the triangle does not meet it (decided exactly, by overlap.h,
 *          for the cell with its faces).  Cells know which of their faces belong to them: beyond a
 *          box's face begins a cell without it, so that cells never overlap and nothing is left
 *          between them.
 * Strict   a triangle that only touches a cell counts as meeting it, though the face it touches may
 *          be a box's.  So slightly more is proved: the triangle is covered by the interiors of the
 *          boxes, where faces of its own box count as inside.
 *          bvh/builder/split/clip_reference.h says why that holds for what is built.
 * Cost     about count log count for boxes that cut space as a tree does.  Hostile boxes may take
 *          far longer: after SLI_COVER_TESTS_MAX times their number of tests of a box against a
 *          cell, they are said not to cover.
 * Callers  hold the floating-point environment. */
#pragma once

#include <sightline/shapes.h>

enum { SLI_COVER_TESTS_MAX = 4096 };

typedef enum sli_cover { SLI_COVERED, SLI_NOT_COVERED, SLI_COVER_NO_MEMORY } sli_cover;

/* Reorders the boxes. */
sli_cover sli_cover_triangle(const sl_triangle *triangle, sl_aabb *boxes, size_t count,
                             const sl_allocator *allocator);
