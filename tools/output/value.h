/* output/value.h: one value of a report, and how it is written in each format. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum output_format { OUTPUT_TEXT, OUTPUT_CSV, OUTPUT_JSON } output_format;

typedef enum value_kind {
    VALUE_NOTHING,
    VALUE_COUNT,
    VALUE_REAL,
    VALUE_TEXT,
    VALUE_BOOL,
    VALUE_SUM
} value_kind;

typedef struct out_value {
    value_kind kind;
    int digits; /* significant, of a real: 9 from value_float */
    union {
        uint64_t count;
        double real;
        const char *text;
        bool yes;
    } as;
} out_value;

out_value value_nothing(void);
out_value value_count(uint64_t count);
out_value value_sum(uint64_t count); /* a count that is added up over the parts of a run */
out_value value_float(float real);
out_value value_double(double real);              /* as many digits as it takes, 17 at most */
out_value value_rounded(double real, int digits); /* for reading: times, shares */
out_value value_number(uint32_t number);          /* nothing for SL_NONE */
out_value value_text(const char *text); /* is kept by pointer until written; NULL: nothing */
out_value value_bool(bool yes);

/* In part files a sum stands between these, so that merging finds it. */
enum { OUT_VALUE_SIZE = 64, OUT_SUM_BEGIN = 0x1E, OUT_SUM_END = 0x1F };

/* The words for a value: in `to`, or text of its own, which JSON and CSV have yet to quote. */
const char *out_value_words(output_format format, const out_value *v, char to[OUT_VALUE_SIZE]);

/* Text as a JSON string, whatever its bytes. */
void out_print_json_text(FILE *to, const char *text);

/* Text between the tags or in the quotes of XML 1.0, which has no control characters. */
void out_print_xml_text(FILE *to, const char *text);

/* Text as a CSV cell, in quotes where it needs them; RFC 4180. */
void out_print_csv_text(FILE *to, const char *text);
