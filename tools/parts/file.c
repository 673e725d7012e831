/* parts/file.c: records of part files, written and read. */
#include "tools/parts/file.h"

#include "tools/output/bytes.h"
#include "tools/output/checksum.h"

#include <string.h>

enum { RECORD_SIZE = 64, SUMMED = RECORD_SIZE - 8, PIECE = 1 << 15 };

static const unsigned char magic[4] = { 'S', 'L', 'p', 'r' };

uint64_t part_file_seed(const part_header *header)
{
    checksum sum = checksum_begin(1);
    checksum_add(&sum, header->text, header->size);
    return checksum_end(&sum);
}

static void file_pack(const part_record *record, unsigned char to[RECORD_SIZE])
{
    memcpy(to, magic, sizeof magic);
    bytes_put(to + 4, (uint64_t)record->kind, 4);
    bytes_put(to + 8, record->questions, 8);
    for (int i = 0; i < PART_STREAMS; i++) {
        bytes_put(to + 16 + 8 * i, record->sizes[i], 8);
    }
    for (int i = 0; i < PART_SUMS; i++) {
        bytes_put(to + 32 + 8 * i, record->sums[i], 8);
    }
    bytes_put(to + SUMMED, record->checksum, 8);
}

static bool file_unpack(const unsigned char from[RECORD_SIZE], part_record *record)
{
    const uint64_t kind = bytes_get(from + 4, 4);
    *record = (part_record){ .questions = bytes_get(from + 8, 8),
                             .checksum = bytes_get(from + SUMMED, 8) };
    for (int i = 0; i < PART_STREAMS; i++) {
        record->sizes[i] = bytes_get(from + 16 + 8 * i, 8);
    }
    for (int i = 0; i < PART_SUMS; i++) {
        record->sums[i] = bytes_get(from + 32 + 8 * i, 8);
    }
    if (memcmp(from, magic, sizeof magic) != 0 || kind < PART_HEAD || kind > PART_END) {
        return false;
    }
    record->kind = (part_kind)kind;
    return true;
}

bool part_file_write(FILE *stream, part_record *record, const char *const bytes[PART_STREAMS],
                     uint64_t before)
{
    unsigned char packed[RECORD_SIZE];
    checksum sum = checksum_begin(before);
    file_pack(record, packed);
    checksum_add(&sum, packed, SUMMED);
    for (int i = 0; i < PART_STREAMS; i++) {
        checksum_add(&sum, record->sizes[i] > 0 ? bytes[i] : "", (size_t)record->sizes[i]);
    }
    record->checksum = checksum_end(&sum);
    file_pack(record, packed);
    bool written = fwrite(packed, 1, RECORD_SIZE, stream) == RECORD_SIZE;
    for (int i = 0; i < PART_STREAMS && written; i++) {
        const size_t size = (size_t)record->sizes[i];
        written = size == 0 || fwrite(bytes[i], 1, size, stream) == size;
    }
    return written && fflush(stream) == 0;
}

/* The bytes of one stream; false where the file ends within them. */
static bool read_stream(FILE *stream, const part_record *record, int which, checksum *sum,
                        part_take *take, void *context)
{
    char bytes[PIECE];
    uint64_t size = record->sizes[which];
    while (size > 0) {
        const size_t wanted = size < PIECE ? (size_t)size : PIECE;
        if (fread(bytes, 1, wanted, stream) != wanted) {
            return false;
        }
        checksum_add(sum, bytes, wanted);
        if (take != NULL && !take(context, record, which, bytes, wanted)) {
            return false;
        }
        size -= wanted;
    }
    return true;
}

part_found part_file_read(FILE *stream, part_record *record, uint64_t before, part_take *take,
                          void *context)
{
    unsigned char packed[RECORD_SIZE];
    const size_t got = fread(packed, 1, RECORD_SIZE, stream);
    if (got < RECORD_SIZE) {
        return got == 0 && !ferror(stream) ? PART_NO_MORE : PART_CUT;
    }
    if (!file_unpack(packed, record) ||
        (record->kind != PART_ROWS && record->sizes[0] > PART_TEXT_MAX)) {
        return PART_DAMAGED;
    }
    checksum sum = checksum_begin(before);
    checksum_add(&sum, packed, SUMMED);
    for (int i = 0; i < PART_STREAMS; i++) {
        if (!read_stream(stream, record, i, &sum, take, context)) {
            return PART_CUT;
        }
    }
    return checksum_end(&sum) == record->checksum ? PART_WHOLE : PART_DAMAGED;
}
