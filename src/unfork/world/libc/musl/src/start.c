/* What musl's start-up code would set up, as initialised variables: the thread and the process as a whole. */
#include "pthread_impl.h"

static size_t auxiliary_vector[2];

struct __libc __libc = {.auxv = auxiliary_vector, .page_size = 4096};

size_t __hwcap;
char *__progname, *__progname_full;

weak_alias(__progname, program_invocation_short_name);
weak_alias(__progname_full, program_invocation_name);

/* Set by the engine when the first thread is made. */
int unfork_has_threads;

_Thread_local struct pthread unfork_thread = {
	.tid = 1000,
	.detach_state = DT_JOINABLE,
	.locale = &__libc.global_locale,
};

volatile int __thread_list_lock;

/* The kernel is told where a handler returns to; nothing ever runs it. */
void __restore_rt(void) {}
