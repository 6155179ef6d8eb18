/* Stands in for the config.h that a configure script would write on 64-bit Linux. */
#define HAVE_DECL_STRNDUP 1
#define HAVE_DECL_PLEDGE 0
#define HAVE_DECL_UNVEIL 0
#define HAVE_DECL_READLINKAT 1
#define HAVE_DECL_REALLOCARRAY 1
#define HAVE_SYS_STAT_H 1
#define PACKAGE_NAME "pkgconf"
#define PACKAGE_VERSION "2.5.1"
#define PACKAGE_BUGREPORT "https://github.com/pkgconf/pkgconf/issues/new"
#define PKG_DEFAULT_PATH "/usr/lib/pkgconfig:/usr/share/pkgconfig"
#define SYSTEM_INCLUDEDIR "/usr/include"
#define SYSTEM_LIBDIR "/usr/lib"
#define PERSONALITY_PATH "/usr/share/pkgconfig/personality.d:/etc/pkgconfig/personality.d"
