/* output/value.c: a number or text as text, CSV or JSON, for output.c. */
#include "tools/output/value.h"

#include <sightline/bvh.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

out_value value_nothing(void)
{
    return (out_value){ .kind = VALUE_NOTHING };
}

out_value value_count(uint64_t count)
{
    return (out_value){ .kind = VALUE_COUNT, .as.count = count };
}

out_value value_sum(uint64_t count)
{
    return (out_value){ .kind = VALUE_SUM, .as.count = count };
}

out_value value_rounded(double real, int digits)
{
    return (out_value){ .kind = VALUE_REAL, .digits = digits, .as.real = real };
}

out_value value_float(float real)
{
    return value_rounded((double)real, 9);
}

out_value value_double(double real)
{
    return value_rounded(real, 17);
}

out_value value_number(uint32_t number)
{
    return number != SL_NONE ? value_count(number) : value_nothing();
}

out_value value_text(const char *text)
{
    return (out_value){ .kind = text != NULL ? VALUE_TEXT : VALUE_NOTHING, .as.text = text };
}

out_value value_bool(bool yes)
{
    return (out_value){ .kind = VALUE_BOOL, .as.yes = yes };
}

/* 17 digits name every double, but 0.1 need not be written 0.10000000000000001. */
static void format_real(char *to, size_t size, double real, int digits)
{
    for (int fewer = digits > 9 ? 9 : digits; fewer <= digits; fewer++) {
        snprintf(to, size, "%.*g", fewer, real);
        if (digits <= 9 || strtod(to, NULL) == real) {
            return;
        }
    }
}

const char *out_value_words(output_format format, const out_value *v, char to[OUT_VALUE_SIZE])
{
    switch (v->kind) {
    case VALUE_NOTHING:
        return format == OUTPUT_JSON ? "null" : format == OUTPUT_CSV ? "" : "-";
    case VALUE_COUNT:
    case VALUE_SUM:
        snprintf(to, OUT_VALUE_SIZE, "%" PRIu64, v->as.count);
        return to;
    case VALUE_REAL:
        if (isnan(v->as.real)) {
            return format == OUTPUT_JSON ? "\"nan\"" : "nan";
        }
        if (isinf(v->as.real)) {
            const char *const word = v->as.real < 0 ? "\"-inf\"" : "\"inf\"";
            snprintf(to, OUT_VALUE_SIZE, "%s", word);
            if (format != OUTPUT_JSON) {
                snprintf(to, OUT_VALUE_SIZE, "%s", v->as.real < 0 ? "-inf" : "inf");
            }
            return to;
        }
        format_real(to, OUT_VALUE_SIZE, v->as.real, v->digits);
        return to;
    case VALUE_BOOL:
        if (format == OUTPUT_TEXT) {
            return v->as.yes ? "yes" : "no";
        }
        return format == OUTPUT_JSON ? (v->as.yes ? "true" : "false") : (v->as.yes ? "1" : "0");
    case VALUE_TEXT:
        return v->as.text;
    }
    return "";
}

/* How many bytes the UTF-8 character at text takes; 0 where there is none, which JSON and XML must
 * not see. */
static size_t utf8_size(const unsigned char *text)
{
    const unsigned char c = text[0];
    const size_t size = c < 0x80   ? 1
                        : c < 0xC2 ? 0
                        : c < 0xE0 ? 2
                        : c < 0xF0 ? 3
                        : c < 0xF5 ? 4
                                   : 0;
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    const bool too_long = (c == 0xE0 && text[1] < 0xA0) || (c == 0xF0 && text[1] < 0x90);
    const bool surrogate = c == 0xED && text[1] >= 0xA0;
    return too_long || surrogate || (c == 0xF4 && text[1] >= 0x90) ? 0 : size;
}

void out_print_json_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        const size_t size = utf8_size(c);
        if (size == 0) {
            fputs("\\ufffd", to);
            c++;
        } else if (*c == '"' || *c == '\\') {
            fprintf(to, "\\%c", *c++);
        } else if (*c < 32) {
            fprintf(to, "\\u%04x", *c++);
        } else {
            fwrite(c, 1, size, to);
            c += size;
        }
    }
    fputc('"', to);
}

/* The last two of U+FFFF's plane are no characters. */
static bool is_xml(const unsigned char *c, size_t size)
{
    return size > 0 && (*c >= 32 || *c == '\t') &&
           !(size == 3 && c[0] == 0xEF && c[1] == 0xBF && c[2] >= 0xBE);
}

void out_print_xml_text(FILE *to, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        const size_t size = utf8_size(c);
        const char *name = *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : *c == '&' ? "&amp;" : "&quot;";
        if (!is_xml(c, size)) {
            fputs("\xEF\xBF\xBD", to);
        } else if (strchr("<>&\"", *c) != NULL) {
            fputs(name, to);
        } else {
            fwrite(c, 1, size, to);
        }
        c += size > 0 ? size : 1;
    }
}

void out_print_csv_text(FILE *to, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', to);
        }
        fputc(*text, to);
    }
    fputc('"', to);
}
