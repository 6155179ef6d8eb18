"""Ten more bugs in libraries of no other list, chosen by reading fixes; none was scanned before the list was fixed.

Libraries were written down first, in this order: qlibc, QCBOR, mongoose, aws-c-common, lowdown, jq, libosdp, popt,
tree-sitter, binn, libtomcrypt, nghttp3, file, sfsexp, libtsm, mongo-c-driver (its libbson), then ten that were not
needed: TinySoundFont, zlog, libsmb2, argtable3, lwip, fast_obj, RHash, centijson, libpsl, janet. (aws-c-common was
struck out later, since this repository has harnesses for it.) Of each, ``git log`` was searched for the words that such
fixes have (overflow, leak, out of bounds, ...), and the newest fix was taken that met the conditions of
bench/scan_lists/bugs_again.py:

- On 64-bit Linux the fault is of a kind that unfork knows, and needs no failing allocation and no input of megabytes.
- A public function shows it on arguments that the library allows; a leak is of a block that the same call made.
- The function has at most 200 lines, its file at most 4,000, and no other library's headers are needed.
- It is not a program of the project, a test, or code for another system.

QCBOR was left out because the file of its decoder is too long, libosdp because its headers are in a submodule, nghttp3
because only a test gives its function what is not followed by a zero, and sfsexp and libtsm because no fix met the
other conditions. The snapshots of mongoose, tree-sitter and mongo-c-driver lack one file each, that none of the
libraries needs. lowdown began as a fork of hoedown, which is in another list; the file of its bug is its own. Newer
fixes were passed over where the function is too long (lowdown, popt, tree-sitter, libtomcrypt, file), where input of
megabytes or deep recursion is needed (jq, file), where only strings are at fault that the library's own functions do
not make (jq), where a null argument was only allowed from then on (file), where the fault shows in a later call than
the faulty one or the leaked block is older than the call (popt, tree-sitter), where the access is in a function of the
user (mongoose, libtomcrypt), where an allocation must fail (popt), where another library or another configuration is
needed (popt, tree-sitter, file), where ``memset`` sets nothing (tree-sitter), and where only a sum, a pointer, a limit
or a result was wrong, and no access that a sanitizer sees (mongoose, popt, libtomcrypt, file). The accesses of the bugs
of jq and file are in functions that the fixes leave as they are. Each fault was seen under a sanitizer before its fix,
and not after it; that of tree-sitter with a grammar of two symbols, and that of libtomcrypt with numbers of one byte,
both written by hand.
"""

from __future__ import annotations

from pathlib import Path

from bench.scan_lists.entries import Bug, Library, mended


def magic_header(tree: Path) -> None:
    """The header that a makefile writes: a number for the version."""
    if not (tree / "src/magic.h").exists():
        text = (tree / "src/magic.h.in").read_text()
        (tree / "src/magic.h").write_text(text.replace("X.YY", "546"))


