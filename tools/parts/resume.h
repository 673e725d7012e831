/* parts/resume.h: what --resume finds beside OUT, and what it leaves there when all is done. */
#pragma once

#include "tools/parts/part.h"

/* Opens part->kept where part->header is the question: new, or behind the last record that is
 * whole, with done, sums, sizes and checksum as they were there.  part->complete where all was
 * done. EXIT_DONE, or a status after a report. */
int part_resume(part_out *part, bool quiet);

/* Gives the finished part its name, or merges it to OUT and leaves a note beside it. */
int part_resume_finish(part_out *part);
