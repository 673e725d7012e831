/* fuzz_merge.c: any bytes as part files for merge: put together, or refused; and as an unfinished
 * run.  A byte 0 or 1 says whether checksums are mended first, so that what is behind them is
 * reached, too. */
#include "test/fuzz/fuzz.h"
#include "tools/command.h"
#include "tools/output/checksum.h"
#include "tools/output/file_conflicts.h"
#include "tools/parts/file.h"
#include "tools/parts/merge.h"

#include <string.h>
#include <unistd.h>

enum { RECORD = 64, HEADER_MOST = 4096 };

static uint64_t number_at(const uint8_t *bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) {
        number |= (uint64_t)bytes[i] << (8 * i);
    }
    return number;
}

/* The checksum that a record must have; its place in the record is left out of it. */
static uint64_t record_sum(const uint8_t *record, uint64_t before, size_t payload)
{
    checksum sum = checksum_begin(before);
    checksum_add(&sum, record, RECORD - 8);
    checksum_add(&sum, record + RECORD, payload);
    return checksum_end(&sum);
}

static void mend_records(uint8_t *bytes, size_t size, uint64_t before)
{
    while (size >= RECORD) {
        const uint64_t first = number_at(bytes + 16), second = number_at(bytes + 24);
        if (first > size - RECORD || second > size - RECORD - first) {
            return;
        }
        const size_t payload = (size_t)(first + second);
        before = record_sum(bytes, before, payload);
        for (int i = 0; i < 8; i++) {
            bytes[RECORD - 8 + i] = (uint8_t)(before >> (8 * i));
        }
        bytes += RECORD + payload;
        size -= RECORD + payload;
    }
}

/* Lines up to "checksum ...", whose digits are set. */
static void mend(uint8_t *bytes, size_t size)
{
    static const char key[] = "\nchecksum ";
    char text[HEADER_MOST] = "";
    memcpy(text, bytes, size < sizeof text - 1 ? size : sizeof text - 1);
    const char *last = strstr(text, key);
    const size_t at = last != NULL ? (size_t)(last - text) + 1 : size;
    if (last == NULL || at + 26 > size) {
        return;
    }
    checksum sum = checksum_begin(0);
    char digits[17];
    checksum_add(&sum, bytes, at);
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)checksum_end(&sum));
    memcpy(bytes + at + sizeof key - 2, digits, 16);
    part_header header = { .text = (char *)bytes, .size = at + 26 };
    mend_records(bytes + header.size, size - header.size, part_file_seed(&header));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/sightline-fuzz-XXXXXX";
    char out[64];
    if (size == 0) {
        return 0;
    }
    FREED uint8_t *bytes = malloc(size);
    memcpy(bytes, data + 1, size - 1);
    if (data[0] % 2 == 1) {
        mend(bytes, size - 1);
    }
    const int file = mkstemp(path);
    if (file < 0 || write(file, bytes, size - 1) != (ssize_t)(size - 1) || close(file) != 0) {
        fuzz_fail("no temporary file");
    }
    const char *paths[] = { path, path };
    static const char *const endings[] = { ".csv", ".npy" };
    for (int i = 0; i < 4; i++) {
        snprintf(out, sizeof out, "%s%s", path, endings[i % 2]);
        const int status = parts_merge(paths, i < 2 ? 1 : 2, out);
        file_conflicts_forget();
        if (status < EXIT_DONE || status > EXIT_FAILED) {
            fuzz_fail("a status that has no meaning");
        }
        unlink(out);
        snprintf(out, sizeof out, "%s.offsets.npy", path);
        unlink(out);
    }
    return unlink(path);
}
