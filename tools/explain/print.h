/* explain/print.h: questions, walks and explanations as fields. */
#pragma once

#include "tools/explain/subject.h"
#include "tools/output/output.h"

void explain_print_question(output *out, const explain_question *q);
void explain_print_walk(output *out, const explain_question *q, const subject_hits *a);

/* Everything about one triangle.  title: "triangle" or "nearest_miss". */
void explain_print_triangle(output *out, const explain_question *q, const explanation *e,
                            const subject_hits *a, const char *title);
