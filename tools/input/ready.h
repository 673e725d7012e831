/* input/ready.h: whether reading from a stream would wait for another process. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Whether a read returns at once, with bytes or at the end. */
bool input_ready(FILE *stream);