BSON = Library(
    (
        *(
            f"src/libbson/src/bson/{n}.c"
            for n in ("bson", "memory", "bson-iter", "bson-utf8", "bson-string", "validate")
        ),
        *(f"src/libbson/src/bson/{n}.c" for n in ("bson-value", "bson-oid", "bson-keys", "bson-decimal128", "error")),
        *(f"src/common/src/common-{n}.c" for n in ("json", "string", "b64", "oid")),
    ),
    ("src/libbson/src", "src/common/src", "@mongo-c-driver"),
    ("-D_GNU_SOURCE", "-DBSON_COMPILATION"),
)
JQ = Library(
    tuple(f"src/{n}.c" for n in ("jv_parse", "jv", "jv_alloc", "jv_aux", "jv_dtoa", "jv_print", "jv_unicode", "util")),
    ("src",),
    ("-D_GNU_SOURCE", "-DIEEE_8087"),
)
LOWDOWN = Library(
    tuple(f"{n}.c" for n in ("nroff_manpage", "nroff", "nroff_escape", "buffer", "entity", "util", "tree")),
    ("", "@lowdown"),
)
MAGIC = Library(
    tuple(f"src/{n}.c" for n in ("apprentice", "print", "magic", "funcs", "buffer", "encoding", "softmagic")),
    ("src", "@file"),
    ("-DHAVE_CONFIG_H",),
    magic_header,
)
TOMCRYPT = Library(
    (
        "src/pk/dsa/dsa_import.c",
        "src/math/multi.c",
        "src/misc/pk_get_oid.c",
        *(
            f"src/pk/asn1/der/sequence/der_decode_{n}.c"
            for n in ("sequence_ex", "sequence_multi", "subject_public_key_info")
        ),
        "src/pk/asn1/der/integer/der_decode_integer.c",
        "src/pk/asn1/der/object_identifier/der_decode_object_identifier.c",
        *(f"src/pk/asn1/der/bit/der_decode_{n}.c" for n in ("bit_string", "raw_bit_string")),
        "src/pk/asn1/der/short_integer/der_decode_short_integer.c",
    ),
    ("src/headers",),
    ("-DLTC_SOURCE",),
)
TREE_SITTER = Library(
    (
        *(f"lib/src/{n}.c" for n in ("lexer", "parser", "stack", "subtree", "language", "alloc", "tree", "node")),
        *(f"lib/src/{n}.c" for n in ("get_changed_ranges", "tree_cursor")),
    ),
    ("lib/include", "lib/src"),
)

