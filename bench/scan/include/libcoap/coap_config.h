/* Stands in for the file that a configure script would write, on Linux without TLS. */
#define COAP_CLIENT_SUPPORT 1
#define COAP_SERVER_SUPPORT 1
#define COAP_IPV4_SUPPORT 1
#define COAP_IPV6_SUPPORT 1
#define COAP_DISABLE_TCP 1
#define HAVE_ARPA_INET_H 1
#define HAVE_ASSERT_H 1
#define HAVE_ERRNO_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_LIMITS_H 1
#define HAVE_NETINET_IN_H 1
#define HAVE_STRNLEN 1
#define HAVE_SYS_SOCKET_H 1
#define PACKAGE_NAME "libcoap"
#define PACKAGE_STRING "libcoap"
