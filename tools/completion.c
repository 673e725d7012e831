/* tools/completion.c: what bash, zsh and fish need to complete words behind 'sightline', from the
 * tables of options that --help prints, too. */
#include "tools/cli/report.h"
#include "tools/command.h"
#include "tools/output/file.h"

#include <string.h>

static bool takes_value(const option_row *row)
{
    return row->kind != OPTION_FLAG;
}

static void put_choices(FILE *to, const option_row *row)
{
    for (size_t i = 0; row->choices[i] != NULL; i++) {
        fprintf(to, "%s%s", i > 0 ? " " : "", row->choices[i]);
    }
}

/* Help up to a colon or a semicolon, between single quotes of a shell; brackets become round, since
 * zsh takes them for its end. */
static void put_help(FILE *to, const char *help)
{
    for (size_t i = 0; i < strcspn(help, ":;"); i++) {
        const char c = help[i];
        fputc(c == '\'' ? '"' : c == '[' ? '(' : c == ']' ? ')' : c, to);
    }
}

static void put_names(FILE *to)
{
    for (size_t i = 0; subcommands[i] != NULL; i++) {
        fprintf(to, "%s ", subcommands[i]->name);
    }
}

/* ---- bash ---- */

static void bash_begin(FILE *to)
{
    fputs("# Completion of sightline for bash, as 'sightline completion bash' prints it.\n"
          "_sightline()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$word\" = = ]; then\n        word=\n"
          "    elif [ \"$before\" = = ]; then\n"
          "        before=${COMP_WORDS[COMP_CWORD - 2]}\n    fi\n"
          "    case $COMP_CWORD:${COMP_WORDS[1]}:$before in\n"
          "    1:* | 2:help:*) words='help --help --version ",
          to);
    put_names(to);
    fputs("' ;;\n"
          "    2:completion:*) words='bash zsh fish' ;;\n",
          to);
}

/* The words of the options that have some, then those before which a file or a number stands, then
 * all options. */
static void bash_command(FILE *to, const subcommand *command)
{
    for (int part = 0; part < 3; part++) {
        fputs(part == 1   ? "    none" /* a word that is none, in front of "|" */
              : part == 2 ? ") ;;\n"
                          : "",
              to);
        if (part == 2) {
            fprintf(to, "    *:%s:*) [[ $word == -* ]] && words='", command->name);
        }
        for (const option_group *group = command->groups; group->rows != NULL; group++) {
            for (const option_row *row = group->rows; row->name != NULL; row++) {
                if (part == 0 && row->kind == OPTION_CHOICE) {
                    fprintf(to, "    *:%s:--%s) words='", command->name, row->name);
                    put_choices(to, row);
                    fputs("' ;;\n", to);
                } else if (part == 1 && takes_value(row) && row->kind != OPTION_CHOICE) {
                    fprintf(to, " | *:%s:--%s", command->name, row->name);
                    if (row->letter != 0) {
                        fprintf(to, " | *:%s:-%c", command->name, row->letter);
                    }
                } else if (part == 2) {
                    fprintf(to, "--%s ", row->name);
                }
            }
        }
    }
    fputs("--help --version' ;;\n", to);
}

static void bash_end(FILE *to)
{
    fputs("    esac\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
          "complete -o default -F _sightline sightline\n",
          to);
}

/* ---- zsh ---- */

static void zsh_begin(FILE *to)
{
    fputs("#compdef sightline\n"
          "# Completion of sightline for zsh, as 'sightline completion zsh' prints it.\n"
          "_sightline()\n{\n    local -a names=(\n",
          to);
    for (size_t i = 0; subcommands[i] != NULL; i++) {
        fprintf(to, "        '%s:", subcommands[i]->name);
        put_help(to, subcommands[i]->line);
        fputs("'\n", to);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
          "        _describe subcommand names\n        return\n    fi\n"
          "    shift words\n    (( CURRENT-- ))\n"
          "    case $words[1] in\n"
          "    completion) _arguments '1:shell:(bash zsh fish)' ;;\n",
          to);
}

