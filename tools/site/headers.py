"""A public header as a page: all of its comments as text, each type and call under a heading of its name."""
import html
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import api  # noqa: E402

NAMES = r"\bsl_\w*[a-z]\w*\b|\bSL_\w*[A-Z]\w*\b|\bdocs/[\w/-]+\.md\b|\b[a-z_]+\.h\b"
LABEL = re.compile(r"(\w+(?: [a-z]+)?)  +(?=\S)")


def bare(comment):
    """The lines of a comment, as they are indented in it."""
    text = re.sub(r"^/\*+ ?(?:---- )?|(?: ----)?\s*\*/$", "", comment.strip()).replace(" ----\n", "\n")
    return [re.sub(r"^\s*\* ?", "", line).rstrip() for line in text.splitlines()]


def prose(text):
    text = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(rf"(?<!<code>)({NAMES})(?!\()", r"<code>\1</code>", text)


def blocks(lines):
    """(kind, label, lines) of a comment: "code", which is indented after a blank line; "row", which begins with a label
    or whose further lines are indented; else "text"."""
    out, blank = [], True
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if not line:
            blank = True
        elif indent >= 4 and (blank or (out and out[-1][0] == "code")):
            if not out or out[-1][0] != "code":
                out.append(["code", "", []])
            out[-1][2].append(line[4:])
            blank = False
        elif indent >= 4:
            if out[-1][0] == "text":  # the last line of the text has the label of a row
                label, _, rest = out[-1][2].pop().partition(" ")
                out[-1:] = ([out[-1]] if out[-1][2] else []) + [["row", label, [rest]]]
            out[-1][2].append(line.strip())
        else:
            label = LABEL.match(line)
            if label or blank or out[-1][0] != "text":
                out.append(["row" if label else "text", label.group(1) if label else "", []])
            out[-1][2].append(line[label.end() :] if label else line.strip())
            blank = False
    return out


def text_of(comment):
    out, rows = [], False
    for kind, label, lines in blocks(bare(comment)):
        if rows and kind != "row":
            out.append("</dl>\n")
        if kind == "row" and not rows:
            out.append("<dl>")
        rows = kind == "row"
        said = prose(" ".join(lines))
        if kind == "code":
            out += ["```c", *lines, "```\n"]
        else:
            out.append(f"<dt>{label}</dt> <dd>{said}</dd>" if rows else f"<p>{said}</p>\n")
    return "\n".join(out + (["</dl>\n"] if rows else []))


def names_of(match):
    """What a declaration is called, and all names that it gives a meaning."""
    if match.group("constants"):
        names = re.findall(r"#define (\w+)", match.group())
        return names[0], names
    if match.group("call"):
        name = re.search(r"\b(sl_\w+)\(", match.group()).group(1)
        return name, [name]
    text = api.without_comments(match.group("type"))
    constants = re.findall(r"\b(SL_\w+)\s*(?=[=,}])", text) if re.match(r"(typedef )?enum", text) else []
    last = re.search(r"(sl_\w+)\(" if "(" in text and "{" not in text else r"(sl_\w+)\s*;$", text)
    names = [*last.groups(), *constants] if last else constants
    return names[0], names


def code_of(match):
    text = match.group().rstrip()
    if match.group("call"):
        text = re.sub(r"^SL_API ", "", text.split("\n{")[0].rstrip(";"))
    return text


def page_of(path):
    """The page's Markdown, and where on it each name is."""
    title, head, body = api.parts_of(path)
    first = text_of(head).removeprefix(f"<p>{path.name}:").removeprefix(f"<p><code>{path.name}</code>:").lstrip()
    out, anchors, said, level = [f"# {path.name}\n", f"<p>{first[:1].upper()}{first[1:]}"], {}, None, "##"
    for comment, behind, match in api.pieces(body):
        if match is None:
            if "clang-format" not in comment:
                heading = bare(comment)[0] if "----" in comment else ""
                short = re.match(r"[^.,:;]+", heading)
                level = "###" if short else level
                out.append((f"## {short.group()}\n\n" if short else "") + text_of(comment))
            continue
        name, names = names_of(match)
        code = f"{code_of(match)} {behind}".rstrip()
        anchors |= {each: name for each in names}
        if comment or said is None or not match.group("call"):
            out += [f"{level} {name} {{#{name}}}\n", text_of(comment) if comment else "", "```c\n" + code + "\n```\n"]
        else:  # goes on in the block of the call before
            out[-1] = f'<span id="{name}"></span>\n\n' + out[-1].removesuffix("\n```\n") + "\n" + code + "\n```\n"
        said = match.group("call")
    return "\n".join(out), anchors
