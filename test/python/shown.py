"""What a document shows of Python is run, block after block, and prints what the document says.

    python shown.py PAGE [FOLDER]

Blocks begin with ```python and share one namespace; they run in FOLDER (the current one), in which the page may expect
files.  A ```text block right after one has what it prints: a line "..." stands for any lines, and "..." at the end of a
line for the rest of it.  A block that raises is one whose last line says so: "ValueError: ...".  A block whose first
line is "# name.py" is a module, which later blocks import.
"""

import contextlib
import io
import os
import pathlib
import re
import sys

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(page):
    """(line, code, said) of each python block; said None: the page does not say what it prints."""
    found = []
    end = None
    for match in _BLOCK.finditer(page):
        kind, body = match.groups()
        if kind == "python":
            found.append([page.count("\n", 0, match.start()) + 2, body, None])
        elif kind == "text" and end is not None and not page[end : match.start()].strip():
            found[-1][2] = body
        end = match.end() if kind == "python" else None
    return found


def alike(said, printed):
    """Whether the lines that were printed are those that the page says."""
    pattern = ""
    for line in said.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*"
        elif line.endswith("..."):
            pattern += re.escape(line[:-3]) + r".*\n"
        else:
            pattern += re.escape(line) + r"\n"
    return re.fullmatch(pattern, printed) is not None


def run(code, where, space):
    """What a block prints, and the last line of what it raises."""
    module = re.match(r"# (\w+\.py)\n", code)
    if module:
        pathlib.Path(module[1]).write_text(code)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(code, where, "exec"), space)
        except Exception as error:
            kind = type(error)
            name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
            print(f"{name}: {error}")
            return printed.getvalue(), error
    return printed.getvalue(), None


def check(path):
    """The faults of a page, and how many blocks were run."""
    page = pathlib.Path(path).read_text()
    space = {"__name__": "shown"}
    faults = []
    every = blocks(page)
    for line, code, said in every:
        where = f"{os.path.basename(path)}:{line}"
        # Lines of the page, in tracebacks and in faults.
        printed, error = run(code, where, space)
        if said is None and error is not None:
            faults.append(f"{where}: {printed}")
        elif said is not None and not alike(said, printed):
            faults.append(f"{where}: the document says\n{said}but this is what comes:\n{printed}")
        elif said is None and printed:
            faults.append(f"{where}: prints what the document does not say:\n{printed}")
    return faults, len(every)


def main():
    path = os.path.abspath(sys.argv[1])
    if len(sys.argv) > 2:
        os.chdir(sys.argv[2])
    sys.path.insert(0, os.getcwd())
    faults, count = check(path)
    for fault in faults:
        print(fault)
    print(f"{count} blocks were run, {len(faults)} faults found")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
