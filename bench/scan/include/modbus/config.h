/* Stands in for the file that a configure script would write, on Linux. */
#define HAVE_NETINET_IN_H 1
#define HAVE_NETINET_IP_H 1
#define HAVE_NETINET_TCP_H 1
#define HAVE_ARPA_INET_H 1
