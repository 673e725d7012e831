#!/usr/bin/env python3
"""Writes docs/api.md, the whole public face on one page, from the headers.

    python3 docs/api.py            writes docs/api.md
    python3 docs/api.py --check    says whether it is what the headers make, and fails if not
"""
import difflib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = [ROOT / "lib/include/sightline", ROOT / "bvh/include/sightline"]
# In the order in which one meets them; a header that is not here comes last.
ORDER = """base shapes transform options mesh io bvh instances rays points volumes contact clash clashes sweep refit store flatten camera pick snap
    marks select visibility gizmo mesh_repair mesh_format topology intersect closest overlap""".split()

HEAD = """# The whole face on one page

Made from the headers by `docs/api.py`; a test says when it is out of date. A header says more: what is exact, who owns what, how a call
fails, what threads may do, and what it costs. `#include <sightline/sightline.h>` has all of it but files of glTF, gzip and PNG (`io.h`, the
library `sightline_io`); a program links `-lsightline -lm -pthread`.

- `options`, `tasks`, `stats` and `error` may be NULL: everything counts, on the calling thread alone, nothing is counted or said.
- `SL_OK` is 0, so `if (call)` is a failure; then outputs are NULL or as they were, and `error->message` says why.
- A call without a text does what the one above it does, for what its name says. `_d` is in doubles, `_many` about an array.
- A tree over triangles is instance 0. It has a copy of the triangles, so the mesh may go; a tree over instances borrows its trees, which
  must outlive it.
- Any number of threads may query one tree at once. No query allocates.
- `t` is in units of the direction; pixels are counted from the upper left corner, y downwards, and the first one's centre is (0.5, 0.5).
"""


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def words(comment):
    """What a comment says, on one line."""
    lines = [re.sub(r"^\s*/?\*+/?\s?", "", line) for line in comment.strip().splitlines()]
    return re.sub(r"\s+", " ", " ".join(lines)).removesuffix("*/").strip()


def sentences(text, most):
    """The first sentences of a comment, no more than `most` characters after the first one."""
    parts = re.split(r"(?<=[a-z0-9)\]][.:])\s+(?=[A-Z*])", text)
    out = parts[0]
    for part in parts[1:]:
        if len(out) + len(part) > most:
            break
        out += " " + part
    return out


def tidy(declaration):
    text = re.sub(r"\s+", " ", without_comments(declaration)).strip()
    return text.replace("( ", "(").replace(" )", ")").replace(" ;", ";")


def cell(text):
    return text.replace("|", "\\|")


# Braces with what is in them, comments and two more pairs of braces, one in the other, included.
INSIDE = r"/\*.*?\*/|[^{}]"
BRACES = rf"\{{(?:{INSIDE}|\{{(?:{INSIDE}|\{{(?:{INSIDE})*\}})*\}})*\}}"


CONSTANT = r"#define (SL_\w+) +(\(*-?(?:\d|SL_|\(size_t\))[^\n]*[^\s\\])"
PIECE = re.compile(
    r"(?P<comment>/\*.*?\*/)"
    rf"|(?P<constants>(?:^{CONSTANT}\n)+)"
    rf"|(?P<type>(?:typedef\s+)?(?:enum|struct|union)\b[^;{{]*{BRACES}[^;]*;|typedef\s+[^{{}};]+;)"
    r"|(?P<call>(?:SL_API|static inline)\s[^;{]*?\)\s*(?:;|\{.*?\n\}))",
    re.S | re.M,
)


def pieces(body):
    """(comment before it, comment behind it, match) of all that a header declares, in order; a comment that is about
    no one thing has None for the match."""
    comment, end = "", 0
    for match in PIECE.finditer(body):
        if match.start() < end:
            continue
        if match.group("comment"):
            if comment:
                yield comment, "", None
            comment, end = match.group("comment"), match.end()
            continue
        near = body[end : match.start()].count("\n") <= 1 and "----" not in comment
        if comment and not near:
            yield comment, "", None
        behind = re.match(r"[ \t]*(/\*.*?\*/)", body[match.end() :], re.S)
        yield (comment if near else ""), (behind.group(1) if behind else ""), match
        comment, end = "", match.end() + (behind.end() if behind else 0)
    if comment:
        yield comment, "", None


def parts_of(path):
    """What stands at a header's head, in one line and as it is, and what follows, without directives."""
    text = path.read_text()
    results = re.findall(r"X\((SL_\w+), (\d+), ", text)
    text = text.replace("SL_RESULT_LIST(SL_RESULT_ENUM)", ", ".join(" = ".join(pair) for pair in results))
    head = re.match(r"/\*.*?\*/", text, re.S).group(0)
    title = words(re.split(r"\n \*\n", head)[0]).removeprefix(f"{path.name}:").strip(" .")
    return title, head, re.sub(rf"^(?!{CONSTANT})#(?:[^\n]*\\\n)*[^\n]*$", "", text[len(head) :], flags=re.M)


def call_of(match):
    """A call's declaration, on one line."""
    return tidy(re.sub(r"^(SL_API|static inline)\s", "", match.group("call").split("{")[0].rstrip().rstrip(";")))


def page_of(path):
    title, _, body = parts_of(path)
    types, calls = [f"#define {name} {value}" for name, value in re.findall(CONSTANT, without_comments(body))], []
    for comment, behind, match in pieces(body):
        if match and match.group("call"):
            what = " ".join(sentences(words(text), 320) for text in (comment, behind) if text)
            calls.append(f"| `{cell(call_of(match))}` | {cell(what)} |")
        elif match and "{" in (match.group("type") or ""):
            types += ["", *comment.splitlines(), *f"{match.group('type')} {behind}".rstrip().splitlines()]
    out = [f"## {path.name}: {title}", ""]
    if types:
        out += ["```c", *(types[1:] if not types[0] else types), "```", ""]
    if calls:
        out += ["| call | what it does |", "|---|---|", *calls, ""]
    return out


def headers():
    """The public headers by name, in the order in which one meets them."""
    found = {path.stem: path for folder in FOLDERS for path in sorted(folder.glob("*.h"))}
    found.pop("sightline")
    return [found[name] for name in dict.fromkeys([*ORDER, *found]) if name in found]


def main():
    page = HEAD + "\n" + "\n".join(line for path in headers() for line in page_of(path)).rstrip() + "\n"
    file = ROOT / "docs/api.md"
    if sys.argv[1:] == ["--check"]:
        there = file.read_text() if file.exists() else ""
        if there != page:
            sys.stdout.writelines(difflib.unified_diff(there.splitlines(True), page.splitlines(True), "api.md", "headers", n=0))
            sys.exit("docs/api.md is not what the headers make: run python3 docs/api.py")
        return
    file.write_text(page)


if __name__ == "__main__":
    main()
