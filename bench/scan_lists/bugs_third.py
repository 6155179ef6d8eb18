"""Ten more bugs in libraries of no other list, chosen by reading fixes; none was scanned before the list was fixed.

Libraries were written down first, in this order: cmark, mpack, msgpack-c, wslay, nghttp2, mujs, libinjection,
tidy-html5, libconfig, c-blosc, libmspack, then 21 that were not needed: unibilium, libvterm, libfyaml, lexbor, libmobi,
shapelib, librsync, ReadStat, libxmp, libical, Little-CMS, libtomcrypt, lwip, openjpeg, jq, discount, libevent,
c-algorithms, zlog, ogg, minmea. (libyaml and oniguruma were struck out at once, since this repository has them.) Of
each, ``git log`` was searched for the words that such fixes have (overflow, leak, out of bounds, ...), and the newest
fix was taken that met the conditions of bench/scan_lists/bugs_again.py:

- On 64-bit Linux the fault is of a kind that unfork knows, and needs no failing allocation and no input of megabytes.
- A public function shows it on arguments that the library allows; a leak is of a block that the same call made.
- The function has at most 200 lines, its file at most 4,000, and no other library's headers are needed.
- It is not a program of the project, a test, or code for another system.

wslay was left out because no fix met the other conditions. Newer fixes were passed over where a null pointer was only
given to ``memcpy`` with a length of 0, or 0 added to it (cmark, msgpack-c, nghttp2), where macros paste the function's
name (tidy-html5), where the function or its file is too long (tidy-html5, nghttp2, libconfig), where the fault shows
in a later call than the faulty one or the leaked block is older than the call (libconfig), and where only a size or a
shift was wrong, and no access (msgpack-c, mujs, libmspack). The fix of msgpack-c, "Fix typo", has none of the words: it
was met beside one that has. Each fault was seen under a sanitizer before its fix, and not after it.
"""

from __future__ import annotations

from bench.scan_lists.entries import Bug, Library, filled, mended

BLOSC = Library(
    (
        *(f"blosc/{n}.c" for n in ("blosc", "blosclz", "fastcopy", "shuffle")),
        *(f"blosc/{n}.c" for n in ("shuffle-generic", "bitshuffle-generic")),
    ),
    ("blosc",),
)
CMARK = Library(
    tuple(f"src/{n}.c" for n in ("commonmark", "render", "node", "iterator", "buffer", "utf8", "scanners", "cmark")),
    ("src", "@cmark"),
)
MUJS = Library(
    tuple(f"js{n}.c" for n in ("object", "property", "run", "value", "intern", "gc", "state", "error")),
)
NGHTTP2 = Library(
    tuple(f"lib/nghttp2_{n}.c" for n in ("hd", "hd_huffman", "hd_huffman_data", "helper", "buf", "mem")),
    ("lib", "lib/includes"),
    ("-DHAVE_ARPA_INET_H", "-D_U_="),
    filled(
        "lib/includes/nghttp2/nghttp2ver.h.in",
        "lib/includes/nghttp2/nghttp2ver.h",
        {"PACKAGE_VERSION": "1.0.0", "PACKAGE_VERSION_NUM": "0x010000"},
    ),
)
TIDY = Library(
    tuple(f"src/{n}.c" for n in ("tidylib", "lexer", "clean", "gdoc", "config", "attrs", "tags", "tmbstr", "alloc")),
    ("include", "src"),
)

