/* Shares, checksums, headers and records of part files. */
#include "test/support/test.h"
#include "tools/command.h"
#include "tools/output/checksum.h"
#include "tools/parts/file.h"
#include "tools/parts/options.h"

TEST(shares_are_contiguous_and_even)
{
    static const uint64_t totals[] = { 0, 1, 2, 9, 1000, UINT64_C(1000000000000), UINT64_MAX };
    static const uint64_t parts[] = { 1, 2, 3, 7, 1000, 1000000000 };
    for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
            const uint64_t total = totals[t], of = parts[p];
            assert_int_equal(parts_begin_of(0, of, total), 0);
            assert_true(parts_begin_of(of, of, total) == total);
            for (uint64_t i = 0; i < of; i += 1 + of / 50) {
                const uint64_t begin = parts_begin_of(i, of, total);
                const uint64_t end = parts_begin_of(i + 1, of, total);
                assert_true(end >= begin && end - begin >= total / of &&
                            end - begin <= total / of + (total % of != 0));
            }
        }
    }
}

TEST(only_whole_shares_are_parsed)
{
    static const char *const bad[] = {
        "",    "1",    "/",    "1/",   "/1",   "0/1",  "2/1",
        "1/0", " 1/2", "1/ 2", "1/2 ", "+1/2", "1//2", "99999999999999999999/99999999999999999999"
    };
    uint64_t index, of;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(parts_parse(bad[i], &index, &of));
    }
    assert_true(parts_parse("3/7", &index, &of) && index == 3 && of == 7);
    assert_true(parts_parse("1000000000/1000000000", &index, &of) && of == 1000000000);
    assert_true(parts_parse(NULL, &index, &of) && index == 1 && of == 1);
}

static uint64_t sum_of(const unsigned char *bytes, size_t size)
{
    checksum sum = checksum_begin(7);
    checksum_add(&sum, bytes, size);
    return checksum_end(&sum);
}

TEST(a_checksum_notices_each_bit_and_each_length)
{
    unsigned char bytes[100] = { 0 };
    for (size_t size = 0; size < sizeof bytes; size++) {
        const uint64_t whole = sum_of(bytes, size);
        assert_true(whole != sum_of(bytes, size + 1));
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_true(whole != sum_of(bytes, size));
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
    }
}

TEST(a_checksum_is_the_same_however_bytes_come)
{
    unsigned char bytes[200];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(37 * i + 11);
    }
    const uint64_t whole = sum_of(bytes, sizeof bytes);
    for (size_t first = 0; first <= sizeof bytes; first++) {
        for (size_t second = 0; second + first <= sizeof bytes; second += 13) {
            checksum sum = checksum_begin(7);
            checksum_add(&sum, bytes, first);
            checksum_add(&sum, bytes + first, second);
            checksum_add(&sum, bytes + first + second, sizeof bytes - first - second);
            assert_true(checksum_end(&sum) == whole);
        }
    }
}

/* A header, a record of a head, one of rows and the end, in a file; its size. */
static long write_part(FILE *file, part_header *header)
{
    const char *rows[PART_STREAMS] = { "0,1\n1,0\n", "two" }, *head[PART_STREAMS] = { "a,b\n", "" };
    part_record records[] = {
        { .kind = PART_HEAD, .sizes = { 4, 0 } },
        { .kind = PART_ROWS, .questions = 2, .sizes = { 8, 3 }, .sums = { 1 } },
        { .kind = PART_END, .questions = 2, .sums = { 1 } }
    };
    part_header_begin(header);
    part_header_add(header, "command", "cast\nwith a line");
    part_header_add_count(header, "total", 2);
    part_header_add_hash(header, "mesh", 5);
    assert_int_equal(part_header_end(header), EXIT_DONE);
    assert_int_equal(fwrite(header->text, 1, header->size, file), header->size);
    uint64_t before = part_file_seed(header);
    for (int i = 0; i < 3; i++) {
        assert_true(part_file_write(file, &records[i], i == 1 ? rows : head, before));
        before = records[i].checksum;
    }
    return ftell(file);
}

/* How many records of the file are whole, and what comes after them. */
static int read_part(FILE *file, part_found *last)
{
    UNDONE(part_header_free) part_header header;
    int count = 0;
    rewind(file);
    *last = PART_DAMAGED;
    if (part_header_read(&header, file)) {
        part_record record;
        uint64_t before = part_file_seed(&header);
        while ((*last = part_file_read(file, &record, before, NULL, NULL)) == PART_WHOLE) {
            before = record.checksum;
            count++;
        }
    }
    return count;
}

TEST(what_is_written_is_read)
{
    FILE *file = tmpfile();
    part_header header, again;
    uint64_t total = 0;
    part_found last;
    assert_non_null(file);
    (void)write_part(file, &header);
    rewind(file);
    assert_true(part_header_read(&again, file));
    assert_string_equal(again.text, header.text);
    assert_true(part_header_is(&again, "command", "cast?with a line"));
    assert_true(part_header_count(&again, "total", &total) && total == 2);
    assert_false(part_header_count(&again, "command", &total));
    assert_false(part_header_count(&again, "nothing", &total));
    assert_int_equal(part_header_compare(&again, "a", &header, "b", true), EXIT_DONE);
    assert_int_equal(read_part(file, &last), 3);
    assert_int_equal(last, PART_NO_MORE);
    part_header_free(&header);
    part_header_free(&again);
    fclose(file);
}

TEST(every_change_of_a_bit_is_noticed)
{
    FILE *file = tmpfile();
    part_header header;
    part_found last;
    assert_non_null(file);
    const long size = write_part(file, &header);
    for (long bit = 0; bit < 8 * size; bit++) {
        fseek(file, bit / 8, SEEK_SET);
        const int byte = fgetc(file);
        fseek(file, bit / 8, SEEK_SET);
        fputc(byte ^ 1 << bit % 8, file);
        assert_true(read_part(file, &last) < 3);
        assert_true(last != PART_WHOLE);
        clearerr(file);
        fseek(file, bit / 8, SEEK_SET);
        fputc(byte, file);
    }
    assert_int_equal(read_part(file, &last), 3);
    part_header_free(&header);
    fclose(file);
}
