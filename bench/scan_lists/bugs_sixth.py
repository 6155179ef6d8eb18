"""Ten more bugs in libraries of no other list, chosen by reading fixes; none was scanned before the list was fixed.

Libraries that had been fetched but were in no list were written down first, and five more later. Of each, ``git log``
was searched for the words that such fixes have (overflow, leak, out of bounds, ...). Those whose newest fixes looked as
if they might do were then tried in this order: wildmidi, libical, lexbor, libmobi, libfyaml, librsync, libxmp,
gpmf-parser, flatcc, hoedown, Little-CMS, c-algorithms, PDFGen. So the order was made after the subjects of the fixes
had been read, unlike that of the lists before. Others were not needed, json-maker, bzip3 and qlibc among them. The
newest fix was taken that met the conditions of bench/scan_lists/bugs_again.py:

- On 64-bit Linux the fault is of a kind that unfork knows, and needs no failing allocation and no input of megabytes.
- A public function shows it on arguments that the library allows; a leak is of a block that the same call made.
- The function has at most 200 lines, its file at most 4,000, and no other library's headers are needed.
- It is not a program of the project, a test, or code for another system.

wildmidi, libical and lexbor were left out: those fixes of wildmidi that met the other conditions are in functions that
are too long, scripts write headers that libical includes everywhere, and the snapshot of lexbor was not whole (that of
gpmf-parser lacks a sample film alone). Newer fixes were passed over where the function or its file is too long
(libfyaml, gpmf-parser, Little-CMS, PDFGen), where input of megabytes is needed (libfyaml, PDFGen), where only tests and
tools call the function (libfyaml), where the fault shows in a later call than the faulty one or the leaked block is
older than the call (libfyaml, libxmp, gpmf-parser), where an argument was only allowed from then on (libfyaml), where
``memcpy`` copies nothing (flatcc), where the code is a program of the project (gpmf-parser), and where only a pointer,
a sum or a limit was wrong, and no access that a sanitizer sees (libmobi, flatcc, hoedown, PDFGen). The accesses of
librsync's bug are in functions that the fix leaves as they are. Each fault was seen under a sanitizer before its fix,
and not after it; that of libmobi with an index set by hand, of which its authors say that a file can have it, and that
of librsync with a ``calloc`` whose empty blocks have no byte that may be read.
"""

from __future__ import annotations

from bench.scan_lists.entries import Bug, Library, mended

FYAML = Library(
    (
        *(f"src/lib/fy-{n}.c" for n in ("emit", "token", "atom", "doc", "docstate", "input", "diag")),
        *(f"src/util/fy-{n}.c" for n in ("utf8", "utils")),
    ),
    ("include", *(f"src/{n}" for n in ("util", "lib", "xxhash", "thread", "allocator", "blake3")), "@plain"),
    ("-D_GNU_SOURCE",),
)
HOEDOWN = Library(
    tuple(f"src/{n}.c" for n in ("document", "html", "buffer", "stack", "escape", "autolink", "html_blocks")),
    ("src",),
)
LCMS = Library(
    tuple(
        f"src/cms{n}.c"
        for n in ("cgats", "err", "plugin", "lut", "gamma", "intrp", "mtrx", "named", "io0", "half", "wtpnt", "pcs")
    ),
    ("include", "src"),
)
MOBI = Library(
    tuple(f"src/{n}.c" for n in ("index", "buffer", "memory", "structure")),
    ("src",),
    ("-DUSE_MINIZ", "-DHAVE_STRDUP"),
)
RSYNC = Library(
    tuple(f"src/{n}.c" for n in ("sumset", "hashtable", "util", "trace", "checksum", "mdfour", "rollsum", "rabinkarp")),
    ("src", "src/blake2", "@plain"),
)
XMP = Library(
    tuple(f"src/{n}.c" for n in ("smix", "loaders/sample", "hio", "dataio", "memio", "control")),
    ("include", "src"),
)

