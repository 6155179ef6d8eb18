"""Ten more bugs in libraries of no other list, chosen by reading fixes; none was scanned before the list was fixed.

Libraries were written down first, in this order: libubox, rcheevos, lhasa, libhtp, ls-qpack, nestegg, libcaption,
libsmb2, imath, sregex, libparsebgp, rtrlib, then 22 that were not needed: libetpan, squashfs-tools-ng, libcsp, unarr,
chunkio, libconfini, flac, physfs, zcbor, libcpuid, libjuice, mdnsd, OpenDMARC, lwext4, coreMQTT, libsndfile, open-amp,
libnfc, wasm3, tre, dtc, argtable3. (The docstrings of earlier lists name libsmb2, wasm3 and argtable3 among those that
were not needed; no list has a bug of them.) Of each, ``git log`` was searched for the words that such fixes have
(overflow, leak, out of bounds, ...), and the newest fix was taken that met the conditions of
bench/scan_lists/bugs_again.py:

- On 64-bit Linux the fault is of a kind that unfork knows, and needs no failing allocation and no input of megabytes.
- A public function shows it on arguments that the library allows; a leak is of a block that the same call made.
- The function has at most 200 lines, its file at most 4,000, and no other library's headers are needed.
- It is not a program of the project, a test, or code for another system.

libhtp was left out because its headers need zlib's, and ls-qpack because its file is too long. Newer fixes were passed
over where the file or the function is too long (rcheevos), where megabytes are needed or a list of variable arguments
is read twice (libubox), where a null argument was only allowed from then on (libubox, imath, rtrlib), where only a
result, a position or a stored value was wrong, an assertion failed, or an address was not aligned, and no access was
wrong (libubox, lhasa, nestegg, sregex, libparsebgp), where an allocation must fail (nestegg, rtrlib), where the data
come from a connection and no public function takes them (libsmb2, rtrlib), where the fault cannot be reached (imath,
libparsebgp), where another configuration, another library or a second thread is needed (sregex, rtrlib), where the
leaked block is older than the call (rtrlib), where the access is in a function of the user (rtrlib), where nothing
failed before the fix (rtrlib), and where the fault is in a program (lhasa, rtrlib).

The function of lhasa's bug is in a file that others include, which is read here with the header that it needs. That of
rcheevos is declared in a header beside the sources, and that of libparsebgp gets its null pointer from the library
itself, when a message is cleared of which only the head could be read. A file of libcaption that is generated is
absent; the bug does not need it. Each fault was seen under a sanitizer before its fix, and not after it: those of imath
and rtrlib under the one for uninitialised memory.
"""

from __future__ import annotations

from bench.scan_lists.entries import Bug, Library, mended

