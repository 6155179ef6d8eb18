"""Ten more bugs in libraries of no other list, chosen by reading fixes; none was scanned before the list was fixed.

Libraries were written down first, in this order: orcania, apr, paho.mqtt.embedded-c, libmseed, libseccomp, kmod, lzfse,
liquid-dsp, Chipmunk2D, pocketsphinx, pocketlang, HdrHistogram_c, libdatrie, then 28 that were not needed: libthai,
libsbp, coreJSON, coreSNTP, spiffs, libwally-core, apriltag, tg, mruby, wren, speex, theora, distorm, htslib, sproto,
pbc, libfastjson, liblognorm, wimlib, libbacktrace, libosmocore, libdnet, bddisasm, libmdbx, libpcap, CANopenNode,
trezor-crypto, upb. (Names that this repository has were struck out before.) Of each, ``git log`` was searched for the
words that such fixes have (overflow, leak, out of bounds, ...), and the newest fix was taken that met the conditions of
bench/scan_lists/bugs_again.py:

- On 64-bit Linux the fault is of a kind that a sanitizer shows, and needs no failing allocation and no input of
  megabytes.
- A public function shows it on arguments that the library allows; a leak is of a block that the same call made.
- The function has at most 200 lines, its file at most 4,000, and no other library's headers are needed.
- It is not a program of the project, a test, or code for another system.

libseccomp was left out because its history could not be had, orcania and pocketlang because no fix met the other
conditions. The snapshot of pocketsphinx lacks one file, a model that its library does not need. Newer fixes were passed
over where only a text, a number, a check or a limit was wrong, and no access (orcania, apr, kmod, liquid-dsp,
Chipmunk2D, HdrHistogram_c, libdatrie), where the fault shows in a later call or the block is older than the call
(orcania, liquid-dsp, pocketsphinx), where nothing failed before the fix (orcania) or it still failed after (apr), where
a null argument was only allowed from then on (orcania), where the library does not allow the argument (pocketlang),
where an allocation must fail (apr, kmod, libdatrie), where the function is too long (pocketlang), where another
configuration (apr) or another library is needed (apr, HdrHistogram_c), where an address was not aligned (lzfse) or null
was given for 0 bytes (apr), where macros paste the function's name or no public function calls it (liquid-dsp), where
only an array that the library never makes shows it (apr), where a program or a test is at fault (libmseed, kmod,
liquid-dsp, Chipmunk2D), and where the code is for another system or in another language (apr, Chipmunk2D). lzfse has a
newer fix whose message has none of the words: its whole text is "Fix #28".

The access of Chipmunk2D's bug is in functions that the fix leaves as they are, and so are those of the bugs of
paho.mqtt.embedded-c and HdrHistogram_c. In libmseed's bug the lengths that a record states add up to a small number
modulo 2**32, in that of lzfse a text of a few hundred kilobytes ends with copies only, in that of liquid-dsp all wanted
values are 0, and in that of HdrHistogram_c a count is beyond 2**53. Each fault was seen under a sanitizer before its
fix, and not after it; after that of lzfse, the check of shifts still reports another function on the same input.
"""

from __future__ import annotations

import re
from pathlib import Path

from bench.scan_lists.entries import Bug, Library, mended

APR_ONES = (
    *("arpa_ineth", "ctypeh", "direnth", "errnoh", "fcntlh", "limitsh", "netdbh", "netinet_inh", "netinet_tcph"),
    *("pthreadh", "semaphoreh", "signalh", "stdargh", "stddefh", "stdint", "stdioh", "stdlibh", "stringh", "stringsh"),
    *("sys_ioctlh", "sys_sendfileh", "sys_signalh", "sys_socketh", "sys_timeh", "sys_typesh", "sys_uioh", "sys_unh"),
    *("sys_waith", "timeh", "unistdh", "sharedmem", "threads", "sendfile", "mmap", "fork", "rand", "aprdso"),
    *("have_in_addr", "have_ipv6", "have_sockaddr_un", "have_sa_storage", "have_iovec", "struct_rlimit"),
    *("have_memmove", "have_memchr", "have_sigaction", "have_strcasecmp", "have_strncasecmp", "have_strdup"),
    "have_strstr",
)
APR_VALUES = {
    **dict.fromkeys(APR_ONES, "1"),
    "short_value": "short",
    "int_value": "int",
    "long_value": "long",
    "size_t_value": "size_t",
    "ssize_t_value": "ssize_t",
    "off_t_value": "off_t",
    "ino_t_value": "ino_t",
    "socklen_t_value": "socklen_t",
    "voidp_size": "8",
    "int64_literal": "#define APR_INT64_C(val) INT64_C(val)",
    "uint64_literal": "#define APR_UINT64_C(val) UINT64_C(val)",
    "int64_t_fmt": '#define APR_INT64_T_FMT "ld"',
    "uint64_t_fmt": '#define APR_UINT64_T_FMT "lu"',
    "uint64_t_hex_fmt": '#define APR_UINT64_T_HEX_FMT "lx"',
    "size_t_fmt": '#define APR_SIZE_T_FMT "lu"',
    "ssize_t_fmt": '#define APR_SSIZE_T_FMT "ld"',
    "off_t_fmt": '#define APR_OFF_T_FMT "ld"',
    "pid_t_fmt": '#define APR_PID_T_FMT "d"',
    "apr_thread_func": "",
    "eolstr": "\\n",
    "shlibpath_var": "LD_LIBRARY_PATH",
}


