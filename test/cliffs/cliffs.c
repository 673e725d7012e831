/* cliffs: searches for cases where the library is much slower than it has to be.
 *
 *     cliffs [OPTION ...] [MESH ...]
 *
 *     --seconds S     search that long, one share for each measure (default 60)
 *     --tries N       search that many cases for each measure instead, which gives the same on
 *                     each run for measures that count
 *     --measure LIST  some of plain,shared,moved,single,far,peer,exact,aimed and, of worlds of
 *                     instances, levels,flat,nested,doubles,floats,version,rebuild,hints,order,
 *                     select; of mesh against mesh and sweeps, plain,cost (default: all)
 *     --kinds KIND    cases that are searched: mesh, world, contact or all (the default)
 *     --seed N        of the search (default 1)
 *     --hold CASE     searches only cases that have these fields, such as 'at=0 mesh=fan'
 *     --replay CASE   measures that one case only; may be repeated
 *     --check N       checks N small worlds and N pairs of meshes or sweeps: texts, counts and
 *                     answers (check.h)
 *     --scale F       multiplies all limits: below 1, a test of this program
 *     --known FILE    measures the cases of a file: on each line a measure, a colon and a case; a
 *                     case that is still a cliff may have a limit of its own: "shared<7: ..."
 *
 * Prints the worst cases found of each measure, each with a line that --replay takes.  Times are
 * confirmed by medians of ratios before they are printed, and answers are compared.  Exit status: 0
 * no cliff, 1 a limit is broken, 2 not understood, or a known case that cannot be measured.
 * docs/notes/cliffs.md says what is searched. */
#include "test/cliffs/check.h"
#include "test/cliffs/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 31, REPLAYS_MAX = 256 };

typedef struct options {
    search_effort effort;
    bool wanted[MEASURES], kinds[CASE_KINDS];
    const char *replay[REPLAYS_MAX];
    int replay_count;
    const char *known;
    long check;
    double scale; /* of all limits */
} options;

typedef enum verdict { VERDICT_GOOD, VERDICT_CLIFF, VERDICT_NOT_MEASURED } verdict;

/* Measures a case and prints it.  allowed: its own limit; 0: that of the measure. */
static verdict report(cliff_bench *bench, const options *o, cliff_measure measure,
                      const cliff_case *c, double allowed)
{
    const measure_row *row = &measure_rows[measure];
    const double limit = o->scale * (allowed > 0 ? allowed : measure_limit(measure, c));
    char text[CASE_TEXT_MAX];
    bench_measured m = cliff_measure_case(bench, measure, c, PAIRS);
    /* A time counts if it is confirmed, and everything if other seeds confirm it. */
    if (row->timed && limit > 0 && m.ratio > limit) {
        m.ratio = fmin(m.ratio, cliff_measure_case(bench, measure, c, PAIRS).ratio);
    }
    if (limit > 0 && m.ratio > limit) {
        m.ratio = fmin(m.ratio, cliff_measure_seeds(bench, measure, c, PAIRS).ratio);
    }
    case_print(c, text);
    if (!m.applies) {
        printf("      %s cannot be measured --replay '%s'\n", row->name, text);
        return VERDICT_NOT_MEASURED;
    }
    const bool cliff = limit > 0 && m.ratio > limit;
    const double scale = row->timed ? 1e9 : 1;
    printf("%s %s %.2f (%.1f to %.1f%s) --replay '%s'\n", cliff ? "CLIFF" : "     ", row->name,
           m.ratio, scale * m.ours, scale * m.theirs, row->timed ? " ns" : "", text);
    fflush(stdout);
    return cliff ? VERDICT_CLIFF : VERDICT_GOOD;
}

static bool differ(cliff_bench *bench, const cliff_case *c)
{
    char text[CASE_TEXT_MAX];
    if (cliff_agree(bench, c)) {
        return false;
    }
    case_print(c, text);
    printf("ANSWERS DIFFER --replay '%s'\n", text);
    return true;
}

/* The worst cases of a kind; true: there is a cliff. */
static bool search_one(cliff_bench *bench, const options *o, cliff_measure measure, case_kind kind)
{
    search_list list = { .count = 0 };
    bool cliff = false;
    search_worst(bench, measure, kind, &o->effort, &list);
    for (size_t i = 0; i < list.count; i++) {
        cliff = report(bench, o, measure, &list.of[i].c, 0) == VERDICT_CLIFF || cliff;
        cliff = differ(bench, &list.of[i].c) || cliff;
    }
    return cliff;
}

static bool is_searched(const options *o, cliff_measure measure, case_kind kind)
{
    return o->wanted[measure] && o->kinds[kind] && measure_rows[measure].applies[kind];
}

static bool search_all(cliff_bench *bench, const options *o)
{
    bool cliff = false;
    for (cliff_measure measure = 0; measure < MEASURES; measure++) {
        for (case_kind kind = 0; kind < CASE_KINDS; kind++) {
            if (is_searched(o, measure, kind)) {
                cliff = search_one(bench, o, measure, kind) || cliff;
            }
        }
    }
    return cliff;
}

/* All wanted measures of a case. */
static int replay(cliff_bench *bench, const options *o, const char *text)
{
    cliff_case c;
    bool cliff = false;
    if (!case_read(text, &c)) {
        return 2;
    }
    for (cliff_measure measure = 0; measure < MEASURES; measure++) {
        cliff = (o->wanted[measure] && measure_fits(measure, &c) &&
                 report(bench, o, measure, &c, 0) == VERDICT_CLIFF) ||
                cliff;
    }
    return differ(bench, &c) || cliff;
}

