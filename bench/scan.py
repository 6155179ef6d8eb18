"""What does ``unfork scan`` find in libraries, without harnesses? A row for each known bug, program or release.

``python -m bench.scan MODE [NAMES] [--sources DIR] [--per-function S] [--table] [--tools]``

``bugs``: fifteen releases of C libraries with a bug that was found and fixed, chosen before ``unfork scan`` was first
run. A row says whether a certain or likely finding has the bug's kind and lies in the function that the fix changed,
whether the fixed version is silent there, and how many other such findings there are; with ``--narrow``, only the
functions of the bug are scanned. ``bugs-seen``, ``bugs-blind``: the same of twenty further bugs, chosen before any of
them was scanned; the latter were scanned once. ``programs``: the programs of
tests/commands/scan/programs, whose first comment states what is certain. ``releases``: ten libraries as they are now;
lists what is certain or likely, to be read by hand. ``seen``, ``blind``, ``blind-again``: the same of the whole folders
of small libraries on GitHub, as a maintainer scans them. Rules were made on the first list, none on the others, each of
which was fixed before the last of them. ``speed``: how many functions of the releases two processors explore in a
minute, and what a second scan costs, which finds the results of the first. With ``--tools``, clang's analyzer and
cppcheck read the same sources where they are installed.

Sources are fetched as bench/known_bugs.py fetches them, into ``--sources``, and never become part of this repository;
bench/scan/include has the few lines that a library's configure script would write. CPU seconds are those of all
processes of a command.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import TypeVar

from bench.known_bugs import TOMMATH, YAJL, ZLIB, Debian, Sdist, Tree, yajl_headers
from bench.processors import Done, run
from bench.trees import GitTree
from unfork.program.c.syntax import name_of, syntax_of

HERE = Path(__file__).resolve().parent
HEADERS = HERE / "scan" / "include"
PROGRAMS = HERE.parent / "tests" / "commands" / "scan" / "programs"
CLASSES = ("certain", "likely", "conditional", "undecided")
LISTED = CLASSES[:2]
"""What a maintainer is asked to fix."""
LONGEST = 3600
"""Seconds of the clock after which a command is killed."""


@dataclass(frozen=True, slots=True)
class Library:
    """Files of a library and how they are compiled. ``include`` names folders of the tree, "@NAME" one of HEADERS."""

    files: Sequence[str]
    include: Sequence[str] = ("",)
    flags: Sequence[str] = ()
    prepare: Callable[[Path], None] = field(default=lambda tree: None)

    def unpack(self, tree: Tree | GitTree, sources: Path) -> tuple[list[Path], list[str]]:
        """The C files, and the options that compile them."""
        folder = tree.unpack(sources)
        self.prepare(folder)
        folders = [HEADERS / name[1:] if name.startswith("@") else folder / name for name in self.include]
        return [folder / file for file in self.files], [*(f"-I{path}" for path in folders), *self.flags]


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug that shows when one of ``functions`` is called on its own, on some arguments and some heap.

    ``kind`` is what unfork calls it, ``fix`` the authors' commit. ``lines`` narrows a function that has other faults.
    ``callers`` are public functions through which a static one is called.
    """

    name: str
    reference: str
    fix: str
    what: str
    kind: str
    file: str
    functions: Sequence[str]
    buggy: Tree | GitTree
    fixed: Tree | GitTree
    library: Library
    fixed_library: Library | None = None
    lines: range = range(1, sys.maxsize)
    callers: Sequence[str] = ()

    def explains(self, report: Finding, extents: Iterable[range]) -> bool:
        """Whether a report is about the bug's place: a tool that names no function is taken by file and line."""
        if report.line not in self.lines:
            return False
        inside = Path(report.file).name == self.file and any(report.line in extent for extent in extents)
        return inside or report.function in self.functions

    def is_shown(self, finding: Finding, extents: Iterable[range]) -> bool:
        """Whether a finding is the bug: of its kind, at its place."""
        return finding.kind == self.kind and self.explains(finding, extents)


@dataclass(frozen=True, slots=True)
class Release:
    """A library as it is now."""

    name: str
    tree: Tree | GitTree
    library: Library


def debian(package: str, version: str, *patches: str) -> tuple[Debian, Debian]:
    """A release, and the same with what fixes the bug."""
    return Debian(package, version), Debian(package, version, patches)


CARES = Library(
    tuple(f"src/lib/{n}.c" for n in ("ares_init", "inet_net_pton", "ares_library_init", "inet_ntop", "ares_nowarn")),
    ("src/lib", "include", "@c-ares"),
    ("-DHAVE_CONFIG_H", "-DINADDRSZ=4"),
)
CARES_QUERY = Library(
    ("src/ares_create_query.c", "src/ares_library_init.c"), ("src", "src/config_linux", "include"), ("-DHAVE_CONFIG_H",)
)
CJSON = Library(("cJSON.c",))
YAJL_LIBRARY = Library(YAJL, ("src", "include"), (), yajl_headers)
CUE = Library(("cd.c", "cdtext.c", "rem.c", "time.c"))
EXIF = Library(
    (
        "libexif/fuji/exif-mnote-data-fuji.c",
        "libexif/fuji/mnote-fuji-entry.c",
        "libexif/fuji/mnote-fuji-tag.c",
        "libexif/exif-utils.c",
        "libexif/exif-format.c",
    ),
    ("", "libexif", "@libexif"),
)
FRIBIDI = Library(
    tuple(f"lib/fribidi-{name}.c" for name in ("char-sets-cap-rtl", "bidi-types", "mirroring")),
    ("lib", "@fribidi"),
    ("-DHAVE_STRINGIZE", "-DSTDC_HEADERS", "-DHAVE_STDLIB_H", "-DHAVE_STRING_H"),
)

