#!/usr/bin/env python3
"""Checks a built site, page by page, and names what is wrong.

    python3 tools/site/check.py FOLDER

Each link, picture, script and style is a file of the site, and each anchor is on its page; nothing is loaded from elsewhere;
pictures have a size and, as buttons do, a name; pages a language, a title of their own, a description and one first heading,
and no level of headings is left out; no id comes twice. At the end it says how large the largest page is with all that it loads.
"""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ELSEWHERE = {"a", "form"}  # what may lead out of the site; all else is loaded with the page


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.faults, self.tags, self.title = [], [], [], [], ""
        self.open, self.unnamed, self.described = None, False, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        self.open = tag
        self.tags.append(tag)
        self.ids += [has["id"]] if "id" in has else []
        self.links += [(tag, has[name]) for name in ("href", "src", "data") if name in has and tag != "base"]
        if tag == "html" and not has.get("lang"):
            self.faults.append("has no language")
        self.described = self.described or has.get("name") == "description" and bool(has.get("content"))
        if tag == "img" and not (has.get("alt") or "").strip():
            self.faults.append(f"{has.get('src')} has no alternative text")
        if tag == "img" and not (has.get("width") and has.get("height")):
            self.faults.append(f"{has.get('src')} has no size")
        if tag == "button" or tag == "input" and has.get("type") not in ("checkbox", "radio", "hidden"):
            self.unnamed = not (has.get("title") or has.get("aria-label"))
            if tag == "input":
                self.handle_endtag(tag)

    def handle_data(self, data):
        self.unnamed = self.unnamed and not data.strip()
        if self.open == "title":
            self.title += data

    def handle_endtag(self, tag):
        if tag in ("button", "input") and self.unnamed:
            self.faults.append(f"a {tag} has no name")
        self.open = None


def target_of(path, link):
    """The file that a link on a page leads to, whether it is there or not; None for what is not of the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    return (path.parent / unquote(parts.path)).resolve() if parts.path else path


def faults_of(path, page, pages, root):
    yield from page.faults
    for tag, link in page.links:
        parts = urlsplit(link)
        if parts.scheme in ("data", "mailto"):
            continue
        target = target_of(path, link)
        if target is None:
            if tag not in ELSEWHERE:
                yield f"loads {link} from elsewhere"
        elif not target.is_file() or root not in target.parents:
            yield f"leads to {link}, which is not there"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
            yield f"leads to {link}, where no such anchor is"
    for name in sorted({name for name in page.ids if page.ids.count(name) > 1}):
        yield f"has the id {name} more than once"
    if page.tags.count("h1") != 1:
        yield f"has {page.tags.count('h1')} first headings"
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag)]
    for above, below in zip(levels, levels[1:]):
        if below > above + 1:
            yield f"has a heading of level {below} under one of level {above}"
    if not page.title.strip():
        yield "has no title"
    if not page.described:
        yield "has no description"


def weight(path, page):
    """Bytes of a page with the files of the site that it loads."""
    loaded = {target_of(path, link) for tag, link in page.links if tag not in ELSEWHERE} - {None}
    return path.stat().st_size + sum(file.stat().st_size for file in loaded if file.suffix != ".html" and file.is_file())


def main():
    root = Path(sys.argv[1]).resolve()
    demo = root / "demo"  # has tests of its own
    paths = [path for path in sorted(root.rglob("*.html")) if demo not in path.parents and path.name != "404.html"]
    pages = {path: Page(path.read_text()) for path in paths}
    faults = [(path, fault) for path, page in pages.items() for fault in faults_of(path, page, pages, root)]
    titles = {}
    for path, page in pages.items():
        other = titles.setdefault(page.title, path)
        if other != path:
            faults.append((path, f"has the title of {other.relative_to(root)}"))
    for path, fault in faults:
        print(f"{path.relative_to(root)} {fault}")
    links = sum(len(page.links) for page in pages.values())
    heaviest = max(((weight(path, page), path.relative_to(root)) for path, page in pages.items()), default=(0, "none"))
    print(f"{len(pages)} pages, {links} links, {len(faults)} faults; the heaviest is {heaviest[1]}, {heaviest[0]} bytes")
    sys.exit(1 if faults or not pages else 0)


if __name__ == "__main__":
    main()
