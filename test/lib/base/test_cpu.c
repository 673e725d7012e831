/* test_cpu.c: what is said of the processor is what the system says of it. */
#include "lib/base/cpu.h"
#include "test/support/test.h"

#if defined(__x86_64__)

/* The words after "flags :" in Linux's /proc/cpuinfo, with a space before and behind each. */
static bool read_flags(char *flags, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    bool found = false;
    while (file != NULL && !found && fgets(flags, (int)size, file) != NULL) {
        found = strncmp(flags, "flags\t", strlen("flags\t")) == 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    if (found) {
        char *end = strchr(flags, '\n');
        assert_non_null(end);
        *end = ' ';
    }
    return found;
}

static bool has_all(const char *flags, const char *const *names)
{
    for (; *names != NULL; names++) {
        char word[32];
        snprintf(word, sizeof word, " %s ", *names);
        if (strstr(flags, word) == NULL) {
            return false;
        }
    }
    return true;
}

TEST(the_processor_has_what_the_system_says)
{
    static const struct {
        uint32_t bit;
        const char *names[8];
    } sets[] = {
        { SLI_CPU_SSE42, { "sse4_2" } },
        { SLI_CPU_AVX2_FMA, { "avx", "avx2", "fma", "bmi1", "bmi2", "popcnt" } },
        { SLI_CPU_AVX512, { "avx512f", "avx512vl", "avx512bw", "avx512dq" } },
    };
    static char flags[8192];
    const uint32_t features = sli_cpu_features();
    if (!read_flags(flags, sizeof flags)) {
        skip();
    }
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        assert_int_equal((features & sets[i].bit) != 0, has_all(flags, sets[i].names));
    }
}

#else

static void the_processor_has_what_the_system_says(void **state)
{
    (void)state;
#if defined(__aarch64__)
    assert_int_equal(sli_cpu_features(), SLI_CPU_NEON);
#else
    assert_int_equal(sli_cpu_features(), 0);
#endif
}

#endif
