/* explain/print.h: queries, walks and explanations as fields; and in sentences, for people,
 * which appear in text only (explain/sentences.c). */
#pragma once

#include "tools/explain/explain.h"
#include "tools/output/output.h"

void explain_print_query(output *out, const explain_query *q);
void explain_print_walk(output *out, const explain_query *q, const subject_hits *a);

/* Everything about one triangle.  title: "triangle" or "nearest_miss". */
void explain_print_triangle(output *out, const explain_query *q, const explanation *e,
                            const subject_hits *a, const char *title);

/* One reason why a triangle is not hit; e->reasons has it. */
void explain_say(output *out, const explain_query *q, const explanation *e, explain_reason reason);

/* What is wrong with a ray that is not valid. */
void explain_say_invalid(output *out, const explain_query *q);
