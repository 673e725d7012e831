/* output/terminal.h: how wide the terminal is. */
#pragma once

#include <stdio.h>

/* Columns: what the variable COLUMNS says, else those of the terminal that the stream goes to, else
 * INT_MAX. */
int terminal_width(FILE *stream);
