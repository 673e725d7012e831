/* lib/mesh/gltf/base64.c: the examples of RFC 4648, section 10, and what is none */
#include "lib/mesh/gltf/base64.h"
#include "test/support/test.h"

TEST(the_examples_are_decoded_with_and_without_padding)
{
    static const struct {
        const char *text, *bytes;
    } cases[] = {
        { "", "" },
        { "Zg==", "f" },
        { "Zg", "f" },
        { "Zm8=", "fo" },
        { "Zm8", "fo" },
        { "Zm9v", "foo" },
        { "Zm9vYg==", "foob" },
        { "Zm9vYmE=", "fooba" },
        { "Zm9vYmFy", "foobar" },
        { "+/+/", "\xFB\xFF\xBF" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[16];
        size_t size;
        const size_t length = strlen(cases[i].text);
        assert_true(sli_base64_room(length) <= sizeof bytes);
        assert_true(sli_base64_decode(cases[i].text, length, bytes, &size));
        assert_int_equal(size, strlen(cases[i].bytes));
        assert_memory_equal(bytes, cases[i].bytes, size);
    }
}

TEST(other_text_is_refused_at_its_place)
{
    static const struct {
        const char *text;
        size_t place;
    } cases[] = { { "A", 1 },    { "AAAAA", 5 }, { "=", 0 },    { "====", 0 },
                  { "A===", 1 }, { "AA=A", 2 },  { "AAA-", 3 }, { "A A=", 1 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[16];
        size_t place = 99;
        assert_false(sli_base64_decode(cases[i].text, strlen(cases[i].text), bytes, &place));
        assert_int_equal(place, cases[i].place);
    }
}
