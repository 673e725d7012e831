"""Writes docs/python-reference.md: signatures and types from the stubs, texts from the docstrings.

    python reference.py [OUT]

Nothing is imported, so neither a build nor NumPy is needed.
"""

import ast
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "sightline_bvh"
WIDTH = 110
MODULES = ("plot", "trimesh", "open3d", "dask")

HEAD = """# Python reference

Written by `tools/python/reference.py` from the stubs and docstrings of the package, `sightline_bvh`, which the
pages import `as sightline`, then of its modules `plot`, `trimesh`, `open3d` and `dask`; a test checks that it is up to date. [python.md](python.md) is the tutorial.
`help(sightline.Tree.closest)` has the same texts, and doctest runs their examples.
"""


# Functions of the package that make one; their last argument is its docstring.
PROPERTIES = ("_field", "_found", "_kept", "_of_array")


class Texts:
    """Docstrings by qualified name, such as Tree.inside, from the modules of the package."""

    def __init__(self, *modules):
        self.of = {}
        for path in [*sorted(PACKAGE.glob("_*.py")), *modules]:
            self._take(ast.parse(path.read_text()).body, "")

    def _take(self, body, prefix):
        for node in body:
            if isinstance(node, ast.ClassDef):
                self._keep(prefix + node.name, node)
                self._take(node.body, f"{prefix}{node.name}.")
                self._inherit(node)
            elif isinstance(node, ast.FunctionDef):
                self._keep(prefix + node.name, node)
            elif (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
                and getattr(node.value.func, "id", "") in PROPERTIES
            ):
                self.of[prefix + node.targets[0].id] = node.value.args[-1].value

    def _inherit(self, node):
        for base in node.bases:
            own = getattr(base, "id", "?") + "."
            for name in [name for name in self.of if name.startswith(own)]:
                self.of.setdefault(f"{node.name}.{name[len(own):]}", self.of[name])

    def _keep(self, name, node):
        text = ast.get_docstring(node)
        if text:
            self.of[name] = text


def plain(annotation):
    """A type as a reader wants it: without the names of modules."""
    text = ast.unparse(annotation)
    text = re.sub(r"np\.floating\[Any\]", "float32 | float64", text)
    text = re.sub(r"\bnp\.dtype\[np\.void\]", "dtype", text)
    text = re.sub(r"\bNDArray\[np\.void\]", "structured array", text)
    text = re.sub(r"\bnp\.(\w+?)_?\b", r"\1", text)
    text = text.replace("_SupportsBar", "tqdm bar").replace("Ragged[_V]", "Ragged")
    text = re.sub(r"\b_R\b", "the same class", text)
    return re.sub(r"\b_([A-Z]\w*)\b", r"\1", text)


