#!/usr/bin/env python3
"""What the site is built with: check.py finds each fault that is planted; and of the headers no word and no name is lost.

    python3 test/docs/test_site.py
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SITE = Path(__file__).resolve().parents[2] / "tools/site"
sys.path.insert(0, str(SITE))
import headers  # noqa: E402

PAGE = '<!doctype html><html lang="en"><title>{0}</title>{2}<h1 id="{0}">{0}</h1><p>{1}</p></html>'
DESCRIBED = '<meta name="description" content="x">'
FAULTS = {  # what is on a page, and what is to be said of it
    '<a href="none.html">x</a>': "leads to none.html, which is not there",
    '<a href="../index.html">x</a>': "leads to ../index.html, which is not there",
    '<a href="b.html#none">x</a>': "leads to b.html#none, where no such anchor is",
    '<a href="#none">x</a>': "leads to #none, where no such anchor is",
    '<img src="a.svg" alt=" " width="1" height="1">': "a.svg has no alternative text",
    '<img src="none.svg" alt="x" width="1" height="1">': "leads to none.svg, which is not there",
    '<script src="https://example.org/a.js"></script>': "loads https://example.org/a.js from elsewhere",
    '<link href="//example.org/a.css">': "loads //example.org/a.css from elsewhere",
    "<button></button>": "a button has no name",
    "<input>": "a input has no name",
    '<b id="a"></b>': "has the id a more than once",
    '<img src="a.svg" alt="x" width="1">': "a.svg has no size",
    "<h2>x</h2><h4>x</h4>": "has a heading of level 4 under one of level 2",
    "<h1>x</h1>": "has 2 first headings",
}
GOOD = '<a href="b.html#b">b</a><a href="https://example.org">x</a><img src="a.svg" alt="x" width="1" height="1"><button>x</button><a href="a.svg">x</a>'


def checked(text, title="a", described=DESCRIBED):
    with tempfile.TemporaryDirectory() as folder:
        for name, titled, page in (("a", title, text), ("b", "b", "")):
            (Path(folder) / f"{name}.html").write_text(PAGE.format(titled, page, described))
        (Path(folder) / "a.svg").write_text("")
        return subprocess.run([sys.executable, SITE / "check.py", folder], capture_output=True, text=True, check=False)


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def main():
    faults = []
    good = checked(GOOD)
    if good.returncode != 0 or "2 pages, 4 links, 0 faults" not in good.stdout:
        faults.append(f"a good page is called bad: {good.stdout}{good.stderr}")
    if "a.html has no description" not in checked("", described="").stdout:
        faults.append("a page without a description is not seen")
    for text, title, said in [("", "b", "has the title of"), ("", "", "has no title"), *((text, "a", said) for text, said in FAULTS.items())]:
        found = checked(text, title)
        if found.returncode != 1 or said not in found.stdout or found.stderr:
            faults.append(f"{text or said}: not seen: {found.stdout}{found.stderr}")
    for path in headers.api.headers():
        page, anchors = headers.page_of(path)
        text = path.read_text()
        comments = " ".join(re.findall(r"/\*.*?\*/", text, re.S))
        lost = words(comments.replace("clang-format", "")) - words(page)
        names = set(re.findall(r"^(?:SL_API|static inline) [^;{]*?\b(sl_\w+)\(", text, re.M))
        faults += [f"{path.name}: {word} is not on its page" for word in sorted(lost)]
        faults += [f"{path.name}: {name} has no place" for name in sorted(names - set(anchors))]
        faults += [f"{path.name}: no anchor {anchor}" for anchor in anchors.values() if f"#{anchor}}}" not in page and f'"{anchor}"' not in page]
    print("\n".join([*faults, f"{len(FAULTS) + 3} planted faults, {len(headers.api.headers())} headers, {len(faults)} faults found"]))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
