/* What bench sums up: geometric means, the worst scene, and what growing costs. */
#include "test/support/test.h"
#include "tools/bench/report/report.h"

static bench_row make_row(const char *scene, const char *name, double ours)
{
    bench_row row = { .quality = "default", .unit = "M/s", .ours = { ours, ours, ours } };
    snprintf(row.scene, sizeof row.scene, "%s", scene);
    snprintf(row.row, sizeof row.row, "%s", name);
    return row;
}

static bench_row make_torus(uint64_t triangles, double ours)
{
    bench_row row = make_row("torus", "random", ours);
    row.triangles = triangles;
    return row;
}

/* As the report prints it; text in a buffer of size. */
static void print(const bench_row *rows, size_t count, output_format format, char *text,
                  size_t size)
{
    output out = { .format = format, .file.stream = tmpfile() };
    assert_non_null(out.file.stream);
    bench_summary_print(&out, rows, count);
    rewind(out.file.stream);
    text[fread(text, 1, size - 1, out.file.stream)] = '\0';
    fclose(out.file.stream);
}

/* Geometric means: of 2 and 8 it is 4, of 0.5 and 2 it is 1. */
TEST(means_are_geometric_and_the_worst_scene_is_named)
{
    bench_row rows[] = { make_row("a", "random", 2), make_row("a", "ao", 3),
                         make_row("b", "random", 8) };
    rows[0].has_single = rows[2].has_single = true;
    rows[0].over_single.median = 2;
    rows[2].over_single.median = 0.5;
    rows[0].peer = (bench_beside){ .there = true, .ratio = { 0.25, 0, 0 } };
    rows[2].peer = (bench_beside){ .there = true, .ratio = { 4, 0, 0 } };
    rows[2].robust = (bench_beside){ .there = true, .ratio = { 1.5, 0, 0 } };
    char text[2048];
    print(rows, 3, OUTPUT_CSV, text, sizeof text);
    assert_non_null(strstr(text, "\nrandom,default,2,M/s,4,1,0.5,b,1,0.25,a,,,,1.5\n"));
    assert_non_null(strstr(text, "\nao,default,1,M/s,3,,,,,,,,,,\n"));
}

/* Where figures are ratios, they are what has a worst scene. */
TEST(of_ratios_the_least_is_told)
{
    bench_row rows[] = { make_row("a", "far.ao", 0.5), make_row("b", "far.ao", 2) };
    snprintf(rows[0].unit, sizeof rows[0].unit, "x");
    snprintf(rows[1].unit, sizeof rows[1].unit, "x");
    char text[1024];
    print(rows, 2, OUTPUT_CSV, text, sizeof text);
    assert_non_null(strstr(text, "\nfar.ao,default,2,x,1,,0.5,a,,,,,,,\n"));
}

/* Tori are no scenes like others. */
TEST(growth_compares_tori_of_ten_times_the_triangles)
{
    const bench_row rows[] = { make_row("a", "random", 2), make_torus(100000, 8),
                               make_torus(316000, 7), make_torus(1000000, 6) };
    char text[1024];
    print(rows, 4, OUTPUT_TEXT, text, sizeof text);
    assert_non_null(strstr(text, "random  default      1   M/s       2 "));
    assert_non_null(strstr(text, "random  default    100000   1000000   0.75 "));
    assert_null(strstr(text, "316000"));
}

TEST(a_summary_is_due_where_rows_meet_again)
{
    const bench_row rows[] = { make_row("a", "random", 2), make_row("a", "ao", 2),
                               make_row("b", "random", 2) };
    const bench_row tori[] = { make_torus(1000, 2), make_torus(3000, 2), make_torus(10000, 2) };
    assert_false(bench_summary_is_due(rows, 2));
    assert_true(bench_summary_is_due(rows, 3));
    assert_false(bench_summary_is_due(tori, 2));
    assert_true(bench_summary_is_due(tori, 3));
}
