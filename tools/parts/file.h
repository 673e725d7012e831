/* parts/file.h: what follows the header of a part file: records, each with the answers to a run of
 * questions, and a last one that says that all are there.
 *
 * A record is 64 bytes, little-endian, and the bytes of up to two streams: the rows, and of lists
 * also where each of them ends.  Its checksum is over all of that and over the checksum before it,
 * so that no record can be lost, moved or cut without notice. */
#pragma once

#include "tools/parts/header.h"

enum { PART_STREAMS = 2, PART_SUMS = 3, PART_TEXT_MAX = 1 << 20 };

typedef enum part_kind {
    PART_HEAD = 1, /* text in front of the first row of the whole: the same in all parts */
    PART_ROWS,
    PART_END /* text behind the last row, in which sums are marked (value_sum of output/value.h) */
} part_kind;

typedef struct part_record {
    part_kind kind;
    uint64_t questions; /* that it answers; of PART_END: of the part */
    uint64_t sizes[PART_STREAMS];
    uint64_t sums[PART_SUMS]; /* of the part so far; the first one: how many found something */
    uint64_t checksum;
} part_record;

/* The checksum that the first record follows. */
uint64_t part_file_seed(const part_header *header);

/* False when writing has failed; errno says why.  before: the checksum of the record before. */
bool part_file_write(FILE *stream, part_record *record, const char *const bytes[PART_STREAMS],
                     uint64_t before);

typedef enum part_found { PART_WHOLE, PART_NO_MORE, PART_CUT, PART_DAMAGED } part_found;

/* Takes a piece of a stream of the record; false stops reading. */
typedef bool part_take(void *context, const part_record *record, int stream, const char *bytes,
                       size_t size);

/* The next record, whose bytes go to take (NULL: nowhere) as they come, before it is known to be
 * whole.  PART_NO_MORE: the file ends here.  PART_CUT: it ends within, or cannot be read (ferror),
 * or take has stopped. */
part_found part_file_read(FILE *stream, part_record *record, uint64_t before, part_take *take,
                          void *context);
