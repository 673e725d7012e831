/* ask/ask.h: one run for all subcommands that put a query to each element of a file.  Elements
 * are read or made a block at a time, asked, and written as rows of text or of arrays, in parts
 * where that is wanted.  A subcommand describes its query. */
#pragma once

#include "tools/ask/source.h"
#include "tools/parts/part.h"

/* What stands in a column. */
typedef enum ask_cell {
    ASK_CELL_ELEMENT, /* its number */
    ASK_CELL_FOUND,   /* whether there is a row */
    ASK_CELL_FREE,    /* whether there is none */
    ASK_CELL_TOTAL,   /* how many rows there are */
    /* The rest have a cell for each row. */
    ASK_CELL_RANK, /* which it is */
    ASK_CELL_T,
    ASK_CELL_T_SAFE,
    ASK_CELL_START, /* an sl_start, as a word */
    ASK_CELL_U,
    ASK_CELL_V,
    ASK_CELL_PRIM,
    ASK_CELL_INSTANCE,
    ASK_CELL_FLAGS,
    ASK_CELL_FACE, /* of the file */
    ASK_CELL_NAME, /* of the instance; left out where none has any */
    ASK_CELL_PART, /* left out where there are none */
    ASK_CELL_POINT,
    ASK_CELL_NORMAL = ASK_CELL_POINT + 3,
    ASK_CELL_INSIDE = ASK_CELL_NORMAL + 3,
    ASK_CELL_PARITY,
    ASK_CELL_WINDING,
    ASK_CELL_CROSSINGS,
    ASK_CELL_DIFFER,
    ASK_CELL_ON_SURFACE
} ask_cell;

/* Which tables have a column. */
typedef enum ask_when {
    ASK_ALWAYS,
    ASK_OF_SCENES,
    ASK_OF_LISTS,  /* where more than one row is kept of each answer */
    ASK_OF_MANY,   /* elements */
    ASK_ON_SURFACE /* with --surface */
} ask_when;

typedef struct ask_column {
    const char *name; /* NULL ends a table */
    ask_cell cell;
    ask_when when;
} ask_column;

enum { ASK_COLUMNS_MAX = 20, ASK_BLOCK = 16384 };

/* What is written of each element to an array. */
typedef enum ask_form {
    ASK_FORM_ROWS,  /* as many rows as are kept */
    ASK_FORM_LISTS, /* the rows there are, and where those of each element end */
    ASK_FORM_LIST,  /* the rows there are of the only element */
    ASK_FORM_YES,
    ASK_FORM_TOTALS
} ask_form;

/* How the options are to be taken. */
typedef struct ask_plan {
    ask_mode mode;
    ask_row_type type;
    bool doubles;
    size_t keep, capacity; /* rows of each answer; elements of a block, ASK_BLOCK at most */
    bool is_list, is_many; /* see ask_when */
    bool has_limits;       /* each point that is made brings its own */
    ask_form form;
    npy_out_type npy;
    uint64_t npy_columns;
    const char *key; /* of the table */
    const ask_column *columns;
} ask_plan;

typedef struct ask_run ask_run;

/* Questions to be verified: see verify.h. */
struct verify_family;

/* What a subcommand asks. */
typedef struct ask_query {
    ask_kind kind;
    const char *elements;     /* the option that names their file: "rays" */
    const char *counted;      /* what --stats calls them */
    const char *doing;        /* for the progress bar */
    const char *const *modes; /* JSON says which one it is; NULL: it need not */
    int kind_count;           /* of --generate */
    bool optional;            /* there is something to ask without a file and --generate */
    unsigned needs;           /* bits of ask_needs */
    unsigned stats;           /* bits of ask_stats */
    int (*check)(const invocation *call); /* NULL: ask_check */
    void (*plan)(const invocation *call, const ask_world *world, ask_plan *plan);
    int (*answer)(ask_run *run); /* instead of ask_answer; NULL: none */
    /* Adds element i of a block to the sums; the first one: how many found something.  NULL: how
     * many have a row. */
    void (*tally)(const ask_block *block, size_t i, uint64_t sums[PART_SUMS]);
    /* The fields of --summary, which JSON has always.  NULL: none. */
    void (*summarise)(const ask_run *run, output *out);
    void (*note)(const ask_world *world, output *out); /* fields behind them and behind --verify */
    const struct verify_family *verify;
} ask_query;

struct ask_run {
    const invocation *call;
    const ask_options *options;
    const ask_query *query;
    ask_world world;
    ask_plan plan;
    ask_source source;
    ask_block block;
    ask_block volumes; /* that were read together, where they are asked one by one; else zeroed */
    bool in_parts;
    uint64_t next; /* number of the next element; those of other parts, too, that come before */
    uint64_t sums[PART_SUMS];
    double seconds;
    /* The answers on their way out. */
    bool is_npy;
    ask_cell cells[ASK_COLUMNS_MAX];
    out_column columns[ASK_COLUMNS_MAX];
    size_t column_count;
    output text;
    npy_out array;
    npy_list list;
    part_out part; /* --part or --resume; else zeroed */
};

/* ---- run.c ---- */

/* The rules between the options that all share.  EXIT_DONE or EXIT_USAGE. */
int ask_check(const invocation *call);

/* The rest of a subcommand, with its query or with another one.  Its exit status. */
int ask_run_command(const invocation *call);
int ask_run_all(const invocation *call, const ask_query *query);

/* What is the same in all whose options are no more than ask_options; .query is an ask_query. */
#define ASK_SUBCOMMAND                                                                             \
    .takes_scenes = true, .argument_max = 1, .options_size = sizeof(ask_options),                  \
    .run = ask_run_command

/* ---- answer.c ---- */

int ask_answer(ask_run *run);

/* The elements of the source and places for their answers. */
int ask_open_elements(ask_run *run);

/* Adds a block to the sums of a query. */
void ask_tally(const ask_query *query, const ask_block *block, uint64_t sums[PART_SUMS]);

/* Where the elements and the answers are open: of a part, or of a run that can go on, the next
 * elements become those that are to be asked, unless part.complete. */
int ask_begin_part(ask_run *run, uint64_t hash);

/* The block at hand: EXIT_DONE, or the status of a reported error. */
int ask_block_answer(ask_run *run);

/* ---- out.c ---- */

/* rows: as for npy_out_open. */
int ask_out_open(ask_run *run, output_format format, uint64_t rows);
void ask_out_table(ask_run *run);
bool ask_out_write(ask_run *run); /* the block; false when writing has failed: closing says why */
bool ask_out_block(ask_run *run, uint64_t count); /* behind the rows of count elements */
int ask_out_close(ask_run *run);
void ask_out_discard(ask_run *run); /* a zeroed or closed one is fine */

/* ---- columns.c ---- */

/* Sets the columns of the plan's table. */
void ask_columns_make(ask_run *run);

/* A row of text for each row of element i. */
void ask_columns_put(ask_run *run, size_t i);

/* ---- stats.c ---- */

/* Fields of --stats that not every subcommand has. */
typedef enum ask_stats {
    ASK_STATS_RAYS = 1,   /* as rays were counted, the instances, and rays a second */
    ASK_STATS_COUNT = 2,  /* how many were asked */
    ASK_STATS_STAGES = 4, /* of the decision */
    ASK_STATS_HITS = 8
} ask_stats;

/* Into the answers where they are JSON, else on stderr. */
void ask_stats_put(ask_run *run);
