/* Words that headers of glibc, and of libraries written for it, take from its header; musl has none. */
#ifndef UNFORK_GLIBC_SYS_CDEFS_H
#define UNFORK_GLIBC_SYS_CDEFS_H

#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#define __P(args) args
#define __PMT(args) args
#define __ptr_t void *
#define __THROW
#define __THROWNL
#define __NTH(function) function
#define __NTHNL(function) function
#define __COLD
#define __wur
#define __nonnull(params) __attribute__((__nonnull__ params))
#define __restrict_arr
#define __flexarr []
#define __attr_access(how)
#define __attr_dealloc(function, argument)
#define __attr_dealloc_free
#define __attr_dealloc_fclose
#define __attribute_malloc__
#define __attribute_alloc_size__(params)
#define __attribute_alloc_align__(param)
#define __attribute_pure__
#define __attribute_deprecated__
#define __attribute_deprecated_msg__(words)
#define __attribute_format_arg__(number) __attribute__((__format_arg__(number)))
#define __attribute_format_strfmon__(a, b)
#define __attribute_used__ __attribute__((__used__))
#define __attribute_nonnull__(params) __attribute__((__nonnull__ params))
#define __returns_nonnull
#define __attribute_returns_twice__ __attribute__((__returns_twice__))
#define __glibc_likely(condition) __builtin_expect(!!(condition), 1)
#define __glibc_unlikely(condition) __builtin_expect(!!(condition), 0)
#define __GNUC_PREREQ(major, minor) ((__GNUC__ << 16) + __GNUC_MINOR__ >= ((major) << 16) + (minor))
#define __GLIBC_USE(feature) 0
#endif