CAPTION = Library(
    tuple(f"src/{n}.c" for n in ("mpeg", "caption", "cea708", "eia608", "eia608_charmap", "utf8", "xds")),
    ("caption",),
)
CHEEVOS = Library(
    (
        *(f"src/rcheevos/{n}.c" for n in ("rc_validate", "trigger", "condset", "condition", "memref", "operand")),
        *(f"src/rcheevos/{n}.c" for n in ("alloc", "value", "consoleinfo")),
        *(f"src/{n}.c" for n in ("rc_compat", "rc_util")),
    ),
    ("include", "src", "src/rcheevos"),
)
LHASA = Library(
    (
        *(f"lib/{n}.c" for n in ("bit_stream_reader", "lha_decoder", "crc16", "lh1_decoder", "lh5_decoder")),
        *(f"lib/{n}_decoder.c" for n in ("lh6", "lh7", "lhx", "lk7", "lz5", "lzs", "null", "pm1", "pm2")),
    ),
    ("lib", "lib/public"),
    ("-include", "string.h", "-include", "lha_decoder.h"),
)
PARSEBGP = Library(
    (
        *(f"lib/parsebgp{n}.c" for n in ("", "_error", "_opts", "_utils")),
        *(f"lib/bgp/parsebgp_bgp{n}.c" for n in ("", "_common", "_notification", "_open", "_opts", "_route_refresh")),
        *(f"lib/bgp/parsebgp_bgp_update{n}.c" for n in ("", "_ext_communities", "_mp_reach")),
        *(f"lib/bmp/parsebgp_bmp{n}.c" for n in ("", "_opts")),
        "lib/mrt/parsebgp_mrt.c",
    ),
    ("lib", "lib/bgp", "lib/bmp", "lib/mrt", "@plain"),
)
RTR = Library(
    (
        "rtrlib/rtr_mgr.c",
        "rtrlib/rtr/rtr.c",
        "rtrlib/pfx/trie/trie-pfx.c",
        "rtrlib/pfx/trie/trie.c",
        "rtrlib/spki/hashtable/ht-spkitable.c",
        "rtrlib/spki/hashtable/tommyds-1.8/tommy.c",
        *(f"rtrlib/lib/{n}.c" for n in ("ip", "log", "utils")),
        "rtrlib/transport/transport.c",
    ),
)
SREGEX = Library(
    (
        *(f"src/sre_{n}.c" for n in ("vm_thompson", "vm_bytecode", "palloc")),
        *(f"src/sre_regex{n}.c" for n in ("", "_compiler", "_parser")),
    ),
    ("src",),
)

