"""Ten more bugs in libraries of no other list, chosen by reading fixes; none was scanned before the list was fixed.

Libraries were written down first, in this order: discount, nanosvg, libxls, sdb, libdwarf-code, CRoaring, ReadStat,
shapelib, rabbitmq-c, liblouis, then 26 that were not needed: wildmidi, libxmp, mongoose, libvterm, libxlsxwriter,
Little-CMS, libical, openjpeg, libmobi, libfyaml, lexbor, libtomcrypt, c-algorithms, zip, ogg, popt, libpsl, libharu,
aws-c-common, azure-c-shared-utility, jq, wasm3, libstrophe, lwip, libevent, re. Of each, ``git log`` was searched for
the words that such fixes have (overflow, leak, out of bounds, ...), and the newest fix was taken that met the
conditions of bench/scan_lists/bugs_again.py:

- On 64-bit Linux the fault is of a kind that unfork knows, and needs no failing allocation and no input of megabytes.
- A public function shows it on arguments that the library allows; a leak is of a block that the same call made.
- The function has at most 200 lines, its file at most 4,000, and no other library's headers are needed.
- It is not a program of the project, a test, or code for another system.

No library was left out. Newer fixes were passed over where the function or its file is too long (libxls, shapelib,
liblouis), where a null argument was only allowed from then on (libxls, sdb), where an allocation must fail (libxls,
shapelib), where only 32-bit or big-endian systems are at fault (libxls, CRoaring, rabbitmq-c), where the fault shows in
a later call than the faulty one or the leaked block is older than the call (discount, libdwarf-code), where memory that
a library's own heap has mapped is meant (sdb), and where only a sum, a loop or a result was wrong, and no access
(libxls, libdwarf-code, CRoaring, shapelib). The access of CRoaring's bug is in a function that the fix leaves as it is.
Each fault was seen under a sanitizer before its fix, and not after it.
"""

from __future__ import annotations

from bench.scan_lists.entries import Bug, Library, filled, mended, single

CROARING = Library(
    (
        *(f"src/{n}.c" for n in ("roaring64", "art/art", "roaring", "roaring_array", "memory", "array_util")),
        *(f"src/{n}.c" for n in ("bitset_util", "isadetection")),
        *(f"src/containers/{n}.c" for n in ("array", "bitset", "run", "containers", "convert")),
    ),
    ("include",),
    ("-DROARING_DISABLE_X64=1",),
)
DWARF = Library(
    (
        *(f"src/lib/libdwarf/dwarf_{n}.c" for n in ("elf_load_headers", "elfread", "object_read_common", "seekr")),
        *(f"src/lib/libdwarf/dwarf_{n}.c" for n in ("memcpy_swap", "secname_ck", "generic_init", "object_detector")),
        *(f"src/lib/libdwarf/dwarf_{n}.c" for n in ("elf_rel_detector", "safe_strcpy", "safe_arithmetic")),
    ),
    ("src/lib/libdwarf", "@libdwarf"),
)
LOUIS = Library(
    (
        *(f"liblouis/{n}.c" for n in ("lou_backTranslateString", "lou_translateString", "compileTranslationTable")),
        *(f"liblouis/{n}.c" for n in ("commonTranslationFunctions", "pattern", "metadata", "logging", "utils")),
    ),
    ("liblouis", "@liblouis"),
    (),
    filled("liblouis/liblouis.h.in", "liblouis/liblouis.h", {"WIDECHAR_TYPE": "unsigned short"}),
)
RABBITMQ = Library(
    tuple(
        f"librabbitmq/amqp_{n}.c"
        for n in ("connection", "api", "consumer", "framing", "mem", "socket", "table", "tcp_socket", "time", "url")
    ),
    ("include", "librabbitmq", "librabbitmq/unix", "@rabbitmq-c"),
    ("-DHAVE_CONFIG_H",),
)
READSTAT = Library(
    (
        *(f"src/readstat_{n}.c" for n in ("convert", "parser", "bits", "malloc", "metadata", "value", "variable")),
        *(f"src/readstat_{n}.c" for n in ("error", "io_unistd")),
        *(f"src/spss/readstat_{n}.c" for n in ("sav_read", "sav", "sav_compress", "sav_parse", "sav_parse_timestamp")),
        *(f"src/spss/readstat_{n}.c" for n in ("spss", "spss_parse")),
    ),
    ("src",),
)
SDB = Library(
    (
        *(f"src/{n}.c" for n in ("ns", "sdb", "ls", "ht", "heap", "util", "cdb", "cdb_make")),
        *(f"src/{n}.c" for n in ("disk", "journal", "lock", "num")),
    ),
    ("include",),
)

