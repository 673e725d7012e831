/* contact.h: mesh against mesh and sweeps of a case, asked of the library and of plain walks. */
#pragma once

#include "test/cliffs/measure.h"

typedef struct cliff_contact cliff_contact; /* keeps what the last case was made for */

cliff_contact *contact_open(void); /* NULL: out of memory */
void contact_close(cliff_contact *contact);

/* Whether meshes at their places are still those that were made (scene_is_resolved). */
bool contact_is_resolved(cliff_contact *contact, const cliff_case *c);

/* MEASURE_PLAIN or MEASURE_COST.  pairs: 0 is a quick look. */
bench_measured contact_measure(cliff_contact *contact, cliff_measure measure, const cliff_case *c,
                               int pairs);

/* Whether the library finds what plain walks do. */
bool contact_agrees(cliff_contact *contact, const cliff_case *c);