BUGS_SIXTH = (
    Bug(
        "mobi_strings",
        "libmobi 1e49245",
        "libmobi 1e4924565689f893a1d3517cc78781a9499c4397",
        "the strings of an index are read where the file has no record of them",
        "null-dereference",
        "index.c",
        ("mobi_trie_insert_infl", "mobi_get_cncx_string_flat"),
        *mended(
            "bfabiszewski/libmobi",
            "eb4a262578de12ec20feb7c2543d91a38eeda556",
            "1e4924565689f893a1d3517cc78781a9499c4397",
        ),
        MOBI,
    ),
    Bug(
        "fyaml_buffer",
        "libfyaml #241",
        "libfyaml 5e792f1412b8dd5e367c37ec343f9dd77630b4ce",
        "the last of all bytes that are needed is read where the buffer has fewer",
        "out-of-bounds",
        "fy-emit.c",
        ("fy_emitter_collect_str_internal",),
        *mended(
            "pantoniou/libfyaml",
            "4596f923ff7b8071077fe339350e8a30be241056",
            "5e792f1412b8dd5e367c37ec343f9dd77630b4ce",
        ),
        FYAML,
        callers=("fy_emit_document_to_buffer",),
    ),
    Bug(
        "rsync_filter",
        "librsync d89f2cd",
        "librsync d89f2cd4714f717e6cc5468c6066e18f22b5fea6",
        "the filter of a table with fewer than eight places has no bytes",
        "out-of-bounds",
        "hashtable.c",
        ("_hashtable_new", "hashtable_getbloom", "hashtable_setbloom"),
        *mended(
            "librsync/librsync",
            "d1938c387e86ab5bbf7cb2e84244229c5bbd5ebf",
            "d89f2cd4714f717e6cc5468c6066e18f22b5fea6",
        ),
        RSYNC,
        callers=("rs_build_hash_table",),
    ),
    Bug(
        "xmp_number",
        "libxmp #1012",
        "libxmp 0372638d3b818c84ad25f6821904107af9454eb3",
        "the number of a sample may be negative",
        "out-of-bounds",
        "smix.c",
        ("xmp_smix_release_sample", "xmp_smix_load_sample", "xmp_smix_channel_pan", "libxmp_free_sample"),
        *mended(
            "libxmp/libxmp",
            "f67934b12e4c90c816a9f962a79875a828adf10d",
            "0372638d3b818c84ad25f6821904107af9454eb3",
        ),
        XMP,
    ),
    Bug(
        "gpmf_key",
        "gpmf-parser ff5aea3",
        "gpmf-parser ff5aea34646d7dbb891a89f4ac46ae249a0aa12e",
        "a key is read behind a buffer that ends with a device",
        "out-of-bounds",
        "GPMF_parser.c",
        ("GPMF_Init",),
        *mended(
            "gopro/gpmf-parser",
            "29ffaa3b42324ff040936fc343dc503f32357cca",
            "ff5aea34646d7dbb891a89f4ac46ae249a0aa12e",
        ),
        Library(("GPMF_parser.c",)),
    ),
    Bug(
        "flatcc_string",
        "flatcc #221",
        "flatcc 38febbc9fe6a67c50788a759bf7b9909bb38c567",
        "the length of a text wraps when its zero is added to it",
        "out-of-bounds",
        "verifier.c",
        ("verify_string",),
        *mended(
            "dvidelabs/flatcc",
            "bca3b5fcd77c3e990fef75fae615b8f62f66af0e",
            "38febbc9fe6a67c50788a759bf7b9909bb38c567",
        ),
        Library(("src/runtime/verifier.c",), ("include",), ("-DNDEBUG",)),
        callers=("flatcc_verify_string_field", "flatcc_verify_string_vector_field"),
    ),
    Bug(
        "hoedown_tabs",
        "hoedown d2dde18",
        "hoedown d2dde183ee5dff682616eacd0b976cef221e7221",
        "the character after the one that was looked at is counted, also behind the last",
        "out-of-bounds",
        "document.c",
        ("expand_tabs",),
        *mended(
            "hoedown/hoedown",
            "737304d2aa24a7a225aaf14b2e23065be8adc449",
            "d2dde183ee5dff682616eacd0b976cef221e7221",
        ),
        HOEDOWN,
        callers=("hoedown_document_render",),
    ),
    Bug(
        "lcms_cube",
        "Little-CMS a5b898c",
        "Little-CMS a5b898c7e3985550aab846a2abb4ae08904a857f",
        "the curves of a file are not freed where its table cannot be read",
        "leak",
        "cmscgats.c",
        ("cmsCreateDeviceLinkFromCubeFileTHR", "ParseCube", "_cmsMallocDefaultFn"),
        *mended(
            "mm2/Little-CMS",
            "a8183f542072ad4e941116ed921dc6e411077049",
            "a5b898c7e3985550aab846a2abb4ae08904a857f",
        ),
        LCMS,
    ),
    Bug(
        "trie_nodes",
        "c-algorithms 57a7f68",
        "c-algorithms 57a7f68bb21d6c119bd7ef63646abdbbdd153ff5",
        "the next node of the list of those to be freed is taken for a child, and freed twice",
        "use-after-free",
        "trie.c",
        ("trie_free", "trie_free_list_pop", "trie_free_list_push"),
        *mended(
            "fragglet/c-algorithms",
            "2719c47b57428ed8b8f5911f6bf47bb2ef971600",
            "57a7f68bb21d6c119bd7ef63646abdbbdd153ff5",
        ),
        Library(("src/trie.c",), ("src",)),
    ),
    Bug(
        "pdfgen_jpeg",
        "PDFGen 8f9b320",
        "PDFGen 8f9b3202f67feb386c9974520d9bcc4531350fff",
        "the size of a picture is read where the file ends with the mark of it",
        "out-of-bounds",
        "pdfgen.c",
        ("jpeg_size",),
        *mended(
            "AndreRenaud/PDFGen",
            "ee58aff6918b8bbc3be29b9e3089485ea46ff956",
            "8f9b3202f67feb386c9974520d9bcc4531350fff",
        ),
        Library(("pdfgen.c",)),
        callers=("pdf_add_jpeg",),
    ),
)
