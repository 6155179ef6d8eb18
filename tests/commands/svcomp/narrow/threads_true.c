/* Two threads that count under a lock, with declarations as a preprocessor leaves them for i386.
   property: unreach-call
   answer: true */
typedef unsigned long int pthread_t;
typedef union {
  char __size[36];
  long int __align;
} pthread_attr_t;
typedef union {
  struct {
    int __lock;
    unsigned int __count;
    int __owner;
    int __kind;
    unsigned int __nusers;
    int __spins;
  } __data;
  char __size[24];
  long int __align;
} pthread_mutex_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

pthread_mutex_t lock;
struct counter {
  long total;
  struct counter *self;
} counter = {0, &counter};
int guard = 7;

void *worker(void *argument) {
  struct counter *mine = argument;
  pthread_mutex_lock(&lock);
  long before = mine->self->total;
  mine->total = before + 1;
  pthread_mutex_unlock(&lock);
  return mine->self;
}

int main(void) {
  pthread_t threads[2];
  void *results[2];
  int count = __VERIFIER_nondet_int();
  if (count < 0 || count > 2) return 0;
  pthread_mutex_init(&lock, 0);
  for (int i = 0; i < count; i++) pthread_create(&threads[i], 0, worker, &counter);
  for (int i = 0; i < count; i++) pthread_join(threads[i], &results[i]);
  if (counter.total != count || guard != 7) reach_error();
  if (count && results[count - 1] != &counter) reach_error();
  return 0;
}
