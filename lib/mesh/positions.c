/* positions.c: numbers equal positions by sorting them; for inspect, weld and boundaries. */
#include "lib/mesh/positions.h"

#include "lib/base/memory.h"

#include <string.h>

static uint32_t coordinate_word(float coordinate)
{
    uint32_t word;
    memcpy(&word, &coordinate, sizeof word);
    return word == 0x80000000u ? 0 : word;
}

bool sli_number_positions(const sl_soup *soup, size_t vertex_count, sli_stage *stage,
                          uint32_t *corners, size_t *used, size_t *distinct)
{
    const sl_allocator *allocator = &stage->hooks->allocator;
    const size_t corner_count = 3 * soup->triangle_count;
    uint32_t *number = sli_alloc_array(allocator, vertex_count, sizeof *number);
    sli_table vertices;
    if (number == NULL || !sli_table_alloc(allocator, vertex_count, 3, &vertices)) {
        sli_free_array(allocator, number, vertex_count, sizeof *number);
        return false;
    }
    memset(number, 0, vertex_count * sizeof *number);
    for (size_t i = 0; i < corner_count && !sli_stage_stops_at(stage, i); i++) {
        if (soup->indices[i] != SL_NONE) {
            number[soup->indices[i]] = 1;
        }
    }
    for (size_t i = 0; i < vertex_count && !sli_stage_stops_at(stage, i); i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            vertices.items[3 * i + axis] = coordinate_word(soup->xyz[3 * i + axis]);
        }
        if (number[i] != 0) {
            vertices.order[vertices.count++] = (uint32_t)i;
        }
    }
    *used = vertices.count;
    sli_table_sort(&vertices, stage);
    *distinct = 0;
    for (size_t rank = 0; rank < vertices.count && !sli_stage_stops_at(stage, rank); rank++) {
        *distinct += sli_table_repeats(&vertices, rank) ? 0 : 1;
        number[vertices.order[rank]] = (uint32_t)(*distinct - 1);
    }
    for (size_t i = 0; i < corner_count && !sli_stage_stops_at(stage, i); i++) {
        corners[i] = soup->indices[i] != SL_NONE ? number[soup->indices[i]] : SL_NONE;
    }
    sli_table_free(allocator, &vertices);
    sli_free_array(allocator, number, vertex_count, sizeof *number);
    return true;
}
