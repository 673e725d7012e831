/* ask/near.h: what 'nearest' and 'within' share: points, answered with triangles in the order of their
 * distances. */
#ifndef TOOLS_ASK_NEAR_H
#define TOOLS_ASK_NEAR_H

#include "tools/ask/ask.h"

extern const option_row ask_near_report_rows[];

extern const ask_question ask_question_nearest, ask_question_within;

#endif
