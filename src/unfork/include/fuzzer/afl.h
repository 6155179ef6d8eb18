/* What AFL++'s compilers define, for programs that run under unfork: one loop, on any input. A file that names __AFL_
 * gets this header first. */
#ifndef UNFORK_AFL_H
#define UNFORK_AFL_H

#ifdef __cplusplus
extern "C" {
#endif
int unfork_afl_loop(void);
unsigned char *unfork_afl_data(void);
unsigned long unfork_afl_size(void);
#ifdef __cplusplus
}
#endif

#define __AFL_COMPILER 1
#define __AFL_HAVE_MANUAL_CONTROL 1
#define __AFL_FUZZ_INIT() extern int unfork_afl_begins
#define __AFL_INIT() ((void)0)
#define __AFL_LOOP(times) ((void)(times), unfork_afl_loop())
#define __AFL_FUZZ_TESTCASE_BUF unfork_afl_data()
#define __AFL_FUZZ_TESTCASE_LEN unfork_afl_size()

#endif