BUGS_FOURTH = (
    Bug(
        "discount_xml",
        "discount 87234b3",
        "discount 87234b3caf7a44704d787ac9747fc149358331d3",
        "the buffer from which the caller's text is copied is not freed",
        "leak",
        "xml.c",
        ("mkd_xml",),
        *mended(
            "Orc/discount",
            "ff866f73d4b45c1a8581fc7c81dd2f568aefdfd8",
            "87234b3caf7a44704d787ac9747fc149358331d3",
        ),
        Library(tuple(f"{n}.c" for n in ("xml", "Csio", "resource", "emmatch", "flags")), ("", "@discount")),
    ),
    Bug(
        "nanosvg_colour",
        "nanosvg 1033595",
        "nanosvg 1033595c766a520ff78c2ae64dc9822639be5bed",
        "a place in a gradient that is no number is the index of a colour",
        "out-of-bounds",
        "nanosvgrast.c",
        ("nsvg__scanlineSolid",),
        *mended(
            "memononen/nanosvg",
            "d55a1fe69b1c7f41cf555a7135d54761efb1e56b",
            "1033595c766a520ff78c2ae64dc9822639be5bed",
        ),
        Library(
            ("src/nanosvgrast.c",),
            ("src",),
            ("-DNANOSVGRAST_IMPLEMENTATION",),
            single("src/nanosvgrast.h", "src/nanosvgrast.c"),
        ),
        callers=("nsvgRasterize",),
    ),
    Bug(
        "xls_strings",
        "oss-fuzz 12663",
        "libxls 46fe50a8ecb61c62eaaa67bc377e59c644a93e61",
        "an empty text is made and not kept where a record goes on with no text",
        "leak",
        "xls.c",
        ("xls_appendSST",),
        *mended(
            "libxls/libxls",
            "8232d2460ab6463fc0c88f27de3b4421ffd2692f",
            "46fe50a8ecb61c62eaaa67bc377e59c644a93e61",
        ),
        Library(tuple(f"src/{n}.c" for n in ("xls", "xlstool", "ole", "endian")), ("include", "@libxls")),
        callers=("xls_parseWorkBook",),
    ),
    Bug(
        "sdb_shared",
        "sdb 29bfd33",
        "sdb 29bfd33f0a5aea07cf9d0f6056bce3e7f1bc2484",
        "a database under two names is read again after it was freed under the first",
        "use-after-free",
        "ns.c",
        ("ns_free",),
        *mended(
            "radareorg/sdb",
            "8fc52c732a78d6226c026a726b0fa6243b6f38ab",
            "29bfd33f0a5aea07cf9d0f6056bce3e7f1bc2484",
        ),
        SDB,
        callers=("sdb_ns_free",),
    ),
    Bug(
        "dwarf_group",
        "DW202605-003",
        "libdwarf-code 4c8aecaf95f94ff4baa8840ea90df7b5fd14a71f",
        "the content of a section is not freed where it is compressed and nothing can decompress it",
        "leak",
        "dwarf_elf_load_headers.c",
        ("read_gs_section_group",),
        *mended(
            "davea42/libdwarf-code",
            "49360293f9d5270687f87ee5eb75a2b7b3f05f0b",
            "4c8aecaf95f94ff4baa8840ea90df7b5fd14a71f",
        ),
        DWARF,
        callers=("dwarf_init_b",),
    ),
    Bug(
        "roaring_twice",
        "CRoaring #664",
        "CRoaring f0e8f32d0badc43c85afd0fb54f281a60ba14114",
        "a key that comes twice is read behind its end",
        "out-of-bounds",
        "roaring64.c",
        ("roaring64_bitmap_portable_deserialize_safe", "art_insert_at"),
        *mended(
            "RoaringBitmap/CRoaring",
            "032450edf6f11744fd68795680131a6e3d994971",
            "f0e8f32d0badc43c85afd0fb54f281a60ba14114",
        ),
        CROARING,
    ),
    Bug(
        "readstat_empty",
        "ReadStat #285",
        "ReadStat c7baae72b36acdc24f56ad48d3e859850fdbdc2b",
        "the length of an empty text is one less when its second part begins",
        "out-of-bounds",
        "readstat_sav_read.c",
        ("sav_process_row",),
        *mended(
            "WizardMac/ReadStat",
            "38d4418e00e67e5a064e2f0995b500336e7c92de",
            "c7baae72b36acdc24f56ad48d3e859850fdbdc2b",
        ),
        READSTAT,
        callers=("readstat_parse_sav",),
    ),
    Bug(
        "shape_create",
        "shapelib 2025ce2",
        "shapelib 2025ce22196f100a773e2d0bbdc86cfd2ad0ad18",
        "a file that was not opened yet is closed where the one before it could not be made",
        "uninitialised",
        "shpopen.c",
        ("SHPCreateLL",),
        *mended(
            "OSGeo/shapelib",
            "65bf1ab1cefc85422300ceca81ac073f9b128df0",
            "2025ce22196f100a773e2d0bbdc86cfd2ad0ad18",
        ),
        Library(("shpopen.c", "safileio.c")),
    ),
    Bug(
        "rabbitmq_body",
        "GHSA-hfjv-vcp3-39wh",
        "rabbitmq-c 02d278663f3a93db9fe4fb4e7e34dc96b83c107b",
        "a body is copied to the buffer of a frame without a test of its length",
        "out-of-bounds",
        "amqp_connection.c",
        ("amqp_frame_to_bytes",),
        *mended(
            "alanxz/rabbitmq-c",
            "f2e238f745dda0a2b4b7f1200b5b6a36e2eeec83",
            "02d278663f3a93db9fe4fb4e7e34dc96b83c107b",
        ),
        RABBITMQ,
        callers=("amqp_send_frame",),
    ),
    Bug(
        "louis_copy",
        "oss-fuzz 471456889",
        "liblouis eab6f124fae99c915ff975fdffdeba981c55efad",
        "what follows a part of the output is moved with the length of that part",
        "out-of-bounds",
        "lou_backTranslateString.c",
        ("back_passDoAction",),
        *mended(
            "liblouis/liblouis",
            "414be8603fc211454c3f6e0078195aed473a6692",
            "eab6f124fae99c915ff975fdffdeba981c55efad",
        ),
        LOUIS,
        callers=("lou_backTranslateString",),
    ),
)
