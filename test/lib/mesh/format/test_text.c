/* Numbers and words of text files: lib/mesh/format/number.c and lib/mesh/format/text.c. */
#include "lib/mesh/format/text.h"
#include "test/support/test.h"

#include <gmp.h>
#include <inttypes.h>

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The number takes up the whole text, which is copied so that a sanitizer guards its end. */
static double parse(const char *text)
{
    const size_t size = strlen(text);
    FREED uint8_t *bytes = made_memory(size);
    memcpy(bytes, text, size);
    double value = 12345.0;
    const uint8_t *after = sli_number_double(bytes, bytes + size, &value);
    if (after != bytes + size) {
        print_error("'%.40s' was not read to its end\n", text);
    }
    assert_ptr_equal(after, bytes + size);
    return value;
}

static void assert_parses(const char *text, double wanted)
{
    const double value = parse(text);
    if (bits_of(value) != bits_of(wanted)) {
        print_error("'%.60s' gave %a instead of %a\n", text, value, wanted);
    }
    assert_true(bits_of(value) == bits_of(wanted));
}

TEST(usual_spellings_are_read)
{
    assert_parses("0", 0.0);
    assert_parses("-0", -0.0);
    assert_parses("1", 1.0);
    assert_parses("+1", 1.0);
    assert_parses("-17.25", -17.25);
    assert_parses("2.", 2.0);
    assert_parses(".5", 0.5);
    assert_parses("-.5", -0.5);
    assert_parses(".8e-1", 0.08);
    assert_parses("8e-001", 0.8);
    assert_parses("7E+02", 700.0);
    assert_parses("1e22", 1e22);
    assert_parses("000123.4500", 123.45);
    assert_parses("0.1", 0.1);
    assert_parses("-1.51894e-16", -1.51894e-16);
    assert_parses("100000000000000000000000", 1e23);
}

TEST(ends_of_the_range_are_kept)
{
    assert_parses("1.7976931348623157e308", 1.7976931348623157e308);
    assert_parses("1e309", INFINITY);
    assert_parses("-1e999999999999999999999", -INFINITY);
    assert_parses("4.9406564584124654e-324", 4.9406564584124654e-324);
    assert_parses("3e-324", 4.9406564584124654e-324);
    assert_parses("2e-324", 0.0);
    assert_parses("-1e-400", -0.0);
    assert_parses("1e-999999999999999999999", 0.0);
    assert_parses("0e999999999999999999999", 0.0);
    /* 1 behind 400 zeros, times 10^401. */
    char text[512] = "0.";
    memset(text + 2, '0', 400);
    snprintf(text + 402, sizeof text - 402, "1e401");
    assert_parses(text, 1.0);
}

TEST(names_of_no_number_are_read)
{
    const char *const infinite[] = { "inf", "INF", "Infinity", "+inf", "1.#INF", "1.#INF00" };
    const char *const nans[] = { "nan",    "NaN",     "-nan",    "nan(ind)", "-nan(snan)",
                                 "1.#IND", "-1.#IND", "1.#QNAN", "1.#SNAN" };
    for (size_t i = 0; i < sizeof infinite / sizeof infinite[0]; i++) {
        assert_parses(infinite[i], INFINITY);
    }
    assert_parses("-inf", -INFINITY);
    for (size_t i = 0; i < sizeof nans / sizeof nans[0]; i++) {
        assert_true(isnan(parse(nans[i])));
    }
}

TEST(other_words_are_no_numbers)
{
    const char *const words[] = { "",   "-",   "+",  ".",   "-.",  "e5",  "--1", "+-1",
                                  "x1", ".e1", "1e", "1e+", "1e-", "2.e", "abc", "/" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const uint8_t *text = (const uint8_t *)words[i];
        double value;
        assert_null(sli_number_double(text, text + strlen(words[i]), &value));
    }
    /* The number ends where the illegal part begins, which is then no gap. */
    const char *const glued[] = { "3.1+e2", "0x10", "1,5", "1.2.3", "1e5e5", "12abc", "1_000" };
    for (size_t i = 0; i < sizeof glued / sizeof glued[0]; i++) {
        sli_text text = { .at = (const uint8_t *)glued[i], .line = 7 };
        text.end = text.at + strlen(glued[i]);
        double value;
        sl_error error;
        assert_int_equal(sli_text_double(&text, "a number", &value, &error), SL_BAD_DATA);
        assert_int_equal(error.line, 7);
        assert_non_null(strstr(error.message, glued[i]));
    }
}

/* 2^53 + 1 is halfway between two doubles; the lower one is even. */
TEST(halfway_cases_go_to_even_and_a_far_digit_decides)
{
    assert_parses("9007199254740993", 9007199254740992.0);
    assert_parses("9007199254740993.0", 9007199254740992.0);
    assert_parses("9007199254740995", 9007199254740996.0);
    char text[4096];
    const int length = snprintf(text, sizeof text, "9007199254740993.");
    memset(text + length, '0', 2000);
    text[length + 2000] = '\0';
    assert_parses(text, 9007199254740992.0);
    text[length + 1999] = '1';
    assert_parses(text, 9007199254740994.0);
}

/* (2 k + 1) 2^-1075 is halfway between k and k + 1 times the smallest double, 2^-1074.  Its digits
 * are those of (2 k + 1) 5^1075, with 1075 of them behind the point. */