BUGS = (
    Bug(
        "libcue_index",
        "CVE-2023-43641",
        "libcue fdf72c8bded8d24cfa0608b8e97f2eed210a920e",
        "only the upper end of an index is tested",
        "out-of-bounds",
        "cd.c",
        ("track_set_index",),
        *debian("libcue", "2.2.1", "CVE-2023-43641.patch"),
        CUE,
    ),
    Bug(
        "cares_sortlist",
        "CVE-2022-4904",
        "c-ares 9903253c347f9e0bffd285ae3829aef251cc852d",
        "an address of any length is copied into local arrays of 16 and 32 bytes",
        "out-of-bounds",
        "ares_init.c",
        ("config_sortlist",),
        *debian("c-ares", "1.18.1", "CVE-2022-4904.diff"),
        CARES,
    ),
    Bug(
        "cares_pton",
        "CVE-2023-31130",
        "c-ares f22cc01039b6473b736d3bf438f56a2654cdf2b2",
        "words are moved to before the beginning of a local array, as for 0::00:00:00/2",
        "out-of-bounds",
        "inet_net_pton.c",
        ("inet_net_pton_ipv6", "ares_inet_net_pton_ipv6", "ares_inet_pton6"),
        *debian("c-ares", "1.18.1", "CVE-2023-31130.diff"),
        CARES,
    ),
    Bug(
        "cares_query",
        "CVE-2016-5180",
        "c-ares 65c71be1cbe587f290432bef2f669ee6cb8ac137",
        "a name that ends in an escaped dot needs one byte more than the function measures and allocates",
        "out-of-bounds",
        "ares_create_query.c",
        ("ares_create_query",),
        Sdist("pycares", "2.0.1", "deps/c-ares"),
        Sdist("pycares", "2.1.1", "deps/c-ares"),
        CARES_QUERY,
    ),
    Bug(
        "cjson_object",
        "cJSON #800",
        "cJSON 3ef4e4e730e5efd381be612df41e1ff3f5bb3c32",
        "after a comma the name is read without a test that the buffer goes on",
        "out-of-bounds",
        "cJSON.c",
        ("parse_object", "parse_string"),
        *debian("cjson", "1.7.15", "0002-Fix-heap-buffer-overflow.patch"),
        CJSON,
    ),
    Bug(
        "fribidi_caprtl",
        "CVE-2022-25309",
        "fribidi f22593b82b5d1668d1997dbccd10a9c31ffea3b3",
        "a character of a text, negative where it is no ASCII, is the index of a table",
        "out-of-bounds",
        "fribidi-char-sets-cap-rtl.c",
        ("fribidi_cap_rtl_to_unicode",),
        *debian("fribidi", "1.0.8", "CVE-2022-25309.patch"),
        FRIBIDI,
        lines=range(233, 242),
    ),
    Bug(
        "exif_fuji",
        "CVE-2026-32775",
        "libexif, issue #247",
        "a size of zero is decremented, and the text written as if there were four gigabytes",
        "out-of-bounds",
        "mnote-fuji-entry.c",
        ("mnote_fuji_entry_get_value",),
        *debian("libexif", "0.6.24", "CVE-2026-32775.patch"),
        EXIF,
        lines=range(208, sys.maxsize),  # before them, the fix leaves exif_count
    ),
    Bug(
        "exif_count",
        "CVE-2026-40386",
        "libexif, Debian bug #1133923",
        "the last index is computed from a count of zero",
        "out-of-bounds",
        "exif-mnote-data-fuji.c",
        ("exif_mnote_data_fuji_get_value", "mnote_fuji_entry_get_value"),
        *debian("libexif", "0.6.24", "CVE-2026-40386.patch"),
        EXIF,
        lines=range(206, 207),  # where the callee looks at the entry
    ),
    Bug(
        "xml_elements",
        "CVE-2025-24928",
        "libxml2 8c8753ad5280ee13aee5eec9b0f6eee2ed920f57",
        "the room for a name is tested with the length from before its prefix was written",
        "out-of-bounds",
        "valid.c",
        ("xmlSnprintfElements",),
        *debian("libxml2", "2.9.14", "CVE-2025-24928-pre1.patch", "CVE-2025-24928.patch"),
        Library(("valid.c", "xmlstring.c"), ("include", "", "@plain"), ("-DHAVE_STDLIB_H", "-DHAVE_STRING_H")),
        lines=range(5277, 5281),
    ),
    Bug(
        "zbar_sequence",
        "CVE-2023-40890",
        "zbar 012a030250a203e5529d09caedea7ad7173dacfd",
        "as many numbers as a segment says are written into a local array of 22 of the caller",
        "out-of-bounds",
        "databar.c",
        ("lookup_sequence", "match_segment_exp"),
        *debian("zbar", "0.23.92", "0004-Add-bounds-check-for-CVE-2023-40890.patch"),
        Library(("zbar/decoder/databar.c", "zbar/decoder.c"), ("zbar", "include", "@plain"), ("-DENABLE_DATABAR=1",)),
    ),
    Bug(
        "yajl_decode",
        "CVE-2017-16516",
        "yajl-ruby a8ca8f476655adaa187eedc60bdc770fff3c51ce",
        "after a first surrogate the second is read without a test that the text goes on",
        "out-of-bounds",
        "yajl_encode.c",
        ("yajl_string_decode",),
        *debian("yajl", "2.1.0", "CVE-2017-16516.patch"),
        YAJL_LIBRARY,
        lines=range(141, 148),
    ),
    Bug(
        "yajl_tree",
        "CVE-2023-33460",
        "openEuler yajl 23a122eddaa28165a6c219000adcc31ff9a8a698",
        "what was parsed before an error is never freed",
        "leak",
        "yajl_tree.c",
        (
            "yajl_tree_parse",
            "value_alloc",
            "context_push",
            "handle_string",
            "handle_start_map",
            "handle_start_array",
            "object_add_keyval",
            "array_add_value",
        ),
        *debian("yajl", "2.1.0", "CVE-2023-33460.patch"),
        YAJL_LIBRARY,
    ),
    Bug(
        "libtommath_power",
        "CVE-2023-36328",
        "libtommath beba892bc0d4e4ded4d667ab1d2a94f4d75109a9",
        "a negative exponent is the index of a digit",
        "out-of-bounds",
        "bn_mp_2expt.c",
        ("mp_2expt",),
        *debian("libtommath", "1.2.0", "CVE-2023-36328.patch"),
        Library(TOMMATH),
    ),
    Bug(
        "zlib_gzip_header",
        "CVE-2022-37434",
        "zlib eff308af425b67093bab25f80f1ae950166bece1",
        "what exceeds the room for a header's extra field is copied behind it",
        "out-of-bounds",
        "inflate.c",
        ("inflate",),
        Sdist("pyminizip", "0.2.6", "zlib-1.2.11"),
        Debian("zlib", "1.2.13"),
        Library(ZLIB),
    ),
    Bug(
        "ujson_encode",
        "CVE-2021-45958",
        "ultrajson, release 5.2.0",
        "the indentation of nested values is written without a test that the buffer has room",
        "out-of-bounds",
        "ultrajsonenc.c",
        ("encode", "Buffer_AppendIndentUnchecked", "Buffer_AppendIndentNewlineUnchecked"),
        Sdist("ujson", "5.1.0", "lib"),
        Sdist("ujson", "5.2.0", "lib"),
        Library(("ultrajsonenc.c",)),
    ),
)
"""Chosen before ``unfork scan`` was first run."""


