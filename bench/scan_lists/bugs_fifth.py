"""Ten more bugs in libraries of no other list, chosen by reading fixes; none was scanned before the list was fixed.

Libraries were written down first, in this order: bacnet-stack, h3, wakaama, jbig2dec, WavPack, gravity, zint, pkgconf,
libsolv, libgd, faad2, libdmtx, nanoMODBUS, then 29 that were not needed: MQTT-C, json.h, minimp3, libarchive, coreHTTP,
OpENer, libxkbcommon, libwebp, hivex, lowdown, janet, tree-sitter, libspf2, libnl, lwjson, libosdp, librdb, RHash,
libnet, bzip3, mikmod, jasper, matio, leptonica, avahi, FlashDB, libsmb2, lib60870, mongo-c-driver. Of each, ``git log``
was searched for the words that such fixes have (overflow, leak, out of bounds, ...), and the newest fix was taken that
met the conditions of bench/scan_lists/bugs_again.py:

- On 64-bit Linux the fault is of a kind that unfork knows, and needs no failing allocation and no input of megabytes.
- A public function shows it on arguments that the library allows; a leak is of a block that the same call made.
- The function has at most 200 lines, its file at most 4,000, and no other library's headers are needed.
- It is not a program of the project, a test, or code for another system.

wakaama, gravity and libdmtx were left out: those fixes of wakaama that met the other conditions are in functions that
are too long, what gravity's last fixes free is only a part of what leaks or needs a failing allocation, and the files
of libdmtx compile only where one file includes all of them. Newer fixes were passed over where the function or its
file is too long (wakaama, h3, jbig2dec, WavPack, zint), where an allocation must fail (wakaama, jbig2dec, gravity,
pkgconf), where the function is not public and only a test calls it so (h3), where a macro around the function's name
hides it from the rows of bench/scan.py (h3), where the fault shows in a later call than the faulty one or the leaked
block is older than the call (wakaama, h3, jbig2dec, gravity, pkgconf), where arguments that overlap were only refused
from then on (pkgconf), where a null pointer was only given to ``memmove`` or ``memcpy`` with a length of 0 (wakaama),
where only the ``calloc`` of other systems is at fault (libgd), where the access is in a function of the user
(wakaama), and where only a sum, a shift, a pointer, a limit or a result was wrong, and no access (bacnet-stack, h3,
jbig2dec, WavPack, zint, nanoMODBUS). The access of libgd's bug is in a function that the fix leaves as it is. Each
fault was seen under a sanitizer before its fix, and not after it; that of faad2 with the state of a first frame set by
hand, which its authors say a stream can reach.
"""

from __future__ import annotations

from bench.scan_lists.entries import Bug, Library, filled, mended