def signature(name, node, method):
    """A call, cut into lines."""
    arguments = node.args
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    words = []
    for argument, default in zip(positional, defaults, strict=True):
        words.append(parameter(argument, default))
    if method:
        words = words[1:]
    if arguments.vararg:
        words.append("*" + parameter(arguments.vararg, None))
    elif arguments.kwonlyargs:
        words.append("*")
    words += [parameter(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    end = ")" if node.returns is None or node.name == "__init__" else f") -> {plain(node.returns)}"
    whole = f"{name}({', '.join(words)}{end}"
    if len(whole) <= WIDTH:
        return whole
    lines, line = [], f"{name}("
    for i, word in enumerate(words):
        word += "," if i + 1 < len(words) else end
        if len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = "    " + word
        else:
            line += ("" if line.endswith("(") else " ") + word
    return "\n".join([*lines, line])


def parameter(argument, default):
    text = argument.arg
    if argument.annotation is not None:
        text += ": " + plain(argument.annotation)
    if default is not None:
        value = ast.unparse(default)
        text += (" = " if argument.annotation is not None else "=") + value
    return text


_DEFINITION = re.compile(r"([\w-]+(?:, [\w-]+)*)(?: {2,}| (?=\())(.+)")


def filled(text, indent=""):
    text = re.sub(r"(?<=[.:;,]) {2,}", " ", text)
    return "\n".join(textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False))


def paragraph(lines):
    """Lines of a docstring without an empty one: prose, or a list of what names mean."""
    if lines[0].startswith(">>>"):
        return "```pycon\n" + "\n".join(lines) + "\n```"
    columns = [re.match(r"[\w-]+(, [\w-]+)* {2,}\S", line) for line in lines]
    if not any(columns):
        return filled(" ".join(lines))
    items = []
    for line in lines:
        found = _DEFINITION.match(line) if not line.startswith(" ") else None
        if found:
            names = ", ".join(f"**{n}**" if n[0].isupper() else f"`{n}`" for n in found[1].split(", "))
            items.append(f"- {names}: {found[2].strip()}")
        elif items:
            items[-1] += " " + line.strip()
        else:
            items.append(line.strip())
    return "\n".join(filled(item, "  ") for item in items)


def prose(text):
    if text is None:
        return ""
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    return "\n\n".join(paragraph(block.splitlines()) for block in blocks)


def cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def table(head, rows):
    if not rows:
        return ""
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


class Reference:
    def __init__(self, module="__init__"):
        self.source = (PACKAGE / f"{module}.pyi").read_text()
        self.lines = self.source.splitlines()
        self.texts = Texts().of
        self.parts = []
        self.tree = ast.parse(self.source)

    def add(self, *texts):
        self.parts += [text + "\n" for text in texts if text]

    def note(self, node):
        """The comment behind a line, or the lines of comments before it."""
        found = re.search(r"  # (.*)", self.lines[node.end_lineno - 1])
        if found:
            return found[1]
        above, number = [], node.lineno - 2
        while number >= 0 and self.lines[number].strip().startswith("# "):
            above.insert(0, self.lines[number].strip()[2:])
            number -= 1
        return " ".join(line for line in above if not line.startswith("----"))

    def sections(self):
        """The nodes of the stubs under their headings."""
        current, found = "Constants and dtypes", {}
        heads = {i + 1: m[1] for i, line in enumerate(self.lines) if (m := re.match(r"# ---- (.*) ----", line))}
        done = set()
        for node in self.tree.body:
            for line in sorted(heads):
                if line < node.lineno and line not in done:
                    current = heads[line]
                    done.add(line)
            found.setdefault(current, []).append(node)
        return found

    def write(self):
        self.parts.append(HEAD)
        self.add("## Of all calls")
        self.add(prose(ast.get_docstring(self.tree).split("\n", 2)[2]))
        for heading, nodes in self.sections().items():
            self.add(f"## {heading}")
            names = [n for n in nodes if isinstance(n, ast.AnnAssign) and n.target.id[0] != "_"]
            self.values(names)
            self.errors([n for n in nodes if self.is_error(n)])
            self.aliases([n for n in nodes if isinstance(n, ast.AnnAssign) and plain(n.annotation) == "TypeAlias"])
            for node in nodes:
                if isinstance(node, ast.ClassDef) and not self.is_error(node):
                    self.a_class(node)
                elif isinstance(node, ast.FunctionDef):
                    self.a_function(node)
        return "\n".join(self.parts).rstrip("\n") + "\n"

    @staticmethod
    def is_error(node):
        return isinstance(node, ast.ClassDef) and any(getattr(b, "id", "") == "SightlineError" for b in node.bases)

    def values(self, nodes):
        nodes = [n for n in nodes if plain(n.annotation) != "TypeAlias"]
        rows = [(f"`{n.target.id}`", cell(self.note(n))) for n in nodes]
        self.add(table(("name", "what"), [r for r in rows if r[0] != "`__version__`"]))

    def aliases(self, nodes):
        rows = []
        for node in nodes:
            rows.append((f"`{node.target.id[1:]}`", f"`{cell(plain(node.value))}`", cell(self.note(node))))
        self.add(table(("type", "accepts", "what"), rows))

    def errors(self, nodes):
        rows = []
        for node in nodes:
            also = ", ".join(f"`{b.id}`" for b in node.bases if b.id != "SightlineError")
            rows.append((f"`{node.name}`", also, cell(self.texts.get(node.name, self.note(node)))))
        self.add(table(("error", "is also a", "raised where"), rows))

    def a_function(self, node):
        self.add(f"### `{node.name}`", f"```py\n{signature(node.name, node, False)}\n```")
        self.add(prose(self.texts[node.name]))

    def a_class(self, node):
        if node.name.startswith("_") and node.name != "_Target":
            return
        public = "Tree and Scene" if node.name == "_Target" else node.name
        real = "TreeOrScene" if node.name == "_Target" else node.name
        self.add(f"### {public}" if node.name == "_Target" else f"### `{public}`")
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name == "__init__" and real in (
                "Mesh", "Tree", "Scene", "Camera", "SightlineError",
            ):  # fmt: skip
                self.add(f"```py\n{signature(real, method, True)}\n```")
        self.add(prose(self.texts.get(real)))
        self.add(table(("field", "type", "what"), list(self.fields(node, real))))
        self.add(table(("property", "type", "what"), list(self.properties(node, real))))
        seen = set()
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and not self.is_property(method) and method.name[0] != "_":
                if method.name not in seen:
                    self.a_method(node, real, method.name)
                seen.add(method.name)

    def fields(self, node, real):
        text = self.texts.get(real, "")
        for field in node.body:
            told = isinstance(field, ast.AnnAssign) and re.search(rf"^(\w+, )*{field.target.id}\b.*  ", text, re.M)
            if isinstance(field, ast.AnnAssign) and not told:
                yield f"`{field.target.id}`", f"`{cell(plain(field.annotation))}`", cell(self.note(field))

    @staticmethod
    def is_property(node):
        return any(getattr(d, "id", "") == "property" for d in node.decorator_list)

    def properties(self, node, real):
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and self.is_property(method):
                text = self.texts.get(f"{real}.{method.name}", self.note(method))
                yield f"`{method.name}`", f"`{cell(plain(method.returns))}`", cell(text)

    def a_method(self, node, real, name):
        both = real == "TreeOrScene"
        ways = [m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == name]
        own = "" if both else f"{real}."
        self.add(f"#### `{own}{name}`")
        self.add("```py\n" + "\n".join(signature(own + name, way, True) for way in ways) + "\n```")
        self.add(prose(self.texts[f"{real}.{name}"]))


class Module(Reference):
    """A module beside the package itself: what its __all__ names."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name
        path = PACKAGE / f"{name}.py"
        self.texts = Texts(path).of
        self.about = ast.get_docstring(ast.parse(path.read_text()))

    def write(self):
        self.add(f"## `sightline_bvh.{self.name}`")
        for block in re.split(r"\n\s*\n", self.about):
            code = all(line.startswith("    ") for line in block.splitlines())
            self.add(f"```py\n{textwrap.dedent(block)}\n```" if code else prose(block))
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef):
                self.a_class(node)
            elif isinstance(node, ast.FunctionDef):
                self.add(f"### `{self.name}.{node.name}`", self.ways(self.tree, node.name, f"{self.name}.{node.name}"))
                self.add(prose(self.texts[node.name]))
        return "\n".join(self.parts).rstrip("\n") + "\n"

    @staticmethod
    def ways(within, name, shown):
        """All overloads of a call."""
        method = isinstance(within, ast.ClassDef)
        lines = []
        for node in within.body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                bound = method and "staticmethod" not in [getattr(d, "id", "") for d in node.decorator_list]
                lines.append(signature(shown, node, bound))
        return "```py\n" + "\n".join(lines) + "\n```"

    def a_class(self, node):
        real = node.name.lstrip("_")
        self.add(f"### `{self.name}.{real}`" if node.name[0] != "_" else f"### Answers: {real}")
        methods = [m.name for m in node.body if isinstance(m, ast.FunctionDef) and not self.is_property(m)]
        if "__init__" in methods:
            self.add(self.ways(node, "__init__", f"{self.name}.{real}"))
        bases = [b.id.lstrip("_") for b in node.bases if getattr(b, "id", "")[:1] == "_"]
        self.add(f"What {', '.join(bases)} has, and" if bases else "", prose(self.texts.get(real)))
        self.add(table(("field", "type", "what"), list(self.fields(node, real))))
        self.add(table(("property", "type", "what"), list(self.properties(node, real))))
        for name in dict.fromkeys(methods):
            if name[0] != "_":
                self.add(f"#### `{self.name}.{real}.{name}`", self.ways(node, name, name))
                self.add(prose(self.texts[f"{real}.{name}"]))


def reference():
    """The whole page."""
    return "\n".join([Reference().write(), *(Module(name).write() for name in MODULES)])


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent.parent / "docs/python-reference.md"
    out.write_text(reference())


if __name__ == "__main__":
    main()
