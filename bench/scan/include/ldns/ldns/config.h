/* ldns/config.h as its configure script writes it on Linux, without OpenSSL. */
#define HAVE_ARPA_INET_H 1
#define HAVE_ATTR_FORMAT 1
#define HAVE_ATTR_UNUSED 1
#define HAVE_ENDPROTOENT 1
#define HAVE_ENDSERVENT 1
#define HAVE_GETADDRINFO 1
#define HAVE_GMTIME_R 1
#define HAVE_INET_ATON 1
#define HAVE_INET_NTOP 1
#define HAVE_INET_PTON 1
#define HAVE_INTTYPES_H 1
#define HAVE_ISASCII 1
#define HAVE_ISBLANK 1
#define HAVE_LOCALTIME_R 1
#define HAVE_MEMMOVE 1
#define HAVE_NETDB_H 1
#define HAVE_NETINET_IN_H 1
#define HAVE_RANDOM 1
#define HAVE_SLEEP 1
#define HAVE_SNPRINTF 1
#define HAVE_STDINT_H 1
#define HAVE_STRTOUL 1
#define HAVE_SYS_SOCKET_H 1
#define HAVE_TIMEGM 1
#define STDC_HEADERS 1
#define FD_SET_T
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <assert.h>
#include <stdlib.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
int ldns_b64_ntop(uint8_t const *src, size_t srclength, char *target, size_t targsize);
static inline size_t ldns_b64_ntop_calculate_size(size_t srcsize)
{
	return ((((srcsize + 2) / 3) * 4) + 1);
}
int ldns_b64_pton(char const *src, uint8_t *target, size_t targsize);
static inline size_t ldns_b64_pton_calculate_size(size_t srcsize)
{
	return (((((srcsize + 3) / 4) * 3)) + 1);
}
int ldns_dname_compare_v(const void *a, const void *b);
size_t strlcpy(char *dst, const char *src, size_t siz);
#define SOCK_INVALID -1
#define close_socket(_s) do { if (_s != SOCK_INVALID) {close(_s); _s = -1;} } while(0)