BACNET = Library(
    (
        "src/bacnet/datalink/bvlc.c",
        *(f"src/bacnet/{n}.c" for n in ("bacint", "bacdcode", "bacstr", "bacreal", "hostnport")),
    ),
    ("src",),
)
FAAD = Library(
    (
        *(f"libfaad/sbr_{n}.c" for n in ("dec", "qmf", "hfgen", "hfadj", "dct", "e_nf", "fbt", "tf_grid")),
        "libfaad/common.c",
    ),
    ("libfaad", "include"),
    (
        "-DSBR_LOW_POWER",
        *(f"-DHAVE_{n}=1" for n in ("INTTYPES_H", "LRINTF", "MEMCPY", "STRING_H", "STRINGS_H")),
        *(f"-DHAVE_SYS_{n}_H=1" for n in ("STAT", "TYPES")),
    ),
)
GD = Library(
    tuple(f"src/{n}.c" for n in ("gd_tga", "gd_io", "gd_io_dp", "gd_io_file", "gd_security", "gdhelpers", "gd")),
    ("src",),
    ("-DHAVE_INTTYPES_H", "-DHAVE_STDINT_H"),
)
H3 = Library(
    (
        *(f"src/h3lib/lib/{n}.c" for n in ("algos", "vertexGraph", "h3Index", "faceijk", "baseCells", "coordijk")),
        *(f"src/h3lib/lib/{n}.c" for n in ("linkedGeo", "latLng", "mathExtensions", "vec2d", "vec3d")),
    ),
    ("src/h3lib/include",),
    (),
    filled(
        "src/h3lib/include/h3api.h.in",
        "src/h3lib/include/h3api.h",
        {"H3_VERSION_MAJOR": "3", "H3_VERSION_MINOR": "7", "H3_VERSION_PATCH": "2"},
    ),
)
JBIG2 = Library(
    ("jbig2.c", *(f"jbig2_{n}.c" for n in ("generic", "arith", "image", "segment", "page", "mmr"))),
    ("",),
    ("-DHAVE_STDINT_H",),
)
PKGCONF = Library(
    tuple(f"libpkgconf/{n}.c" for n in ("personality", "parser", "fileio", "path", "buffer", "output")),
    ("", "@pkgconf"),
    ("-D_GNU_SOURCE",),
)
SOLV = Library(
    tuple(f"src/{n}.c" for n in ("chksum", "chksum_impl", "util", "md5", "sha1", "sha2")),
    ("src", "@libsolv"),
    ("-DLIBSOLV_INTERNAL=1", "-D_GNU_SOURCE"),
)
WAVPACK = Library(
    tuple(
        f"src/{n}.c"
        for n in ("pack_dns", "pack", "pack_utils", "pack_floats", "decorr_utils", "entropy_utils", "write_words")
    ),
    ("include", "src"),
)
ZINT = Library(
    tuple(
        f"backend/{n}.c"
        for n in ("rss", "composite", "common", "gs1", "general_field", "pdf417", "large", "reedsol", "library")
    ),
    ("backend",),
    ("-DZINT_NO_PNG",),
)

