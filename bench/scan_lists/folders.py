"""Small libraries whose whole folders are scanned, as a maintainer does it."""

from __future__ import annotations

from bench.scan_lists.entries import of_github

SEEN = (
    of_github("rxi/microtar", "27076e1b9290e9c7842bb7890a54fcf172406c84"),
    of_github("h2o/picohttpparser", "f8326098f63eefabfa2b6ec595d90e9ed5ed958a"),
    of_github("ndevilla/iniparser", "4bef811283e0ec1658c60e09950bd5a1ddc92e4b"),
    of_github("antirez/linenoise", "e26268de5e56bfaad773786471844578fe9f7f4b"),
    of_github("atomicobject/heatshrink", "7d419e1fa4830d0b919b9b6a91fe2fb786cf3280"),
    of_github("likle/cwalk", "e98d23f68807208952c179b49e4fd1813f31298d"),
    of_github("kgabis/parson", "ba29f4eda9ea7703a9f6a9cf2b0532a2605723c3"),
    of_github("mity/md4c", "c4be8625eb11725d604232b028df10c2ddf9b577"),
    of_github("antirez/sds", "5347739b1581fcba74fd5cab1fc21d2aef317d71"),
    of_github("clibs/buffer", "736ba3cc161d6ab2ac64303ed3c14ccce42e12a5"),
    of_github("clibs/list", "23faa20d03b67d752e1f882f0832c941a942c75b"),
    of_github("dhess/c-ringbuf", "2037560fb90dea5d2538611d983964d790bdbac2"),
    of_github("mattconte/tlsf", "deff9ab509341f264addbd3c8ada533678591905"),
    of_github("cesanta/frozen", "a42fc3365d7d4e96a5be146b88870dabc794bbc8"),
    of_github("cesanta/slre", "9075c67cad47d62ba4a4f8f452ae46bb21124f7b"),
    of_github("kokke/tiny-bignum-c", "2ffac69817adbe08930befd9375d31658a8311a4"),
    of_github("wooorm/levenshtein.c", "ca084af84e591ec126093dc1607c235fbf00d6db"),
    of_github("orangeduck/mpc", "1049534fc56b1971345c7aaa792dea55d6f9b7bc"),
    of_github("codeplea/tinyexpr", "9907207e5def0fabdb60c443517b0d9e9d521393"),
    of_github("tidwall/hashmap.c", "3735986914fc1c4e6a9123b406d0970666aa4aec"),
    of_github("kokke/tiny-regex-c", "f2632c6d9ed25272987471cdb8b70395c2460bdb"),
    of_github("zserge/jsmn", "25647e692c7906b96ffd2b05ca54c097948e879c"),
    of_github("benhoyt/inih", "26254ee9de7681f8825433415443e7116ff24b98"),
    of_github("rxi/map", "d6c355fcfb35e5bf71905c0c28ccee34694b4a95"),
    of_github("codeplea/genann", "8dcd1db031c53176cffcbe4a7530ce040bb59b1d"),
    of_github("kokke/tiny-AES-c", "23856752fbd139da0b8ca6e471a13d5bcc99a08d"),
    of_github("jwerle/b64.c", "b263049874ae9ca7e2f146500939ed95aed4d4ee"),
    of_github("rgamble/libcsv", "b1d5212831842ee5869d99bc208a21837e4037d5"),
    of_github("skeeto/optparse", "a86877ed301d89a4eb64feb08f23af395aede2ed"),
    of_github("rxi/vec", "20e84224ceb29a8f76d2b9d0ccfc547258a14ec5"),
    of_github("joedf/base64.c", "a34c176492f6e0395393d0a5cd264bf9df74dc77"),
    of_github("clibs/commander", "3e79dd3cb0ddda0561d935bcdff60349b720a801"),
    of_github("jibsen/brieflz", "ad89acf4186adca8ad8c27c4ab376a49ae233cd0"),
    of_github("tidwall/json.c", "4aaf99b5c08e4e1364f97500fe5c5d5a2617b4a6"),
    of_github("fnoyanisi/zString", "32fd33ee20f28824e4256965e50dd71aba5a00a5"),
    of_github("rxi/ini", "13a254c9e38def8924a83badfea5eda5a01b9295"),
    of_github("willemt/bipbuffer", "4863ccd4a86ba80a81de7c60047b8e7e0b127b35"),
    of_github("cesanta/mjson", "696969cd0d35399cc66075f5ec7a96e23ba4a89b"),
)
BLIND = (
    of_github("ooxi/xml.c", "2cb2dcaf2b4d6ff42346e8c58eefd28559666747"),
    of_github("jacketizer/libyuarel", "d4f666065c86cddcfb13bfb89049d06e45117610"),
    of_github("camgunz/cmp", "9b8fa1ec9f409d4fa74281d4a57d6c2163bb1a86"),
    of_github("rafagafe/tiny-json", "025cdde5f2574290d8b2a8524bc257db2829bb7c"),
    of_github("antirez/smaz", "2f625846a775501fb69456567409a8b12f10ea25"),
    of_github("jibsen/tinf", "57ffa1f1d5e3dde19011b2127bd26d01689b694b"),
    of_github("cofyc/argparse", "5559200a91a334e15391e8285571145f6b6cc002"),
    of_github("semitrivial/csv_parser", "90811399db465a7b2ac6021c74b828b47e17ec2d"),
    of_github("B-Con/crypto-algorithms", "cfbde48414baacf51fc7c74f275190881f037d32"),
    of_github("DavidLeeds/hashmap", "b947a3cda70f9faf0e5862448b37a106cbf67065"),
)
"""Chosen before ``unfork scan`` was first run."""
BLIND_AGAIN = (
    of_github("armon/libart", "301046804af165269e37da6725f5a4aec9ecc881"),
    of_github("barrust/bloom", "a7c736abd8b6d7d4143b6e8e98abe9a9011e2777"),
    of_github("json-parser/json-parser", "8ac4477ad3e63dc107e17ad49484edaa17d18d35"),
    of_github("skeeto/pdjson", "c32ccb6c6c56404a0d09bc97e1926c5bb31215d7"),
    of_github("rxi/fe", "ed4cda96bd582cbb08520964ba627efb40f3dd91"),
    of_github("amosnier/sha-2", "565f65009bdd98267361b17d50cddd7c9beb3e6c"),
    of_github("tidwall/btree.c", "9c9cee6f39e8f32f4721364929a0f12ad82ea13b"),
    of_github("kokke/tiny-ECDH-c", "a6095d6e1feaa4e77b84cddda8468d8651ca3a32"),
    of_github("tezc/sc", "0dc5fdf84983efa14d79e759249f74b89363ccb5"),
    of_github("littlefs-project/littlefs", "adad0fbbcf5382c20978d07f94f9c13be9041c1b"),
)
"""Chosen after rules for ends of ranges, steps and duties of callers, before any of them was scanned."""
BLIND_THIRD = (
    of_github("zserge/partcl", "35e6957458596b470c07d77339a16d0088f4fedb"),
    of_github("kokke/tiny-HMAC-c", "b3719939be462a57c94dec6b9d80ab2afd34c557"),
    of_github("petewarden/c_hashmap", "90541d1dd9e34393532d8ecb722a08730fbebfb6"),
    of_github("cktan/tomlc99", "29076dfd095bbbbd50a3c1b2760d29f4b83e74ac"),
    of_github("rxi/sandbird", "ff3b4f7be220cef4c775314b64a29252eddcc6e9"),
    of_github("ariya/FastLZ", "b1342dabcf5257ab303743c9332fe75e9147a011"),
    of_github("lecram/gifdec", "1dcbae19363597314f6623010cc80abad4e47f7c"),
    of_github("antirez/listpack", "d31df44e802c6a73c43029b98ff8cd018c3d0bd6"),
    of_github("lxfontes/ezxml", "dcb17484da2591e42c739598729fe5bdf687cca6"),
    of_github("tidwall/rtree.c", "5717a8a1eb373428ebaae8c1c623f186ec46461f"),
)
"""Libraries that others use were written down by name, before their code was read. These are the first ten with 500 to
5,000 lines whose own files compile on Linux with the folder as the only include path; a fork of a listed library was
left out. None was scanned before the list was fixed."""
BLIND_FOURTH = (
    of_github("staticlibs/ccronexpr", "5d7e772df34aadc938f1246ebe2551b9c1c19012"),
    of_github("seanmiddleditch/libtelnet", "5f5ecee776b9bdaa4e981e5f807079a9c79d633e"),
    of_github("websnarf/bstrlib", "f0ff1e808102a42cdc7204a4bb6fe231a24c4546"),
    of_github("compuphase/minIni", "1bb6557030964c921da374e6541e6acb965588e2"),
    of_github("mpaland/printf", "d3b984684bb8a8bdc48cc7a1abecb93ce59bbe3e"),
    of_github("chansen/c-dt", "8b24c5572b0431cdcf74b421b4debec589dab43d"),
    of_github("dlbeer/dhara", "1b166e41b74b4a62ee6001ba5fab7a8805e80ea2"),
    of_github("jech/dht", "0bbb8f4a5bd914b60de5e9fbb51573aa33a1cf18"),
    of_github("boutell/cgic", "a3490b7612f194f029b6e7a7fc602ad962bc33e2"),
    of_github("dcjones/hat-trie", "2f4192bb3f6110e95cab676c1910b2b95f837499"),
    of_github("mendsley/bsdiff", "b817e9491cf7b8699c8462ef9e2657ca4ccd7667"),
    of_github("orlp/ed25519", "b1f19fab4aebe607805620d25a5e42566ce46a0e"),
    of_github("kmackay/micro-ecc", "541b3a78026420a3e369c4c9281c396b5e531113"),
    of_github("cktan/tomlc17", "82cafcef866b1b7455dcb36ab50ae5a4a68b1ddc"),
    of_github("nayuki/QR-Code-generator", "777682a64202fdb837b50e351b25b7ddb27852c4"),
)
"""Forty-six names of libraries that others use were written down from memory, before their code was read. These are
the first fifteen, in that order, with 500 to 5,000 lines whose own files compile on Linux with the folder as the only
include path, and need no other library's headers; none is in a list above, nor a fork of one that is. One more whose
snapshot was not whole was left out. None was scanned before the list was fixed."""
BLIND_FIFTH = (
    of_github("jedisct1/libhydrogen", "f3ab14c54f5177d51b5c8b8068474498de49f82a"),
    of_github("jibsen/parg", "aba0527654f1c93fbae0ee3bb82841b863098c7a"),
    of_github("mjansson/mdns", "a569c4759bd47e0f2a7bfc4d4c19620445782806"),
    of_github("vincenthz/libjson", "a63d8823b492477cc10ccd5edc6d79d2a34be585"),
    of_github("cxong/tinydir", "a4a2db51af5fd5146eb1d7bcc72610c7bfa28ebb"),
    of_github("zserge/expr", "5e7d72c39012a7aaafcf592e6e7c08d54751ee29"),
    of_github("hnes/libaco", "d00631a9e143a8711c0a6e7b603a72b1e379b661"),
    of_github("pavel-kirienko/o1heap", "b3a1aa43e1ff0a4ce8b2c5180e878c2011b6bc25"),
    of_github("dbry/adpcm-xq", "2000733c6d92d73c10ddae3ae80232e173d565c8"),
    of_github("chansen/c-timestamp", "b205c407ae6680d23d74359ac00444b80989792f"),
    of_github("floodyberry/poly1305-donna", "e6ad6e091d30d7f4ec2d4f978be1fcfcbce72781"),
    of_github("swenson/sort", "24f5b8b13810ad130109c7b56daf8e99ab0fe1b8"),
    of_github("nemequ/munit", "fbbdf1467eb0d04a6ee465def2e529e4c87f2118"),
    of_github("brainhub/SHA3IUF", "fc8504750a5c2174a1874094dd05e6a0d8797753"),
    of_github("howerj/cdb", "dbcec173000652a9fdb1594f0f751957c625db02"),
)
"""Fifty names of libraries that others use were written down from memory, before their code was read; three that other
files of bench/scan_lists name were struck out at once (minmea, c-algorithms, http-parser). These are the first
fifteen, in that order, with 500 to 5,000 lines, tests and vendored files counted, whose files compile on Linux with
the folder as the only include path, and need no other library's headers; only three test files of tinydir, which need
a test framework, do not. None is in a list above, nor a fork of one that is. Left out on the way: gifenc (too short),
BitArray, kann and binn (too long), whereami, libbloom, libutf and getopt (the library's own files do not compile so),
snappy-c (a file of its benchmark does not), dyad, slog and bplustree (examples or tests do not find the library's
header), and str (headers of a submodule that the snapshot lacks). The other twenty-one names were not needed. None was
scanned before the list was fixed."""
BLIND_SIXTH = (
    of_github("skywind3000/kcp", "fbd716b257628036375b94061a38a188ea4ed0c8"),
    of_github("Pithikos/C-Thread-Pool", "2b56942a7347280ea4d0ede238cefacef96db4bb"),
    of_github("wooorm/stmr.c", "cae5d1373e70e56aa5e30a52f4e4130412963ac9"),
    of_github("Ed-von-Schleck/shoco", "4dee0fc850cdec2bdb911093fe0a6a56e3623b71"),
    of_github("mkirchner/gc", "7f6f17c8b3425df6cd27d6f9385265b23034a793"),
    of_github("veorq/SipHash", "f26d35e964c6290ffe23d9043475ad3129f409e0"),
    of_github("noporpoise/sort_r", "1275373d990162f7d142de2fcaf43b535061466c"),
    of_github("howerj/pickle", "7d84a6a0ccf6933bd21199e50f3cbaabdc0c0d22"),
    of_github("goldsborough/hashtable", "86fc717c498572834535284d4a9cc78c3ffd7aed"),
    of_github("ogay/hmac", "5efc450f9dd204059b2f29808deaf2f8239b8129"),
)
BLIND_SEVENTH = (
    of_github("technion/libscrypt", "69a6f21d7648e18e4e5711d22d0db1af4620b3e9"),
    of_github("jtsiomb/kdtree", "384f9eba646018f99fe37c1f5d0c9e21a63d5057"),
    of_github("cgaebel/pipe", "dc904609d995378be7fdaa05906cc7de362bcf19"),
    of_github("ebiggers/avl_tree", "a1eeb706c7b3c29b1810cea105c5895952f861da"),
    of_github("pfalcon/re1.5", "dd37aa2a4f4742edcadff6e75124898c71d5dc89"),
    of_github("begeekmyfriend/skiplist", "1a475d6213044cc43d934c8c7da136b412887581"),
    of_github("rg3/libbcrypt", "8aa32ad94ebe06b76853b0767c910c9fbf7ccef4"),
    of_github("dbry/lzw-ab", "bfb62d93180d32713757c5692ef3d0efc8ef413e"),
    of_github("skeeto/trie", "01fc406e6badc76b2b17ebfdf839735928942f50"),
    of_github("troglobit/pev", "b9d736b8e9cce178eae2ebb3deb22501084fd230"),
)
"""Sixty names of libraries that others use were written down from memory, before their code was read. These are the
first twenty, in that order, with 500 to 5,000 lines, tests and vendored files counted, all of whose files compile on
Linux with the folder as the only include path, and need no other library's headers; the odd ones are the sixth list
and the even ones the seventh. None is in a list above, nor a fork of one that is. Left out on the way: js0n and
Ring-Buffer (too short), audio-resampler, libfixmath, MQTT-C, httpserver.h, cobs-c and c-reusables (too long), lwrb,
json-maker, CWPack, lwgps, coroutine, c99-snprintf and crcany (files of the library itself, or of what comes with it,
do not compile so), libuev and nxjson (a benchmark and a test lack a declaration), tinycthread and TinyEKF (tests or
examples do not find the library's header), min (its builder needs a header that the snapshot lacks), upng,
curve25519-donna and kissfft (examples, bindings or tests need other libraries' headers), cgranges (it contains files
of klib, which is in another list, and a test needs zlib), and tgc (its snapshot was not whole). The other fifteen
names were not needed. None was scanned before the lists were fixed."""
BLIND_EIGHTH = (
    of_github("iafonov/multipart-parser-c", "772639cf10db6d9f5a655ee9b7eb20b815fab396"),
    of_github("mjosaarinen/tiny_sha3", "dcbb3192047c2a721f5f851db591871d428036a9"),
    of_github("marekweb/datastructs-c", "0c94b66970054238d5801fd84f1db680b8120726"),
    of_github("night-shift/fpconv", "066e1d34602263adca78e13faee6db255ddcdef9"),
    of_github("taneryilmaz/libconfigini", "22d700ab76a9d6dd9492da244a7fddc6970c7809"),
    of_github("lishen2/isotp-c", "5593428d95af10dde1e565cebcda16089fc74857"),
    of_github("yinqiwen/geohash-int", "77f49a38856fd3d840de349f108f11b66a733234"),
    of_github("PeterScott/murmur3", "dae94be0c0f54a399d23ea6cbe54bca5a4e93ce4"),
    of_github("kazuho/golombset", "9fc1fcd7dea363e3f0e54250f896eb6d1d65db86"),
    of_github("jwerle/fs.c", "3bf84df9da9c0393e7ad72668d9edfc400269d82"),
)
"""Forty-seven names of libraries that others use were written down from memory, and from repositories that had been
fetched but were in no list, before their code was read. These are the first ten, in that order, with 300 to 4,000
lines, tests and vendored files counted, all of whose files compile on Linux with the folder as the only include path,
and need no other library's headers. None is in a list above, nor a fork of one that is. Left out on the way: libbase58
(its tool needs libgcrypt), Unishox2 (its snapshot was not whole), url.h (a header is made only when it is built), raft
(too long), and hamt (files of the library itself do not find its headers). The other thirty-two names were not needed.
None was scanned before the list was fixed."""
BLIND_NINTH = (
    of_github("naphaso/cbor-c", "3f00e477c0fb430059a6400e242e43697d5ff847"),
    of_github("fletcher/c-sss", "eb9cd5429a108c1de1f199ce075be4413f35f90d"),
    of_github("janjongboom/janpatch", "c8ad3eeabf75640d6348a706abe7e3377a21ad87"),
    of_github("xxtea/xxtea-c", "7ec961540996934d939572d885ea1d5b21689688"),
    of_github("marcinbor85/slip", "9c3f2d12d1b99c1603f9b7d932cedf62d72e2f74"),
    of_github("grigorig/chachapoly", "ec7d8e03c6f715995b2015e9662a39277b994a74"),
    of_github("willemt/CHeaplessBencodeReader", "7e2036b23c37b2d24649d39deda0f743f31c945e"),
    of_github("skeeto/bencode-c", "4da64ee4b830b386579af6618018067ad392aea1"),
    of_github("hqm/rscode", "09528c36e8633a5ac874869a87dac580b95f4be5"),
    of_github("bbu/userland-slab-allocator", "870379ff7b6b2d9fe33d29c5f4c98526eb6ee90c"),
    of_github("howerj/shrink", "67e85ee625a0b4332832305af484ecfedd9d1eb8"),
    of_github("barrust/set", "fc9ec78b7499317f1c784e4c798a14c8b4999646"),
    of_github("arkku/srec", "4bf276fd8abc2b3e57ef0e0b7c44dcacd8d810ee"),
    of_github("cloudwu/buddy", "e405df7459ccec7bf2085ff9a55ec182ac06741f"),
    of_github("skeeto/ulid-c", "4abfa3bc14fdd726e347496dc4e2b10f84cafff0"),
)
"""A hundred and four names of libraries were written down from memory, by kinds (parsers, texts, codecs, containers,
formats, embedded protocols, small cryptography), before their code was read, and put in the order of the SHA-256 of
owner/name. These are the first fifteen, in that order, with 200 to 2,500 lines without tests and examples, all of
whose files compile on Linux with the folder as the only include path, and need no other library's headers; each is at
the newest commit of its main branch. None is in a list above, nor known as a fork of one that is. Left out on the way:
xxhash-clean (too long), DES (a program), cargs, ujson4c, cbitset, avltree, embedded-cli, bitfield-c and midi-parser
(files of the library itself, or of what comes with it, do not find its headers), TinyFrame (its users write a header),
libtoml (it takes asprintf for declared), unicode-c (a file of it is only for inclusion), microrl and TOTP-MCU (files
for a microcontroller), ketama (bindings need other libraries' headers), cwebsocket and mem-pool (a server and tests do
not find the library's header), and lzfx (a test needs another library's header). The other seventy-one names were not
needed. None was scanned before the list was fixed."""
BLIND_TENTH = (
    of_github("cjlano/tinyprintf", "2ee30120ec15e321566b43f83c731d060bb437f5"),
    of_github("sipa/bech32", "7a7d7ab158db7078a333384e0e918c90dbc42917"),
    of_github("goldsborough/vector", "40efe822562493396fc02cb13e75f6d52f0fb466"),
    of_github("dbry/newpack", "70c2e5ebe1e6a4efbab6d4c0fbdc5b5e0f627603"),
    of_github("tuupola/axp192", "e92daa29a5e56a28b8d0a45624ac154fb6509458"),
    of_github("xroche/coucal", "fadf29bd2aeb91b668da5e5ce1078d98fa4f923a"),
    of_github("willemt/heap", "c34d10f83927325eb91225d8750f9d7b4a3cded6"),
    of_github("jedisct1/charm", "a726cd1cb32118db54cf5ab0ae91e7a976f0d8a8"),
    of_github("morenice/ahocorasick", "1914054f60e7d92ac0f0b5ae95dfd36fb00e9b6b", "include"),
    of_github("skeeto/blowfish", "1e5dff1adadb23123011ed8bccf132bad2a2f342"),
    of_github("glouw/tinn", "815225a8f11c7aff2f3d008cb19980f40dc60de6"),
    of_github("misje/stateMachine", "e68077c54c312555d3a9dd0ff113088ae2320cbc", "src"),
)
"""Sixty-six names of libraries were written down from memory, by kinds (parsers, codecs, containers, texts, protocols,
small cryptography, images, mathematics, embedded), before their code was read, none of them in a list above; one that
another file of bench/scan_lists names was struck out (centijson). The order is that of Python's
``random.Random(10).shuffle`` on the sorted names. These are the first twelve, in that order, with 300 to 4,000 lines,
tests and vendored files counted, all of whose files compile on Linux with the folder, and at most one folder in it, as
include paths, and need no other library's headers; each is at the newest commit that its snapshot has of its main
branch. None is known as a fork of one in a list above. Left out on the way: streamvbyte, liblightmodbus, qp and lwmem
(too long), AES (it needs a C++ header), Baselibc (files that are only for inclusion, and headers in place of the C
library's) and lzss (headers of a submodule that the snapshot lacks). The other forty-six names were not needed. None
was scanned before the list was fixed."""
BLIND_ELEVENTH = (
    of_github("silentbicycle/socket99", "922d28cd7bf57d987d2755594149f103e21437e1"),
    of_github("eteran/c-vector", "2778efc654d152a7b18ee16b16eda38519dec3e1"),
    of_github("thisistherk/fast_obj", "d620667f10a548dee94dbc8c144bb22f79162176"),
    of_github("watmough/jwHash", "0e41ae7b1cc3a0e0432f75cf915147de2aae4661"),
    of_github("adamierymenko/kissdb", "37194e7019abfdcec95fe21d6cb2eb8debe78faf"),
    of_github("jtsiomb/libtreestore", "8e24bb1ccb09fedcca054e5147ced1e49b5e2de2", "include"),
    of_github("deadpixi/libtmt", "1da7ba96c459672142949a529e65d730cc5bd6a1"),
    of_github("jamesderlin/dropt", "4fc907206a5327a73e456250780582692b9ffd2f", "include"),
    of_github("calccrypto/tar", "38013c44524cf6dd7e6d71134ded6b0c882cbfa9"),
    of_github("phoboslab/pl_json", "4ebec948f99de029398adb68e88660892fb8a7b1"),
    of_github("rtsisyk/msgpuck", "5cf75371a431ab1baae57b65782cebb8d6932942"),
    of_github("capmar/sxml", "91176b4c62ef7c6342804e02fc440b2e82326469"),
    of_github("arkku/ihex", "40e1cc009651d14e0b728694496e8d4caf3dda41"),
    of_github("recp/json", "5005fb6269c14abeebe495b7b2f4a885d0c1e855"),
    of_github("jandoczy/csv-fast-reader", "e9ff7ad8c3a9dc23bf964f53af9566f03800635f"),
    of_github("brglng/libwav", "8ca66d332a8da29c750fa4202a630f9aaff2b98f", "include"),
)
"""Eighty-one names of libraries that others use were written down from memory, by kinds (parsers, codecs, containers,
texts, protocols, formats), before their code was read; three were struck out at once (rax and sfsexp, which other files
of bench/scan_lists name, and madler/brotli, whose name one of them has). fast_obj is only named in one as not needed.
The order is that of Python's ``random.Random(11).shuffle`` on the sorted names. These are the first sixteen, in that
order, with 500 to 5,000 lines, tests and vendored files counted, all of whose C files compile on Linux with the folder,
and the folder include in it, as include paths, and need no other library's headers; each is at the newest commit of its
snapshot. None is in a list above, nor known as a fork of one that is. A C++ test of fast_obj brings a C++ header
(tiny_obj_loader.h) that no C file takes. Left out on the way: huffandpuff, z85, smaz2 and punycode (too short), elk,
termbox2 and tpl (too long), csnappy (a file of its benchmark needs another library's header), cb0r, uzlib and liblzg (a
test, examples or tools do not find the library's header), vtparse (a header is made only when it is built), mmd,
houdini and libsv (tools or examples that come with them lack declarations), id3v2lib (its snapshot was not whole, and
its own files do not find its headers), bcrush (it contains parg, which is in a list above), and xdiff (a part of
libgit2, which is in another list). The other forty-four names were not needed; eight of them had been fetched in the
same batch as the last ones, and compiled, but not looked at. None was scanned before the list was fixed."""
BLIND_TWELFTH = (
    of_github("rmind/libqsbr", "e73407cb5dba097e59036e9a4ad8cfe8f5fe50dd"),
    of_github("cloudwu/aoi", "54660b509d6f91bba24d0307c565a5f355508812"),
    of_github("xieqing/red-black-tree", "3befdfe351fdeb744b1ec6bdf635c32cd9732622"),
    of_github("skeeto/lstack", "3239f9b9d22aca7e69ae59796a57cd690a3eb2bc"),
    of_github("lemire/clhash", "24163f37f3a084751fc3a3fb174d74b3fd10717a", "include"),
    of_github("zserge/grayskull", "ce269b26e3d507ffbf5781f0521e44d07832d98c"),
    of_github("Mashpoe/c-hashmap", "6b77fe06c5ced6bb0f8eb70a281e7ee582a75b19"),
    of_github("lieff/minimp4", "4575afb4f69ace25a1a048e25cc86bf8c8d14f2b"),
    of_github("lemire/MaskedVByte", "3070f4a370f9e9e52f677c734e76b4907adc73d1", "include"),
    of_github("dhepper/font8x8", "8e279d2d864e79128e96188a6b9526cfa3fbfef9"),
    of_github("datenwolf/linmath.h", "3eef82841046507e16a0f6194a61cee2eadd34b3"),
    of_github("chokkan/liblbfgs", "5ad02fbefefdeff339ab03635e673571055a0644", "include"),
    of_github("zorgnax/libtap", "b53e4ef5257f80e881762b6143834d8aae29da1a"),
    of_github("willemt/heapless-bencode", "7e2036b23c37b2d24649d39deda0f743f31c945e"),
    of_github("lcsmuller/json-build", "f4fdbf2e738a2c0dee5aeae3a89ac0e90f71b223"),
    of_github("tylertreat/chan", "b6cae887fdfce1f32eb52466ac3aac860c955d8e"),
)
"""Two hundred and eighty names of libraries that others use were written down from memory, by kinds (parsers, codecs,
containers, texts, protocols, formats, hashing, math, logging), before any code of theirs was fetched. One hundred and
fifty-one were struck out at once: ninety-three whose owner and name are somewhere in bench, and fifty-eight whose bare
name is there as a word (so q, ht and cAT went too). The order is that of Python's ``random.Random(12).shuffle`` on the
other one hundred and twenty-nine, sorted. These are the first sixteen, in that order, with 500 to 5,000 lines, tests
and vendored files counted, all of whose C files compile on Linux with the folder, and the folder include in it, as
include paths, and need no other library's headers; each is at the newest commit of its snapshot's default branch. None
is in a list above, nor known as a fork of one that is. A test of minimp4 takes another library's headers only where
audio is switched on, which it is not by default; clhash and liblbfgs bring C++ files that were not compiled; clhash and
MaskedVByte are for x86 only; font8x8 is tables and one small program; libqsbr is tested by programs with threads. Left
out on the way: chacha20-c, RCS, lzp and race64 (too short), c-utf8, ed25519-donna, nanocobs, c89str, pdfio, lzfse,
nanoprintf and fat_io_lib (too long), amoeba and pl_mpeg (too long, and a binding or players need other libraries'
headers), sundown (too long, and its files do not find its headers), liblpm, cmixer, CException, dablooms and tdigestc
(bindings, a demo or tests need other libraries' headers), json-builder (its own file needs json-parser's header),
libnmea and c-logger (files of the library, examples or tests do not find the library's headers), libut (it needs the
headers of uthash, a submodule that its snapshot lacks), embed (a test is for Windows only), bencode-tools (a tool
declares anew a function of the C library), docopt.c (a template is not C before it is filled in), rhashmap (it contains
a file of SipHash, which is in a list above), ksw2 (it contains a file of klib, which is in another list, and its
command line needs zlib), ZX0 (a program), voronoi (its snapshot was not whole), and arcode, pluscodes and varray (no
snapshot was to be had). The other seventy-nine names were not needed; one of them, jim, had been fetched in the same
batch as the last ones, and compiled, but not looked at. None was scanned before the list was fixed."""
