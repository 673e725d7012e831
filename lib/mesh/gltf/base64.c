/* gltf/base64.c: decodes the data of data URIs; for gltf/uri.c. Source: RFC 4648. */
#include "lib/mesh/gltf/base64.h"

/* 0 to 63, or -1. */
static int value_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

bool sli_base64_decode(const char *text, size_t length, uint8_t *out, size_t *size)
{
    if (length > 0 && length % 4 == 0) {
        length -= text[length - 1] == '=' ? 1 : 0;
        length -= length % 4 == 3 && text[length - 1] == '=' ? 1 : 0;
    }
    uint32_t bits = 0;
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        const int value = value_of(text[i]);
        if (value < 0) {
            *size = i;
            return false;
        }
        bits = bits << 6 | (uint32_t)value;
        if (i % 4 != 0) {
            out[count++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
        }
    }
    *size = length % 4 == 1 ? length : count;
    return length % 4 != 1;
}
