#!/usr/bin/env python3
"""Writes docs/api.md, the whole public face on one page, from the headers.

    python3 docs/api.py            writes docs/api.md
    python3 docs/api.py --check    says whether it is what the headers make, and fails if not
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = [ROOT / "lib/include/sightline", ROOT / "bvh/include/sightline"]
# In the order in which one meets them; a header that is not here comes last.
ORDER = """base shapes transform options mesh io bvh instances rays points volumes refit store flatten camera pick snap
    marks select visibility gizmo mesh_repair mesh_format topology element_set intersect closest overlap""".split()

HEAD = """# The whole face on one page

Made from the headers by `docs/api.py`; a test says when it is out of date. A header says more: what is exact, who owns what, how a call
fails, what threads may do, and what it costs. `#include <sightline/sightline.h>` has all of it but files and pictures
(`io.h`). Pointers are `const` unless the call writes to them; `options`, `tasks`, `stats` and `error` may be NULL.
"""


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def words(comment):
    """What a comment says, on one line."""
    lines = [re.sub(r"^\s*/?\*+/?\s?", "", line) for line in comment.strip().splitlines()]
    return re.sub(r"\s+", " ", " ".join(lines)).removesuffix("*/").strip()


def first_sentence(text):
    match = re.match(r"(.*?[.:])(?=\s+[A-Z]|$)", text)
    return (match.group(1) if match else text).rstrip(":").rstrip(".")


def tidy(declaration):
    text = re.sub(r"\s+", " ", without_comments(declaration)).strip()
    return text.replace("( ", "(").replace(" )", ")").replace(" ;", ";")


def cell(text):
    return text.replace("|", "\\|")


# Braces with what is in them, comments and one more pair of braces included.
INSIDE = r"/\*.*?\*/|[^{}]"
BRACES = rf"\{{(?:{INSIDE}|\{{(?:{INSIDE})*\}})*\}}"


def declarations(text):
    """(comment before it, declaration) of each type and each call of a header, in order."""
    body = re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.M)
    pattern = re.compile(
        r"(?P<comment>/\*.*?\*/)"
        rf"|(?P<type>(?:typedef\s+)?(?:enum|struct|union)\b[^;{{]*{BRACES}[^;]*;|typedef\s+[^{{}};]+;)"
        r"|(?P<call>(?:SL_API|static inline)\s[^;{]*?\)\s*(?:;|\{.*?\n\}))",
        re.S,
    )
    comment, end = "", 0
    for match in pattern.finditer(body):
        if match.group("comment"):
            comment, end = match.group("comment"), match.end()
            continue
        near = body[end : match.start()].count("\n") <= 1
        yield (words(comment) if near else ""), match
        # A comment is about all declarations that follow it without a gap.
        end = match.end() if near else end


def type_line(text):
    text = tidy(text)
    text = re.sub(r"^typedef\s+", "", text)
    match = re.match(r"(enum|struct|union)\s*\w*\s*\{(.*)\}\s*(\w*)\s*;$", text)
    if not match:
        return text.rstrip(";")
    kind, fields, name = match.groups()
    fields = fields.strip().rstrip(",;").strip()
    if kind == "enum":
        return f"enum {name + ' ' if name else ''}{{ {fields} }}"
    return f"{name} {{ {fields}; }}"


def constants(text):
    """Numbers that are macros."""
    found = re.findall(r"^#define (SL_\w+) +(\(*-?(?:\d|SL_|\(size_t\)).*)$", without_comments(text), re.M)
    return [f"{name} = {value.strip()}" for name, value in found]


def page_of(path):
    text = path.read_text()
    results = re.findall(r"X\((SL_\w+), (\d+), ", text)
    text = text.replace("SL_RESULT_LIST(SL_RESULT_ENUM)", ", ".join(" = ".join(pair) for pair in results))
    top = words(re.match(r"/\*.*?\*/", text, re.S).group(0))
    title = first_sentence(re.split(r"\s(?:[A-Z][a-z]+ {2,}|\*)", top)[0])
    title = re.sub(rf"^{re.escape(path.name)}\s*:\s*", "", title)
    types, calls = constants(text), []
    for comment, match in declarations(text[text.index("*/") + 2 :]):
        if match.group("type"):
            types.append(type_line(match.group("type")))
            continue
        call = match.group("call").split("{")[0].rstrip().rstrip(";")
        call = tidy(re.sub(r"^(SL_API|static inline)\s", "", call))
        calls.append(f"| `{cell(call)}` | {cell(first_sentence(comment))} |")
    out = [f"## {path.name}: {title}", ""]
    if types:
        out += ["```c", *types, "```", ""]
    if calls:
        out += ["| call | what it does |", "|---|---|", *calls, ""]
    return out


def main():
    headers = {path.stem: path for folder in FOLDERS for path in sorted(folder.glob("*.h"))}
    headers.pop("sightline")
    names = [name for name in ORDER if name in headers] + [name for name in headers if name not in ORDER]
    page = HEAD + "\n" + "\n".join(line for name in names for line in page_of(headers[name])).rstrip() + "\n"
    file = ROOT / "docs/api.md"
    if sys.argv[1:] == ["--check"]:
        if not file.exists() or file.read_text() != page:
            sys.exit("docs/api.md is not what the headers make: run python3 docs/api.py")
        return
    file.write_text(page)


if __name__ == "__main__":
    main()