BUGS_EIGHTH = (
    Bug(
        "ubox_check",
        "libubox 66195ae",
        "libubox 66195aee50424cbda0c2d858014e4cc58a2dc029",
        "the length that an attribute states is not compared with that of the buffer",
        "out-of-bounds",
        "blobmsg.c",
        ("blobmsg_check_name", "blobmsg_check_attr_len", "blobmsg_check_array_len"),
        *mended(
            "openwrt/libubox",
            "639c29d19717616b809d9a1e9042461ab8024370",
            "66195aee50424cbda0c2d858014e4cc58a2dc029",
        ),
        Library(("blobmsg.c", "blob.c")),
    ),
    Bug(
        "rcheevos_core",
        "rcheevos 20a08c3",
        "rcheevos 20a08c3edca3a942fd8a3d7853ec7b0897c9822a",
        "the conditions of a trigger are counted though it may have none but alternative ones",
        "null-dereference",
        "rc_validate.c",
        ("rc_validate_trigger_internal",),
        *mended(
            "RetroAchievements/rcheevos",
            "2ca3c541b4291a7e62bf1a7d0e562f448d7d9529",
            "20a08c3edca3a942fd8a3d7853ec7b0897c9822a",
        ),
        CHEEVOS,
        callers=("rc_validate_trigger", "rc_validate_trigger_for_console"),
    ),
    Bug(
        "lhasa_bits",
        "lhasa #49",
        "lhasa 3cc5cca77ba691cd4ba7905e4e938cafc773a106",
        "bytes that were not read are shifted by more bits than a number has",
        "shift",
        "bit_stream_reader.c",
        ("peek_bits",),
        *mended(
            "fragglet/lhasa",
            "f5dc29e51b66ec7fae899e6ca8a3b85749e03ce5",
            "3cc5cca77ba691cd4ba7905e4e938cafc773a106",
        ),
        LHASA,
        callers=("lha_decoder_read",),
    ),
    Bug(
        "nestegg_block",
        "nestegg f673541",
        "nestegg f673541c58bb49d6d7132cfea6c332795b45b05a",
        "a block is not freed where the same group has another",
        "leak",
        "nestegg.c",
        ("nestegg_read_packet", "ne_read_block", "ne_alloc"),
        *mended(
            "kinetiknz/nestegg",
            "d9f98bedd12a4f7be1e2a441c314e32a90248d6a",
            "f673541c58bb49d6d7132cfea6c332795b45b05a",
        ),
        Library(("src/nestegg.c",), ("include",)),
    ),
    Bug(
        "caption_sei",
        "libcaption #38",
        "libcaption abf17db5a6100d48d754ba571f212d432734fa91",
        "the messages of a packet are not freed when they have been read",
        "leak",
        "mpeg.c",
        ("mpeg_bitstream_parse", "sei_parse", "sei_message_new"),
        *mended(
            "szatmary/libcaption",
            "4849d6b7104972e93d2dd14ebb1d2461c375bd68",
            "abf17db5a6100d48d754ba571f212d432734fa91",
        ),
        CAPTION,
    ),
    Bug(
        "smb2_text",
        "libsmb2 750fdb1",
        "libsmb2 750fdb1293d1081caf6f1d8c21d74a938baded29",
        "a converted text is not freed where the buffer has no room for it",
        "leak",
        "dcerpc.c",
        ("ndr_encode_utf16", "_ndr_utf16z_coder", "smb2_utf8_to_utf16"),
        *mended(
            "sahlberg/libsmb2",
            "f628260e7c83a23e35276efdfcd8621c14b6a5b1",
            "750fdb1293d1081caf6f1d8c21d74a938baded29",
        ),
        Library(
            tuple(f"lib/{n}.c" for n in ("dcerpc", "unicode", "alloc")),
            ("include", "include/smb2", "lib", "@libsmb2"),
            ("-DHAVE_CONFIG_H", "-D_GNU_SOURCE", "-D_U_="),
        ),
        callers=("dcerpc_do_coder", "dcerpc_utf16z_coder", "dcerpc_utf16_coder"),
    ),
    Bug(
        "imath_digits",
        "imath #34",
        "imath 28617f2acb055c417ea2ea47c3d854170c683191",
        "two digits are read though a number below zero may have one",
        "uninitialised",
        "gmp_compat.c",
        ("get_long_bits",),
        *mended(
            "creachadair/imath",
            "8a181cd1cdd1aa389aebb752156e9b0a120d2ce6",
            "28617f2acb055c417ea2ea47c3d854170c683191",
        ),
        Library(("gmp_compat.c", "imath.c", "imrat.c")),
        callers=("impz_get_ui", "impz_get_si"),
    ),
    Bug(
        "sregex_boundary",
        "sregex 9ff64fd",
        "sregex 9ff64fd98221123156e4e281e4cfa7f19b9df51c",
        "the character before the first is looked up where the text comes in pieces",
        "out-of-bounds",
        "sre_vm_thompson.c",
        ("sre_vm_thompson_add_thread",),
        *mended(
            "openresty/sregex",
            "4f3fc439c9234064f578dc33ebc0be29e7b6ce68",
            "9ff64fd98221123156e4e281e4cfa7f19b9df51c",
        ),
        SREGEX,
        callers=("sre_vm_thompson_exec",),
    ),
    Bug(
        "parsebgp_open",
        "libparsebgp cab95b8",
        "libparsebgp cab95b805842809dd6ab0064fd49640863201045",
        "a message is cleared whose body was never read",
        "null-dereference",
        "parsebgp_bgp_open.c",
        ("parsebgp_bgp_open_clear",),
        *mended(
            "CAIDA/libparsebgp",
            "1f6cfd9ec45e595bbdccaa4b9bfe302ba8a769c4",
            "cab95b805842809dd6ab0064fd49640863201045",
        ),
        PARSEBGP,
        callers=("parsebgp_bgp_clear_msg", "parsebgp_clear_msg"),
    ),
    Bug(
        "rtr_groups",
        "rtrlib e06bed8",
        "rtrlib e06bed806a81a4307f58a9057a67d3a55f628a86",
        "a list that was not made is freed where no group is given",
        "uninitialised",
        "rtr_mgr.c",
        ("rtr_mgr_init",),
        *mended(
            "rtrlib/rtrlib",
            "7c6ba5ccf8791a954d31a094bddc9858c381df84",
            "e06bed806a81a4307f58a9057a67d3a55f628a86",
        ),
        RTR,
    ),
)
