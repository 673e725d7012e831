/* format/ply_reader.h: the numbers and lists of a PLY file, text or binary, one after another. */
#pragma once

#include "lib/base/error.h"
#include "lib/mesh/format/bytes.h"
#include "lib/mesh/format/ply_header.h"

#include <math.h>

typedef struct sli_ply_reader {
    const sli_source *source;
    sli_builder *builder;
    sl_error *error;
    sli_text text; /* the cursor, of binary files too */
    bool ascii, big;
    const sli_ply_header *header;
    const sli_ply_property *properties;
    const sli_ply_element *element; /* the one being read, and the number of the row in it */
    uint64_t row;
    sli_text uvs; /* the list of texture coordinates of this face: what is left of it */
    uint64_t uv_count;
    uint8_t uv_type;
    double part[2];    /* of the latest face: numbers of its part and material */
    uint32_t names[2]; /* and their names */
} sli_ply_reader;

static inline size_t sli_ply_bytes_left(const sli_ply_reader *in)
{
    return (size_t)(in->text.end - in->text.at);
}

/* "vertex", "face" or so: of the element that is being read. */
const char *sli_ply_element_name(const sli_ply_element *element);

/* An error: the file ends in this row.  missing: bytes, of binary files. */
sl_result sli_ply_fail_short(const sli_ply_reader *in, uint64_t missing);

/* An error: what stands there is no length of a list. */
sl_result sli_ply_fail_length(const sli_ply_reader *in, const sli_text *there);

/* The next number, of a text. */
static inline sl_result sli_ply_take_ascii(sli_ply_reader *in, double *out)
{
    sli_text_skip_space(&in->text);
    if (in->text.at == in->text.end) {
        return sli_ply_fail_short(in, 1);
    }
    return sli_text_double(&in->text, "a number", out, in->error);
}

static inline double sli_ply_decode_little(const uint8_t *at, sli_ply_type type)
{
    switch (type) {
    case SLI_PLY_INT8:
        return (double)(int8_t)at[0];
    case SLI_PLY_UINT8:
        return (double)at[0];
    case SLI_PLY_INT16:
        return (double)(int16_t)sli_little16(at);
    case SLI_PLY_UINT16:
        return (double)sli_little16(at);
    case SLI_PLY_INT32:
        return (double)(int32_t)sli_little32(at);
    case SLI_PLY_UINT32:
        return (double)sli_little32(at);
    case SLI_PLY_FLOAT32:
        return sli_float_of_bits(sli_little32(at));
    default:
        return sli_double_of_bits(sli_little64(at));
    }
}

static inline double sli_ply_decode_big(const uint8_t *at, sli_ply_type type)
{
    uint8_t turned[8];
    const size_t size = sli_ply_type_size(type);
    for (size_t i = 0; i < size; i++) {
        turned[i] = at[size - 1 - i];
    }
    return sli_ply_decode_little(turned, type);
}

/* The next number. */
static inline sl_result sli_ply_take(sli_ply_reader *in, uint8_t type, double *out)
{
    if (in->ascii) {
        return sli_ply_take_ascii(in, out);
    }
    const size_t size = sli_ply_type_size((sli_ply_type)type);
    if (sli_ply_bytes_left(in) < size) {
        return sli_ply_fail_short(in, size - sli_ply_bytes_left(in));
    }
    *out = in->big ? sli_ply_decode_big(in->text.at, (sli_ply_type)type)
                   : sli_ply_decode_little(in->text.at, (sli_ply_type)type);
    in->text.at += size;
    return SL_OK;
}

/* One that no triangle depends on: NaN where it is none. */
static inline sl_result sli_ply_take_optional(sli_ply_reader *in, uint8_t type, double *out)
{
    if (!in->ascii) {
        return sli_ply_take(in, type, out);
    }
    sli_text_skip_space(&in->text);
    if (in->text.at == in->text.end) {
        return sli_ply_fail_short(in, 1);
    }
    if (sli_text_double(&in->text, "a number", out, NULL) != SL_OK) {
        *out = NAN;
        sli_text_skip_word(&in->text);
    }
    return SL_OK;
}

/* count numbers that are of no interest. */
static inline sl_result sli_ply_skip(sli_ply_reader *in, uint8_t type, uint64_t count)
{
    if (!in->ascii) {
        const size_t size = sli_ply_type_size((sli_ply_type)type);
        if (count > sli_ply_bytes_left(in) / size) {
            return sli_ply_fail_short(in, count * size - sli_ply_bytes_left(in));
        }
        in->text.at += count * size;
        return SL_OK;
    }
    for (; count > 0; count--) {
        sli_text_skip_space(&in->text);
        if (in->text.at == in->text.end) {
            return sli_ply_fail_short(in, 1);
        }
        sli_text_skip_word(&in->text);
    }
    return SL_OK;
}

/* How many numbers the list has that begins here. */
static inline sl_result sli_ply_take_length(sli_ply_reader *in, const sli_ply_property *property,
                                            uint64_t *out)
{
    double length = 0;
    if (in->ascii) {
        sli_text_skip_space(&in->text);
    }
    const sli_text before = in->text;
    SLI_TRY(sli_ply_take(in, property->count_type, &length));
    if (!(length >= 0.0 && length <= (double)UINT32_MAX && length == (double)(uint32_t)length)) {
        return sli_ply_fail_length(in, &before);
    }
    *out = (uint64_t)length;
    const size_t size = sli_ply_type_size((sli_ply_type)property->type);
    if (!in->ascii && *out > sli_ply_bytes_left(in) / size) {
        return sli_ply_fail_short(in, *out * size - sli_ply_bytes_left(in));
    }
    return SL_OK;
}
