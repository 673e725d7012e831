# Writes calls of every public function, for every_call.c:
#
#   awk -f calls.awk arguments.txt docs/api.md
#
# docs/api.md has the declarations, since docs/api.py read them in the headers; arguments.txt says what stands for a
# parameter.  A function with a parameter that neither a line of arguments.txt nor its type explains is an error, by name.
BEGIN { FS = "   *" }

# ---- The arguments

FILENAME ~ /arguments\.txt$/ {
    if ($0 ~ /^\[/) {
        list = substr($0, 2, index($0, "]") - 2)
    } else if ($0 !~ /^(#|$)/) {
        if ($1 == "functions") {
            of_trees = $2
        } else if ($1 == "elsewhere") {
            elsewhere = $2
        } else if (substr($2, 1, 1) == "(") {
            whole[list, $1] = whole[list, $1] "\n" $2
        } else {
            given[list, $1] = $2
        }
    }
    next
}

# What stands for a parameter, as declared, of a function: the first of what is given for it, for all of its declaration,
# and for its type; then what the type says by itself.  Alternatives are separated by " | ".
function argument_of(list, name, declaration,    type, word, base, keys, i) {
    type = declaration
    match(type, /[a-z0-9_]+(\[|$)/)
    word = substr(type, RSTART, RLENGTH)
    sub(/\[$/, "", word)
    type = substr(type, 1, RSTART - 1) substr(type, RSTART + length(word))
    sub(/ +$/, "", type)
    gsub(/ \[/, "[", type)
    keys[1] = name " " word
    keys[2] = declaration
    keys[3] = type
    for (i = 1; i <= 3; i++) {
        if ((list, keys[i]) in given) {
            return given[list, keys[i]]
        }
        if (("all", keys[i]) in given) {
            return given["all", keys[i]]
        }
    }
    base = type
    gsub(/const |sl_|[ *]/, "", base)
    if (type ~ /^sl_[a-z_]+ \*\*$/) {
        return "&made." base
    }
    if (type !~ /^const / && type ~ /[]*]$/) {
        return "room" # for an answer
    }
    if (type ~ /^(const )?sl_[a-z_]+( \*)?$/) {
        return (type ~ /\*$/ ? "&" : "") (list == "trees" ? "sc." : "in.") base
    }
    print "calls.awk: arguments.txt has nothing for " declaration " of " name > "/dev/stderr"
    failed = 1
    return "?"
}

# ---- The calls

function add(list, name, arguments) {
    calls[list] = calls[list] " \\\n    X(" name ", " arguments ")"
}

# One call for each combination of alternatives.
function add_all(list, name, parameters, count, i, before,    alternatives, n, k) {
    if (i > count) {
        add(list, name, "(" before ")")
        return
    }
    n = split(parameters[i] == "void" ? "" : argument_of(list, name, parameters[i]), alternatives, / \| /)
    if (n == 0) {
        add(list, name, "()")
    }
    for (k = 1; k <= n; k++) {
        add_all(list, name, parameters, count, i + 1,
                alternatives[k] == "-" ? before : before (i > 1 ? ", " : "") alternatives[k])
    }
}

function add_whole(list, name,    lines, n, k) {
    n = (list, name) in whole ? split(whole[list, name], lines, /\n/) : 0
    for (k = 2; k <= n; k++) {
        add(list, name, lines[k])
    }
}

function add_function(name, text,    list, parameters, count) {
    list = name ~ of_trees ? "trees" : "shapes"
    add_whole("shapes", name)
    add_whole("trees", name)
    if (!((list, name) in whole)) {
        count = split(text, parameters, /, /)
        add_all(list, name, parameters, count, 1, "")
    }
}

/^## / { skipped = $0 ~ /^## io\.h/ }

/^\| `/ && !skipped {
    text = substr($0, 4)
    text = substr(text, 1, index(text, "`") - 2)
    match(text, /sl_[a-z0-9_]+\(/)
    name = substr(text, RSTART, RLENGTH - 1)
    if (name !~ elsewhere) {
        add_function(name, substr(text, RSTART + RLENGTH))
    }
}

END {
    print "#define CALLS_OF_SHAPES(X)" calls["shapes"] "\n"
    print "#define CALLS_OF_TREES(X)" calls["trees"]
    exit failed
}