def single(source: str, copy: str) -> Callable[[Path], None]:
    """A header that is a whole library becomes a file in C."""

    def prepare(tree: Path) -> None:
        if not (tree / copy).exists():
            shutil.copy(tree / source, tree / copy)

    return prepare


def mended(repository: str, before: str, after: str) -> tuple[GitTree, GitTree]:
    """The commit before a fix, and the fix."""
    return GitTree(repository, before), GitTree(repository, after)


CBOR = Library(
    (
        *(f"src/cbor/{n}.c" for n in ("arrays", "bytestrings", "callbacks", "common", "encoding", "floats_ctrls")),
        *(f"src/cbor/{n}.c" for n in ("ints", "maps", "serialization", "streaming", "strings", "tags")),
        *(f"src/cbor/internal/{n}.c" for n in ("builder_callbacks", "encoders", "loaders", "memory_utils", "stack")),
        "src/cbor/internal/unicode.c",
    ),
    ("src", "@libcbor"),
)
CGLTF = Library(("cgltf.c",), ("",), ("-DCGLTF_IMPLEMENTATION",), single("cgltf.h", "cgltf.c"))
CONFUSE = Library(("src/confuse.c",), ("src", "@confuse"), ("-DHAVE_CONFIG_H",))
CURL_MATCH = Library(("lib/curl_fnmatch.c",), ("include", "lib", "@curl"), ("-DHAVE_CONFIG_H",))
JSON_C = Library(("arraylist.c", "strerror_override.c"), ("@json-c", ""))
MODBUS = Library(
    tuple(f"src/modbus{n}.c" for n in ("", "-data", "-rtu", "-tcp")), ("src", "@modbus"), ("-DIPTOS_LOWDELAY=0x10",)
)
QUIRC = Library(tuple(f"lib/{n}.c" for n in ("decode", "identify", "quirc", "version_db")), ("lib",))

