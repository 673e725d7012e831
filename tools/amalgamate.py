#!/usr/bin/env python3
"""Makes few sources of many, for projects that vendor: sightline.h, sightline.c, and for each instruction set a file
with its kernels, which are optional.

    python3 tools/amalgamate.py FOLDER                  writes them and the licence to FOLDER
    python3 tools/amalgamate.py FOLDER --build BUILD    by what CMake said in that build folder; else it is asked

What the sources are, in which order, with which flags of kernels, and where headers of other projects are is all
CMake's to say: no list is kept here.  docs/vendoring.md is about what is written.

Names    A file-static name that another file has, too, gets its file's name in front: search of clash_all.c is
         clash_all_search; where that is taken, its folder's comes before.  Members keep theirs, and a file's macros end
         with it.  Names of headers and of kernels are never changed, so there a clash is one for a compiler to find.
Headers  Each of ours is there once, in front of what needs it first, so none may depend on where it is included.
System   Names of the macros of any system's headers are not to be used; those of <windows.h> that are are undone.
Repeats  An .inl without #pragma once, which several files include under different macros, is repeated in each: 21 KB in
         all.  Those of kernels are there once, at the end of sightline.c; the files of other kernels define
         SLI_KERNEL_FILE and include it, behind their own operations.  Were these in sightline.c, too, it would be
         longer by what several of them share."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"].*')
AFTER_WINDOWS = '#undef near\n#undef far\n#undef NEAR\n#undef FAR\n#define NEAR\n#define FAR\n'
COMMENT = r'/\*.*?\*/|//[^\n]*'
QUOTED = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
WORD = r'[A-Za-z_]\w*'
TOKEN = re.compile(rf'{COMMENT}|{QUOTED}|{WORD}|\.?\d[\w.]*|\s+|->|.', re.S)
SHARED = ('sl_', 'sli_', 'SL_', 'SLI_', '__')  # names that are no file's own begin so


def read(name):
    return (ROOT / name).read_text()


def without_comments(text):
    return re.sub(rf'{COMMENT}|({QUOTED})', lambda m: m[1] or ' ', text, flags=re.S)


class Project:
    def __init__(self, build):
        commands = json.loads((build / 'compile_commands.json').read_text())
        own = [c for c in commands if 'CMakeFiles/sightline.dir/' in c['command']]
        files = [pathlib.Path(c['file']).resolve().relative_to(ROOT).as_posix() for c in own]
        self.kernels = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob('bvh/kernel/kernel_*.c'))
        self.sources = [f for f in files if f not in self.kernels]
        cache = (build / 'CMakeCache.txt').read_text()
        self.folders = dict(re.findall(r'^(\w+)_INCLUDE_DIR:\w+=(.+)$', cache, re.M))
        self.named = re.findall(r' -isystem *(\S+)', own[0]['command'])
        self.version = re.search(r'^CMAKE_PROJECT_VERSION:\w+=(.*)$', cache, re.M)[1]

    def find_other(self, name):
        """A header that is of another project, by its name or by its folder, and not of the system."""
        folders = [self.folders.get(re.match(r'\w*', name)[0].upper(), '/nowhere'), *self.named]
        return next((path for path in (pathlib.Path(folder) / name for folder in folders) if path.is_file()), None)


def configure(build):
    command = ['cmake', '-S', ROOT, '-B', build, '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON',
               '-DSIGHTLINE_TESTS=OFF', '-DSIGHTLINE_TOOLS=OFF', '-DSIGHTLINE_IO=OFF', '-DBUILD_SHARED_LIBS=OFF']
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


def features_of(isa):
    """The instruction sets that a kernel is compiled for, as attributes name them."""
    own = re.search(rf'kernel_{isa}\.c DIRECTORY \S+ APPEND\s+PROPERTY\s+COMPILE_OPTIONS([^)]*)', read('bvh/CMakeLists.txt'))
    return ','.join(re.findall(r'\s-m([\w.]+)', own[1])) if own else ''


def condition_of(isa):
    """Where dispatch.c asks for a kernel."""
    ways = []
    for line in read('bvh/kernel/dispatch.c').splitlines():
        word, _, rest = line.strip().partition(' ')
        if word in ('#elif', '#else', '#endif'):
            ways.pop()
        if word in ('#if', '#elif'):
            ways.append(rest)
        if f'&sli_kernels_{isa},' in line:
            return ' && '.join(ways)
    sys.exit(f'dispatch.c has no row of {isa}')


# Includes.


def is_header(name):
    return name.endswith('.h') and not name.startswith('bvh/kernel/simd/')


def directive_of(line):
    found = re.match(r'[ \t]*#[ \t]*(\w+)', line)
    return found[1] if found else None


def guard_of(text):
    found = re.match(r'\s*#[ \t]*ifndef[ \t]+(\w+)\s*\n\s*#[ \t]*define[ \t]+\1\b', without_comments(text))
    return found[1] if found else None


def foreign(path):
    """Another project's header without comments, but for the first one, which is its licence."""
    text = path.read_text()
    licence = re.match(r'\s*(/\*.*?\*/)', text, re.S)
    return (licence[1] if licence else '') + re.sub(r'\s*\n', '\n', without_comments(text))


