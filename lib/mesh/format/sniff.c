/* sniff.c: what files look like that are no mesh we read, so that the error can say what to do. */
#include "lib/base/error.h"
#include "lib/mesh/format/format.h"

enum { LOOK_AT = 4096 };

#define UNPACK  "unpack it first"
#define FORMATS "set sl_mesh_def.formats to sl_io_formats(), or convert it to OBJ, PLY, STL or OFF"
#define CONVERT "convert it to OBJ, PLY, STL or OFF"
#define UTF8    "save it as UTF-8 or ASCII"

typedef struct signature {
    const char *bytes;
    size_t size; /* 0: a text in lower case, compared without regard to case */
    sl_result code;
    const char *looks_like, *advice;
} signature;

/* clang-format off */
static const signature signatures[] = {
    { "version https://git-lfs", 0, SL_BAD_DATA, "a Git LFS pointer",
      "fetch the real file (git lfs pull)" },
    { "\xFF\xFE", 2, SL_UNSUPPORTED, "UTF-16 text", UTF8 },
    { "\xFE\xFF", 2, SL_UNSUPPORTED, "UTF-16 text", UTF8 },
    { "glTF", 4, SL_UNSUPPORTED, "binary glTF (GLB)", FORMATS },
    { "\x1F\x8B", 2, SL_UNSUPPORTED, "gzip-compressed data",
      "unpack it first, or set sl_mesh_def.formats to sl_io_formats()" },
    { "PK\x03\x04", 4, SL_UNSUPPORTED, "a ZIP archive (3MF and USDZ are such)", UNPACK },
    { "BZh", 3, SL_UNSUPPORTED, "bzip2-compressed data", UNPACK },
    { "\xFD" "7zXZ", 5, SL_UNSUPPORTED, "xz-compressed data", UNPACK },
    { "\x28\xB5\x2F\xFD", 4, SL_UNSUPPORTED, "zstd-compressed data", UNPACK },
    { "7z\xBC\xAF", 4, SL_UNSUPPORTED, "a 7-Zip archive", UNPACK },
    { "<!doctype html", 0, SL_BAD_DATA, "an HTML page", "check the download" },
    { "<html", 0, SL_BAD_DATA, "an HTML page", "check the download" },
    { "<?xml", 0, SL_UNSUPPORTED, "XML (COLLADA, X3D, AMF?)", CONVERT },
    { "Kaydara FBX Binary", 18, SL_UNSUPPORTED, "FBX", CONVERT },
    { "; fbx", 0, SL_UNSUPPORTED, "FBX", CONVERT },
    { "BLENDER", 7, SL_UNSUPPORTED, "a Blender scene", CONVERT },
    { "\x93NUMPY", 6, SL_UNSUPPORTED, "an array of NumPy",
      "give its numbers to sl_mesh_from_arrays; the command has --vertices and --faces" },
    { "DRACO", 5, SL_UNSUPPORTED, "Draco-compressed data", CONVERT },
    { "#vrml", 0, SL_UNSUPPORTED, "VRML", CONVERT },
    { "#inventor", 0, SL_UNSUPPORTED, "Open Inventor", CONVERT },
    { "# vtk datafile", 0, SL_UNSUPPORTED, "a VTK file", CONVERT },
    { "xof ", 0, SL_UNSUPPORTED, "a DirectX mesh", CONVERT },
    { "iso-10303-21", 0, SL_UNSUPPORTED, "STEP, which holds surfaces", CONVERT },
    { "#usda", 0, SL_UNSUPPORTED, "USD", CONVERT },
    { "PXR-USDC", 8, SL_UNSUPPORTED, "USD", CONVERT },
    { "%pdf", 0, SL_BAD_DATA, "a PDF document", CONVERT },
    { "\x89PNG", 4, SL_BAD_DATA, "a PNG picture", "give a mesh" },
    { "\xFF\xD8\xFF", 3, SL_BAD_DATA, "a JPEG picture", "give a mesh" },
    { "\x89SLT", 4, SL_BAD_DATA, "a tree file", "open it with sl_bvh_load" },
    { "\x93NUMPY", 6, SL_BAD_DATA, "a NumPy array", "give a mesh" },
};
/* clang-format on */

static bool begins_with(const uint8_t *bytes, size_t size, const signature *look)
{
    if (look->size > 0) {
        return size >= look->size && memcmp(bytes, look->bytes, look->size) == 0;
    }
    for (size_t i = 0; look->bytes[i] != '\0'; i++) {
        const bool capital = i < size && bytes[i] >= 'A' && bytes[i] <= 'Z';
        if (i == size || (bytes[i] | (capital ? 0x20 : 0)) != (uint8_t)look->bytes[i]) {
            return false;
        }
    }
    return true;
}

/* Every second of the first bytes is 0, as in UTF-16 of plain ASCII without its mark. */
static bool is_bare_utf16(const uint8_t *bytes, size_t size)
{
    size_t zeros[2] = { 0 };
    const size_t looked_at = size < 64 ? size & ~(size_t)1 : 64;
    for (size_t i = 0; i < looked_at; i++) {
        zeros[i % 2] += bytes[i] == 0;
    }
    return looked_at >= 8 && ((zeros[0] == 0 && zeros[1] == looked_at / 2) ||
                              (zeros[1] == 0 && zeros[0] == looked_at / 2));
}

/* A JSON object that speaks of an "asset", or is named so. */
static bool is_gltf(const uint8_t *bytes, size_t size)
{
    static const char key[] = "\"asset\"";
    if (size == 0 || bytes[0] != '{') {
        return false;
    }
    const size_t looked_at = size < LOOK_AT ? size : LOOK_AT;
    for (size_t i = 0; i + sizeof key - 1 <= looked_at; i++) {
        if (memcmp(bytes + i, key, sizeof key - 1) == 0) {
            return true;
        }
    }
    return false;
}

static sl_result sniff_fail(const sli_source *source, sl_result code, const char *looks_like,
                            const char *advice, sl_error *error)
{
    return sli_fail(error, code, source->name, SLI_NO_LINE, 0, "this looks like %s; %s", looks_like,
                    advice);
}

sl_result sli_sniff(const sli_source *source, sl_error *error)
{
    const uint8_t *bytes = source->bytes;
    const uint8_t *end = bytes + source->size;
    if (is_bare_utf16(bytes, source->size)) {
        return sniff_fail(source, SL_UNSUPPORTED, "UTF-16 text", UTF8, error);
    }
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++) {
        if (begins_with(bytes, source->size, &signatures[i])) {
            return sniff_fail(source, signatures[i].code, signatures[i].looks_like,
                              signatures[i].advice, error);
        }
    }
    sli_text text = sli_source_text(source);
    sli_text_skip_space(&text);
    if (is_gltf(text.at, (size_t)(end - text.at))) {
        return sniff_fail(source, SL_UNSUPPORTED, "glTF", FORMATS, error);
    }
    if (text.at < end && (*text.at == '{' || *text.at == '[')) {
        return sniff_fail(source, SL_UNSUPPORTED, "JSON, but not glTF", CONVERT, error);
    }
    return SL_OK;
}
