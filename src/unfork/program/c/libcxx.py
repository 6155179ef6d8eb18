"""Where ziglang keeps the headers of libc++ and libc++abi, and how these are configured; headers of other libraries."""

import os

SEEN_AS = "/unfork-libc"
"""The folder that debug information has for theirs, so that what they define is known as a library's."""
HEADERS = ("libcxx/include", "libcxxabi/include")
DEFINITIONS = (
    *("-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE", "-D_LIBCPP_ABI_VERSION=1", "-D_LIBCPP_ABI_NAMESPACE=__1"),
    *("-D_LIBCPP_HAS_MUSL_LIBC", "-D_LIBCPP_PSTL_BACKEND_SERIAL", "-D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS"),
    *("-D_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS", "-D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS"),
)
FOR_PROGRAMS = (*DEFINITIONS, "-D_LARGEFILE64_SOURCE")
"""Where g++ compiles for glibc, names such as ``ftello64`` are declared; musl declares them on this demand."""
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INSTALLED = (
    *("-idirafter", f"{_PACKAGE}/environment/frameworks"),
    *("-Xclang", "-ivfsoverlay", "-Xclang", f"{_PACKAGE}/include/installed.yaml"),
    *("-idirafter", f"{SEEN_AS}/installed"),
)
"""The frameworks of tests among the system's headers: the others there belong to the system's C library."""
HARDENING = "hardening"
"""The check by libc++'s own assertions, and the folder of the headers that it needs."""
WAITING = "libcxx"
"""The folder of the headers that stand in for libc++'s where the engine waits in another way."""
ASSERTIONS = (
    *("-U_LIBCPP_HARDENING_MODE", "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_DEBUG", "-D_GLIBCXX_ASSERTIONS"),
)
"""What makes the headers of libc++ check all that they can, and those of libstdc++ most of it."""
BOUNDED_ITERATORS = (
    *("-D_LIBCPP_ABI_BOUNDED_ITERATORS", "-D_LIBCPP_ABI_BOUNDED_ITERATORS_IN_STRING"),
    *("-D_LIBCPP___STRING_EXTERN_TEMPLATE_LISTS_H", "-D_LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST(...)="),
)
"""What makes iterators of spans and strings check that they are within. The built strings, which have others and no
assertions, are then left out: the header that lists them, and its list. Iterators of vectors would only know the
capacity, as the memory does.
"""