BUGS_THIRD = (
    Bug(
        "cmark_autolink",
        "cmark 1f09bfd",
        "cmark 1f09bfd091eeedbf4ff27e519201ee2c428710c1",
        "the text of what a link contains is compared where that is no text and has none",
        "null-dereference",
        "commonmark.c",
        ("is_autolink",),
        *mended(
            "commonmark/cmark",
            "242e277a661ec7e51f34dcaf86c1925d550b1498",
            "1f09bfd091eeedbf4ff27e519201ee2c428710c1",
        ),
        CMARK,
        callers=("cmark_render_commonmark",),
    ),
    Bug(
        "mpack_handler",
        "mpack f4b9608",
        "mpack f4b9608ce06a569acf23a2a945fe754472dced75",
        "the function that is told of an error is called where none was set",
        "null-dereference",
        "mpack-writer.c",
        ("mpack_builder_resolve",),
        *mended(
            "ludocode/mpack",
            "df5860e8e49b16ad9afcafd9fe8f36008b066a91",
            "f4b9608ce06a569acf23a2a945fe754472dced75",
        ),
        Library(tuple(f"src/mpack/mpack-{n}.c" for n in ("writer", "common", "platform")), ("src/mpack",)),
        callers=("mpack_complete_array",),
    ),
    Bug(
        "msgpack_map",
        "msgpack-c #776",
        "msgpack-c fadc615f4ec21ff8f3fbd2cb2e4d43a58d77d0dc",
        "the product that is tested for an overflow is stored in another variable",
        "uninitialised",
        "unpack.c",
        ("template_callback_map",),
        *mended(
            "msgpack/msgpack-c",
            "eff6f5a2fd48675ff45917268348915a244083b0",
            "fadc615f4ec21ff8f3fbd2cb2e4d43a58d77d0dc",
        ),
        Library(("src/unpack.c", "src/zone.c"), ("include",)),
        callers=("msgpack_unpack",),
    ),
    Bug(
        "nghttp2_empty",
        "nghttp2 fc17c0a",
        "nghttp2 fc17c0a618ec581e16fe6b964b856778c350d071",
        "the last bytes of two texts are compared where both are empty",
        "out-of-bounds",
        "nghttp2_hd.c",
        ("value_eq", "name_eq"),
        *mended(
            "nghttp2/nghttp2",
            "2620992003c08e6efb25ae03472e6067f8681379",
            "fc17c0a618ec581e16fe6b964b856778c350d071",
        ),
        NGHTTP2,
        callers=("nghttp2_hd_deflate_hd",),
    ),
    Bug(
        "mujs_descriptor",
        "mujs bug 706057",
        "mujs edb50ad66f7601ca9a3544a0e9045e8a8c60561f",
        "a property is read again after a setter of the script may have deleted it",
        "use-after-free",
        "jsobject.c",
        ("O_getOwnPropertyDescriptor",),
        *mended(
            "ccxvii/mujs",
            "bf4ac9420739b4ac3bc963bd2c7b69de36a8bb11",
            "edb50ad66f7601ca9a3544a0e9045e8a8c60561f",
        ),
        MUJS,
        callers=("js_call",),
    ),
    Bug(
        "injection_tag",
        "libinjection #116",
        "libinjection 650928b5ebd0ca29390bc61ad28e996e2472d859",
        "the character after < is read where the text of stated length ends with it",
        "out-of-bounds",
        "libinjection_html5.c",
        ("h5_state_tag_open",),
        *mended(
            "libinjection/libinjection",
            "da027ab52f9cf14401dd92e34e6683d183bdb3b4",
            "650928b5ebd0ca29390bc61ad28e996e2472d859",
        ),
        Library(("src/libinjection_html5.c", "src/libinjection_xss.c"), ("src",)),
        callers=("libinjection_xss",),
    ),
    Bug(
        "tidy_lexer",
        "tidy-html5 1028104",
        "tidy-html5 10281040ca6b3a54db7880eed9c67957d11622eb",
        "the lexer of a document is used before one was read",
        "null-dereference",
        "tidylib.c",
        ("tidyDocCleanAndRepair",),
        *mended(
            "htacg/tidy-html5",
            "d332908e5d09e53191b656402bfd9f743fc82737",
            "10281040ca6b3a54db7880eed9c67957d11622eb",
        ),
        TIDY,
        callers=("tidyCleanAndRepair",),
    ),
    Bug(
        "config_names",
        "libconfig 22c3060",
        "libconfig 22c3060f4e155a7bb1f107eb5cfbc7db99b1d7d7",
        "a null is stored behind the last text of a vector that never had one",
        "null-dereference",
        "strvec.c",
        ("strvec_release",),
        *mended(
            "hyperrealm/libconfig",
            "584a87a01edd60662786274c3fb482824062ccb0",
            "22c3060f4e155a7bb1f107eb5cfbc7db99b1d7d7",
        ),
        Library(tuple(f"lib/{n}.c" for n in ("strvec", "scanctx", "strbuf", "util")), ("lib",)),
    ),
    Bug(
        "blosc_size",
        "c-blosc #395",
        "c-blosc 218da7fda1ad037dfe589fce8aef3e61b910efdf",
        "the size of a block is divided by a size of elements that may be 0",
        "div-by-zero",
        "blosc.c",
        ("initialize_context_compression", "compute_blocksize", "split_block"),
        *mended(
            "Blosc/c-blosc",
            "051b9d2cb9437e375dead8574f66d80ebce47bee",
            "218da7fda1ad037dfe589fce8aef3e61b910efdf",
        ),
        BLOSC,
        callers=("blosc_compress_ctx",),
    ),
    Bug(
        "mspack_name",
        "libmspack b40dab6",
        "libmspack b40dab64b888c4eb76f8d69462d758578480080c",
        "the name of a file is not freed with a header whose rest cannot be read",
        "leak",
        "kwajd.c",
        ("kwajd_open", "kwajd_read_headers", "msp_alloc"),
        *mended(
            "kyz/libmspack",
            "0d13d86e968d21e2a142f61f07957c428adc7e28",
            "b40dab64b888c4eb76f8d69462d758578480080c",
        ),
        Library(
            tuple(f"libmspack/mspack/{n}.c" for n in ("kwajd", "lzssd", "mszipd", "system")),
            ("libmspack/mspack",),
        ),
    ),
)