TEST(long_halfway_cases_of_tiny_numbers_are_exact)
{
    const unsigned long counts[] = { 0, 1, 2, 3, 12345, 999999999 };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const unsigned long k = counts[i];
        mpz_t digits;
        mpz_init(digits);
        mpz_ui_pow_ui(digits, 5, 1075);
        mpz_mul_ui(digits, digits, 2 * k + 1);
        char *written = mpz_get_str(NULL, 10, digits);
        char text[2048];
        snprintf(text, sizeof text, "%se-1075", written);
        assert_parses(text, ldexp((double)(k + k % 2), -1074));
        snprintf(text, sizeof text, "%s.0000001e-1075", written);
        assert_parses(text, ldexp((double)(k + 1), -1074));
        /* One less in the last digit, which is a 5: below halfway. */
        written[strlen(written) - 1] = '4';
        snprintf(text, sizeof text, "%se-1075", written);
        assert_parses(text, ldexp((double)k, -1074));
        free(written);
        mpz_clear(digits);
    }
}

/* Whether value is the double nearest to digits * 10^exponent, in exact rationals: not farther than
 * half the way to either neighbour, and even where just as far. */
static bool is_nearest(double value, uint64_t digits, int exponent)
{
    mpq_t exact, low, high, power;
    mpq_inits(exact, low, high, power, NULL);
    mpz_set_ui(mpq_numref(exact), digits);
    mpz_ui_pow_ui(mpq_numref(power), 10, (unsigned long)abs(exponent));
    if (exponent < 0) {
        mpq_div(exact, exact, power);
    } else {
        mpq_mul(exact, exact, power);
    }
    mpq_set_d(low, nextafter(value, -INFINITY));
    mpq_set_d(high, nextafter(value, INFINITY));
    mpq_set_d(power, value);
    mpq_add(low, low, power);
    mpq_add(high, high, power);
    mpq_add(exact, exact, exact);
    const int below = mpq_cmp(exact, low), above = mpq_cmp(exact, high);
    const bool even = (bits_of(value) & 1) == 0;
    mpq_clears(exact, low, high, power, NULL);
    return (below > 0 || (below == 0 && even)) && (above < 0 || (above == 0 && even));
}

TEST(random_decimals_give_the_nearest_double)
{
    test_random random = { .state = 1990 };
    print_message("seed %" PRIu64 "\n", random.state);
    for (int i = 0; i < 20000; i++) {
        const uint64_t digits = test_random_u64(&random) >> (test_random_u64(&random) % 64);
        const int exponent =
            (int)(test_random_u64(&random) % (i % 2 == 0 ? 50 : 560)) - (i % 2 == 0 ? 25 : 280);
        char text[64];
        snprintf(text, sizeof text, "%" PRIu64 "e%d", digits, exponent);
        const double value = parse(text);
        if (!is_nearest(value, digits, exponent)) {
            fail_msg("%s gave %a", text, value);
        }
    }
}

TEST(where_the_point_stands_makes_no_difference)
{
    test_random random = { .state = 4711 };
    print_message("seed %" PRIu64 "\n", random.state);
    for (int i = 0; i < 5000; i++) {
        char digits[24], text[64];
        const int length = snprintf(digits, sizeof digits, "%" PRIu64,
                                    test_random_u64(&random) >> test_random_u64(&random) % 60);
        const int before = (int)(test_random_u64(&random) % (uint64_t)(length + 1));
        snprintf(text, sizeof text, "%.*s.%se%d", before, digits, digits + before, length - before);
        assert_parses(text, parse(digits));
    }
}

TEST(integers_saturate)
{
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = { { "0", 0 },
                  { "+7", 7 },
                  { "-7", -7 },
                  { "9223372036854775807", INT64_MAX },
                  { "9223372036854775808", INT64_MAX },
                  { "-9223372036854775808", INT64_MIN },
                  { "-9223372036854775809", INT64_MIN },
                  { "9223372036854775806", INT64_MAX - 1 },
                  { "-9223372036854775807", INT64_MIN + 1 },
                  { "99999999999999999999999999999999999", INT64_MAX } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint8_t *text = (const uint8_t *)cases[i].text;
        const uint8_t *end = text + strlen(cases[i].text);
        int64_t value;
        assert_ptr_equal(sli_number_int(text, end, &value), end);
        assert_true(value == cases[i].value);
    }
    int64_t value;
    const uint8_t *minus = (const uint8_t *)"-";
    assert_null(sli_number_int(minus, minus + 1, &value));
}

TEST(lines_are_counted_whatever_ends_them)
{
    const uint8_t *bytes = (const uint8_t *)"a\nb\r\nc\rd\n\ne\n\rf\n\r\ng";
    sli_text text = { .at = bytes, .end = bytes + strlen((const char *)bytes), .line = 1 };
    const int64_t lines[] = { 1, 2, 3, 4, 6, 7, 9 };
    for (int i = 0; i < 7; i++) {
        sli_text_skip_space(&text);
        assert_int_equal(text.line, lines[i]);
        assert_int_equal(*text.at, 'a' + i);
        sli_text_skip_word(&text);
    }
    sli_text_skip_space(&text);
    assert_ptr_equal(text.at, text.end);
}

TEST(quotes_are_printable_and_cut)
{
    const uint8_t *bytes =
        (const uint8_t *)"\x01\xFF"
                         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";
    sli_text text = { .at = bytes, .end = bytes + strlen((const char *)bytes), .line = 1 };
    sli_quote quote = sli_text_quote(&text);
    assert_int_equal(strlen(quote.text), sizeof quote.text - 1);
    assert_memory_equal(quote.text, "'??aaa", 6);
    assert_string_equal(quote.text + strlen(quote.text) - 5, "a...'");
    sli_text_skip_word(&text);
    assert_string_equal(sli_text_quote(&text).text, "the end of the line");
    text.at = text.end;
    assert_string_equal(sli_text_quote(&text).text, "the end of the file");
}