def beside(path, line):
    found = (path.parent / INCLUDE.fullmatch(line)[1]).resolve()
    return found if '"' in line and found.is_file() else None


class Text:
    """Text as it grows: what is there already is not repeated, but for what is there only under some other condition."""

    def __init__(self, project):
        self.project = project
        self.seen = set()  # headers, and what was looked through for them
        self.there = set()

    def headers_of(self, name):
        """The headers that a file, or what it includes in place, needs, but for those that are there."""
        text = []
        for target in INCLUDE.findall(read(name)):
            if (ROOT / target).is_file() and target not in self.seen:
                self.seen.add(target)
                text.append(self.headers_of(target))
                if is_header(target):
                    text.append(self.own(target))
        return ''.join(text)

    def own(self, name):
        """A file without the headers that headers_of gives."""
        text = re.sub(r'^#pragma once\n\n?', '', read(name), flags=re.M)
        if name.startswith('bvh/kernel/simd/'):  # in files of kernels, too
            guard = 'SLI_ONCE_' + re.sub(r'\W', '_', name.removeprefix('bvh/kernel/simd/')).upper()
            text = f'#ifndef {guard}\n#define {guard}\n{text}#endif\n'
        return self.expand(text, lambda line: beside(ROOT / 'any', line))

    def expand(self, text, find):
        lines, ways, guard = [], [], guard_of(text)
        for line in text.splitlines():
            word = directive_of(line)
            if word in ('if', 'ifdef', 'ifndef'):  # what is under a guard is under no condition
                ways.append(None if line.split()[-1] == guard else set(self.there))
            elif word in ('else', 'elif', 'endif'):
                self.there = self.there if ways[-1] is None else set(ways[-1])
                if word == 'endif':
                    ways.pop()
            lines.append(self.included(line, find) if word == 'include' else line + '\n')
        return ''.join(lines)

    def included(self, line, find):
        target = INCLUDE.fullmatch(line)[1]
        path = find(line) or self.project.find_other(target)
        key = str(path or target)
        ours = path is not None and ROOT in path.parents
        if target.startswith('sightline/') or ours and is_header(target) or key in self.there:
            return ''
        if not ours or '#pragma once' in path.read_text():
            self.there.add(key)
        if ours:
            return self.own(target)
        if path:
            return self.expand(foreign(path), lambda inner: beside(path, inner))
        return line + '\n' + (AFTER_WINDOWS if target == 'windows.h' else '')


