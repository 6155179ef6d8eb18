"""Ten more bugs in libraries of no other list, chosen by reading fixes; none was scanned before the list was fixed.

Libraries were written down first, in this order: iksemel, libetpan, ldns, squashfs-tools-ng, mikmod, libcsp, wolfMQTT,
unarr, nanomsg, libconfini, igraph, physfs, libxkbcommon, zcbor, then 16 that were not needed: duktape, libcpuid,
libiec61850, mdnsd, quickjs, OpenDMARC, libite, lwext4, mosquitto, coreMQTT, zydis, open-amp, cyclonedds, libnfc, re,
dtc. (The docstring of the eighth list names libetpan, squashfs-tools-ng, libcsp, unarr, libconfini, physfs and zcbor
among those that were not needed; no list has a bug of them. mikmod and libxkbcommon were struck out, since the fifth
list names them so.) Of each, ``git log`` was searched for the words that such fixes have (overflow, leak, out of
bounds, ...), and the newest fix was taken that met the conditions of bench/scan_lists/bugs_again.py:

- On 64-bit Linux the fault is of a kind that a sanitizer shows, and needs no failing allocation and no input of
  megabytes.
- A public function shows it on arguments that the library allows; a leak is of a block that the same call made.
- The function has at most 200 lines, its file at most 4,000, and no other library's headers are needed.
- It is not a program of the project, a test, or code for another system.

wolfMQTT was left out because in its default configuration the fixed functions are hidden and read what a connection
brings, and libconfini because no message of a commit names such a fix. Newer fixes were passed over where only a text,
a number, a position, a check or a stored value was wrong, and no access (iksemel, libetpan, squashfs-tools-ng, libcsp,
igraph), where the data come from a connection (libetpan), where the access is in a function of the user or in a later
call (iksemel, squashfs-tools-ng, libcsp), where the library does not allow the argument (libcsp) or only allowed a null
argument from then on (squashfs-tools-ng, libcsp, zcbor), where an allocation must fail (ldns, squashfs-tools-ng,
libcsp, nanomsg, igraph), where another library is needed (ldns, igraph), where the fault is in code for another system
or the C library of another system (ldns, libcsp, nanomsg, physfs), where the function is of a part that is not
installed (squashfs-tools-ng), where nothing failed before the fix (nanomsg), where only words were changed or tests
were added (igraph, zcbor), and where the fault is in a program or a test (ldns, squashfs-tools-ng, igraph).

The byte that iksemel writes is in the same block as the array that it leaves, so that only a check of array bounds
shows it. libcsp's first byte too far is in the next buffer of the same array. The access of ldns's bug is in functions
that the fix leaves as they are, and so is that of physfs's; that of squashfs-tools-ng is in a function of a header.
nanomsg leaks where the process may open no more files. Each fault was seen under a sanitizer before its fix, and not
after it: that of igraph under the one for uninitialised memory, and that of unarr with an archive whose filter has the
checksum of a standard one.
"""

from __future__ import annotations

from pathlib import Path

from bench.scan_lists.entries import Bug, Library, filled, mended

LDNS_VALUES = {
    **{f"ldns_build_config_have_{n}": "1" for n in ("inttypes_h", "attr_format", "attr_unused", "socklen_t")},
    **{f"ldns_build_config_have_{n}": "0" for n in ("ssl", "b32_pton", "b32_ntop")},
    **{f"ldns_build_config_use_{n}": "0" for n in ("dane", "dsa", "ed25519", "ed448")},
    "include_sys_socket_h": "#include <sys/socket.h>",
    "include_inttypes_h": "#include <inttypes.h>",
    "include_systypes_h": "#include <sys/types.h>",
    "include_unistd_h": "#include <unistd.h>",
    "PACKAGE_VERSION": "1.8.2",
    "LDNS_VERSION_MAJOR": "1",
    "LDNS_VERSION_MINOR": "8",
    "LDNS_VERSION_MICRO": "2",
}


def ldns_headers(tree: Path) -> None:
    """The headers that a configure script writes."""
    for name in ("common", "net", "util"):
        filled(f"ldns/{name}.h.in", f"ldns/{name}.h", LDNS_VALUES)(tree)


