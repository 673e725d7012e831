# Writes calls of every public function, for every_call.c, and of every query, for every_query.c:
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
            functions[list] = $2
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
# and for its type, in the list or in all of its family; then what the type says by itself.
function argument_of(family, list, name, declaration,    type, word, base, keys, i) {
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
        if ((family, keys[i]) in given) {
            return given[family, keys[i]]
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
    calls[list] = calls[list] " \\\n    " (is_void ? "V" : "X") "(" name ", " arguments ")"
}

# One call for each combination of alternatives.
function add_all(family, list, name, parameters, count, i, before,    alternatives, n, k) {
    if (i > count) {
        add(list, name, "(" before ")")
        return
    }
    n = split(parameters[i] == "void" ? "" : argument_of(family, list, name, parameters[i]), alternatives, / \| /)
    if (n == 0) {
        add(list, name, "()")
    }
    for (k = 1; k <= n; k++) {
        add_all(family, list, name, parameters, count, i + 1,
                alternatives[k] == "-" ? before : before (i > 1 ? ", " : "") alternatives[k])
    }
}

# To the first list of the family that takes the function, and to those that have it as a whole.
function add_function(family, lists, header, name, text,    list, parameters, count, lines, n, k, i, taken) {
    count = split(lists, list, / /)
    for (i = 1; i <= count; i++) {
        n = (list[i], name) in whole ? split(whole[list[i], name], lines, /\n/) : 0
        for (k = 2; k <= n; k++) {
            add(list[i], name, lines[k])
        }
        if (!taken && header " " name ~ functions[list[i]]) {
            taken = list[i]
        }
    }
    if (taken && !((taken, name) in whole)) {
        count = split(text, parameters, /, /)
        add_all(family, taken, name, parameters, count, 1, "")
    }
}

/^## / {
    header = $0
    gsub(/^## |:.*/, "", header)
}

/^\| `/ && header != "io.h" {
    text = substr($0, 4)
    text = substr(text, 1, index(text, "`") - 2)
    is_void = text ~ /^void sl_/
    match(text, /sl_[a-z0-9_]+\(/)
    name = substr(text, RSTART, RLENGTH - 1)
    text = substr(text, RSTART + RLENGTH)
    if (name !~ elsewhere) {
        add_function("calls", "trees shapes", header, name, text)
        add_function("queries", "rays points alone", header, name, text)
    }
}

END {
    for (list in functions) {
        print "#define CALLS_OF_" toupper(list) "(X, V)" calls[list] "\n"
    }
    exit failed
}