static void zsh_option(FILE *to, const option_row *row)
{
    const char *equals = takes_value(row) ? "=" : "";
    if (row->letter != 0) {
        fprintf(to, " \\\n        '(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name,
                row->letter, takes_value(row) ? "+" : "", row->name, equals);
    } else {
        fprintf(to, " \\\n        '--%s%s[", row->name, equals);
    }
    put_help(to, row->help);
    fputc(']', to);
    if (row->kind == OPTION_CHOICE) {
        fputs(":word:(", to);
        put_choices(to, row);
        fputc(')', to);
    } else if (takes_value(row)) {
        fputs(row->kind == OPTION_TEXT ? ":text:_files" : ":number: ", to);
    }
    fputc('\'', to);
}

static void zsh_command(FILE *to, const subcommand *command)
{
    fprintf(to, "    %s) _arguments -s", command->name);
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            zsh_option(to, row);
        }
    }
    fputs(" \\\n        '--help[all options]' '--version[the version]' '*:file:_files' ;;\n", to);
}

static void zsh_end(FILE *to)
{
    fputs("    esac\n}\n"
          "if [[ $funcstack[1] == _sightline ]]; then\n    _sightline \"$@\"\n"
          "else\n    compdef _sightline sightline\nfi\n",
          to);
}

/* ---- fish ---- */

static void fish_begin(FILE *to)
{
    fputs("# Completion of sightline for fish, as 'sightline completion fish' prints it.\n"
          "complete -c sightline -n '__fish_seen_subcommand_from help' -f -a '",
          to);
    put_names(to);
    fputs("'\ncomplete -c sightline -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh "
          "fish'\n",
          to);
}

static void fish_command(FILE *to, const subcommand *command)
{
    fprintf(to, "complete -c sightline -n __fish_use_subcommand -f -a %s -d '", command->name);
    put_help(to, command->line);
    fputs("'\n", to);
    for (const option_group *group = command->groups; group->rows != NULL; group++) {
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            fprintf(to, "complete -c sightline -n '__fish_seen_subcommand_from %s' -l %s",
                    command->name, row->name);
            if (row->letter != 0) {
                fprintf(to, " -s %c", row->letter);
            }
            fputs(!takes_value(row) ? "" : row->kind == OPTION_TEXT ? " -r" : " -x", to);
            if (row->kind == OPTION_CHOICE) {
                fputs(" -a '", to);
                put_choices(to, row);
                fputc('\'', to);
            }
            fputs(" -d '", to);
            put_help(to, row->help);
            fputs("'\n", to);
        }
    }
}

static void fish_end(FILE *to)
{
    fputs("complete -c sightline -l help -d 'all options'\n"
          "complete -c sightline -l version -d 'the version'\n",
          to);
}

static const struct {
    const char *name;
    void (*begin)(FILE *to);
    void (*command)(FILE *to, const subcommand *command);
    void (*end)(FILE *to);
} shells[] = {
    { "bash", bash_begin, bash_command, bash_end },
    { "zsh", zsh_begin, zsh_command, zsh_end },
    { "fish", fish_begin, fish_command, fish_end },
};
enum { SHELLS = sizeof shells / sizeof shells[0] };

static int run_completion(const invocation *call)
{
    const char *name = call->arguments[0];
    size_t shell = 0;
    while (shell < SHELLS && strcmp(shells[shell].name, name) != 0) {
        shell++;
    }
    if (shell == SHELLS) {
        return report_usage(call->command,
                            "'%s' is no shell that is known; there are bash, zsh and "
                            "fish",
                            name);
    }
    out_file file;
    if (out_file_open(&file, NULL) != EXIT_DONE) {
        return EXIT_FAILED;
    }
    shells[shell].begin(file.stream);
    for (size_t i = 0; subcommands[i] != NULL; i++) {
        shells[shell].command(file.stream, subcommands[i]);
    }
    shells[shell].end(file.stream);
    return out_file_close(&file);
}

const subcommand command_completion = {
    .name = "completion",
    .line = "what a shell needs to complete words of this command",
    .usage = "bash | zsh | fish",
    .about =
        "Prints a script, which an installed sightline has in the folder where the shell looks "
        "for it: it completes subcommands, options and the words that options take.",
    .examples = "  . <(sightline completion bash)\n"
                "  sightline completion zsh > ~/.zfunc/_sightline\n"
                "  sightline completion fish > ~/.config/fish/completions/sightline.fish\n",
    .argument_min = 1,
    .argument_max = 1,
    .options_size = 1,
    .run = run_completion,
};
