/* Rows of bench: through CSV and back, and through the file of --resume; medians of rounds. */
#include "test/support/test.h"
#include "tools/bench/harness/clock.h"
#include "tools/bench/report/resume.h"
#include "tools/command.h"
#include "tools/output/file_conflicts.h"

#include <unistd.h>

static bench_row full_row(void)
{
    return (bench_row){ .scene = "a \"b\", c.ply",
                        .quality = "high",
                        .kernel = "scalar",
                        .against = "embree",
                        .triangles = 12,
                        .rays = 262144,
                        .seed = UINT64_MAX,
                        .row = "diffuse",
                        .unit = "M/s",
                        .count = 100,
                        .hits = 0.25,
                        .ours = { 2, 1, 3 },
                        .has_single = true,
                        .over_single = { 1.5, 1.25, 2 },
                        .peer = { true, "medium 16", { 5, 4, 6 }, { 0.5, 0.25, 0.75 } },
                        .agree = 0.99999,
                        .medium = { true, "medium 16", { 5, 4, 6 }, { 0.5, 0.25, 0.75 } },
                        .high = { true, "high 4", { 15, 14, 16 }, { 2.5, 2.25, 2.75 } },
                        .packed = { true, "medium 1", { 0.5, 0.25, 0.75 }, { 5, 4, 6 } },
                        .robust = { true, "robust high 1", { 8, 7, 9 }, { 1.5, 1.25, 1.75 } } };
}

static bench_row row_alone(void)
{
    bench_row row = full_row();
    row.has_single = row.peer.there = row.medium.there = row.high.there = row.packed.there =
        row.robust.there = false;
    row.hits = NAN;
    return row;
}

/* As the report writes it; the caller frees. */
static char *as_csv(const bench_row *row)
{
    char *text = NULL;
    size_t size = 0;
    output out = { .format = OUTPUT_CSV, .file.stream = open_memstream(&text, &size) };
    out_value values[BENCH_COLUMNS];
    out.columns = bench_columns;
    out.column_count = BENCH_COLUMNS;
    bench_row_values(row, values);
    output_row(&out, values);
    assert_int_equal(fclose(out.file.stream), 0);
    assert_true(text[size - 1] == '\n');
    text[size - 1] = '\0';
    return text;
}

TEST(a_row_reads_back_as_it_was)
{
    const bench_row row = full_row();
    bench_row back;
    char *line = as_csv(&row);
    assert_true(bench_row_parse(line, &back));
    free(line);
    assert_true(bench_row_is_same(&row, &back));
    assert_string_equal(back.scene, row.scene);
    assert_string_equal(back.unit, row.unit);
    assert_true(back.count == row.count && back.hits == row.hits && back.agree == row.agree);
    assert_memory_equal(&back.ours, &row.ours, sizeof row.ours);
    assert_true(back.has_single);
    assert_memory_equal(&back.over_single, &row.over_single, sizeof row.over_single);
    const bench_beside *const got[] = { &back.peer, &back.medium, &back.high, &back.packed,
                                        &back.robust };
    const bench_beside *const want[] = { &row.peer, &row.medium, &row.high, &row.packed,
                                         &row.robust };
    for (int i = 0; i < 5; i++) {
        assert_true(got[i]->there);
        assert_string_equal(got[i]->call, want[i]->call);
        assert_memory_equal(&got[i]->value, &want[i]->value, sizeof want[i]->value);
        assert_memory_equal(&got[i]->ratio, &want[i]->ratio, sizeof want[i]->ratio);
    }
}

TEST(what_is_not_there_stays_away)
{
    const bench_row row = row_alone();
    bench_row back;
    char *line = as_csv(&row);
    assert_true(bench_row_parse(line, &back));
    free(line);
    assert_false(back.has_single || back.peer.there || back.medium.there || back.high.there ||
                 back.packed.there || back.robust.there);
    assert_true(isnan(back.hits) && isnan(back.agree));
}

