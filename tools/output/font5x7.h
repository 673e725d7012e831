/* output/font5x7.h: a font of five by seven dots, for text on pictures. */
#pragma once

#include <stdint.h>

enum { FONT_WIDTH = 5, FONT_HEIGHT = 7, FONT_ADVANCE = FONT_WIDTH + 1 };

/* FONT_HEIGHT rows from the top, the leftmost dot of each in bit 4; '?' for a character that the
 * font lacks. */
const uint8_t *font_rows(char letter);

/* How many dots it hangs below the line. */
int font_drop(char letter);
