"""Where ziglang keeps the headers of libc++ and libc++abi, and how these are configured."""

SEEN_AS = "/unfork-libc"
"""The folder that debug information has for theirs, so that what they define is known as a library's."""
HEADERS = ("libcxx/include", "libcxxabi/include")
DEFINITIONS = (
    *("-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE", "-D_LIBCPP_ABI_VERSION=1", "-D_LIBCPP_ABI_NAMESPACE=__1"),
    *("-D_LIBCPP_HAS_MUSL_LIBC", "-D_LIBCPP_PSTL_BACKEND_SERIAL", "-D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS"),
    *("-D_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS", "-D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS"),
)
