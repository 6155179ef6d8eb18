/* Stands in for the file that a configure script would write: nothing is exported by name. */
#define CBOR_EXPORT
#define CBOR_NO_EXPORT
