/* ask/run.c: checks the options, opens the world and answers or verifies. */
#include "tools/ask/verify.h"
#include "tools/cli/report.h"

/* Elements come from one place; a single one is looked at before there is any work. */
static int check_elements(const invocation *call, const ask_options *o)
{
    static const char *const places[] = { "rays", "segments", "points", "volumes", "sweeps",
                                          "ray",  "segment",  "point",  "generate" };
    const char *first = NULL;
    double numbers[COLUMNS_MAX];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (options_given(call, places[i]) && first != NULL) {
            return report_usage(call->command, "--%s and --%s exclude each other", first,
                                places[i]);
        }
        first = options_given(call, places[i]) ? places[i] : first;
    }
    return ask_source_has_one(o) ? ask_source_parse(call, o->doubles, numbers) : EXIT_DONE;
}

int ask_check(const invocation *call)
{
    const ask_query *query = call->command->query;
    const ask_options *o = call->options;
    const char *file = ask_options_file(o);
    const char *elements = o->segments != NULL ? "segments" : query->elements;
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    if (o->doubles && o->proxy.proxy != NULL) {
        return report_usage(call->command, "--proxy and --double exclude each other");
    }
    if (o->summary && npy_is_name(o->out)) {
        return report_usage(call->command, "--summary is no array; choose another --out");
    }
    int status = check_elements(call, o);
    status = status == EXIT_DONE ? verify_check(call, &o->verify, o->out, o->query.skip) : status;
    status = status == EXIT_DONE
                 ? proxy_in_check(call, &o->proxy, o->verify.brute, o->verify.verify)
                 : status;
    if (status == EXIT_DONE) {
        status = parts_check(call, &o->parts, o->out, file, o->common.json);
    }
    status = status == EXIT_DONE ? generate_check(call, &o->generate, query->kind_count, elements,
                                                  file, query->optional || ask_source_has_one(o))
                                 : status;
    return status == EXIT_DONE ? mesh_in_check_stdin(call, elements, file) : status;
}

/* The exit status of a run that is done: whether its only element has found anything. */
static int answer_status(const ask_run *run, int status)
{
    const bool no = !run->in_parts && run->next == 1 && run->sums[0] == 0;
    return status == EXIT_DONE && no ? EXIT_NO : status;
}

int ask_run_all(const invocation *call, const ask_query *query)
{
    const ask_options *o = call->options;
    int status = query->check != NULL ? query->check(call) : ask_check(call);
    if (status != EXIT_DONE) {
        return status;
    }
    ask_run run = {
        .call = call, .options = o, .query = query, .in_parts = parts_wanted(&o->parts)
    };
    status = ask_world_open(&run.world, call, query->needs);
    if (status == EXIT_DONE) {
        run.plan = (ask_plan){ .doubles = o->doubles,
                               .keep = 1,
                               .capacity = ASK_BLOCK,
                               .key = "answers",
                               .is_many = true };
        if (query->plan != NULL) {
            query->plan(call, &run.world, &run.plan);
        }
    }
    if (status == EXIT_DONE && o->verify.verify) {
        status = ask_verify(&run);
    } else if (status == EXIT_DONE) {
        status = query->answer != NULL ? query->answer(&run) : ask_answer(&run);
        status = answer_status(&run, status);
    }
    ask_out_discard(&run);
    ask_block_free(&run.block);
    ask_block_free(&run.volumes);
    ask_source_close(&run.source);
    ask_world_close(&run.world);
    return status;
}

int ask_run_command(const invocation *call)
{
    return ask_run_all(call, call->command->query);
}
