"""What mkdocs cannot know by itself: which files are pages, the pages of sources, and where the names in code lead.

A page is whatever the nav of mkdocs.yml has, where `*` stands for all that match, and whatever a page links to: a source is
shown as code, a public header as headers.py shows it, and a folder as the list of what is in it.
"""
import os
import posixpath
import re
import struct
import sys
import textwrap
from html import escape, unescape
from pathlib import Path

from mkdocs.structure.files import File, InclusionLevel
from mkdocs.utils import get_relative_url

sys.path.insert(0, str(Path(__file__).parent))
import headers  # noqa: E402

ROOT = headers.ROOT
LANGUAGES = {".c": "c", ".h": "c", ".inl": "c", ".cpp": "cpp", ".py": "python", ".sh": "sh", ".mjs": "js"}
DEMO = """---
hide: [navigation, toc]
---
# Try it

<p><a href="demo/index.html">The page by itself</a>; it runs on your machine, and what you drop on it stays there.</p>
<iframe class="demo" src="demo/index.html" title="pick, snap, lasso, slice and clash triangles"></iframe>
"""
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^()\s#:]+)(#[^()\s]*)?\)")
places = {}  # of a name in code or a path of the sources: page and anchor


def page_path(path):
    """The page that shows what is at a path of the sources, if it is one."""
    if (ROOT / path).is_dir():
        return posixpath.join(path, "index.md")
    return path + ".md" if Path(path).suffix in LANGUAGES or Path(path).name == "LICENSE" else path


def title_of(path):
    """A file's title, which its first comment has, or its first line."""
    text = (ROOT / path).read_text()
    if path.endswith(".md"):
        return text.splitlines()[0].lstrip("# ")
    comment = re.search(r"/\*.*?\*/", text, re.S)
    said = headers.api.words(re.split(r"\n \*\n", comment.group())[0]) if comment else ""
    return headers.api.sentences(said, 0).removeprefix(f"{Path(path).name}: ")


def listing(folder):
    files = sorted(path for path in (ROOT / folder).iterdir() if path.suffix in LANGUAGES or path.suffix == ".md")
    lines = [f"- [{path.name}]({path.name}): {headers.prose(title_of(f'{folder}/{path.name}'))}" for path in files]
    return f"# {folder.removeprefix('docs/').capitalize()}\n\n" + "\n".join(lines) + "\n"


def markdown_of(path):
    """The Markdown of a page about what is at a path of the sources."""
    file = ROOT / path
    if file.is_dir():
        return listing(path)
    if file.suffix == ".md":
        return file.read_text()
    if file in headers.api.headers():
        text, anchors = headers.page_of(file)
        page = page_path(path)
        places.update({name: (page, anchor) for name, anchor in anchors.items()})
        places[file.name] = (page, "")
        return text
    return f"# {file.name}\n\n```{LANGUAGES.get(file.suffix, 'text')}\n{file.read_text()}\n```\n"


def description_of(path, text):
    """What search engines show of a page: a source's title, or the first paragraph of a document."""
    blocks = [title_of(path)] if Path(path).suffix in LANGUAGES else re.split(r"\n{2,}", text)
    for block in blocks:
        words = re.sub(r"!\[[^\]]*\]\([^)]*\)|<[^>]*>|\]\([^)]*\)|[`*\[]", "", block)
        if words[:1].isalpha() and not block.startswith("```"):
            return escape(textwrap.shorten(unescape(words), 200, placeholder=" ..."))
    return None


def size_of(path):
    """Width and height of a picture, as its head says."""
    head = path.read_bytes()[:200]
    if path.suffix == ".png":
        return struct.unpack(">II", head[16:24])
    return re.search(rb'width="(\d+)" height="(\d+)"', head).groups()


def linked(path, text):
    """What a page links to, as paths of the sources."""
    folder = posixpath.dirname(path) if not (ROOT / path).is_dir() else path
    for match in LINK.finditer(text):
        target = posixpath.normpath(posixpath.join(folder, match.group(2)))
        if (ROOT / target).exists():
            yield target