BUGS_SEVENTH = (
    Bug(
        "qlibc_log",
        "qlibc #101",
        "qlibc 6db37023044c0a4c4fbd50448eaef6b58d250af6",
        "the lock of a log is looked up after the log was freed, where its file cannot be opened",
        "use-after-free",
        "qlog.c",
        ("qlog",),
        *mended(
            "wolkykim/qlibc",
            "4b15cfbd4e3ed11090e1760761fea6613bb4834d",
            "6db37023044c0a4c4fbd50448eaef6b58d250af6",
        ),
        Library(
            ("src/extensions/qlog.c", "src/utilities/qstring.c", "src/internal/qinternal.c"),
            ("include/qlibc", "src/internal"),
        ),
    ),
    Bug(
        "mongoose_path",
        "mongoose b55de8b",
        "mongoose b55de8b151d1466a3e41d1f854f22eeb6faa23dc",
        "the bytes of a path are read without a look at its length, and after the last",
        "out-of-bounds",
        "util.c",
        ("mg_path_is_sane",),
        *mended(
            "cesanta/mongoose",
            "86c022842fc373539e7d9e265a2cef5ff801c396",
            "b55de8b151d1466a3e41d1f854f22eeb6faa23dc",
        ),
        Library(tuple(f"src/{n}.c" for n in ("util", "str", "fmt", "printf", "iobuf", "log")), ("src",)),
    ),
    Bug(
        "lowdown_name",
        "lowdown 25df95d",
        "lowdown 25df95d78e371a9f57504a6b39b50de26538fd1f",
        "the name of a command is not freed when it has been written for mdoc",
        "leak",
        "nroff_manpage.c",
        ("rndr_manpage_name", "hbuf_stringn_trim"),
        *mended(
            "kristapsdz/lowdown",
            "9bbda0b26509a6c4a4e017182e39d069c74b6046",
            "25df95d78e371a9f57504a6b39b50de26538fd1f",
        ),
        LOWDOWN,
        callers=("lowdown_nroff_rndr",),
    ),
    Bug(
        "jq_message",
        "CVE-2026-39979",
        "jq 2f09060afab23fe9390cce7cb860b10416e1bf5f",
        "a text with a length is put in a message as if it ended with a zero",
        "out-of-bounds",
        "jv_parse.c",
        ("jv_parse_sized_custom_flags", "jv_string_vfmt"),
        *mended(
            "jqlang/jq",
            "0c7d133c3c7e37c00b6d46b658a02244fdd3c784",
            "2f09060afab23fe9390cce7cb860b10416e1bf5f",
        ),
        JQ,
        callers=("jv_parse_sized",),
    ),
    Bug(
        "popt_line",
        "popt 03e8865",
        "popt 03e88656e622961d7eec78d6f40c8878526f57ca",
        "what was read is not freed where a line is too long",
        "leak",
        "poptparse.c",
        ("poptConfigFileToString",),
        *mended(
            "rpm-software-management/popt",
            "3d9d28854b4dfcaf8ff744fbc5126f0572408455",
            "03e88656e622961d7eec78d6f40c8878526f57ca",
        ),
        Library(
            ("poptparse.c", "popt.c", "poptint.c", "findme.c"),
            ("",),
            ("-DHAVE_FLOAT_H", "-DHAVE_STRERROR", "-DHAVE_UNISTD_H"),
        ),
    ),
    Bug(
        "tree_sitter_column",
        "tree-sitter 63d9f71",
        "tree-sitter 63d9f7146f9682098569c2eb527fc7d7cae50095",
        "the start of the last line is read from a piece of text that is there no more at the end",
        "null-dereference",
        "lexer.c",
        ("ts_lexer__get_column", "ts_lexer__get_lookahead", "ts_decode_utf8", "ts_decode_utf16"),
        *mended(
            "tree-sitter/tree-sitter",
            "85a588b5b0114cf1cd184bd19e090d40c03887a2",
            "63d9f7146f9682098569c2eb527fc7d7cae50095",
        ),
        TREE_SITTER,
        callers=("ts_parser_parse",),
    ),
    Bug(
        "binn_value",
        "binn 1bb887a",
        "binn 1bb887aad79b8d5a88cb9442f6197e02aad5b14f",
        "a key and a value are read without a look at the end of the buffer",
        "out-of-bounds",
        "binn.c",
        ("SearchForKey", "GetValue"),
        *mended(
            "liteserver/binn",
            "693998096d513bbe514c14beaf1baa077ccff1d1",
            "1bb887aad79b8d5a88cb9442f6197e02aad5b14f",
        ),
        Library(("src/binn.c",), ("src",)),
        callers=("binn_object_get_value", "binn_list_get_value", "binn_map_get_value"),
    ),
    Bug(
        "tomcrypt_key",
        "libtomcrypt 1e260ee",
        "libtomcrypt 1e260eeaae433d0dbaf4e12f4804b7972414c5ce",
        "a buffer that was freed is freed again where the numbers of a key do not fit together",
        "double-free",
        "dsa_import.c",
        ("dsa_import",),
        *mended(
            "libtom/libtomcrypt",
            "6499c70492b12bd0fc9f05c62ba3e90f40627e95",
            "1e260eeaae433d0dbaf4e12f4804b7972414c5ce",
        ),
        TOMCRYPT,
    ),
    Bug(
        "magic_warning",
        "file PR/683",
        "file 5a089c72905ad081261af29c324b9367f77dd739",
        "a warning names the file that was read before, whose name has been freed",
        "use-after-free",
        "apprentice.c",
        ("file_apprentice", "file_magwarn"),
        *mended(
            "file/file",
            "7ed3febfcd616804a2ec6495b3e5f9ccb6fc5f8f",
            "5a089c72905ad081261af29c324b9367f77dd739",
        ),
        MAGIC,
        callers=("magic_load",),
    ),
    Bug(
        "bson_length",
        "mongo-c-driver #2309",
        "mongo-c-driver c9cfa4cb3b7e7af27a96c25c86ac39f86a16b90c",
        "the last byte of a document is looked up though the length that it states may be 0",
        "out-of-bounds",
        "bson.c",
        ("bson_new_from_buffer",),
        *mended(
            "mongodb/mongo-c-driver",
            "c33e2623f4e504042e31fc61e6b53b9ef5fbe861",
            "c9cfa4cb3b7e7af27a96c25c86ac39f86a16b90c",
        ),
        BSON,
    ),
)