def apr_header(tree: Path) -> None:
    """The header that a configure script writes: 0 for what has no value above."""
    if not (tree / "include/apr.h").exists():
        text = (tree / "include/apr.h.in").read_text()
        (tree / "include/apr.h").write_text(re.sub(r"@(\w+)@", lambda name: APR_VALUES.get(name[1], "0"), text))


APR = Library(
    ("time/unix/time.c", "time/unix/timestr.c", "strings/apr_cpystrn.c"),
    ("include", "include/arch/unix", "@apr"),
    ("-D_GNU_SOURCE",),
    apr_header,
)
CHIPMUNK = Library(
    tuple(
        f"src/{n}.c"
        for n in ("cpPolyShape", "chipmunk", "cpShape", "cpBody", "cpVect", "cpBB", "cpArbiter", "cpArray", "cpSpace")
    ),
    ("include", "include/chipmunk"),
)
DATRIE = Library(
    tuple(f"datrie/{n}.c" for n in ("alpha-map", "fileutils", "trie-string", "dstring", "darray", "tail", "trie")),
)
HDR = Library(("src/hdr_histogram.c",), ("include", "src"))
KMOD = Library(
    (
        *(f"libkmod/libkmod{n}.c" for n in ("", "-builtin", "-config", "-elf", "-file", "-index", "-list", "-module")),
        "libkmod/libkmod-signature.c",
        *(f"shared/{n}.c" for n in ("array", "hash", "strbuf", "tmpfile-util", "util")),
    ),
    ("", "@kmod"),
    ("-include", "config.h"),
)
LIQUID = Library(
    ("src/filter/src/firdespm.c", "src/math/src/poly.c", "src/utility/src/memory.c", "src/core/src/error.c"),
    ("include", "@liquid-dsp"),
)
LZFSE = Library(
    (
        *(f"src/lzfse_{n}.c" for n in ("encode", "encode_base", "fse", "decode", "decode_base")),
        *(f"src/lzvn_{n}_base.c" for n in ("encode", "decode")),
    ),
    ("src",),
)
MSEED = Library(
    (
        *(f"{n}.c" for n in ("unpack", "parseutils", "unpackdata", "msrutils", "genutils", "gmtime64", "logging")),
        *("lookup.c", "crc32c.c"),
    ),
)
PAHO = Library(
    tuple(
        f"MQTTPacket/src/MQTT{n}.c"
        for n in ("SubscribeServer", "Packet", "ConnectServer", "DeserializePublish", "SubscribeClient", "Format")
    ),
    ("MQTTPacket/src",),
)
SPHINX = Library(
    (
        *(f"src/lm/{n}.c" for n in ("ngram_model_trie", "ngram_model", "ngram_model_set", "lm_trie", "lm_trie_quant")),
        *(f"src/lm/{n}.c" for n in ("ngrams_raw", "bitarr")),
        *(f"src/util/{n}.c" for n in ("pio", "strfuncs", "ckd_alloc", "hash_table", "glist", "listelem_alloc", "err")),
        *(f"src/util/{n}.c" for n in ("logmath", "bio", "mmio", "priority_queue", "case", "dtoa", "filename")),
        *("src/util/cmd_ln.c", "src/ps_config.c"),
    ),
    ("include", "src", "@pocketsphinx"),
    ("-DHAVE_CONFIG_H", "-DPS_USE_THREAD_LOCAL_RNG"),
)

