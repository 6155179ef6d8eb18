/* Stands in for the header that a configure script would write. */
#define GETTEXT_PACKAGE "libexif-12"
