/* explain/sentences.h: explanations in sentences, for people: they appear in text only. */
#pragma once

#include "tools/explain/explain.h"
#include "tools/output/output.h"

/* One reason why a triangle is not hit; e->reasons has it. */
void explain_say(output *out, const explain_question *q, const explanation *e,
                 explain_reason reason);

/* What is wrong with a ray that is not valid. */
void explain_say_invalid(output *out, const explain_question *q);