BUGS_FIFTH = (
    Bug(
        "bacnet_header",
        "bacnet-stack #1467",
        "bacnet-stack 45f91119a6e170b766ebc46bc41eee3c78c1ea92",
        "four bytes are written where there is room for two",
        "out-of-bounds",
        "bvlc.c",
        ("bvlc_encode_header",),
        *mended(
            "bacnet-stack/bacnet-stack",
            "9542de7d3dd80c8e840fda1b6f485e367f2825e1",
            "45f91119a6e170b766ebc46bc41eee3c78c1ea92",
        ),
        BACNET,
    ),
    Bug(
        "h3_boundary",
        "h3 #560",
        "h3 96dc46384d283789c9861d9f37fb519d0f4f519e",
        "the corners of a cell are read where they could not be computed",
        "uninitialised",
        "algos.c",
        ("h3SetToVertexGraph",),
        *mended(
            "uber/h3",
            "b4a53e07fae997bb32ea4be7f5961746eb27f862",
            "96dc46384d283789c9861d9f37fb519d0f4f519e",
        ),
        H3,
        callers=("h3SetToLinkedGeo",),
    ),
    Bug(
        "jbig2_margin",
        "oss-fuzz 20493",
        "jbig2dec 743d799bfd9014f9ef638634656fea21390d1444",
        "a margin that is wider than the image makes all of it its middle, where no pixel's place is tested",
        "out-of-bounds",
        "jbig2_generic.c",
        ("jbig2_decode_generic_template0_TPGDON", "jbig2_image_get_pixel_fast"),
        *mended(
            "ArtifexSoftware/jbig2dec",
            "9d1f28c1e9b8619073b36400e787eff8d84b27c3",
            "743d799bfd9014f9ef638634656fea21390d1444",
        ),
        JBIG2,
        callers=("jbig2_data_in",),
    ),
    Bug(
        "wavpack_short",
        "WavPack a92507e",
        "WavPack a92507ef27d1c7c14f2f0e1e4c23ae863e541b5e",
        "the second of the filtered samples is copied to the first where there is only one",
        "out-of-bounds",
        "pack_dns.c",
        ("generate_dns_values",),
        *mended(
            "dbry/WavPack",
            "2115fa930e8c95a5ee010df4fdef5b777a40b4ce",
            "a92507ef27d1c7c14f2f0e1e4c23ae863e541b5e",
        ),
        WAVPACK,
        callers=("WavpackFlushSamples",),
    ),
    Bug(
        "zint_date",
        "zint, ticket #300",
        "zint a14fe77aa05ce94360585118cf625934788ba079",
        "the six digits of a date are read without a test that the text has them",
        "out-of-bounds",
        "rss.c",
        ("dbar_date",),
        *mended(
            "zint/zint",
            "77c1ef1139d648193013867541bcfdf2107d5b26",
            "a14fe77aa05ce94360585118cf625934788ba079",
        ),
        ZINT,
        callers=("ZBarcode_Encode",),
    ),
    Bug(
        "pkgconf_twice",
        "pkgconf 9488103",
        "pkgconf 9488103615ffdb601b9d0364fe4b96fa55f2bd28",
        "the value of a keyword is not freed where the file has it twice",
        "leak",
        "personality.c",
        ("personality_copy_func",),
        *mended(
            "pkgconf/pkgconf",
            "ff0edc0fb55a7304058b5bf24b918cb86ce57964",
            "9488103615ffdb601b9d0364fe4b96fa55f2bd28",
        ),
        PKGCONF,
        callers=("pkgconf_cross_personality_find",),
    ),
    Bug(
        "solv_checksum",
        "libsolv 107f91c",
        "libsolv 107f91c5d2d9af668c6267cd89c581a9dfc9d540",
        "a checksum that is null, which was freed until it got an implementation, is asked for that",
        "null-dereference",
        "chksum.c",
        ("solv_chksum_free",),
        *mended(
            "openSUSE/libsolv",
            "2cba95a19e870f441d7539e4711fd6a51d2b1c19",
            "107f91c5d2d9af668c6267cd89c581a9dfc9d540",
        ),
        SOLV,
    ),
    Bug(
        "gd_depth",
        "libgd 9365eb7",
        "libgd 9365eb74bb11927c31ba83c07d882f582424b609",
        "a colour of up to 32 bytes is read into four where an image in full colours has a map of colours",
        "out-of-bounds",
        "gd_tga.c",
        ("gdImageCreateFromTgaCtx", "tga_read_color_map"),
        *mended(
            "libgd/libgd",
            "db8f65cb7668ba94c280319d9086c2b66635d693",
            "9365eb74bb11927c31ba83c07d882f582424b609",
        ),
        GD,
    ),
    Bug(
        "faad_first",
        "faad2 #225",
        "faad2 e87c7410155becdd05123d4bb532d7c7d56fca04",
        "the band below the lowest is added where the frame before the first had none",
        "out-of-bounds",
        "sbr_dec.c",
        ("sbr_process_channel",),
        *mended(
            "knik0/faad2",
            "8dade86d38240f4e3a79f1b8fec1dc9ce080abe2",
            "e87c7410155becdd05123d4bb532d7c7d56fca04",
        ),
        FAAD,
        callers=("sbrDecodeSingleFrame",),
    ),
    Bug(
        "nanomodbus_bytes",
        "nanoMODBUS dde2653",
        "nanoMODBUS dde2653cb888126bb5f5a534f47ed616e51ecda5",
        "as many values as a request says are written into a local array of fewer",
        "out-of-bounds",
        "nanomodbus.c",
        ("handle_write_multiple_registers", "handle_write_multiple_coils"),
        *mended(
            "debevv/nanoMODBUS",
            "dba38fc917b55b5ba4c729a656842706d273227c",
            "dde2653cb888126bb5f5a534f47ed616e51ecda5",
        ),
        Library(("nanomodbus.c",), ("",)),
        callers=("nmbs_server_poll",),
    ),
)
