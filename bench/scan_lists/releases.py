"""Ten libraries as they are now."""

from __future__ import annotations

from bench.known_bugs import Debian, Sdist
from bench.scan_lists.bugs import CUE
from bench.scan_lists.entries import Library, Release

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
