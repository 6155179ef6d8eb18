"""Ten bugs in libraries of no other list, chosen by reading fixes; none was scanned before the list was fixed.

Libraries were written down first, in this order: uriparser, tinycbor, libqrencode, Collections-C, libucl, libsixel,
gumbo-parser, nanopb, libmaxminddb, libcoap, libspng, miniz, libupnp, klib, bzip2, libsrtp, then seven that were not
needed. Of each, ``git log`` was searched for the words that such fixes have (overflow, leak, out of bounds, ...), and
the newest fix was taken that met these conditions:

- On 64-bit Linux the fault is of a kind that unfork knows, and needs no failing allocation and no input of megabytes.
- A public function shows it on arguments that the library allows; a leak is of a block that the same call made.
- The function has at most 200 lines, its file at most 4,000, and no other library's headers are needed.
- It is not a program of the project, a test, or code for another system.

uriparser was left out because macros paste its functions' names, which the rows of bench/scan.py need; libspng and
libupnp because they need other libraries; libqrencode, miniz and bzip2 because no fix met the other conditions. Each
fault was seen under a sanitizer before its fix, and not after it.
"""

from __future__ import annotations

from bench.scan_lists.entries import Bug, Library, filled, mended

COAP = Library(
    tuple(f"src/coap_{n}.c" for n in ("uri", "option", "str")),
    ("include", "@libcoap"),
    (),
    filled(
        "include/coap3/coap.h.in",
        "include/coap3/coap.h",
        {"LIBCOAP_API_VERSION": "3", "LIBCOAP_VERSION": "4003002"},
    ),
)
GUMBO = Library(
    (
        *(f"src/{n}.c" for n in ("attribute", "char_ref", "error", "parser", "string_buffer", "string_piece", "tag")),
        *(f"src/{n}.c" for n in ("tokenizer", "utf8", "util", "vector")),
    ),
    ("src",),
)
SIXEL = Library(
    tuple(f"src/{n}.c" for n in ("fromgif", "frame", "allocator", "status")),
    ("include", "src", "@libsixel"),
    (),
    filled("include/sixel.h.in", "include/sixel.h", {}),
)
TINYCBOR = Library(
    tuple(f"src/{n}.c" for n in ("cbortojson", "cborparser", "cborparser_dup_string", "cborerrorstrings")),
    ("src", "@tinycbor"),
)
UCL = Library(tuple(f"src/ucl_{n}.c" for n in ("parser", "util", "hash")), ("include", "src", "uthash", "klib"))