CSP = Library(
    (
        *(f"src/csp_{n}.c" for n in ("services", "buffer", "conn", "io", "port", "qfifo", "id", "iflist", "init")),
        *(f"src/csp_{n}.c" for n in ("crc32", "debug", "hex_dump", "promisc", "rdp", "rdp_queue", "route")),
        *(f"src/arch/posix/{n}.c" for n in ("csp_queue", "csp_semaphore", "csp_time", "pthread_queue")),
        "src/interfaces/csp_if_lo.c",
    ),
    ("include", "src", "@libcsp"),
    ("-D_GNU_SOURCE",),
)
ETPAN = Library(
    (
        *(f"src/low-level/mime/mailmime_{n}.c" for n in ("content", "types", "types_helper", "disposition", "decode")),
        "src/low-level/mime/mailmime.c",
        "src/low-level/imf/mailimf_types.c",
        *(f"src/data-types/{n}.c" for n in ("clist", "mmapstring", "carray", "chash")),
    ),
    ("build-spm/include", "build-spm/include/libetpan", "src/data-types", "@libetpan"),
    ("-DHAVE_CONFIG_H", "-D_GNU_SOURCE"),
)
IGRAPH = Library(
    (
        *(f"src/graph/{n}.c" for n in ("adjlist", "type_indexededgelist", "type_common", "basic_query", "caching")),
        *(f"src/core/{n}.c" for n in ("vector", "vector_list", "bitset", "error", "interruption", "memory")),
    ),
    ("include", "src", "vendor", "@igraph"),
    ("-D_GNU_SOURCE",),
)
LDNS = Library(
    (
        *(f"{n}.c" for n in ("host2wire", "buffer", "edns", "packet", "rdata", "rr", "dname", "rbtree", "str2host")),
        *(f"{n}.c" for n in ("util", "error", "parse", "host2str")),
        *(f"compat/{n}.c" for n in ("b64_pton", "b64_ntop", "strlcpy")),
    ),
    ("", "@ldns"),
    ("-D_GNU_SOURCE",),
    ldns_headers,
)
NANOMSG = Library(
    (
        *(f"src/core/{n}.c" for n in ("global", "sock", "sockbase", "ep", "pipe")),
        *(f"src/aio/{n}.c" for n in ("ctx", "fsm", "poller", "pool", "timer", "timerset", "usock", "worker")),
        *(f"src/utils/{n}.c" for n in ("alloc", "atomic", "chunk", "chunkref", "clock", "closefd", "condvar", "efd")),
        *(f"src/utils/{n}.c" for n in ("err", "list", "msg", "mutex", "once", "queue", "random", "sem", "thread")),
        *(f"src/protocols/pair/{n}.c" for n in ("pair", "xpair")),
        "src/protocols/utils/excl.c",
    ),
    ("src",),
    (
        *("-D_GNU_SOURCE", "-DNN_STATIC_LIB", "-DNN_MAX_SOCKETS=512", "-DNN_USE_EVENTFD", "-DNN_USE_EPOLL"),
        *(f"-DNN_HAVE_{n}" for n in ("LINUX", "SOCKETPAIR", "EVENTFD", "PIPE", "PIPE2", "ACCEPT4", "EPOLL", "POLL")),
        *(f"-DNN_HAVE_{n}" for n in ("CLOCK_GETTIME", "CLOCK_MONOTONIC", "UNIX_SOCKETS", "BACKTRACE", "MSG_CONTROL")),
        *(f"-DNN_HAVE_{n}" for n in ("SEMAPHORE", "GCC_ATOMIC_BUILTINS")),
    ),
)
PHYSFS = Library(
    tuple(
        f"src/physfs{n}.c"
        for n in ("", "_archiver_qpak", "_archiver_unpacked", "_byteorder", "_unicode", "_platform_posix")
    ),
    ("src",),
)
UNARR = Library(
    (
        *(f"rar/{n}.c" for n in ("filter-rar", "rarvm", "uncompress-rar", "huffman-rar", "parse-rar", "rar")),
        *(f"common/{n}.c" for n in ("unarr", "stream", "crc32", "conv")),
    ),
)

