/* What glibc says of itself. The version is that of the headers which programs commonly have. */
#define _GNU_SOURCE

const char *gnu_get_libc_version(void) { return "2.36"; }
const char *gnu_get_libc_release(void) { return "stable"; }