BUGS_TENTH = (
    Bug(
        "apr_month",
        "CVE-2017-12613",
        "apr b14e8d34a3f49bc317e18849f2a85858cd038ef6",
        "the days before a month are looked up without a look at its number",
        "out-of-bounds",
        "time.c",
        ("apr_time_exp_get",),
        *mended(
            "apache/apr",
            "554f3a7f0f681ace62df115155a4dd73555e5981",
            "b14e8d34a3f49bc317e18849f2a85858cd038ef6",
        ),
        APR,
    ),
    Bug(
        "paho_topics",
        "paho.mqtt.embedded-c #242",
        "paho.mqtt.embedded-c dc8d8371cfdc64793e7828450ec874782b334cfd",
        "the topics of a packet are stored without a look at how many have room",
        "out-of-bounds",
        "MQTTSubscribeServer.c",
        ("MQTTDeserialize_subscribe", "readMQTTLenString"),
        *mended(
            "eclipse/paho.mqtt.embedded-c",
            "29ab2aa29c5e47794284376d7f8386cfd54c3eed",
            "dc8d8371cfdc64793e7828450ec874782b334cfd",
        ),
        PAHO,
    ),
    Bug(
        "mseed_lengths",
        "libmseed a858af3",
        "libmseed a858af3d63e3164859f86b228f631fb22574b232",
        "the texts of a header are copied though their lengths may be beyond the record",
        "out-of-bounds",
        "unpack.c",
        ("msr3_unpack_mseed3",),
        *mended(
            "EarthScope/libmseed",
            "633fc50198a08a1c240b9b1c6a46aa05aa5c5d8e",
            "a858af3d63e3164859f86b228f631fb22574b232",
        ),
        MSEED,
        callers=("msr3_parse",),
    ),
    Bug(
        "kmod_alias",
        "kmod #431",
        "kmod d236920b20fd70a139f8af2ff6f5c18d830be491",
        "what is between brackets is copied without a look at the end of the buffer",
        "out-of-bounds",
        "util.c",
        ("alias_normalize",),
        *mended(
            "kmod-project/kmod",
            "2ef7ade1d11d1203dc0f8767f2cdc578c39ed759",
            "d236920b20fd70a139f8af2ff6f5c18d830be491",
        ),
        KMOD,
        callers=("kmod_module_new_from_lookup",),
    ),
    Bug(
        "lzfse_frequencies",
        "lzfse a263229",
        "lzfse a263229e677503f7395d5d9056a37d03f819ebfc",
        "a number is divided by how many symbols there were, which may be none",
        "div-by-zero",
        "lzfse_fse.c",
        ("fse_normalize_freq",),
        *mended(
            "lzfse/lzfse",
            "585f6eed1eb0cc1fc37694409cebdc522c3034c0",
            "a263229e677503f7395d5d9056a37d03f819ebfc",
        ),
        LZFSE,
        callers=("lzfse_encode_buffer",),
    ),
    Bug(
        "liquid_extrema",
        "liquid-dsp 519d6a2",
        "liquid-dsp 519d6a286479a86a39589c5037828de4cb10347d",
        "the element after the last of an array is moved when one is taken out",
        "out-of-bounds",
        "firdespm.c",
        ("firdespm_iext_search",),
        *mended(
            "jgaeddert/liquid-dsp",
            "bcaacd6c8e4c513c457d0273f35febdc642f6663",
            "519d6a286479a86a39589c5037828de4cb10347d",
        ),
        LIQUID,
        callers=("firdespm_execute", "firdespm_run"),
    ),
    Bug(
        "chipmunk_radius",
        "Chipmunk2D d354ee6",
        "Chipmunk2D d354ee61d6571dfe84c4907b67fabbcb21eaa4c1",
        "the corners of a shape are freed before its mass is computed from them",
        "use-after-free",
        "cpPolyShape.c",
        ("cpPolyShapeSetRadius", "cpPolyShapeMassInfo", "cpCentroidForPoly"),
        *mended(
            "slembcke/Chipmunk2D",
            "6a922e078b5df4d5f588f1f8e346d1f970d62082",
            "d354ee61d6571dfe84c4907b67fabbcb21eaa4c1",
        ),
        CHIPMUNK,
    ),
    Bug(
        "sphinx_counts",
        "pocketsphinx 7c69981",
        "pocketsphinx 7c69981eaa2cbda34a66fcd977ef6b5af270e0d8",
        "the counts of a file are stored without a look at how many have room",
        "out-of-bounds",
        "ngram_model_trie.c",
        ("read_counts_arpa",),
        *mended(
            "cmusphinx/pocketsphinx",
            "5436249ffb63e18a28d6db41a45571d8983e7d36",
            "7c69981eaa2cbda34a66fcd977ef6b5af270e0d8",
        ),
        SPHINX,
        callers=("ngram_model_trie_read_arpa", "ngram_model_read"),
    ),
    Bug(
        "hdr_percentile",
        "HdrHistogram_c 07709e7",
        "HdrHistogram_c 07709e7a2a4c120c772e9ab4842b86e60fa8dd9e",
        "counts are added up to a number that was rounded and may be more than all of them",
        "out-of-bounds",
        "hdr_histogram.c",
        ("get_value_from_idx_up_to_count", "get_count_at_index_given_bucket_base_idx"),
        *mended(
            "HdrHistogram/HdrHistogram_c",
            "5bd23c7f67970fa509670130a118ec640811d53f",
            "07709e7a2a4c120c772e9ab4842b86e60fa8dd9e",
        ),
        HDR,
        callers=("hdr_value_at_percentile",),
    ),
    Bug(
        "datrie_alphabet",
        "libdatrie #6",
        "libdatrie 3646819ad620effe2695f5e449580f70dc329651",
        "the letters of an alphabet are counted in a byte, which is too small for 256",
        "out-of-bounds",
        "alpha-map.c",
        ("alpha_map_recalc_work_area",),
        *mended(
            "tlwg/libdatrie",
            "d1dfdb831093892541cae46eba82c46aec94f726",
            "3646819ad620effe2695f5e449580f70dc329651",
        ),
        DATRIE,
        callers=("alpha_map_add_range",),
    ),
)
