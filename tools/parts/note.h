/* parts/note.h: the note that a whole run with --resume leaves beside its answers, OUT.done: what
 * they answer, and a checksum of them, so that the next run knows that all is done. */
#pragma once

#include "tools/parts/part.h"

/* Whether OUT and its note say that all is done.  EXIT_DONE, or a status after a report: OUT is of
 * another question, or nothing says of which. */
int part_note_check(const part_out *part, bool *done);

/* Reads what was written, and leaves the note. */
int part_note_write(const part_out *part);
