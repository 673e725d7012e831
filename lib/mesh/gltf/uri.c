/* gltf/uri.c: a buffer's URI is not trusted: it may hold data, or name a file in the folder of the
 * glTF file or below it, and nothing else. Source: RFC 3986 (URIs), RFC 2397 (data). */
#include "lib/mesh/gltf/gltf.h"

#include <string.h>

static int uri_hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Percent escapes to bytes; false where one is broken.  The result is no longer than the URI. */
static bool uri_unescape(const char *uri, size_t length, char *out)
{
    for (size_t i = 0; i < length; i++) {
        int c = (uint8_t)uri[i];
        if (c == '%') {
            const int high = i + 2 < length ? uri_hex(uri[i + 1]) : -1;
            const int low = i + 2 < length ? uri_hex(uri[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return false;
            }
            c = high << 4 | low;
            i += 2;
        }
        *out++ = (char)c;
        if (c == 0) {
            return false;
        }
    }
    *out = '\0';
    return true;
}

static bool is_data(const char *uri, size_t length)
{
    static const char scheme[] = "data:";
    for (size_t i = 0; i < sizeof scheme - 1; i++) {
        if (i >= length || (uri[i] | 0x20) != (scheme[i] | 0x20)) {
            return false;
        }
    }
    return true;
}

static sli_gltf_uri read_data(const char *uri, const char **out)
{
    static const char base64[] = ";base64";
    const char *comma = strchr(uri, ',');
    if (comma == NULL || (size_t)(comma - uri) < sizeof base64 - 1 ||
        strncmp(comma - (sizeof base64 - 1), base64, sizeof base64 - 1) != 0) {
        *out = "is a data URI without ';base64,'";
        return SLI_GLTF_REFUSED;
    }
    *out = comma + 1;
    return SLI_GLTF_DATA;
}

/* Whether one of the names between slashes is "..". */
static bool uri_climbs(const char *path)
{
    for (const char *name = path; name != NULL; name = strchr(name, '/')) {
        name += *name == '/' ? 1 : 0;
        if (strncmp(name, "..", 2) == 0 && (name[2] == '/' || name[2] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Why a path may not be followed; NULL where it may. */
static const char *uri_refusal(const char *path)
{
    if (path[0] == '\0') {
        return "is empty";
    }
    if (path[0] == '/' || strchr(path, '\\') != NULL) {
        return "is no path within the file's folder: it begins with '/' or has a '\\' in it";
    }
    if (uri_climbs(path)) {
        return "leads out of the file's folder ('..'), where no buffer is read from";
    }
    for (const char *c = path; *c != '\0'; c++) {
        if ((uint8_t)*c < 0x20 || (uint8_t)*c == 0x7F) {
            return "has a control character in it";
        }
    }
    return NULL;
}

sli_gltf_uri sli_gltf_read_uri(const char *uri, size_t length, char *text, const char **out)
{
    if (is_data(uri, length)) {
        return read_data(uri, out);
    }
    /* A scheme ends in a colon, as does the name of a drive. */
    const size_t first = strcspn(uri, ":/");
    if (first < length && uri[first] == ':') {
        *out = "names a scheme or a drive; only data and files beside the glTF file are read";
        return SLI_GLTF_REFUSED;
    }
    if (!uri_unescape(uri, length, text)) {
        *out = "has a broken percent escape in it, or %00";
        return SLI_GLTF_REFUSED;
    }
    *out = uri_refusal(text);
    if (*out != NULL) {
        return SLI_GLTF_REFUSED;
    }
    *out = text;
    return SLI_GLTF_FILE;
}
