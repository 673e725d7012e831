/* colour.c: sl_colour_map, for quantities, and sl_colour_id, for numbers that identify. */
#include "lib/base/fpenv.h"

#include <sightline/io.h>

/* Corners of the map, evenly spaced: night blue, violet, red, orange, cream.  Each is lighter than
 * the one before by about the same step, and lines between them keep that order. */
static const uint8_t map_corners[][3] = {
    { 8, 10, 38 },    { 46, 16, 96 },   { 98, 22, 124 },  { 152, 38, 116 },  { 204, 62, 88 },
    { 240, 100, 58 }, { 252, 150, 48 }, { 252, 202, 86 }, { 253, 248, 200 },
};
enum { MAP_STEPS = sizeof map_corners / sizeof map_corners[0] - 1 };

static SLI_NOINLINE void colour_map(float x, uint8_t rgb[3])
{
    static const uint8_t magenta[3] = { 255, 0, 255 };
    const float clamped = x > 1 ? 1 : x > 0 ? x : 0;
    const float position = clamped * (float)MAP_STEPS;
    const int step = clamped < 1 ? (int)position : MAP_STEPS - 1;
    const float part = position - (float)step;
    for (int c = 0; c < 3; c++) {
        const float from = map_corners[step][c];
        const float to = map_corners[step + 1][c];
        rgb[c] = x != x ? magenta[c] : (uint8_t)(from + part * (to - from) + 0.5f);
    }
}

void sl_colour_map(float x, uint8_t rgb[3])
{
    SLI_DO_IN_FPENV(colour_map(x, rgb));
}

/* Hues go round by the golden ratio, so that numbers that are near each other are far apart on the
 * circle (id + 1: 138 degrees, id + 2: 85, id + 3: 52), while lightness takes three turns. */
void sl_colour_id(uint32_t id, uint8_t rgb[3])
{
    static const uint8_t tops[3] = { 240, 200, 168 };
    const uint32_t turn = id * 2654435769u; /* 2^32 / golden ratio, wrapping */
    const uint32_t sixth = (uint32_t)(((uint64_t)turn * 6) >> 32);
    const uint32_t part = (uint32_t)(((uint64_t)turn * 6) >> 24 & 0xFF);
    const uint32_t top = tops[id % 3];
    const uint32_t low = top * 3 / 10;
    const uint32_t rising = low + (top - low) * part / 255;
    const uint32_t falling = low + top - rising;
    const uint32_t wheel[6][3] = {
        { top, rising, low },  { falling, top, low }, { low, top, rising },
        { low, falling, top }, { rising, low, top },  { top, low, falling },
    };
    for (int c = 0; c < 3; c++) {
        rgb[c] = (uint8_t)wheel[sixth][c];
    }
}