LATER_SEEN = (
    Bug(
        "cgltf_chunk",
        "cgltf 35e0cea",
        "cgltf 35e0cea2dfe7d2f12c8d4da801f35192e0b91ab2",
        "the length of a chunk wraps when the headers are added to it",
        "out-of-bounds",
        "cgltf.c",
        ("cgltf_parse",),
        *mended(
            "jkuhlmann/cgltf",
            "ab348cbd707f4129409519655a967ce804e7b4ad",
            "35e0cea2dfe7d2f12c8d4da801f35192e0b91ab2",
        ),
        CGLTF,
    ),
    Bug(
        "cgltf_number",
        "cgltf 72256b7",
        "cgltf 72256b78cfd848b72889c100295cf763c66c5ca5",
        "the digits of a number are copied into a local array of 128, however many they are",
        "out-of-bounds",
        "cgltf.c",
        ("cgltf_json_to_int", "cgltf_json_to_float"),
        *mended(
            "jkuhlmann/cgltf",
            "bc11c8ffe46493822b2bb61b2170006df9fe3fd8",
            "72256b78cfd848b72889c100295cf763c66c5ca5",
        ),
        CGLTF,
        callers=("cgltf_parse",),
    ),
    Bug(
        "miniupnpc_cdata",
        "miniupnp #268",
        "miniupnp a0573e251817ec090a8c9f9f41b56d720c835a6c",
        "nine bytes are compared with <![CDATA[ without a test that so many are left",
        "out-of-bounds",
        "minixml.c",
        ("parseelt",),
        *mended(
            "miniupnp/miniupnp",
            "7aeb624b44f86d335841242ff427433190e7168a",
            "a0573e251817ec090a8c9f9f41b56d720c835a6c",
        ),
        Library(("miniupnpc/minixml.c",), ("miniupnpc",)),
        callers=("parsexml",),
        lines=range(140, 185),
    ),
    Bug(
        "miniupnpc_attribute",
        "miniupnp 3cfb4fb",
        "miniupnp 3cfb4fb78d5ac04ed0dadc8dd842fc9e448916db",
        "after the = of an attribute a byte is read without a test that the text goes on",
        "out-of-bounds",
        "minixml.c",
        ("parseatt",),
        *mended(
            "miniupnp/miniupnp",
            "16502da810e0fe9542fa5e18edaec8c630599e59",
            "3cfb4fb78d5ac04ed0dadc8dd842fc9e448916db",
        ),
        Library(("miniupnpc/src/minixml.c",), ("miniupnpc/src", "miniupnpc/include")),
        callers=("parsexml",),
    ),
    Bug(
        "quirc_fitness",
        "quirc 84eccbf",
        "quirc 84eccbf077929891e134cc6a70d2127374684a7c",
        "the positions of alignment patterns are counted beyond their array",
        "out-of-bounds",
        "identify.c",
        ("fitness_all",),
        *mended(
            "dlbeer/quirc",
            "a5513dc49d513004e69a0721844b1091de3cba7b",
            "84eccbf077929891e134cc6a70d2127374684a7c",
        ),
        QUIRC,
        callers=("quirc_end",),
    ),
    Bug(
        "quirc_threshold",
        "quirc 93adbb0",
        "quirc 93adbb0b11218e684895520cba2fdd1f1ae11a15",
        "an eighth of the width of an image divides, also where the width is below eight",
        "div-by-zero",
        "identify.c",
        ("threshold",),
        *mended(
            "dlbeer/quirc",
            "87e79e769b90de65037226bb495207730c8fb42a",
            "93adbb0b11218e684895520cba2fdd1f1ae11a15",
        ),
        QUIRC,
        callers=("quirc_end",),
    ),
    Bug(
        "cbor_get",
        "libcbor 02590db",
        "libcbor 02590db65810df7e77fbfde073403b28017d8c36",
        "an index beyond the array is read, where the header promises NULL",
        "out-of-bounds",
        "arrays.c",
        ("cbor_array_get",),
        *mended(
            "PJK/libcbor",
            "3412f97bd2e08a01db177152219e53e2c0bc83d1",
            "02590db65810df7e77fbfde073403b28017d8c36",
        ),
        CBOR,
    ),
    Bug(
        "plist_base64",
        "CVE-2017-5209",
        "libplist 3a55ddd3c4c11ce75a86afbefd085d8d397ff957",
        "blocks of four are decoded beyond the end, and characters that are negative are indices of a table",
        "out-of-bounds",
        "base64.c",
        ("base64decode", "base64decode_block"),
        *mended(
            "libimobiledevice/libplist",
            "bbd33793d62ef9c9dbd6f69aa2fd0ced1b163e2f",
            "3a55ddd3c4c11ce75a86afbefd085d8d397ff957",
        ),
        Library(("src/base64.c",), ("src", "include")),
    ),
    Bug(
        "curl_match",
        "CVE-2017-8817",
        "curl 0b664ba968437715819bfe4c7ada5679d16ebbc3",
        "a set of characters is read beyond the end of a pattern that ends in a range",
        "out-of-bounds",
        "curl_fnmatch.c",
        ("setcharset",),
        *mended(
            "curl/curl",
            "9b5e12a5491d2e6b68e0c88ca56f3a9ef9fba400",
            "0b664ba968437715819bfe4c7ada5679d16ebbc3",
        ),
        CURL_MATCH,
        callers=("Curl_fnmatch",),
    ),
    Bug(
        "utf8proc_break",
        "utf8proc #323",
        "utf8proc 64491e4dd48c1e6bcf76184ae1bcceee3dc8a8ea",
        "a mark of a grapheme break, which is negative, is the index of a table",
        "out-of-bounds",
        "utf8proc.c",
        ("utf8proc_normalize_utf32", "unsafe_get_property"),
        *mended(
            "JuliaStrings/utf8proc",
            "a36778dbe37f8fc86aae5ca37b68564f8f54353c",
            "64491e4dd48c1e6bcf76184ae1bcceee3dc8a8ea",
        ),
        Library(("utf8proc.c",)),
    ),
)
LATER_BLIND = (
    Bug(
        "jsonc_strerror",
        "json-c 9d116a5",
        "json-c 9d116a5d38cc1d406d4599e2436e608333e4e4f1",
        "the digits of a negative number are read in front of a text",
        "out-of-bounds",
        "strerror_override.c",
        ("_json_c_strerror",),
        *mended(
            "json-c/json-c",
            "e65444a258435a8b52a09f182567e15c4aed5f28",
            "9d116a5d38cc1d406d4599e2436e608333e4e4f1",
        ),
        JSON_C,
    ),
    Bug(
        "jsonc_delete",
        "CVE-2020-12762",
        "json-c a9695f34c3f4bbd4475597cce1e5d48284286634",
        "an index and a count wrap when they are added, before their sum is compared",
        "out-of-bounds",
        "arraylist.c",
        ("array_list_del_idx",),
        *mended(
            "json-c/json-c",
            "8d28e677e6a0919dcea40ea9a5b5d484df1d7d41",
            "a9695f34c3f4bbd4475597cce1e5d48284286634",
        ),
        JSON_C,
    ),
    Bug(
        "modbus_reply",
        "libmodbus 91d5b55",
        "libmodbus 91d5b5597cfabe9f5c68025ad76a9cd861f9730d",
        "the address of a request is read without a test that it is as long",
        "out-of-bounds",
        "modbus.c",
        ("modbus_reply",),
        *mended(
            "stephane/libmodbus",
            "8485667e7baf0310b2757ca3104e33ab2413c03f",
            "91d5b5597cfabe9f5c68025ad76a9cd861f9730d",
        ),
        MODBUS,
    ),
    Bug(
        "modbus_mask",
        "libmodbus #265",
        "libmodbus b7894da54244de7fd52497c61159799aa82afb52",
        "a request of fourteen bytes is built in a local array of twelve",
        "out-of-bounds",
        "modbus.c",
        ("modbus_mask_write_register",),
        *mended(
            "stephane/libmodbus",
            "5e6f8cd3d4b974d1104a279fbf17ac8c8208ca1c",
            "b7894da54244de7fd52497c61159799aa82afb52",
        ),
        MODBUS,
    ),
    Bug(
        "neomutt_rfind",
        "neomutt 79ebc2e",
        "neomutt 79ebc2e4b50e187d7a8f4bde22607eb1dcbb82f4",
        "a text that is longer than the one it is sought in makes the search begin behind that",
        "out-of-bounds",
        "string.c",
        ("mutt_istrn_rfind",),
        *mended(
            "neomutt/neomutt",
            "f5f011294141735ff19e73bf25e88e059bfb77dd",
            "79ebc2e4b50e187d7a8f4bde22607eb1dcbb82f4",
        ),
        Library(("mutt/string.c",), ("", "@neomutt"), ("-D_GNU_SOURCE",)),
    ),
    Bug(
        "rax_walk",
        "rax cf2cf40",
        "rax cf2cf403b3f5bec963387ab8b24a03098eb9adf5",
        "the logarithm of one element divides",
        "div-by-zero",
        "rax.c",
        ("raxRandomWalk",),
        *mended(
            "antirez/rax",
            "ba4529f6c836c9ff1296cde12b8557329f5530b7",
            "cf2cf403b3f5bec963387ab8b24a03098eb9adf5",
        ),
        Library(("rax.c",)),
    ),
    Bug(
        "libgit2_delta",
        "CVE-2018-10888",
        "libgit2 9844d38bed10e9ff17174434b3421b227ae710f3",
        "the offset and the length of a copy are read without a test that the delta goes on",
        "out-of-bounds",
        "delta.c",
        ("git_delta_apply",),
        *mended(
            "libgit2/libgit2",
            "3f461902dc1072acb8b7607ee65d0a0458ffac2a",
            "9844d38bed10e9ff17174434b3421b227ae710f3",
        ),
        Library(("src/delta.c",), ("include", "src", "@libgit2")),
    ),
    Bug(
        "libuv_idna",
        "CVE-2021-22918",
        "libuv b7466e31e4bee160d82a68fca11b1f61d46debae",
        "the bytes that are left are counted the wrong way round, and a character cut short is read to its end",
        "out-of-bounds",
        "idna.c",
        ("uv__utf8_decode1_slow", "uv__utf8_decode1", "uv__idna_toascii_label", "uv__idna_toascii"),
        *mended(
            "libuv/libuv",
            "4a27d87a6966d053f67e267fdbd9474433143c2b",
            "b7466e31e4bee160d82a68fca11b1f61d46debae",
        ),
        Library(("src/idna.c",), ("include", "src")),
    ),
    Bug(
        "protobufc_member",
        "CVE-2022-48468",
        "protobuf-c e49280e21b6bd4b4bc08854da7dc6bfa7ced9aaf",
        "a length is smaller than that of its prefix, which is taken from it",
        "out-of-bounds",
        "protobuf-c.c",
        ("parse_required_member", "protobuf_c_message_unpack"),
        *mended(
            "protobuf-c/protobuf-c",
            "f224ab2eeb648a818eb20687d7150a285442c907",
            "e49280e21b6bd4b4bc08854da7dc6bfa7ced9aaf",
        ),
        Library(("protobuf-c/protobuf-c.c",)),
    ),
    Bug(
        "confuse_title",
        "libconfuse 5274dd2",
        "libconfuse 5274dd229275f668a98c04bf5b4de959f59c156b",
        "the copy of a title is not freed where the title does not end",
        "leak",
        "confuse.c",
        ("parse_title",),
        *mended(
            "libconfuse/libconfuse",
            "20b340e7b5507792940b20acc5046236e7779919",
            "5274dd229275f668a98c04bf5b4de959f59c156b",
        ),
        CONFUSE,
        callers=("cfg_getopt",),
    ),
)
"""Twenty further bugs, chosen by reading their fixes before any of them was scanned, and dealt to the lists by lot."""

