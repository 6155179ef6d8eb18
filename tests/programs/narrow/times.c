/* Headers other than musl's have times of 32 bits: these are the functions' names there.
   expect: safe
   options: --data-model ILP32
   native: none */
struct moment {
  long seconds, nanoseconds;
};
extern long time(long *);
extern int nanosleep(const struct moment *, struct moment *);
extern int clock_gettime(int, struct moment *);
extern double difftime(long, long);
extern void abort(void);

int main(void) {
  struct moment pause = {2, 5}, now = {0, 0};
  long before = time(0), after;
  if (nanosleep(&pause, 0)) abort();
  if (time(&after) != after || after - before < 2 || after - before > 3) abort();
  if (difftime(after, before) < 2.0) abort();
  if (clock_gettime(0, &now) || now.seconds < after || now.nanoseconds < 0) abort();
  return 0;
}