BUGS_NINTH = (
    Bug(
        "iksemel_digest",
        "iksemel 550c584",
        "iksemel 550c5847db8aca5b93af274fe27a213ffe5f286b",
        "a byte is put after the last of a buffer that is full when the data end",
        "out-of-bounds",
        "md5.c",
        ("iks_md5_hash",),
        *mended(
            "meduketto/iksemel",
            "4652af9cf119145af3a90c632f8a6db215946784",
            "550c5847db8aca5b93af274fe27a213ffe5f286b",
        ),
        Library(
            tuple(f"src/{n}.c" for n in ("md5", "iks", "ikstack")),
            ("include",),
            ("-DSTDC_HEADERS", "-DHAVE_ERRNO_H", "-DHAVE_UNISTD_H"),
        ),
    ),
    Bug(
        "etpan_boundary",
        "libetpan 3f14913",
        "libetpan 3f149132fbbab0d8529b00c02b379d61a1a2ac63",
        "two quotes are taken off a boundary that may have but one",
        "out-of-bounds",
        "mailmime_content.c",
        ("mailmime_extract_boundary",),
        *mended(
            "dinhvh/libetpan",
            "b28cf1c0e53f6027ba819638aa080da20c16de08",
            "3f149132fbbab0d8529b00c02b379d61a1a2ac63",
        ),
        ETPAN,
    ),
    Bug(
        "ldns_options",
        "ldns 4174925",
        "ldns 417492583829593c2f8bc3436fd9d096f826c27b",
        "the options of a packet are freed before the record that has them is written",
        "use-after-free",
        "host2wire.c",
        (
            "ldns_pkt2buffer_wire_compress",
            "ldns_rr2buffer_wire_compress",
            "ldns_rdf2buffer_wire",
            "ldns_rdf2buffer_wire_compress",
            "ldns_rdf_size",
        ),
        *mended(
            "NLnetLabs/ldns",
            "8504801aebd5ed66c0e5eb7ae22be208a4f838ca",
            "417492583829593c2f8bc3436fd9d096f826c27b",
        ),
        LDNS,
    ),
    Bug(
        "squashfs_reader",
        "squashfs-tools-ng a86266d",
        "squashfs-tools-ng a86266d0479316a7ab654a35828ea2abee8a9059",
        "the wrong one of two readers is destroyed again when a table is loaded once more",
        "null-dereference",
        "xattr_reader.c",
        ("sqfs_xattr_reader_load", "sqfs_destroy"),
        *mended(
            "AgentD/squashfs-tools-ng",
            "d33a935fa3c198923e06c4bc5d7922f178cb7dc6",
            "a86266d0479316a7ab654a35828ea2abee8a9059",
        ),
        Library(
            (*(f"lib/sqfs/{n}.c" for n in ("xattr_reader", "meta_reader", "xattr")), "lib/util/alloc.c"),
            ("include", "@squashfs-tools-ng"),
        ),
    ),
    Bug(
        "csp_ping",
        "libcsp 7dd9a5d",
        "libcsp 7dd9a5dbf751aeed4f5516156518bd9d184c1446",
        "a packet is filled without a look at the size of its buffer",
        "out-of-bounds",
        "csp_services.c",
        ("csp_ping",),
        *mended(
            "libcsp/libcsp",
            "48449430239729a8c26b8f8cd06de15b938fcecd",
            "7dd9a5dbf751aeed4f5516156518bd9d184c1446",
        ),
        CSP,
    ),
    Bug(
        "unarr_filter",
        "unarr d45f431",
        "unarr d45f43172be8389add3cff931213df7d00aca38d",
        "a number is taken from the length of a block that may be smaller",
        "out-of-bounds",
        "filter-rar.c",
        ("rar_execute_filter_rgb", "rar_execute_filter_e8"),
        *mended(
            "selmf/unarr",
            "ca745b72684e156c1e1b0445f36675527264746e",
            "d45f43172be8389add3cff931213df7d00aca38d",
        ),
        UNARR,
        callers=("rar_run_filters", "ar_entry_uncompress"),
    ),
    Bug(
        "nanomsg_socket",
        "nanomsg 3770804",
        "nanomsg 377080485af82099eb0500cdcec018f913ec26bb",
        "a socket is not freed where it cannot be prepared",
        "leak",
        "global.c",
        ("nn_global_create_socket", "nn_alloc_"),
        *mended(
            "nanomsg/nanomsg",
            "0c1aa2b288f6b167dbafe7e29c20e6fc7e71c000",
            "377080485af82099eb0500cdcec018f913ec26bb",
        ),
        NANOMSG,
        callers=("nn_socket",),
    ),
    Bug(
        "igraph_complement",
        "igraph 3bd4fda",
        "igraph 3bd4fda1591c06a2a55fcaa22fe2ee9ba26cb77b",
        "rounds are counted from a number that was never set",
        "uninitialised",
        "adjlist.c",
        ("igraph_adjlist_init_complementer", "igraph_inclist_init"),
        *mended(
            "igraph/igraph",
            "f89f8be924ac31c3711f6e66ef1d65dd765d6b1e",
            "3bd4fda1591c06a2a55fcaa22fe2ee9ba26cb77b",
        ),
        IGRAPH,
    ),
    Bug(
        "physfs_name",
        "physfs #79",
        "physfs de4c0c7309441d67fcf184207188463579d27be7",
        "a name that fills its field is read as if it ended with a zero",
        "out-of-bounds",
        "physfs_archiver_qpak.c",
        (
            "qpakLoadEntries",
            "UNPK_addEntry",
            "__PHYSFS_DirTreeAdd",
            "__PHYSFS_DirTreeFind",
            "hashPathName",
            "__PHYSFS_hashString",
        ),
        *mended(
            "icculus/physfs",
            "07c886ba5a0e4fefa93275c5af7560451fa09061",
            "de4c0c7309441d67fcf184207188463579d27be7",
        ),
        PHYSFS,
        callers=("PHYSFS_mountMemory", "PHYSFS_mount"),
    ),
    Bug(
        "zcbor_half",
        "zcbor 95e020e",
        "zcbor 95e020e89d2553358cc0a5542ea69ec040e8ff50",
        "a number with a sign is shifted into the bit of its sign",
        "shift",
        "zcbor_common.c",
        ("zcbor_float32_to_16",),
        *mended(
            "NordicSemiconductor/zcbor",
            "f24f51a380a32f69c8e358a944ac076b3f678006",
            "95e020e89d2553358cc0a5542ea69ec040e8ff50",
        ),
        Library(("src/zcbor_common.c",), ("include",)),
    ),
)