RELEASES = (
    Release(
        "hiredis",
        Sdist("hiredis", "3.5.0", "vendor/hiredis"),
        Library(("sds.c", "read.c", "alloc.c", "dict.c", "hiredis.c")),
    ),
    Release("lz4", Sdist("lz4", "4.4.5", "lz4libs"), Library(("lz4.c", "lz4hc.c", "lz4frame.c", "xxhash.c"))),
    Release("xxhash", Sdist("xxhash", "4.1.0", "deps/xxhash"), Library(("xxhash.c",))),
    Release(
        "brotli",
        Sdist("brotli", "1.2.1", "c"),
        Library(
            (
                *(f"dec/{n}.c" for n in ("prefix", "bit_reader", "static_init", "state", "decode", "huffman")),
                *(
                    f"common/{n}.c"
                    for n in ("context", "platform", "dictionary", "constants", "transform", "shared_dictionary")
                ),
            ),
            ("include",),
        ),
    ),
    Release(
        "libyaml",
        Debian("libyaml", "0.2.5"),
        Library(
            tuple(
                f"src/{n}.c" for n in ("api", "reader", "scanner", "parser", "loader", "writer", "emitter", "dumper")
            ),
            ("include", "src"),
            (
                "-DYAML_VERSION_MAJOR=0",
                "-DYAML_VERSION_MINOR=2",
                "-DYAML_VERSION_PATCH=5",
                '-DYAML_VERSION_STRING="0.2.5"',
            ),
        ),
    ),
    Release("http-parser", Debian("http-parser", "2.9.4"), Library(("http_parser.c",))),
    Release(
        "jansson",
        Debian("jansson", "2.14"),
        Library(
            tuple(
                f"src/{n}.c"
                for n in (
                    "dump",
                    "error",
                    "hashtable",
                    "hashtable_seed",
                    "load",
                    "memory",
                    "pack_unpack",
                    "strbuffer",
                    "strconv",
                    "utf",
                    "value",
                    "version",
                )
            ),
            ("src", "@jansson"),
            ("-DHAVE_STDINT_H",),
        ),
    ),
    Release(
        "cjson",
        Debian(
            "cjson",
            "1.7.15",
            (
                "0001-add-null-checkings.patch",
                "0002-add-null-check-to-cjson-setvaluestring.patch",
                "0001-allocate-memory-for-the-temporary-buffer.patch",
                "0002-Fix-heap-buffer-overflow.patch",
                "CVE-2025-57052.patch",
            ),
        ),
        Library(("cJSON.c", "cJSON_Utils.c")),
    ),
    Release(
        "mxml",
        Debian("mxml", "3.3.1", ("0001-Fix-access-issue-in-mxmlIndexNew-Issue-350.patch",)),
        Library(
            tuple(
                f"mxml-{n}.c"
                for n in ("attr", "entity", "file", "get", "index", "node", "private", "search", "set", "string")
            ),
            ("", "@mxml"),
        ),
    ),
    Release(
        "libcue",
        Debian("libcue", "2.2.1", ("CVE-2023-43641.patch",)),
        CUE,
    ),
)


def of_github(repository: str, commit: str) -> Release:
    """A whole repository."""
    tree = GitTree(repository, commit)
    return Release(tree.name, tree, Library((".",)))


