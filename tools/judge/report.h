/* judge/report.h: what `sightline verify` prints and draws. */
#pragma once

#include "tools/judge/judge.h"
#include "tools/output/output.h"
#include "tools/render/marks.h"

enum { JUDGE_COLUMNS = 20 };

typedef struct judge_report {
    output out;
    out_column columns[JUDGE_COLUMNS]; /* of errors */
    bool segments;                     /* instead of rays */
    marks *picture;                    /* NULL: none is wanted */
    uint64_t limit;                    /* rows of each kind */
    uint64_t written[VERDICT_COUNT];
    bool begun;
} judge_report;

void judge_report_begin(judge_report *r);
void judge_report_put(judge_report *r, const judge *j, const judgement *what);
void judge_report_end(judge_report *r);

/* How many there are of each verdict, and how far t are off.  fine: whether that is all right. */
void judge_report_sums(judge_report *r, const judge *j, bool fine);

canvas judge_report_picture(judge_report *r, const judge_sums *sums);
