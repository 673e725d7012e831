/* common.c: --json, --threads, --isa, --color and --quiet, for every subcommand. */
#include "tools/cli/common.h"

#include "tools/cli/report.h"

#include <sightline/bvh.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const color_words[] = { "auto", "always", "never", NULL };

const option_row common_rows[] = {
    OPTION_FLAG_ROW("json", common_options, json, "print JSON"),
    OPTION_ROW(COUNT, "threads", common_options, threads, "N",
               "threads to work with; 0 means one for each processor", .letter = 'j',
               .not_names = "workers jobs cpus cores num-threads nthreads", .fallback = "0",
               .max = 1024),
    OPTION_ROW(TEXT, "isa", common_options, isa, "NAME",
               "instruction set to run on, such as scalar, instead of the best one; answers "
               "are the same on all",
               .not_names = "simd arch kernel"),
    OPTION_CHOICE_ROW("color", common_options, color, color_words,
                      "colour the text; auto means on a terminal where NO_COLOR is not set",
                      .not_names = "colour colors no-color no-colour", .fallback = "auto"),
    OPTION_FLAG_ROW("quiet", common_options, quiet, "no progress bar", .letter = 'q',
                    .not_names = "silent no-progress progress"),
    { .name = NULL },
};

/* The kernels that the library takes for a tree: those of an empty one. */
static int kernel_in_use(char *name, size_t size)
{
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    sl_error error;
    sl_result result = sl_mesh_from_arrays(NULL, 0, NULL, 0, NULL, &mesh, &error);
    result = result == SL_OK ? sl_bvh_build(mesh, NULL, &bvh, &error) : result;
    if (result == SL_OK) {
        const sl_bvh_info info = sl_bvh_get_info(bvh);
        snprintf(name, size, "%s", info.kernel);
    }
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

static bool set_variable(const char *name, const char *value)
{
#if defined(_WIN32)
    return _putenv_s(name, value) == 0;
#else
    return setenv(name, value, 1) == 0;
#endif
}

int common_apply_isa(const invocation *call, const common_options *common)
{
    const char *set = getenv("SIGHTLINE_ISA");
    const char *wanted = common->isa != NULL ? common->isa : set;
    if (wanted == NULL || wanted[0] == '\0') {
        return EXIT_DONE;
    }
    if (common->isa != NULL && !set_variable("SIGHTLINE_ISA", common->isa)) {
        return report_memory();
    }
    char name[32] = "";
    const int status = kernel_in_use(name, sizeof name);
    if (status == EXIT_DONE && strcmp(name, wanted) != 0) {
        return report_usage(call->command,
                            "%s%s is not in this build or not on this processor; leave it out to "
                            "take the best",
                            common->isa != NULL ? "--isa " : "SIGHTLINE_ISA=", wanted);
    }
    return status;
}

int common_make_pool(const common_options *common, sl_pool **pool)
{
    sl_error error;
    *pool = NULL;
    const sl_result result = sl_pool_create((int)common->threads, NULL, pool, &error);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

bool common_use_color(const common_options *common, FILE *stream)
{
    if (common->color != 0) {
        return common->color == 1;
    }
    const char *no_color = getenv("NO_COLOR");
    return (no_color == NULL || no_color[0] == '\0') && isatty(fileno(stream));
}

int common_parse_words(const invocation *call, const char *option, const char *names,
                       const char *const *words, bool *chosen)
{
    for (const char *name = names; name != NULL;) {
        const size_t size = strcspn(name, ",");
        int i = 0;
        while (words[i] != NULL &&
               (strlen(words[i]) != size || strncmp(words[i], name, size) != 0)) {
            i++;
        }
        if (words[i] == NULL) {
            return report_usage(call->command, "--%s knows no '%.*s'", option, (int)size, name);
        }
        chosen[i] = true;
        name = name[size] == ',' ? name + size + 1 : NULL;
    }
    return EXIT_DONE;
}

double common_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