SEEN = (
    of_github("rxi/microtar", "27076e1b9290e9c7842bb7890a54fcf172406c84"),
    of_github("h2o/picohttpparser", "f8326098f63eefabfa2b6ec595d90e9ed5ed958a"),
    of_github("ndevilla/iniparser", "4bef811283e0ec1658c60e09950bd5a1ddc92e4b"),
    of_github("antirez/linenoise", "e26268de5e56bfaad773786471844578fe9f7f4b"),
    of_github("atomicobject/heatshrink", "7d419e1fa4830d0b919b9b6a91fe2fb786cf3280"),
    of_github("likle/cwalk", "e98d23f68807208952c179b49e4fd1813f31298d"),
    of_github("kgabis/parson", "ba29f4eda9ea7703a9f6a9cf2b0532a2605723c3"),
    of_github("mity/md4c", "c4be8625eb11725d604232b028df10c2ddf9b577"),
    of_github("antirez/sds", "5347739b1581fcba74fd5cab1fc21d2aef317d71"),
    of_github("clibs/buffer", "736ba3cc161d6ab2ac64303ed3c14ccce42e12a5"),
    of_github("clibs/list", "23faa20d03b67d752e1f882f0832c941a942c75b"),
    of_github("dhess/c-ringbuf", "2037560fb90dea5d2538611d983964d790bdbac2"),
    of_github("mattconte/tlsf", "deff9ab509341f264addbd3c8ada533678591905"),
    of_github("cesanta/frozen", "a42fc3365d7d4e96a5be146b88870dabc794bbc8"),
    of_github("cesanta/slre", "9075c67cad47d62ba4a4f8f452ae46bb21124f7b"),
    of_github("kokke/tiny-bignum-c", "2ffac69817adbe08930befd9375d31658a8311a4"),
    of_github("wooorm/levenshtein.c", "ca084af84e591ec126093dc1607c235fbf00d6db"),
    of_github("orangeduck/mpc", "1049534fc56b1971345c7aaa792dea55d6f9b7bc"),
    of_github("codeplea/tinyexpr", "9907207e5def0fabdb60c443517b0d9e9d521393"),
    of_github("tidwall/hashmap.c", "3735986914fc1c4e6a9123b406d0970666aa4aec"),
    of_github("kokke/tiny-regex-c", "f2632c6d9ed25272987471cdb8b70395c2460bdb"),
    of_github("zserge/jsmn", "25647e692c7906b96ffd2b05ca54c097948e879c"),
    of_github("benhoyt/inih", "26254ee9de7681f8825433415443e7116ff24b98"),
    of_github("rxi/map", "d6c355fcfb35e5bf71905c0c28ccee34694b4a95"),
    of_github("codeplea/genann", "8dcd1db031c53176cffcbe4a7530ce040bb59b1d"),
    of_github("kokke/tiny-AES-c", "23856752fbd139da0b8ca6e471a13d5bcc99a08d"),
    of_github("jwerle/b64.c", "b263049874ae9ca7e2f146500939ed95aed4d4ee"),
    of_github("rgamble/libcsv", "b1d5212831842ee5869d99bc208a21837e4037d5"),
    of_github("skeeto/optparse", "a86877ed301d89a4eb64feb08f23af395aede2ed"),
    of_github("rxi/vec", "20e84224ceb29a8f76d2b9d0ccfc547258a14ec5"),
    of_github("joedf/base64.c", "a34c176492f6e0395393d0a5cd264bf9df74dc77"),
    of_github("clibs/commander", "3e79dd3cb0ddda0561d935bcdff60349b720a801"),
    of_github("jibsen/brieflz", "ad89acf4186adca8ad8c27c4ab376a49ae233cd0"),
    of_github("tidwall/json.c", "4aaf99b5c08e4e1364f97500fe5c5d5a2617b4a6"),
    of_github("fnoyanisi/zString", "32fd33ee20f28824e4256965e50dd71aba5a00a5"),
    of_github("rxi/ini", "13a254c9e38def8924a83badfea5eda5a01b9295"),
    of_github("willemt/bipbuffer", "4863ccd4a86ba80a81de7c60047b8e7e0b127b35"),
    of_github("cesanta/mjson", "696969cd0d35399cc66075f5ec7a96e23ba4a89b"),
)
BLIND = (
    of_github("ooxi/xml.c", "2cb2dcaf2b4d6ff42346e8c58eefd28559666747"),
    of_github("jacketizer/libyuarel", "d4f666065c86cddcfb13bfb89049d06e45117610"),
    of_github("camgunz/cmp", "9b8fa1ec9f409d4fa74281d4a57d6c2163bb1a86"),
    of_github("rafagafe/tiny-json", "025cdde5f2574290d8b2a8524bc257db2829bb7c"),
    of_github("antirez/smaz", "2f625846a775501fb69456567409a8b12f10ea25"),
    of_github("jibsen/tinf", "57ffa1f1d5e3dde19011b2127bd26d01689b694b"),
    of_github("cofyc/argparse", "5559200a91a334e15391e8285571145f6b6cc002"),
    of_github("semitrivial/csv_parser", "90811399db465a7b2ac6021c74b828b47e17ec2d"),
    of_github("B-Con/crypto-algorithms", "cfbde48414baacf51fc7c74f275190881f037d32"),
    of_github("DavidLeeds/hashmap", "b947a3cda70f9faf0e5862448b37a106cbf67065"),
)
"""Chosen before ``unfork scan`` was first run."""
BLIND_AGAIN = (
    of_github("armon/libart", "301046804af165269e37da6725f5a4aec9ecc881"),
    of_github("barrust/bloom", "a7c736abd8b6d7d4143b6e8e98abe9a9011e2777"),
    of_github("json-parser/json-parser", "8ac4477ad3e63dc107e17ad49484edaa17d18d35"),
    of_github("skeeto/pdjson", "c32ccb6c6c56404a0d09bc97e1926c5bb31215d7"),
    of_github("rxi/fe", "ed4cda96bd582cbb08520964ba627efb40f3dd91"),
    of_github("amosnier/sha-2", "565f65009bdd98267361b17d50cddd7c9beb3e6c"),
    of_github("tidwall/btree.c", "9c9cee6f39e8f32f4721364929a0f12ad82ea13b"),
    of_github("kokke/tiny-ECDH-c", "a6095d6e1feaa4e77b84cddda8468d8651ca3a32"),
    of_github("tezc/sc", "0dc5fdf84983efa14d79e759249f74b89363ccb5"),
    of_github("littlefs-project/littlefs", "adad0fbbcf5382c20978d07f94f9c13be9041c1b"),
)
"""Chosen after rules for ends of ranges, steps and duties of callers, before any of them was scanned."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A report of a tool: where, and what it calls it."""

    file: str
    line: int
    function: str
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan came to."""

    found: dict[str, Sequence[Finding]]
    """By their certainty, a key for each of CLASSES."""
    functions: dict[str, str]
    cpu: float
    trouble: str


def execute(words: Sequence[str], most: float) -> Done:
    """Run a command of this repository."""
    environment = os.environ | {"PYTHONPATH": str(HERE.parent / "src")}
    return run(words, Path.cwd(), environment, most)


def scan(
    files: Sequence[Path], flags: Sequence[str], given: argparse.Namespace, out: Path, *, is_first: bool = True
) -> Scanned:
    """One run of ``unfork scan``. Only one that ``is_first`` takes nothing over from earlier ones."""
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "unfork", "scan", *map(str, files), "--out", str(out)]
    words += ["--per-function", f"{given.per_function:g}", "--cflags", shlex.join(["-w", *flags])]
    words += shlex.split(given.options)
    if is_first:
        words.append("--no-cache")
    if given.show:
        print(shlex.join(words), flush=True)
    done = execute(words, LONGEST)
    report = out / "scan.json"
    if not report.exists():
        return Scanned(dict.fromkeys(CLASSES, ()), {}, done.cpu, f"status {done.status}: {done.stderr.strip()[-300:]}")
    told = json.loads(report.read_text())
    found: dict[str, list[Finding]] = {name: [] for name in CLASSES}
    for each in told["findings"]:
        finding = Finding(each["file"] or "", each["line"], each["function"], each["kind"], each["message"])
        found[each["certainty"]].append(finding)
    explored = {each["name"]: each["explored"] for each in told["functions"]}
    return Scanned({**found}, explored, done.cpu, "")


def extents(files: Iterable[Path], bug: Bug) -> list[range]:
    """The lines of the functions in which the bug is."""
    lines = []
    for path in files:
        if path.name == bug.file:
            for function in syntax_of(path.read_text(errors="replace")).functions:
                name = name_of(function.child_by_field_name("declarator"))
                if name is not None and name.text is not None and name.text.decode() in bug.functions:
                    lines.append(range(function.start_point.row + 1, function.end_point.row + 2))
    return lines


def names_function(files: Iterable[Path], bug: Bug) -> bool:
    """Whether the bug's file has its function, where macros before it keep the parser from seeing that."""
    texts = [path.read_text(errors="replace") for path in files if path.name == bug.file]
    return any(re.search(rf"\b{name}\(", text) for text in texts for name in bug.functions)