def macros_of(text):
    return re.findall(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', text, re.M)


def names_of(text):
    """What is declared outside of functions, and a few names more."""
    text = re.sub(r'^[ \t]*#(?:\\\n|[^\n])*', '', without_comments(text), flags=re.M)
    tokens = [token for token in TOKEN.findall(text) if not token.isspace()]
    names, opened, enum = set(), [], False
    for before, token, after in zip(['', *tokens], tokens, [*tokens[1:], '']):
        if token in ('{', '(', '['):
            opened.append('enum' if token == '{' and enum else token)
        elif token in ('}', ')', ']'):
            opened.pop()
        elif re.fullmatch(WORD, token) and not token.startswith(SHARED):
            declared = not opened and after in ('(', '=', '[', ';', ',', '{')
            if declared or opened == ['enum'] and before in ('enum', ',', '{'):
                names.add(token)
        enum = token == 'enum' or re.fullmatch(WORD, token) is not None and before == 'enum'
    return names - {'enum', 'struct', 'union', 'static_assert', '_Static_assert'}


def renamed(text, names):
    """The same with other names, but for members."""
    out, opened, before, tokens = [], [], ['', ''], TOKEN.findall(text)
    for i, token in enumerate(tokens):
        if token.isspace() or token.startswith(('/*', '//')):
            out.append(token)
            continue
        if token in names:
            after = next((t for t in tokens[i + 1:] if not t.isspace()), '')
            member = before[1] in ('.', '->') or opened[-1:] == ['struct'] and after in (';', ',', '[', ':')
            out.append(token if member or before[1] == ',' and 'offsetof' in opened else names[token])
        else:
            out.append(token)
        if token in ('{', '(', '['):
            struct = token == '{' and any(word in ('struct', 'union') for word in before)
            opened.append('struct' if struct else before[1] if before[1] == 'offsetof' else token)
        elif token in ('}', ')', ']'):
            opened.pop()
        before = [before[1], token]
    return ''.join(out)


def new_name(name, source, taken):
    new = name
    for part in reversed(pathlib.PurePosixPath(source).with_suffix('').parts):
        new = f'{part}_{new}'
        if new not in taken:
            taken.add(new)
            return new
    sys.exit(f'{source}: no name is left for {name}')


def part_names(sections, headers, kernel):
    """Renames what clashes, in sections: own text by source."""
    fixed = headers + kernel
    names = {source: names_of(text) - set(macros_of(text)) for source, text in sections.items()}
    known = Counter(name for of_one in names.values() for name in of_one)
    known.update(names_of(fixed))
    kept = {macro for macro in macros_of(headers) if not macro.startswith(SHARED)}
    taken = {word for text in [fixed, *sections.values()] for word in re.findall(WORD, text)}
    for source, text in sections.items():
        new = {n: new_name(n, source, taken) for n in sorted(names[source]) if known[n] > 1}
        undefined = ''.join(f'#undef {m}\n' for m in dict.fromkeys(macros_of(text)) if not m.startswith(SHARED))
        if kept & set(macros_of(text)):
            sys.exit(f'{source}: a header has macros of these names: {kept & set(macros_of(text))}')
        sections[source] = renamed(text, new) + undefined


# Files.

ABOUT = """/* {name}: {what}
 *
 * sightline {version}, made of many files by its tools/amalgamate.py; docs/vendoring.md says how it is used.  In it are
 * parts of cglm and of xxHash, whose notices stand before them; cglm's terms are these, too.
 *
{licence} */
"""

# For each file, before its first include.  What must hold of arithmetic is in CMakeLists.txt.
FRONT = """
#if !defined(__GNUC__) && !defined(__clang__)
#error "sightline is compiled by gcc or clang"
#endif
#if defined(__FAST_MATH__)
#error "sightline is exact, and not to be compiled with -ffast-math"
#endif
#if defined(__linux__)
#undef _GNU_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
/* A guess, which is wrong where gcc sees more than a file at once. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
/* Not all of what headers had is used. */
#pragma GCC diagnostic ignored "-Wunused-function"
"""

TARGET = """#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("{features}"))), apply_to = function)
#else
#pragma GCC target("{features}")
#endif
"""

POP = """#if defined(__clang__)
#pragma clang attribute pop
#endif
"""


def public_headers(name, found):
    """A header and those that it includes, those first."""
    path = next(p for p in (ROOT / 'lib/include' / name, ROOT / 'bvh/include' / name) if p.is_file())
    for inner in INCLUDE.findall(path.read_text()):
        if inner.startswith('sightline/') and inner not in found:
            public_headers(inner, found)
    found[name] = re.sub(r'^#include <sightline/.*\n', '', path.read_text(), flags=re.M)
    return found


def public_text():
    text = '\n'.join(public_headers('sightline/sightline.h', {}).values())
    return f"""
#if defined(_WIN32) && !defined(SL_EXPORTS) && !defined(SL_STATIC)
#define SL_STATIC
#endif

{text}"""


def parts_of_kernel(source):
    """Its operations, and its table."""
    return INCLUDE.findall(read(source))[0], read(source).splitlines()[-1]


def core_text(project):
    text = Text(project)
    shared = text.headers_of('bvh/kernel/kernel.inl')
    there = set(text.there)
    headers, sections = {}, {}
    for source in project.sources:
        headers[source] = text.headers_of(source)
        sections[source] = text.own(source)
    simd, table = parts_of_kernel('bvh/kernel/kernel_scalar.c')
    simd = text.own(simd)
    text.there = there  # the rest is not in the files of other kernels
    kernel = text.own('bvh/kernel/kernel.inl')
    part_names(sections, shared + ''.join(headers.values()), simd + kernel)
    library = ''.join(headers[source] + sections[source] for source in sections)
    return f"""{FRONT}
#include "sightline.h"

{shared}
#if !defined(SLI_KERNEL_FILE)
{library}{simd}
#endif
{kernel}
#if !defined(SLI_KERNEL_FILE)
{table}
#endif
"""


def kernel_text(project, source):
    isa = pathlib.Path(source).stem.removeprefix('kernel_')
    simd, table = parts_of_kernel(source)
    features = '' if isa == 'simd128' else features_of(isa)
    return f"""
#if {condition_of(isa)}
{FRONT}
{TARGET.format(features=features) if features else ''}
{Text(project).own(simd)}
#define SLI_KERNEL_FILE
#include "sightline.c"

{table}
{POP if features else ''}
#endif
"""


def write(project, out):
    out.mkdir(parents=True, exist_ok=True)
    licence = ''.join(f' * {line}'.rstrip() + '\n' for line in read('LICENSE').splitlines())
    files = {'sightline.h': ('everything there is in the core library.', public_text()),
             'sightline.c': ('the library, and kernels for any machine.', core_text(project))}
    for source in project.kernels:
        isa = pathlib.Path(source).stem.removeprefix('kernel_')
        if isa != 'scalar':
            files[f'sightline_{isa}.c'] = (f'the kernels for {isa}, where the machine is of that kind.', kernel_text(project, source))
    for name, (what, text) in files.items():
        about = ABOUT.format(name=name, what=what, version=project.version, licence=licence)
        (out / name).write_text(about + text)
    (out / 'LICENSE').write_text(read('LICENSE'))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--build', type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        build = given.build or pathlib.Path(folder)
        if not given.build:
            configure(build)
        write(Project(build), given.folder)


if __name__ == '__main__':
    main()
