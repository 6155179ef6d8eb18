/* Stands in for the file that a configure script would write, with its defaults. */
#define CBOR_MAJOR_VERSION 0
#define CBOR_MINOR_VERSION 13
#define CBOR_PATCH_VERSION 0
#define CBOR_BUFFER_GROWTH 2
#define CBOR_MAX_STACK_SIZE 2048
#define CBOR_PRETTY_PRINTER 0
#define CBOR_RESTRICT_SPECIFIER
#define CBOR_INLINE_SPECIFIER