BUGS_AGAIN = (
    Bug(
        "tinycbor_text",
        "tinycbor 628dee0",
        "tinycbor 628dee0d65f857d62ab1a6e1af9b9224d7df8fad",
        "an escaped text is not freed where what follows it cannot be read",
        "leak",
        "cbortojson.c",
        ("text_string_to_escaped", "escape_text_string"),
        *mended(
            "intel/tinycbor",
            "d0a6def07b910362947d89192acb9142aff50c02",
            "628dee0d65f857d62ab1a6e1af9b9224d7df8fad",
        ),
        TINYCBOR,
        callers=("cbor_value_to_json_advance",),
    ),
    Bug(
        "collections_push",
        "Collections-C #147",
        "Collections-C a83eb83cace69bc3bed5dc2795f051890507b02b",
        "the parent of the root is looked up when an element has risen to it",
        "out-of-bounds",
        "cc_pqueue.c",
        ("cc_pqueue_push",),
        *mended(
            "srdja/Collections-C",
            "6f93d5843742a4c0fb53eb05ea6e3023025b3a49",
            "a83eb83cace69bc3bed5dc2795f051890507b02b",
        ),
        Library(("src/cc_pqueue.c",), ("src/include",)),
    ),
    Bug(
        "ucl_macro",
        "libucl 5f98085",
        "libucl 5f9808572ab20ff228d7be02ce8e361eb0e45451",
        "the value of a macro is read without a test that the text goes on after its arguments",
        "out-of-bounds",
        "ucl_parser.c",
        ("ucl_parse_macro_value",),
        *mended(
            "vstakhov/libucl",
            "e9ae9e88d26367b2c1391de76032a453b8eb75e2",
            "5f9808572ab20ff228d7be02ce8e361eb0e45451",
        ),
        UCL,
        callers=("ucl_parser_add_chunk",),
    ),
    Bug(
        "sixel_frames",
        "libsixel #207",
        "libsixel 6188acc9550fda81d8c1a3c2c358f0898492572c",
        "the pixels of a frame of a GIF are not freed when the next one is made",
        "leak",
        "fromgif.c",
        ("gif_init_frame", "sixel_allocator_malloc"),
        *mended(
            "saitoha/libsixel",
            "078f6885cdca821925b765de81db11982446c6ed",
            "6188acc9550fda81d8c1a3c2c358f0898492572c",
        ),
        SIXEL,
        callers=("load_gif",),
    ),
    Bug(
        "gumbo_first",
        "gumbo-parser a0c75eb",
        "gumbo-parser a0c75ebaa15b134b4c6bfe52c43e9e593ca3f183",
        "an error in the first character is added to a list that is made only afterwards",
        "uninitialised",
        "parser.c",
        ("gumbo_parse_with_options", "gumbo_add_error"),
        *mended(
            "google/gumbo-parser",
            "783150611aa1554e3879d433c19766fd62cfae9b",
            "a0c75ebaa15b134b4c6bfe52c43e9e593ca3f183",
        ),
        GUMBO,
    ),
    Bug(
        "nanopb_union",
        "nanopb #615",
        "nanopb edf6dcbffee4d614ac0c2c1b258ab95185bdb6e9",
        "a message of a union that comes twice is zeroed with the pointers in it",
        "leak",
        "pb_decode.c",
        ("decode_static_field", "allocate_field"),
        *mended(
            "nanopb/nanopb",
            "e1f25e4dd6ea9f0e8f52bc1c68fbdf5d33e1c675",
            "edf6dcbffee4d614ac0c2c1b258ab95185bdb6e9",
        ),
        Library(("pb_decode.c", "pb_common.c"), ("",), ("-DPB_ENABLE_MALLOC",)),
        callers=("pb_decode",),
    ),
    Bug(
        "maxminddb_indent",
        "libmaxminddb ffa29c1",
        "libmaxminddb ffa29c1824336e1c4256a7b9696ea4e0800e9968",
        "an indentation below zero is the size of what is filled in a local array",
        "out-of-bounds",
        "maxminddb.c",
        ("print_indentation",),
        *mended(
            "maxmind/libmaxminddb",
            "467b085225f238ad273e1ce66c72fc2fcc6da837",
            "ffa29c1824336e1c4256a7b9696ea4e0800e9968",
        ),
        Library(("src/maxminddb.c", "src/data-pool.c"), ("include", "src", "@libmaxminddb")),
        callers=("MMDB_dump_entry_data_list",),
    ),
    Bug(
        "coap_host",
        "libcoap 298a11e",
        "libcoap 298a11e2225dc0145a3608c9789fd28e28824d40",
        "a host of stated length is searched as a text that ends in a zero",
        "out-of-bounds",
        "coap_uri.c",
        ("coap_uri_into_options",),
        *mended(
            "obgm/libcoap",
            "cd7b5de109700a24cbf0f8770b5534a20a3bb3ca",
            "298a11e2225dc0145a3608c9789fd28e28824d40",
        ),
        COAP,
    ),
    Bug(
        "klib_separator",
        "klib 6b83413",
        "klib 6b83413b34784eb3956c026c3b955e532f7f02bc",
        "a character that is negative where it is no ASCII is the index of a table",
        "out-of-bounds",
        "kstring.c",
        ("kstrtok",),
        *mended(
            "attractivechaos/klib",
            "efd09f0a00e35f85b4065e30c210110fdfb0f225",
            "6b83413b34784eb3956c026c3b955e532f7f02bc",
        ),
        Library(("kstring.c",)),
    ),
    Bug(
        "srtp_hex",
        "libsrtp #499",
        "libsrtp a82ba93b61705937c13c1ead612745476d8f9857",
        "the zero after 512 bytes in hexadecimal is written behind a global array",
        "out-of-bounds",
        "datatypes.c",
        ("srtp_octet_string_hex_string",),
        *mended(
            "cisco/libsrtp",
            "44144b88ac41c1dff227daa3398bc0bb6ae2ee5c",
            "a82ba93b61705937c13c1ead612745476d8f9857",
        ),
        Library(("crypto/math/datatypes.c",), ("include", "crypto/include", "@libsrtp"), ("-DHAVE_CONFIG_H",)),
    ),
)
