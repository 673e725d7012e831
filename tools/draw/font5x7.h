/* draw/font5x7.h: letters made of dots, for pictures. */
#ifndef TOOLS_LETTERS_H
#define TOOLS_LETTERS_H

#include <stdint.h>

enum { LETTER_WIDE = 5, LETTER_HIGH = 7, LETTER_ADVANCE = LETTER_WIDE + 1 };

/* LETTER_HIGH rows from the top, the leftmost dot of each in bit 4; what has no letter is a '?'. */
const uint8_t *letter_rows(char letter);

/* How many dots it hangs below the line. */
int letter_drop(char letter);

#endif
