"""What a wheel links and holds: for wheels.sh, which names the wheel and texts that must not be in it, such as folders
of the machine that built it.

    python wheels_look.py WHEEL TEXT...

A module exports the function that Python calls.  One for macOS is a library, links libSystem alone, leaves open nothing
but what Python has, is signed and asks for no later system than its wheel says; one for Windows links python3.dll and
what each Windows 10 has.  What one for Linux links, auditwheel proves.
"""

import pathlib
import re
import sys
import tempfile
import zipfile

ENTRY = "PyInit__core"
MACHINES = {"x86_64": 0x01000007, "arm64": 0x0100000C}  # of Mach-O
OF_WINDOWS = re.compile(r"python3\.dll|kernel32\.dll|ntdll\.dll|advapi32\.dll|api-ms-win-crt-\w+-l1-1-0\.dll")


def expect(condition, words):
    if not condition:
        sys.exit(f"the wheel is not good: {words}")


def look_at_macos(module, tag):
    from macholib.MachO import MachO
    from macholib.mach_o import LC_BUILD_VERSION, LC_CODE_SIGNATURE, LC_LOAD_DYLIB, MH_DYLIB
    from macholib.SymbolTable import SymbolTable

    image = MachO(str(module))
    (header,) = image.headers
    major, minor, machine = re.search(r"macosx_(\d+)_(\d+)_(\w+)", tag).groups()
    commands = {LC_BUILD_VERSION: [], LC_CODE_SIGNATURE: [], LC_LOAD_DYLIB: []}
    for load, what, data in header.commands:
        commands.setdefault(load.cmd, []).append((what, data))
    expect(header.header.cputype == MACHINES[machine], f"its module is not for {machine}")
    expect(header.header.filetype == MH_DYLIB, "its module is not a library")
    symbols = SymbolTable(image)
    expect(b"_" + ENTRY.encode() in [name for _, name in symbols.extdefsyms], f"its module has no {ENTRY}")
    # The upper byte of n_desc says which library has it: 1 is the only one that is linked, and 0 is none.
    open_ones = [name.decode() for what, name in symbols.undefsyms if what.n_desc >> 8 != 1]
    others = [name for name in open_ones if not re.match(r"__?Py", name)]
    expect(not others, f"its module lacks {others}")
    expect(machine != "arm64" or commands[LC_CODE_SIGNATURE], "its module is not signed")
    oldest = [what.minos for what, _ in commands[LC_BUILD_VERSION]]
    expect(oldest == [int(major) << 16 | int(minor) << 8], f"its module is for the versions {oldest} of macOS")
    links = [data.rstrip(b"\0").decode() for _, data in commands[LC_LOAD_DYLIB]]
    expect(links == ["/usr/lib/libSystem.B.dylib"], f"its module links {links}")
    return links


def look_at_windows(module, _):
    import pefile

    image = pefile.PE(str(module), fast_load=False)
    expect(image.FILE_HEADER.Machine == pefile.MACHINE_TYPE["IMAGE_FILE_MACHINE_AMD64"], "its module is not for x86-64")
    links = sorted(entry.dll.decode().lower() for entry in image.DIRECTORY_ENTRY_IMPORT)
    others = [name for name in links if not OF_WINDOWS.fullmatch(name)]
    expect("python3.dll" in links and not others, f"its module links {links}")
    exports = [symbol.name.decode() for symbol in image.DIRECTORY_ENTRY_EXPORT.symbols]
    expect(ENTRY in exports, f"its module has no {ENTRY}")
    return links


def main():
    wheel, texts = pathlib.Path(sys.argv[1]), sys.argv[2:]
    tag = wheel.stem.rsplit("-", 1)[1]
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        modules = [name for name in archive.namelist() if re.search(r"\.(so|pyd|dll|dylib)$", name)]
        expect(len(modules) == 1, f"it has the modules {modules}")
        for name in archive.namelist():
            for text in texts:
                expect(text.encode() not in archive.read(name), f"{text} is in {name}")
        module = pathlib.Path(archive.extract(modules[0], folder))
        look = look_at_macos if tag.startswith("macosx") else look_at_windows if tag.startswith("win") else None
        print(f"{modules[0]}:", ", ".join(look(module, tag)) if look else "see auditwheel")


main()