REPORT = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:warning|error): (?P<text>.*) \[(?P<kind>[^\]]+)\]$", re.M
)


COMPILER = ("-D__GNUC__=12", "-D__linux__", "-D__x86_64__", "-D__STDC_VERSION__=201112L")
"""What a compiler would define, which cppcheck does not know; without them headers stop with #error."""


def clang(files: Sequence[Path], flags: Sequence[str], given: argparse.Namespace) -> tuple[list[Finding], float] | None:
    """What clang's analyzer reports, file by file, and its CPU seconds."""
    program = shutil.which("clang") or shutil.which("clang-16")
    if program is None:
        return None
    words = [program, "--analyze", "-Xclang", "-analyzer-output=text", "-w", *flags]
    return reports([[*words, str(file)] for file in files])


def cppcheck(
    files: Sequence[Path], flags: Sequence[str], given: argparse.Namespace
) -> tuple[list[Finding], float] | None:
    """What cppcheck reports about all files at once, and its CPU seconds."""
    program = shutil.which("cppcheck")
    if program is None:
        return None
    template = "--template={file}:{line}: {severity}: {message} [{id}]"
    known = [*COMPILER, *(flag for flag in flags if flag[:2] in ("-I", "-D"))]
    return reports([[program, "--quiet", "--enable=warning", template, *known, *map(str, files)]])


def reports(commands: Iterable[Sequence[str]]) -> tuple[list[Finding], float]:
    """The distinct warnings that commands print."""
    found: dict[Finding, None] = {}
    cpu = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for words in commands:
            done = run(words, Path(folder), os.environ, LONGEST)
            cpu += done.cpu
            for match in REPORT.finditer(done.stdout + done.stderr):
                found[Finding(match["file"], int(match["line"]), "", match["kind"], match["text"])] = None
    return list(found), cpu


TOOLS = {"clang --analyze": clang, "cppcheck": cppcheck}


def table(rows: Sequence[Sequence[str]], given: argparse.Namespace) -> None:
    """Rows, the first of which is the head; with --table as Markdown."""
    if given.table:
        head, *others = rows
        for row in (head, ["---"] * len(head), *others):
            print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
        return
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def narrowed(bug: Bug, given: argparse.Namespace) -> argparse.Namespace:
    """With --narrow, a scan of the functions of the bug and its callers alone."""
    if not given.narrow:
        return given
    names = " ".join(f"--functions {name}" for name in (*bug.functions, *bug.callers))
    return argparse.Namespace(**{**vars(given), "options": f"{given.options} {names}"})


def compare_bugs(bugs: Sequence[Bug], given: argparse.Namespace) -> int:
    """A row for each bug. The status is 1 where a bug is not found, or the fixed version is not silent."""
    rows = [["bug", "reference", "kind", "function", "found", "fixed", "others", "CPU s", "explored"]]
    tools: dict[str, list[str]] = {}
    good = True
    for bug in chosen(bugs, given):
        cells: list[str] = []
        others = cpu = 0.0
        explored = []
        for tree, library in ((bug.buggy, bug.library), (bug.fixed, bug.fixed_library or bug.library)):
            files, flags = library.unpack(tree, given.sources)
            places = extents(files, bug)
            side = "fixed" if tree is bug.fixed else "buggy"
            if not places and side == "buggy" and not names_function(files, bug):
                raise SystemExit(f"{bug.name}: no function {' or '.join(bug.functions)} in {bug.file}")
            if given.tools:
                for tool, ask in TOOLS.items():
                    answer = ask(files, flags, given)
                    if answer is not None:
                        for each in answer[0]:
                            if given.show and bug.explains(each, places):
                                print(f"{bug.name}, {side}, {tool}: line {each.line}: {each.message} [{each.kind}]")
                        near = sum(bug.explains(each, places) for each in answer[0])
                        tools.setdefault(f"{bug.name}, {tool}", []).extend(
                            [str(near), str(len(answer[0]) - near), f"{answer[1]:.1f}"]
                        )
                continue
            got = scan(files, flags, narrowed(bug, given), given.sources / "runs" / f"{bug.name}-{side}")
            here = {name: [each for each in got.found[name] if bug.is_shown(each, places)] for name in LISTED}
            others += sum(len(got.found[name]) - len(here[name]) for name in LISTED)
            named_here = [f"line {each.line} ({name})" for name, several in here.items() for each in several]
            cpu += got.cpu
            explored.append("/".join(got.functions.get(name, "-") for name in bug.functions if name in got.functions))
            if got.trouble:
                cells.append(got.trouble)
            elif side == "buggy":
                cells.append(named_here[0] if named_here else "no")
            else:
                cells.append(f"{named_here[0]} (!)" if named_here else "silent")
            good &= bool(named_here) == (side == "buggy") and not got.trouble
        if not given.tools:
            named = ", ".join(bug.functions[:1])
            rows.append(
                [bug.name, bug.reference, bug.kind, named, *cells, f"{others:g}", f"{cpu:.0f}", " ".join(explored)]
            )
            print(rows[-1], file=sys.stderr, flush=True)
    if given.tools:
        heads = [
            "bug, tool",
            "in its functions",
            "elsewhere",
            "CPU s",
            "in its functions, fixed",
            "elsewhere, fixed",
            "CPU s, fixed",
        ]
        table([heads, *([name, *row] for name, row in tools.items())], given)
        return 0
    table(rows, given)
    print(f"{sum(row[4].startswith('line') for row in rows[1:])} of {len(rows) - 1} found")
    return 0 if good else 1


EXPECTED = re.compile(r"scan: (?:(?P<certainty>certain|conditional) (?P<kind>[a-z-]+) (?P<line>\d+)|nothing)")
OPTIONS = re.compile(r"options: (?P<words>.*)")


def expectation(program: Path) -> tuple[set[tuple[str, int]], set[tuple[str, int]], list[str]]:
    """What is certain and what is conditional in a program, by kind and line, and the options of its scan."""
    header = program.read_text().partition("*/")[0]
    marks = list(EXPECTED.finditer(header))
    if not marks:
        raise ValueError(f"{program}: the first comment does not state what a scan finds")
    places: dict[str, set[tuple[str, int]]] = {"certain": set(), "conditional": set()}
    for mark in marks:
        if mark["certainty"]:
            places[mark["certainty"]].add((mark["kind"], int(mark["line"])))
    options = OPTIONS.search(header)
    return places["certain"], places["conditional"], shlex.split(options["words"]) if options else []


