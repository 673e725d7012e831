/* parts/merge_out.h: what parts are merged into: text with sums behind its rows, an array, or
 * lists. */
#pragma once

#include "tools/output/npy_list.h"
#include "tools/parts/file.h"

typedef struct merge_out {
    bool is_array, is_lists;
    out_file text;
    npy_list arrays; /* of an array only rows is used */
    uint64_t of;     /* parts there are */

    /* The part and the record at hand. */
    bool is_first;
    uint64_t rows;          /* of arrays and lists: of the part so far */
    uint64_t base;          /* of lists: rows of all parts before this one */
    uint64_t last;          /* of lists: where the last one ends, in rows of the part */
    unsigned char piece[8]; /* of lists: an offset, of which held bytes are there */
    size_t held;
    bool sound;  /* offsets never shrink */
    char *words; /* the text of the record, if it is not of rows; from malloc, ends with 0 */
    size_t word_size;

    /* Of all parts. */
    char *tail; /* text behind the last row, with sums of one part marked in it */
    size_t tail_size;
    uint64_t *sums; /* of all parts, in the order of the text */
    size_t sum_count;
    uint64_t found;
    bool failed;    /* writing has */
    bool no_memory; /* for the text of a record */
} merge_out;

/* header: that of any part, and the name of its file; total: questions of all.  EXIT_DONE or a
 * status after a report. */
int merge_out_open(merge_out *out, const part_header *header, const char *path, uint64_t total,
                   const char *to);

void merge_out_part(merge_out *out, bool is_first); /* another part begins */

/* A record: begin, its bytes by take (a part_take), end, once it is known to be whole.  EXIT_DONE;
 * EXIT_BAD_INPUT without a report where it is not what parts of this kind hold; EXIT_FAILED after a
 * report. */
void merge_out_begin(merge_out *out);
bool merge_out_take(void *context, const part_record *record, int stream, const char *bytes,
                    size_t size);
int merge_out_end(merge_out *out, const part_record *record);

/* EXIT_DONE, or EXIT_FAILED after a report: of writes that failed before, too. */
int merge_out_close(merge_out *out);
void merge_out_discard(merge_out *out); /* a zeroed or closed one is fine */
