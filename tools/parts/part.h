/* parts/part.h: answers on their way into a part file instead of their own, for every subcommand
 * that has --part and --resume.
 *
 * A subcommand opens its outputs with a part, which keeps in memory what they write; part_out_start
 * says which questions are still to be asked; part_out_block makes a record of the rows of a block;
 * part_out_close what is written behind the last row.  A part file appears whole; with --resume an
 * unfinished one stays under a name of its own, and is what a later run goes on with: records that
 * are whole are kept, the rest is cut off.  A run with --resume and without --part is part 1 of 1,
 * which is merged when it is finished. */
#pragma once

#include "tools/input/mesh.h"
#include "tools/output/npy_list.h"
#include "tools/output/output.h"
#include "tools/parts/file.h"
#include "tools/parts/options.h"

typedef struct part_out part_out;

struct part_out {
    /* What the outputs write. */
    const char *format; /* "csv", "json", "text", "array" or "lists" */
    const char *descr;  /* of arrays: the type of a row, as in .npy */
    uint64_t columns;   /* of arrays; 0: one dimension */
    out_file *files[PART_STREAMS];
    out_memory memory[PART_STREAMS][2]; /* one is written to, number turn, and one was taken */
    int turn;
    int file_count;

    /* Which questions are asked: from first + done on, as many as are left of count. */
    uint64_t index, of, total, first, count, done;
    uint64_t sums[PART_SUMS];     /* of what is done; the caller adds to them before a block */
    uint64_t sizes[PART_STREAMS]; /* bytes that are done */
    bool complete; /* nothing is left to do, and all is said; the exit status is ... */
    int status;    /* ... this one */

    /* Where the records go. */
    const parts_options *options;
    const char *out;
    part_header header;
    uint64_t checksum; /* of the last record */
    bool begun;        /* the first record is there */
    bool failed;       /* writing has; error says why */
    int error;
    char *path, *unfinished;
    out_file file; /* without --resume */
    FILE *kept;    /* with it */
};

/* What is asked, of what. */
typedef struct part_question {
    const invocation *call;
    const parts_options *options;
    const char *out; /* --out */
    const mesh_in *in;
    uint64_t total; /* questions of all parts */
    uint64_t hash;  /* of the questions; 0 where they are generated */
    bool quiet;
} part_question;

/* Outputs that write to a part instead of their own file: a document, which is not coloured and
 * whose sums are marked; arrays without a header, whose rows so far count as written; and lists,
 * whose ends are counted from the part's first row.  As those of output/ otherwise. */
int output_open_part(output *out, part_out *part, output_format format, const char *command);
int npy_out_open_part(npy_out *out, part_out *part, npy_out_type type, uint64_t columns);
int npy_list_open_part(npy_list *list, part_out *part, npy_out_type type);

/* Behind part_out_start: rows that the part has already. */
void npy_list_go_on(npy_list *list, const part_out *part);

/* Lends a stream to an output that writes to a part.  EXIT_DONE, or a status after a report. */
int part_out_file(part_out *part, out_file *file);

/* What the outputs have written so far stands in front of the first row.  EXIT_DONE, also where
 * part->complete; or a status after a report. */
int part_out_start(part_out *part, const part_question *question);

/* What they have written since are the rows of the next questions.  False when writing has failed;
 * part_out_close says why. */
bool part_out_block(part_out *part, uint64_t questions);

/* What they have written since is behind the last row.  The outputs are to be closed after it.
 * EXIT_DONE, or a status after a report; of a whole run that is finished what merging returns. */
int part_out_close(part_out *part);

void part_out_discard(part_out *part); /* a zeroed or closed one is fine */

/* The rest of a run that was stopped: how much of it is done, from 0 to 1, for the progress bar. */
double part_out_fraction(const part_out *part);

/* ---- note.c: the note that a whole run with --resume leaves beside its answers, OUT.done: what
 * they answer, and a checksum of them, so that the next run knows that all is done. ---- */

/* Whether OUT and its note say that all is done.  EXIT_DONE, or a status after a report: OUT is of
 * another question, or nothing says of which. */
int part_note_check(const part_out *part, bool *done);

/* Reads what was written, and leaves the note. */
int part_note_write(const part_out *part);

/* ---- resume.c: what --resume finds beside OUT, and what it leaves there when all is done ---- */

/* Opens part->kept where part->header is the question: new, or behind the last record that is
 * whole, with done, sums, sizes and checksum as they were there.  part->complete where all was
 * done. EXIT_DONE, or a status after a report. */
int part_resume(part_out *part, bool quiet);

/* Gives the finished part its name, or merges it to OUT and leaves a note beside it. */
int part_resume_finish(part_out *part);

/* ---- identity.c: the header of a part: everything that its bytes depend on ---- */

/* EXIT_DONE, or a status after a report; free the header either way. */
int part_identity(const part_out *part, const part_question *question, part_header *header);