/* The status of a line "measure: case", or "measure<limit: case". */
static int replay_line(cliff_bench *bench, const options *o, char *line)
{
    char *text = strchr(line, ':');
    cliff_case c;
    cliff_measure measure = text != NULL ? 0 : MEASURES;
    double allowed = 0;
    if (text != NULL) {
        *text++ = '\0';
        char *limit = strchr(line, '<');
        if (limit != NULL) {
            *limit++ = '\0';
            allowed = atof(limit);
        }
    }
    while (measure < MEASURES && strcmp(line, measure_rows[measure].name) != 0) {
        measure++;
    }
    if (measure == MEASURES || !case_read(text, &c)) {
        fprintf(stderr, "%s: a line is no \"measure: case\": %s\n", o->known, line);
        return 2;
    }
    const verdict v = report(bench, o, measure, &c, allowed);
    return v == VERDICT_NOT_MEASURED ? 2 : differ(bench, &c) || v == VERDICT_CLIFF;
}

/* Empty lines and those that begin with # are comments; a file without a case is an error. */
static int replay_known(cliff_bench *bench, const options *o)
{
    FILE *file = fopen(o->known, "r");
    char line[CASE_TEXT_MAX];
    int status = 0, cases = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        const int one = replay_line(bench, o, line);
        status = one > status ? one : status;
        cases++;
    }
    if (file != NULL) {
        fclose(file);
    }
    return cases > 0 ? status : 2;
}

static bool read_measures(const char *list, options *o)
{
    char copy[256];
    memset(o->wanted, 0, sizeof o->wanted);
    snprintf(copy, sizeof copy, "%s", list);
    for (char *word = strtok(copy, ","); word != NULL; word = strtok(NULL, ",")) {
        cliff_measure measure = 0;
        while (measure < MEASURES && strcmp(word, measure_rows[measure].name) != 0) {
            measure++;
        }
        if (measure == MEASURES) {
            return false;
        }
        o->wanted[measure] = true;
    }
    return true;
}

static bool read_kinds(const char *list, options *o)
{
    static const char *const names[CASE_KINDS] = { "mesh", "world", "contact" };
    bool some = false;
    for (case_kind kind = 0; kind < CASE_KINDS; kind++) {
        o->kinds[kind] = strcmp(list, names[kind]) == 0 || strcmp(list, "all") == 0;
        some = some || o->kinds[kind];
    }
    return some;
}

static bool read_option(options *o, const char *name, const char *value)
{
    if (strcmp(name, "--seconds") == 0) {
        o->effort.seconds = atof(value);
    } else if (strcmp(name, "--tries") == 0) {
        o->effort.tries = atol(value);
    } else if (strcmp(name, "--seed") == 0) {
        o->effort.seed = strtoull(value, NULL, 10);
    } else if (strcmp(name, "--measure") == 0) {
        return read_measures(value, o);
    } else if (strcmp(name, "--kinds") == 0) {
        return read_kinds(value, o);
    } else if (strcmp(name, "--replay") == 0 && o->replay_count < REPLAYS_MAX) {
        o->replay[o->replay_count++] = value;
    } else if (strcmp(name, "--hold") == 0) {
        o->effort.hold = value;
    } else if (strcmp(name, "--known") == 0) {
        o->known = value;
    } else if (strcmp(name, "--check") == 0) {
        o->check = atol(value);
    } else if (strcmp(name, "--scale") == 0) {
        o->scale = atof(value);
    } else {
        return false;
    }
    return true;
}

static bool read_options(int argc, char **argv, options *o)
{
    *o = (options){ .effort = { .seconds = 60, .seed = 1, .hold = "" }, .scale = 1 };
    memset(o->wanted, 1, sizeof o->wanted);
    memset(o->kinds, 1, sizeof o->kinds);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0) {
            if (i + 1 == argc || !read_option(o, argv[i], argv[i + 1])) {
                fprintf(stderr, "cliffs: not understood: %s\n", argv[i]);
                return false;
            }
            i++;
        } else if (case_file_count < CASE_FILES_MAX) {
            case_files[case_file_count++] = argv[i];
        }
    }
    int searches = 0;
    for (cliff_measure measure = 0; measure < MEASURES; measure++) {
        for (case_kind kind = 0; kind < CASE_KINDS; kind++) {
            searches += is_searched(o, measure, kind);
        }
    }
    o->effort.seconds /= searches > 0 ? searches : 1;
    return true;
}

int main(int argc, char **argv)
{
    options o;
    if (!read_options(argc, argv, &o)) {
        return 2;
    }
    cliff_bench *bench = cliff_open();
    if (bench == NULL) {
        return 2;
    }
    int status = 0;
    for (int i = 0; i < o.replay_count; i++) {
        const int one = replay(bench, &o, o.replay[i]);
        status = one > status ? one : status;
    }
    if (o.known != NULL) {
        const int known = replay_known(bench, &o);
        status = known > status ? known : status;
    }
    if (o.check > 0) {
        const int checked = !check_cases(bench, o.effort.seed, o.check);
        status = checked > status ? checked : status;
    }
    if (o.replay_count == 0 && o.known == NULL && o.check == 0) {
        status = search_all(bench, &o);
    }
    cliff_close(bench);
    return status;
}
