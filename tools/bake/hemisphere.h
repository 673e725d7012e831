/* bake/hemisphere.h: directions over a hemisphere, the same bits on every machine. */
#pragma once

#include <stdint.h>

/* Sample i of count (at most 2^24) for item number item, as two whole numbers of 24 bits:
 * Hammersley's points i / count and i with its bits reversed, both moved by a hash of the item,
 * modulo 1 (Cranley and Patterson, 1976), so that items differ and each has evenly spread samples.
 */
void bake_hemisphere_sample(uint32_t i, uint32_t count, uint64_t item, uint32_t out[2]);

/* A unit vector around the unit vector normal, with a density that follows the cosine; spread in
 * (0, 1] is the sine of the largest angle between the two.  By Shirley and Chiu's map from the
 * square to the disk (1997) and Duff's basis (2017); only + - * / and sqrt are used. */
void bake_hemisphere_direction(const uint32_t sample[2], const float normal[3], float spread,
                               float out[3]);