/* Every cut, every word where a number belongs, and one cell too many. */
TEST(broken_rows_are_refused)
{
    const bench_row row = full_row();
    bench_row back;
    FREED char *line = as_csv(&row);
    const size_t size = strlen(line);
    for (size_t cut = 0; cut < size; cut++) {
        FREED char *part = strdup(line);
        part[cut] = '\0';
        /* Behind the last comma only the last number gets shorter. */
        if (strchr(line + cut, ',') != NULL) {
            assert_false(bench_row_parse(part, &back));
        }
    }
    FREED char *more = malloc(size + 2);
    snprintf(more, size + 2, "%s,", line);
    assert_false(bench_row_parse(more, &back));
    snprintf(more, size + 2, "%s", line);
    *strstr(more, "262144") = 'x';
    assert_false(bench_row_parse(more, &back));
}

TEST(rows_of_other_measurements_are_others)
{
    const bench_row row = full_row();
    bench_row others[8];
    for (int i = 0; i < 8; i++) {
        others[i] = row;
    }
    others[0].scene[0] = 'b';
    others[1].quality[0] = 'H';
    others[2].kernel[0] = 'S';
    others[3].against[0] = 'E';
    others[4].row[0] = 'D';
    others[5].triangles++;
    others[6].rays++;
    others[7].seed--;
    for (int i = 0; i < 8; i++) {
        assert_false(bench_row_is_same(&row, &others[i]));
    }
    others[0] = row;
    others[0].ours.median = 7;
    assert_true(bench_row_is_same(&row, &others[0]));
}

static void make_path(char path[64])
{
    snprintf(path, 64, "/tmp/sightline_bench_XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
}

static void append(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The second time with the half row that an interrupt leaves. */
TEST(a_resumed_file_goes_on_where_it_ended)
{
    char path[64];
    make_path(path);
    const bench_row first = full_row(), second = row_alone();
    bench_resume resume;
    for (int time = 0; time < 3; time++) {
        file_conflicts_forget(); /* each a run of its own */
        assert_int_equal(bench_resume_open(&resume, path), EXIT_DONE);
        assert_int_equal(resume.rows.count, time);
        assert_true((bench_resume_find(&resume, &first) != NULL) == (time > 0));
        assert_int_equal(bench_resume_add(&resume, time == 0 ? &first : &second), EXIT_DONE);
        assert_int_equal(bench_resume_close(&resume), EXIT_DONE);
        if (time == 0) {
            append(path, "half of a row, of which nothing may stay,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,");
        }
    }
    unlink(path);
}

TEST(other_files_are_not_resumed)
{
    static const char *const texts[] = { "x", "x\n", "scene,triangles\n", "\n" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char path[64];
        make_path(path);
        append(path, texts[i]);
        bench_resume resume;
        file_conflicts_forget();
        assert_int_equal(bench_resume_open(&resume, path), EXIT_BAD_INPUT);
        assert_int_equal(bench_resume_close(&resume), EXIT_DONE);
        char kept[32] = "";
        FILE *file = fopen(path, "r");
        assert_int_equal(fread(kept, 1, sizeof kept - 1, file), strlen(texts[i]));
        assert_string_equal(kept, texts[i]);
        fclose(file);
        unlink(path);
    }
}

TEST(spreads_have_the_middle_and_the_ends)
{
    const double values[] = { 5, 1, 4, 2, 3, 0 };
    for (size_t count = 1; count <= 6; count++) {
        /* 5; 1 5; 1 4 5; 1 2 4 5; 1 2 3 4 5; 0 1 2 3 4 5 */
        static const double median[] = { 5, 1, 4, 2, 3, 2 };
        const bench_spread spread = bench_spread_of(values, count);
        assert_true(spread.median == median[count - 1]);
        assert_true(spread.min == (count == 1 ? 5 : count < 6 ? 1 : 0));
        assert_true(spread.max == 5);
    }
}

/* A thread that sleeps takes no time on a processor. */
TEST(time_goes_on_while_working_only)
{
    const double start = bench_cpu_seconds();
    usleep(50000);
    assert_true(bench_cpu_seconds() - start < 0.04);
    volatile double sum = 0;
    while (bench_cpu_seconds() - start < 0.05) {
        sum += 1;
    }
    assert_true(sum > 0 && bench_program_seconds() >= 0.05);
}
