/* Stands in for the file that the build would write, for a static library. */
#define CBOR_API
