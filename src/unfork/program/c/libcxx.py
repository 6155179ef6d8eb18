"""The headers of libc++ and libc++abi in ziglang, and their configuration; headers of other libraries."""

import os

SEEN_AS = "/unfork-libc"
"""Their folder in debug information, which identifies their definitions as a library's."""
HEADERS = ("libcxx/include", "libcxxabi/include")
DEFINITIONS = (
    *("-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE", "-D_LIBCPP_ABI_VERSION=1", "-D_LIBCPP_ABI_NAMESPACE=__1"),
    *("-D_LIBCPP_HAS_MUSL_LIBC", "-D_LIBCPP_PSTL_BACKEND_SERIAL", "-D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS"),
    *("-D_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS", "-D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS"),
)
FOR_PROGRAMS = (*DEFINITIONS, "-D_LARGEFILE64_SOURCE")
"""g++ compiles for glibc, where names such as ``ftello64`` are declared; musl declares them on demand."""
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INSTALLED = (
    *("-idirafter", f"{_PACKAGE}/environment/frameworks"),
    *("-Xclang", "-ivfsoverlay", "-Xclang", f"{_PACKAGE}/include/installed.yaml"),
    *("-idirafter", f"{SEEN_AS}/installed"),
)
"""Test frameworks among the system's headers, whose other headers belong to the system's C library."""
HARDENING = "hardening"
"""The check by libc++'s own assertions, and the folder of its headers."""
WAITING = "libcxx"
"""The folder of replacements for libc++'s headers where the engine waits differently."""
ASSERTIONS = (
    *("-U_LIBCPP_HARDENING_MODE", "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_DEBUG", "-D_GLIBCXX_ASSERTIONS"),
)
"""Makes the headers of libc++ check all that they can, and those of libstdc++ most of it."""
BOUNDED_ITERATORS = (
    *("-D_LIBCPP_ABI_BOUNDED_ITERATORS", "-D_LIBCPP_ABI_BOUNDED_ITERATORS_IN_STRING"),
    *("-D_LIBCPP___STRING_EXTERN_TEMPLATE_LISTS_H", "-D_LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST(...)="),
)
"""What makes iterators of spans and strings check that they are within. The built strings, which have others and no
assertions, are then left out: the header that lists them, and its list. Iterators of vectors would only know the
capacity, as the memory does.
"""
