/* check/picture.c: draws the faults of a mesh into a picture, for check --picture. */
#include "tools/check/check.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Distinct for the colour-blind too, and none like the grey of the mesh. */
static const uint8_t colors[CHECK_KINDS][3] = {
    [SL_FAULT_LEFT_OUT] = { 128, 128, 128 },
    [SL_FAULT_NOT_FINITE] = { 160, 160, 160 },
    [SL_FAULT_UNUSED_VERTEX] = { 0, 190, 140 },
    [SL_FAULT_DUPLICATE] = { 196, 110, 220 },
    [SL_FAULT_ZERO_AREA] = { 245, 232, 60 },
    [SL_FAULT_OPEN_EDGE] = { 245, 160, 20 },
    [SL_FAULT_NONMANIFOLD_EDGE] = { 80, 240, 80 },
    [SL_FAULT_MISORIENTED_EDGE] = { 60, 190, 255 },
    [CHECK_INTERSECTION] = { 235, 50, 45 },
    [CHECK_NO_TRIANGLES] = { 200, 200, 200 },
    [CHECK_NOTE] = { 220, 220, 180 },
};

void check_picture_add(marks *p, const sl_mesh *mesh, int kind, const sl_fault *fault)
{
    const float *xyz = sl_mesh_soup(mesh).xyz;
    double place[3];
    if (fault->vertex[0] == SL_NONE) {
        marks_triangle(p, kind, fault->prim, kind == SL_FAULT_ZERO_AREA ? 1 : 0);
    } else if (fault->vertex[0] != fault->vertex[1]) {
        marks_edge(p, kind, xyz + 3 * (size_t)fault->vertex[0], xyz + 3 * (size_t)fault->vertex[1],
                   1);
    } else if (check_place(mesh, fault, place)) {
        marks_point(p, kind, place, 2);
    }
}

static void legend_text(int kind, uint64_t count, char *to, size_t size)
{
    const char *word = kind == CHECK_INTERSECTION ? "intersecting triangles"
                       : kind == CHECK_NOTE       ? "notes of the file"
                                                  : check_words[kind];
    if (kind == CHECK_NO_TRIANGLES) {
        snprintf(to, size, "no triangles");
    } else {
        snprintf(to, size, "%" PRIu64 " %s", count, word);
    }
    for (; *to != '\0'; to++) {
        *to = (char)toupper((unsigned char)*to);
    }
}

canvas check_picture_finish(marks *p, const uint64_t counts[CHECK_KINDS])
{
    mark_kind kinds[CHECK_KINDS] = { { .text = "" } };
    for (int kind = 0; kind < CHECK_KINDS; kind++) {
        memcpy(kinds[kind].color, colors[kind], sizeof kinds[kind].color);
        if (counts[kind] > 0) {
            legend_text(kind, counts[kind], kinds[kind].text, sizeof kinds[kind].text);
        }
    }
    return marks_finish(p, kinds, CHECK_KINDS);
}