def programs() -> list[Path]:
    """The programs, in C and C++."""
    return sorted(path for path in PROGRAMS.iterdir() if path.suffix in (".c", ".cpp"))


def compare_programs(given: argparse.Namespace) -> int:
    """A row for each program that says something else than it must; all are counted."""
    rows = [["program", "certain", "expected", "conditional", "of these expected", "CPU s"]]
    selected = [path for path in programs() if matches(path.stem, given)]
    right = silent = preconditions = stated = 0
    cpu = 0.0
    given_options = given.options
    for program in selected:
        certain, conditional, options = expectation(program)
        given.options = f"{given_options} {shlex.join(options)}"
        got = scan([program], [], given, given.sources / "runs" / program.stem)
        cpu += got.cpu
        said = {(each.kind, each.line) for each in got.found["certain"]}
        weak = {(each.kind, each.line) for name in ("conditional", "undecided") for each in got.found[name]}
        right += said == certain and not got.trouble
        silent += not certain and not said and not got.trouble
        preconditions += len(weak & conditional)
        stated += len(conditional)
        if said != certain or got.trouble:
            rows.append(
                [
                    program.stem,
                    got.trouble or places(said),
                    places(certain),
                    str(len(weak)),
                    f"{len(weak & conditional)}/{len(conditional)}",
                    f"{got.cpu:.1f}",
                ]
            )
    table(rows, given)
    print(
        f"{right} of {len(selected)} right, {silent} of those without a certain bug; "
        f"{preconditions} of {stated} preconditions told; {cpu:.0f} CPU s"
    )
    return 0 if right == len(selected) else 1


def places(found: Iterable[tuple[str, int]]) -> str:
    """Kinds and lines, for a cell."""
    return ", ".join(f"{kind} {line}" for kind, line in sorted(found)) or "nothing"


def list_releases(releases: Sequence[Release], given: argparse.Namespace) -> int:
    """Every certain finding in some releases, or with --tools the number of reports of each tool."""
    rows = [["library", "functions", "complete", *CLASSES, "CPU s"]]
    tools = [["library", "tool", "reports", "CPU s"]]
    for release in chosen(releases, given):
        files, flags = release.library.unpack(release.tree, given.sources)
        if given.tools:
            for tool, ask in TOOLS.items():
                answer = ask(files, flags, given)
                if answer is not None:
                    tools.append([release.name, tool, str(len(answer[0])), f"{answer[1]:.1f}"])
                    print(tools[-1], file=sys.stderr, flush=True)
                    for each in answer[0] if given.show else ():
                        print(f"{release.name}, {tool}: {each.file}:{each.line}: {each.message} [{each.kind}]")
            continue
        got = scan(files, flags, given, given.sources / "runs" / release.name)
        complete = sum(explored == "all" for explored in got.functions.values())
        counts = [len(got.functions), complete, *(len(got.found[name]) for name in CLASSES)]
        rows.append([release.name, *map(str, counts), f"{got.cpu:.0f}"])
        if got.trouble:
            print(f"{release.name}: {got.trouble}", flush=True)
        for each in (*got.found["certain"], *got.found["likely"]):
            place = f"{release.name}: {Path(each.file).name}:{each.line}: {each.function}"
            print(f"{place}: {each.kind}: {each.message}", flush=True)
    table(tools if given.tools else rows, given)
    return 0


def compare_speed(given: argparse.Namespace) -> int:
    """A row for each library."""
    rows = [["library", "functions", "complete", "CPU s", "a minute on two processors", "again: CPU s"]]
    for release in chosen(RELEASES, given):
        files, flags = release.library.unpack(release.tree, given.sources)
        out = given.sources / "runs" / release.name
        first = scan(files, flags, given, out)
        again = scan(files, flags, given, out, is_first=False)
        count, complete = len(first.functions), sum(explored == "all" for explored in first.functions.values())
        pace = 2 * 60 * count / first.cpu
        rows.append([release.name, str(count), str(complete), f"{first.cpu:.0f}", f"{pace:.0f}", f"{again.cpu:.1f}"])
        print(rows[-1], file=sys.stderr, flush=True)
    table(rows, given)
    return 0


Listed = TypeVar("Listed", Bug, Release)


def matches(name: str, given: argparse.Namespace) -> bool:
    """Whether the command line names it."""
    return not given.names or any(fnmatch(name, pattern) for pattern in given.names)


def chosen(every: Sequence[Listed], given: argparse.Namespace) -> list[Listed]:
    """Those that the command line names."""
    return [each for each in every if matches(each.name, given)]


Modes = Mapping[str, Callable[[argparse.Namespace], int]]


def arguments(about: str | None, modes: Modes, folder: str) -> argparse.ArgumentParser:
    """The command line of a script with these modes, whose sources and runs are in a temporary folder by default."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=modes)
    parser.add_argument("names", nargs="*", help="only these, with wildcards (default: all)")
    default = Path(tempfile.gettempdir()) / folder
    parser.add_argument("--sources", type=Path, default=default, help=f"for sources and runs (default {default})")
    parser.add_argument("--per-function", type=float, default=60, help="seconds for a function (default 60)")
    parser.add_argument("--table", action="store_true", help="print Markdown")
    parser.add_argument("--show", action="store_true", help="print the command lines, or the tools' reports")
    return parser


def perform(parser: argparse.ArgumentParser, modes: Modes) -> int:
    """Do what the command line says."""
    given = parser.parse_args()
    given.sources = given.sources.resolve()
    given.sources.mkdir(parents=True, exist_ok=True)
    return modes[given.mode](given)


def main() -> int:
    """The command."""
    lists = {"releases": RELEASES, "seen": SEEN, "blind": BLIND, "blind-again": BLIND_AGAIN}
    modes: Modes = {name: partial(list_releases, releases) for name, releases in lists.items()}
    known = {"bugs": BUGS, "bugs-seen": LATER_SEEN, "bugs-blind": LATER_BLIND}
    modes = {**{name: partial(compare_bugs, bugs) for name, bugs in known.items()}, **modes}
    modes = {**modes, "programs": compare_programs, "speed": compare_speed}
    parser = arguments(__doc__, modes, "unfork-scan")
    parser.add_argument("--options", default="", help="further words for unfork scan")
    parser.add_argument("--narrow", action="store_true", help="bugs: scan the functions of each bug alone")
    parser.add_argument("--tools", action="store_true", help="clang --analyze and cppcheck in place of unfork")
    return perform(parser, modes)


if __name__ == "__main__":
    sys.exit(main())