def expanded(item):
    """An item of the nav with each pattern replaced by what matches it, and each path by that of its page."""
    if isinstance(item, dict):
        return {name: expanded(value) for name, value in item.items()}
    if isinstance(item, list):
        return [each for value in item for each in (expanded(value) if "*" in value else [expanded(value)])]
    if item.endswith("*.h"):
        found = [str(path.relative_to(ROOT)) for path in headers.api.headers()]
    elif "*" in item:
        found = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(item))
    else:
        return page_path(item)
    return [page_path(path) for path in found]


def on_config(config):
    config.nav = expanded(config.nav)
    if os.environ.get("SIGHTLINE_DEMO"):
        config.nav.insert(1, {"Try it": "try.md"})
    return config


def paths_in(item):
    values = item.values() if isinstance(item, dict) else item
    return [item] if isinstance(item, str) else [path for value in values for path in paths_in(value)]


def on_files(files, config):
    named = paths_in(config.nav)
    todo = [re.sub(r"/index\.md$|(?<=\.[ch])\.md$", "", path) for path in named]
    done = set()
    while todo:
        path = todo.pop()
        if path in done or not (ROOT / path).exists():
            continue
        done.add(path)
        page = page_path(path)
        document = path.endswith(".md") and path.startswith("docs/")  # has to be in the nav
        inclusion = InclusionLevel.UNDEFINED if document or page in named else InclusionLevel.NOT_IN_NAV
        if page.endswith(".md"):
            text = markdown_of(path)
            todo += linked(path, text)
            places[path] = (page, "")
            files.append(File.generated(config, page, content=text, inclusion=inclusion))
        else:
            files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    if "try.md" in named:
        files.append(File.generated(config, "try.md", content=DEMO))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links to sources and folders go to the pages that show them; and what Python-Markdown reads otherwise than others."""
    folder = posixpath.dirname(page.file.src_uri)
    if page.is_homepage:
        page.meta["hide"] = ["navigation"]
    if page.file.src_uri == "docs/api.md":
        page.meta["search"] = {"exclude": True}  # the headers' pages say the same
    source = page.file.src_uri.removesuffix(".md")
    page.meta["description"] = description_of(source if (ROOT / source).is_file() else page.file.src_uri, markdown)

    def to_page(match):
        target = posixpath.normpath(posixpath.join(folder, match.group(2)))
        shown = page_path(target) if (ROOT / target).exists() else target
        return f"{match.group(1)}{os.path.relpath(shown, folder or '.')}{match.group(3) or ''})"

    markdown = re.sub(r"^```\n(?=```)", "```\n\n", markdown, flags=re.M)  # a block right after another
    markdown = re.sub(r"^  (?=- )", "    ", markdown, flags=re.M)  # a list in a list
    return LINK.sub(to_page, markdown)


NAME = re.compile(r'<a\b.*?</a>|<h1.*?</h1>|(<code>|<span class="n[a-z]?">)([\w./-]+)(</code>|</span>)', re.S)


def on_page_content(html, page, config, files):
    """Names of C and paths of sources lead to where they are described; a bar in a table's code needs no backslash."""

    def to_place(match):
        place = places.get(match.group(2) or "")
        if not place or place[0] == page.file.src_uri and not place[1]:
            return match.group()
        url = get_relative_url(files.get_file_from_path(place[0]).url, page.url)
        return f'<a class="name" href="{url}{"#" + place[1] if place[1] else ""}">{match.group()}</a>'

    def sized(match):
        path = ROOT / posixpath.dirname(page.file.src_uri) / match.group(1)
        width, height = (int(length) for length in size_of(path))
        later = ' loading="lazy"' if match.start() > 4000 else ""  # not on the first screen
        return f'{match.group()} width="{width}" height="{height}"{later}'

    html = re.sub(r'<img alt="[^"]*" src="([^":]+)"', sized, html)
    return re.sub(r"<code>[^<]*</code>", lambda code: code.group().replace("\\|", "|"), NAME.sub(to_place, html))


def on_post_page(output, page, config):
    """The theme has no name for its search, and no size for its logo."""
    output = output.replace('role="dialog">', 'role="dialog" aria-label="Search">')
    return re.sub(r'<img src="[^"]*logo\.svg"', r'\g<0> width="24" height="24"', output)
