/* input/ready.h: whether reading from a stream would wait for another process. */
#ifndef TOOLS_INPUT_READY_H
#define TOOLS_INPUT_READY_H

#include <stdbool.h>
#include <stdio.h>

/* Whether a read returns at once, with bytes or at the end. */
bool input_ready(FILE *stream);

#endif
