/* Messages about errors, as glibc has them. */
#ifndef UNFORK_GLIBC_ERROR_H
#define UNFORK_GLIBC_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif
extern void (*error_print_progname)(void);
extern unsigned error_message_count;
extern int error_one_per_line;
void error(int, int, const char *, ...) __attribute__((__format__(__printf__, 3, 4)));
void error_at_line(int, int, const char *, unsigned, const char *, ...) __attribute__((__format__(__printf__, 5, 6)));
#ifdef __cplusplus
}
#endif
#endif
