/* Stands in for the header that curl's configure script would write, for Linux. */
#define HAVE_BOOL_T 1
#define HAVE_ERRNO_H 1
#define HAVE_RECV 1
#define HAVE_SEND 1
#define HAVE_SIG_ATOMIC_T 1
#define HAVE_STDBOOL_H 1
#define HAVE_STRUCT_TIMEVAL 1
#define HAVE_SYS_SOCKET_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_TIME_H 1
#define RECV_TYPE_ARG1 int
#define RECV_TYPE_ARG2 void *
#define RECV_TYPE_ARG3 size_t
#define RECV_TYPE_ARG4 int
#define RECV_TYPE_RETV ssize_t
#define SEND_QUAL_ARG2 const
#define SEND_TYPE_ARG1 int
#define SEND_TYPE_ARG2 void *
#define SEND_TYPE_ARG3 size_t
#define SEND_TYPE_ARG4 int
#define SEND_TYPE_RETV ssize_t
