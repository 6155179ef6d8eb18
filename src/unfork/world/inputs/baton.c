/* Lets the threads of a program go on one at a time, as a schedule says. A thread rests before each visible operation:
   what these are, and when a thread is able to do one, is as on the engine (engine/memory/visible_operations.py, engine/state/threads.py).

   The locks are the system's own. Beside them stands who holds which, so that a deadlock is noticed and none is waited
   for in vain. Calls that might wait are made when they need not, so that the baton is never lost. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#define UNFORK_OF(name) unfork_of_##name
#define UNFORK_MOST 256

enum {
    UNFORK_ACCESS, UNFORK_SECTION, UNFORK_LOCK, UNFORK_SHARE, UNFORK_TRY, UNFORK_UNLOCK, UNFORK_TAKE, UNFORK_GIVE,
    UNFORK_WAIT, UNFORK_WAKE, UNFORK_SIGNAL, UNFORK_ARRIVE, UNFORK_LEAVE, UNFORK_ONCE, UNFORK_CREATE, UNFORK_JOIN,
    UNFORK_EXIT, UNFORK_END
};
struct unfork_turn {
    int thread, kind;
};
static struct unfork_thread {
    pthread_t handle;
    int has_begun, rests, has_ended, is_let_go, kind;
    void *at;
    struct unfork_lock *condition;
    int other;
    void *(*function)(void *);
    void *argument;
} unfork_threads[UNFORK_MOST] = {{.has_begun = 1}};
static struct unfork_lock {
    void *at;
    int type, holder, depth, readers, count, waiting[UNFORK_MOST];
} unfork_locks[4096];
static const struct unfork_turn *unfork_turns;
static long unfork_turn_count, unfork_turn_at;
static int unfork_thread_count = 1;
static int unfork_is_off;
static volatile int unfork_running;
static __thread int unfork_me, unfork_depth;

__attribute__((noreturn)) static void unfork_give_up(const char *kind) {
    (void)!write(2, "unfork: ", 8);
    (void)!write(2, kind, strlen(kind));
    (void)!write(2, "\n", 1);
    unfork_is_off = 1;
    abort();
}

/* --- the baton ---------------------------------------------------------------------------------------------------- */

static void unfork_let(int thread) {
    __asm__ volatile("" ::: "memory");
    unfork_running = thread;
    syscall(SYS_futex, &unfork_running, 1, INT_MAX, 0, 0, 0);
}

static void unfork_wait(void) {
    int running;
    while ((running = unfork_running) != unfork_me) syscall(SYS_futex, &unfork_running, 0, running, 0, 0, 0);
    __asm__ volatile("" ::: "memory");
}

static struct unfork_lock *unfork_lock_at(void *at) {
    struct unfork_lock *lock = unfork_locks;
    while (lock->at && lock->at != at)
        if (++lock == unfork_locks + 4096) unfork_give_up("too-many-locks");
    if (!lock->at) {
        lock->at = at;
        lock->holder = -1;
    }
    return lock;
}

static void unfork_forget(void *at, int type) {
    struct unfork_lock *lock = unfork_lock_at(at);
    memset(lock, 0, sizeof *lock);
    lock->at = at;
    lock->holder = -1;
    lock->type = type;
}

static int unfork_waits(struct unfork_lock *lock, int thread) {
    int i;
    for (i = 0; i < lock->count; i++)
        if (lock->waiting[i] == thread) return 1;
    return 0;
}

static void unfork_leave_line(struct unfork_lock *lock, int index) {
    lock->count--;
    memmove(lock->waiting + index, lock->waiting + index + 1, (unsigned)(lock->count - index) * sizeof(int));
}

static int unfork_is_able(int number, int wakes) {
    struct unfork_thread *thread = &unfork_threads[number];
    struct unfork_lock *lock;
    int count = 0;
    if (!thread->rests || thread->has_ended) return 0;
    if (thread->kind == UNFORK_JOIN) return unfork_threads[thread->other].has_ended;
    if (thread->kind == UNFORK_TAKE) return !sem_getvalue(thread->at, &count) && count > 0;
    if (!thread->at || thread->kind == UNFORK_ACCESS) return 1;
    lock = unfork_lock_at(thread->at);
    switch (thread->kind) {
    case UNFORK_LOCK:
        return !lock->readers && (lock->holder < 0 || (lock->holder == number && lock->type != PTHREAD_MUTEX_NORMAL));
    case UNFORK_SHARE: return lock->holder < 0;
    case UNFORK_WAKE: return lock->holder < 0 && (wakes || !unfork_waits(thread->condition, number));
    case UNFORK_LEAVE: return !unfork_waits(lock, number);
    case UNFORK_ONCE: return lock->count != 1;
    }
    return 1;
}

/* Choose who goes on. A new thread runs to its first visible operation at once. After the schedule, all that are able
   take turns. */
static void unfork_choose(void) {
    int i;
    for (i = 0; i < unfork_thread_count; i++)
        if (!unfork_threads[i].has_begun) {
            unfork_threads[i].has_begun = 1;
            unfork_let(i);
            return;
        }
    if (unfork_turn_at < unfork_turn_count) {
        const struct unfork_turn *turn = &unfork_turns[unfork_turn_at++];
        int is_there = turn->thread < unfork_thread_count && unfork_threads[turn->thread].kind == turn->kind;
        if (!is_there || !unfork_is_able(turn->thread, 1)) unfork_give_up("off-schedule");
        unfork_let(turn->thread);
        return;
    }
    for (i = 0; i < unfork_thread_count; i++) {
        int number = (unfork_me + 1 + i) % unfork_thread_count;
        if (unfork_is_able(number, 0)) {
            unfork_let(number);
            return;
        }
    }
    unfork_give_up("deadlock");
}

/* Rest before a visible operation. As long as there is one thread, it does what it can without a choice. */
static void unfork_rest(int kind, void *at, struct unfork_lock *condition, int other) {
    struct unfork_thread *thread = &unfork_threads[unfork_me];
    if (unfork_is_off || unfork_depth) return;
    thread->kind = kind;
    thread->at = at;
    thread->condition = condition;
    thread->other = other;
    thread->rests = 1;
    if (unfork_thread_count > 1 || kind == UNFORK_WAKE || !unfork_is_able(unfork_me, 0)) {
        unfork_choose();
        unfork_wait();
    }
    thread->rests = 0;
}

static void unfork_rest_at(int kind, void *at) { unfork_rest(kind, at, 0, 0); }

/* --- memory, and what is one operation as a whole ----------------------------------------------------------------- */

static unsigned long unfork_constants[64][2];
static int unfork_constant_count;

/* What cannot be written is shared with nobody: where that is, the system says. */
__attribute__((constructor)) static void unfork_find_constants(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long low, high;
    char rights[8];
    while (maps && unfork_constant_count < 64 && fscanf(maps, "%lx-%lx %7s%*[^\n]", &low, &high, rights) == 3)
        if (rights[0] == 'r' && rights[1] != 'w') {
            unfork_constants[unfork_constant_count][0] = low;
            unfork_constants[unfork_constant_count++][1] = high;
        }
    if (maps) fclose(maps);
}

static int unfork_is_shared(const void *pointer) {
    unsigned long at = (unsigned long)pointer;
    int i;
    for (i = 0; i < unfork_constant_count; i++)
        if (unfork_constants[i][0] <= at && at < unfork_constants[i][1]) return 0;
    return at != 0;
}

void unfork_access(const void *one, const void *two) {
    if (unfork_thread_count > 1 && (unfork_is_shared(one) || unfork_is_shared(two))) unfork_rest_at(UNFORK_ACCESS, 0);
}

/* What ThreadSanitizer is told; it does not know that one thread goes on at a time. */
#ifdef UNFORK_RACES
extern void __tsan_acquire(void *), __tsan_release(void *);
#define UNFORK_PLAIN(how) \
    void unfork_mark_##how(char *at, long size) { \
        void *place = __builtin_return_address(0); \
        if (size == 2) __tsan_##how##2_pc(at, place); \
        else if (size == 4) __tsan_##how##4_pc(at, place); \
        else if (size == 8) __tsan_##how##8_pc(at, place); \
        else \
            for (; size > 0; size--) __tsan_##how##1_pc(at++, place); \
    }
#define UNFORK_ATOMIC(how, call) \
    void unfork_mark_##how(void *at, long size) { \
        if (size == 1) UNFORK_##call(unsigned char, 8); \
        else if (size == 2) UNFORK_##call(unsigned short, 16); \
        else if (size == 4) UNFORK_##call(unsigned, 32); \
        else if (size == 8) UNFORK_##call(unsigned long, 64); \
    }
#define UNFORK_LOAD(kind, bits) __tsan_atomic##bits##_load(at, 5)
#define UNFORK_STORE(kind, bits) __tsan_atomic##bits##_store(at, *(kind *)at, 5)
#define UNFORK_UPDATE(kind, bits) __tsan_atomic##bits##_fetch_add(at, 0, 5)
#define UNFORK_KNOWN(kind, bits) \
    extern kind __tsan_atomic##bits##_load(const volatile kind *, int); \
    extern void __tsan_atomic##bits##_store(volatile kind *, kind, int); \
    extern kind __tsan_atomic##bits##_fetch_add(volatile kind *, kind, int);
extern void __tsan_read1_pc(void *, void *), __tsan_write1_pc(void *, void *);
extern void __tsan_read2_pc(void *, void *), __tsan_write2_pc(void *, void *);
extern void __tsan_read4_pc(void *, void *), __tsan_write4_pc(void *, void *);
extern void __tsan_read8_pc(void *, void *), __tsan_write8_pc(void *, void *);
UNFORK_KNOWN(unsigned char, 8)
UNFORK_KNOWN(unsigned short, 16)
UNFORK_KNOWN(unsigned, 32)
UNFORK_KNOWN(unsigned long, 64)
UNFORK_PLAIN(read)
UNFORK_PLAIN(write)
UNFORK_ATOMIC(atomic_read, LOAD)
UNFORK_ATOMIC(atomic_write, STORE)
UNFORK_ATOMIC(update, UPDATE)
#define UNFORK_ACQUIRE(at) __tsan_acquire(at)
#define UNFORK_RELEASE(at) __tsan_release(at)
#else
#define UNFORK_UNMARKED(how) \
    void unfork_mark_##how(const void *at, long size) { (void)at, (void)size; }
UNFORK_UNMARKED(read)
UNFORK_UNMARKED(write)
UNFORK_UNMARKED(atomic_read)
UNFORK_UNMARKED(atomic_write)
UNFORK_UNMARKED(update)
#define UNFORK_ACQUIRE(at) (void)0
#define UNFORK_RELEASE(at) (void)0
#endif

void unfork_enter(void) {
    unfork_rest_at(UNFORK_SECTION, 0);
    unfork_depth++;
}
void unfork_leave_section(void) {
    if (unfork_depth) unfork_depth--;
}
void UNFORK_OF(__VERIFIER_atomic_begin)(void) {
    unfork_enter();
    UNFORK_ACQUIRE((void *)&unfork_running);
}
void UNFORK_OF(__VERIFIER_atomic_end)(void) {
    UNFORK_RELEASE((void *)&unfork_running);
    unfork_leave_section();
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

/* Destructors of the thread's own variables in C++, the newest first. */
static __thread struct unfork_variable {
    void (*destroy)(void *);
    void *argument;
    struct unfork_variable *next;
} *unfork_variables;

static void unfork_destroy_variables(void) {
    struct unfork_variable *each;
    while ((each = unfork_variables)) {
        unfork_variables = each->next;
        each->destroy(each->argument);
        free(each);
    }
}

int UNFORK_OF(__cxa_thread_atexit)(void (*destroy)(void *), void *argument, void *library) {
    struct unfork_variable *each = malloc(sizeof *each);
    (void)library;
    if (!each) return -1;
    *each = (struct unfork_variable){destroy, argument, unfork_variables};
    unfork_variables = each;
    return 0;
}

static void unfork_end_program(void) {
    unfork_depth = 0;
    unfork_rest_at(UNFORK_END, 0);
    unfork_is_off = 1;
    unfork_destroy_variables();
}

/* The system is told of no destructor: it would call them without the baton. */
static struct unfork_key {
    pthread_key_t key;
    void (*destroy)(void *);
} unfork_keys[1024];
static int unfork_key_count;

static void unfork_destroy_own(void) {
    int round, i;
    unfork_destroy_variables();
    for (round = 0; round < 4; round++)
        for (i = 0; i < unfork_key_count; i++) {
            void *value = unfork_keys[i].destroy ? pthread_getspecific(unfork_keys[i].key) : 0;
            if (!value) continue;
            if (unfork_keys[i].destroy == free) unfork_access(value, 0);
            pthread_setspecific(unfork_keys[i].key, 0);
            unfork_keys[i].destroy(value);
        }
}

static void unfork_end_thread(void) {
    int i;
    unfork_destroy_own();
    unfork_rest_at(UNFORK_EXIT, 0);
    unfork_threads[unfork_me].has_ended = 1;
    unfork_depth = 1;
    for (i = 0; i < unfork_thread_count; i++)
        if (!unfork_threads[i].has_ended) {
            unfork_choose();
            return;
        }
    unfork_is_off = 1;
    exit(0);
}

static void *unfork_begin(void *given) {
    struct unfork_thread *thread = given;
    void *result;
    unfork_me = (int)(thread - unfork_threads);
    unfork_wait();
    result = thread->function(thread->argument);
    unfork_end_thread();
    return result;
}

int UNFORK_OF(pthread_create)(pthread_t *handle, const pthread_attr_t *how, void *(*run)(void *), void *given) {
    struct unfork_thread *thread;
    int status;
    unfork_rest_at(UNFORK_CREATE, 0);
    if (unfork_thread_count == UNFORK_MOST) unfork_give_up("too-many-threads");
    thread = &unfork_threads[unfork_thread_count];
    thread->function = run;
    thread->argument = given;
    status = pthread_create(&thread->handle, how, unfork_begin, thread);
    if (status) return status;
    *handle = thread->handle;
    unfork_thread_count++;
    return 0;
}

static int unfork_number(pthread_t handle) {
    int i;
    for (i = 0; i < unfork_thread_count; i++)
        if (pthread_equal(unfork_threads[i].handle, handle) && !unfork_threads[i].is_let_go) return i;
    return -1;
}

int UNFORK_OF(pthread_join)(pthread_t handle, void **result) {
    int number = unfork_number(handle);
    if (pthread_equal(handle, pthread_self())) return EDEADLK;
    if (number < 0) unfork_give_up("lock-misuse");
    unfork_rest(UNFORK_JOIN, 0, 0, number);
    unfork_threads[number].is_let_go = 1;
    return pthread_join(handle, result);
}

int UNFORK_OF(pthread_detach)(pthread_t handle) {
    int number = unfork_number(handle);
    if (number >= 0) unfork_threads[number].is_let_go = 1;
    return pthread_detach(handle);
}

__attribute__((noreturn)) void UNFORK_OF(pthread_exit)(void *result) {
    unfork_end_thread();
    pthread_exit(result);
}
__attribute__((noreturn)) void UNFORK_OF(exit)(int status) {
    unfork_end_program();
    exit(status);
}

int UNFORK_OF(thrd_create)(thrd_t *handle, thrd_start_t run, void *given) {
    return UNFORK_OF(pthread_create)((pthread_t *)handle, 0, (void *(*)(void *))run, given) ? thrd_error : thrd_success;
}
int UNFORK_OF(thrd_join)(thrd_t handle, int *result) {
    void *value = 0;
    int status = UNFORK_OF(pthread_join)((pthread_t)handle, &value);
    if (!status && result) *result = (int)(long)value;
    return status ? thrd_error : thrd_success;
}
int UNFORK_OF(thrd_detach)(thrd_t handle) {
    return UNFORK_OF(pthread_detach)((pthread_t)handle) ? thrd_error : thrd_success;
}
__attribute__((noreturn)) void UNFORK_OF(thrd_exit)(int result) { UNFORK_OF(pthread_exit)((void *)(long)result); }

int UNFORK_OF(pthread_key_create)(pthread_key_t *key, void (*destroy)(void *)) {
    int status;
    if (unfork_key_count == 1024) unfork_give_up("too-many-keys");
    status = pthread_key_create(key, 0);
    if (!status) unfork_keys[unfork_key_count++] = (struct unfork_key){*key, destroy};
    return status;
}
int UNFORK_OF(pthread_key_delete)(pthread_key_t key) {
    int i;
    for (i = 0; i < unfork_key_count; i++)
        if (unfork_keys[i].key == key) unfork_keys[i].destroy = 0;
    return pthread_key_delete(key);
}

int UNFORK_OF(tss_create)(tss_t *key, tss_dtor_t destroy) {
    return UNFORK_OF(pthread_key_create)((pthread_key_t *)key, destroy) ? thrd_error : thrd_success;
}
void UNFORK_OF(tss_delete)(tss_t key) { UNFORK_OF(pthread_key_delete)((pthread_key_t)key); }

extern int UNFORK_OF(main)(int, char **, char **);
int main(int count, char **words, char **environment) {
    int status = UNFORK_OF(main)(count, words, environment);
    unfork_end_program();
    return status;
}

/* --- locks -------------------------------------------------------------------------------------------------------- */

static void unfork_took(void *at) {
    struct unfork_lock *lock = unfork_lock_at(at);
    lock->holder = unfork_me;
    lock->depth++;
}

static void unfork_gave(void *at) {
    struct unfork_lock *lock = unfork_lock_at(at);
    if (lock->holder != unfork_me && lock->readers) {
        lock->readers--;
        return;
    }
    if (lock->holder != unfork_me) unfork_give_up("lock-misuse");
    if (!--lock->depth) lock->holder = -1;
}

static int unfork_had(int status, void *at) {
    if (!status) unfork_took(at);
    return status;
}

/* A lock that the engine says is free must be. */
static int unfork_surely(int status) {
    if (status == EBUSY) unfork_give_up("off-schedule");
    return status;
}

int UNFORK_OF(pthread_mutex_init)(pthread_mutex_t *at, const pthread_mutexattr_t *how) {
    int type = PTHREAD_MUTEX_NORMAL;
    if (how) pthread_mutexattr_gettype(how, &type);
    unfork_forget(at, type);
    return pthread_mutex_init(at, how);
}
int UNFORK_OF(pthread_mutex_destroy)(pthread_mutex_t *at) {
    unfork_rest_at(UNFORK_UNLOCK, at);
    if (unfork_lock_at(at)->holder >= 0) unfork_give_up("lock-misuse");
    unfork_forget(at, PTHREAD_MUTEX_NORMAL);
    return pthread_mutex_destroy(at);
}
int UNFORK_OF(pthread_mutex_lock)(pthread_mutex_t *at) {
    struct unfork_lock *lock = unfork_lock_at(at);
    unfork_rest_at(UNFORK_LOCK, at);
    if (lock->holder == unfork_me && lock->type == PTHREAD_MUTEX_ERRORCHECK) unfork_give_up("lock-misuse");
    return unfork_had(unfork_surely(pthread_mutex_trylock(at)), at);
}
int UNFORK_OF(pthread_mutex_trylock)(pthread_mutex_t *at) {
    unfork_rest_at(UNFORK_TRY, at);
    return unfork_had(pthread_mutex_trylock(at), at);
}
int UNFORK_OF(pthread_mutex_timedlock)(pthread_mutex_t *at, const struct timespec *until) {
    int status = UNFORK_OF(pthread_mutex_trylock)(at);
    (void)until;
    return status == EBUSY ? ETIMEDOUT : status;
}
int UNFORK_OF(pthread_mutex_unlock)(pthread_mutex_t *at) {
    unfork_rest_at(UNFORK_UNLOCK, at);
    unfork_gave(at);
    return pthread_mutex_unlock(at);
}

int UNFORK_OF(pthread_rwlock_rdlock)(pthread_rwlock_t *at) {
    int status;
    unfork_rest_at(UNFORK_SHARE, at);
    status = unfork_surely(pthread_rwlock_tryrdlock(at));
    if (!status) unfork_lock_at(at)->readers++;
    return status;
}
int UNFORK_OF(pthread_rwlock_tryrdlock)(pthread_rwlock_t *at) {
    int status;
    unfork_rest_at(UNFORK_TRY, at);
    status = pthread_rwlock_tryrdlock(at);
    if (!status) unfork_lock_at(at)->readers++;
    return status;
}
int UNFORK_OF(pthread_rwlock_wrlock)(pthread_rwlock_t *at) {
    unfork_rest_at(UNFORK_LOCK, at);
    return unfork_had(unfork_surely(pthread_rwlock_trywrlock(at)), at);
}
int UNFORK_OF(pthread_rwlock_trywrlock)(pthread_rwlock_t *at) {
    unfork_rest_at(UNFORK_TRY, at);
    return unfork_had(pthread_rwlock_trywrlock(at), at);
}
int UNFORK_OF(pthread_rwlock_unlock)(pthread_rwlock_t *at) {
    unfork_rest_at(UNFORK_UNLOCK, at);
    unfork_gave(at);
    return pthread_rwlock_unlock(at);
}

int UNFORK_OF(pthread_spin_init)(pthread_spinlock_t *at, int shared) {
    unfork_forget((void *)at, PTHREAD_MUTEX_NORMAL);
    return pthread_spin_init(at, shared);
}
int UNFORK_OF(pthread_spin_destroy)(pthread_spinlock_t *at) {
    unfork_rest_at(UNFORK_UNLOCK, (void *)at);
    return pthread_spin_destroy(at);
}
int UNFORK_OF(pthread_spin_lock)(pthread_spinlock_t *at) {
    unfork_rest_at(UNFORK_LOCK, (void *)at);
    return unfork_had(unfork_surely(pthread_spin_trylock(at)), (void *)at);
}
int UNFORK_OF(pthread_spin_trylock)(pthread_spinlock_t *at) {
    unfork_rest_at(UNFORK_TRY, (void *)at);
    return unfork_had(pthread_spin_trylock(at), (void *)at);
}
int UNFORK_OF(pthread_spin_unlock)(pthread_spinlock_t *at) {
    unfork_rest_at(UNFORK_UNLOCK, (void *)at);
    unfork_gave((void *)at);
    return pthread_spin_unlock(at);
}

/* A wait gives the mutex back, and wakes with it, signalled or not. */
static int unfork_await(void *condition, pthread_mutex_t *at) {
    struct unfork_lock *line = unfork_lock_at(condition);
    int i, was_signalled = 1;
    unfork_rest(UNFORK_WAIT, at, line, 0);
    unfork_gave(at);
    pthread_mutex_unlock(at);
    line->waiting[line->count++] = unfork_me;
    unfork_rest(UNFORK_WAKE, at, line, 0);
    for (i = 0; i < line->count; i++)
        if (line->waiting[i] == unfork_me) {
            unfork_leave_line(line, i);
            was_signalled = 0;
            break;
        }
    unfork_had(unfork_surely(pthread_mutex_trylock(at)), at);
    return was_signalled ? 0 : ETIMEDOUT;
}

static int unfork_signal(void *condition, int is_to_all) {
    struct unfork_lock *line = unfork_lock_at(condition);
    unsigned char woken = 0;
    unfork_rest_at(UNFORK_SIGNAL, condition);
    if (is_to_all) line->count = 0;
    if (line->count > 1) unfork_take(&woken, 1);
    if (line->count) unfork_leave_line(line, woken < line->count ? woken : 0);
    return 0;
}

int UNFORK_OF(pthread_cond_init)(pthread_cond_t *at, const pthread_condattr_t *how) {
    (void)how;
    unfork_lock_at(at)->count = 0;
    return 0;
}
int UNFORK_OF(pthread_cond_destroy)(pthread_cond_t *at) {
    (void)at;
    return 0;
}
int UNFORK_OF(pthread_cond_wait)(pthread_cond_t *condition, pthread_mutex_t *at) {
    unfork_await(condition, at);
    return 0;
}
int UNFORK_OF(pthread_cond_timedwait)(pthread_cond_t *condition, pthread_mutex_t *at, const struct timespec *until) {
    (void)until;
    return unfork_await(condition, at);
}
int UNFORK_OF(pthread_cond_signal)(pthread_cond_t *at) { return unfork_signal(at, 0); }
int UNFORK_OF(pthread_cond_broadcast)(pthread_cond_t *at) { return unfork_signal(at, 1); }

int UNFORK_OF(sem_wait)(sem_t *at) {
    unfork_rest_at(UNFORK_TAKE, at);
    if (sem_trywait(at)) unfork_give_up("off-schedule");
    return 0;
}
int UNFORK_OF(sem_trywait)(sem_t *at) {
    unfork_rest_at(UNFORK_TRY, at);
    return sem_trywait(at);
}
int UNFORK_OF(sem_timedwait)(sem_t *at, const struct timespec *until) {
    int status = UNFORK_OF(sem_trywait)(at);
    (void)until;
    if (status) errno = ETIMEDOUT;
    return status;
}
int UNFORK_OF(sem_post)(sem_t *at) {
    unfork_rest_at(UNFORK_GIVE, at);
    return sem_post(at);
}
int UNFORK_OF(sem_getvalue)(sem_t *at, int *value) {
    unfork_rest_at(UNFORK_TRY, at);
    return sem_getvalue(at, value);
}

int UNFORK_OF(pthread_barrier_init)(pthread_barrier_t *at, const pthread_barrierattr_t *how, unsigned count) {
    (void)how;
    if (!count) return EINVAL;
    unfork_forget(at, (int)count);
    return 0;
}
int UNFORK_OF(pthread_barrier_destroy)(pthread_barrier_t *at) {
    (void)at;
    return 0;
}
int UNFORK_OF(pthread_barrier_wait)(pthread_barrier_t *at) {
    struct unfork_lock *line = unfork_lock_at(at);
    unfork_rest_at(UNFORK_ARRIVE, at);
    UNFORK_RELEASE(at);
    if (line->count + 1 >= line->type) {
        line->count = 0;
        UNFORK_ACQUIRE(at);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    line->waiting[line->count++] = unfork_me;
    unfork_rest_at(UNFORK_LEAVE, at);
    UNFORK_ACQUIRE(at);
    return 0;
}

int UNFORK_OF(pthread_once)(pthread_once_t *at, void (*run)(void)) {
    struct unfork_lock *lock = unfork_lock_at((void *)at);
    unfork_rest_at(UNFORK_ONCE, (void *)at);
    UNFORK_ACQUIRE((void *)at);
    if (lock->count) return 0;
    lock->count = 1;
    run();
    unfork_rest_at(UNFORK_UNLOCK, (void *)at);
    UNFORK_RELEASE((void *)at);
    lock->count = 2;
    return 0;
}
void UNFORK_OF(call_once)(once_flag *at, void (*run)(void)) { UNFORK_OF(pthread_once)((pthread_once_t *)at, run); }

static int unfork_status(int status) {
    return !status ? thrd_success : status == EBUSY ? thrd_busy : status == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int UNFORK_OF(mtx_init)(mtx_t *at, int kind) {
    unfork_forget(at, kind & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    return mtx_init(at, kind);
}
void UNFORK_OF(mtx_destroy)(mtx_t *at) { UNFORK_OF(pthread_mutex_destroy)((pthread_mutex_t *)at); }
int UNFORK_OF(mtx_lock)(mtx_t *at) { return unfork_status(UNFORK_OF(pthread_mutex_lock)((pthread_mutex_t *)at)); }
int UNFORK_OF(mtx_trylock)(mtx_t *at) { return unfork_status(UNFORK_OF(pthread_mutex_trylock)((pthread_mutex_t *)at)); }
int UNFORK_OF(mtx_timedlock)(mtx_t *at, const struct timespec *until) {
    return unfork_status(UNFORK_OF(pthread_mutex_timedlock)((pthread_mutex_t *)at, until));
}
int UNFORK_OF(mtx_unlock)(mtx_t *at) { return unfork_status(UNFORK_OF(pthread_mutex_unlock)((pthread_mutex_t *)at)); }
int UNFORK_OF(cnd_init)(cnd_t *at) {
    unfork_lock_at(at)->count = 0;
    return thrd_success;
}
void UNFORK_OF(cnd_destroy)(cnd_t *at) { (void)at; }
int UNFORK_OF(cnd_wait)(cnd_t *condition, mtx_t *at) {
    unfork_await(condition, (pthread_mutex_t *)at);
    return thrd_success;
}
int UNFORK_OF(cnd_timedwait)(cnd_t *condition, mtx_t *at, const struct timespec *until) {
    (void)until;
    return unfork_status(unfork_await(condition, (pthread_mutex_t *)at));
}
int UNFORK_OF(cnd_signal)(cnd_t *at) { return unfork_signal(at, 0); }
int UNFORK_OF(cnd_broadcast)(cnd_t *at) { return unfork_signal(at, 1); }

/* The schedule is the first input. */
__attribute__((constructor)) static void unfork_read_schedule(void) {
    unfork_take(&unfork_turn_count, sizeof unfork_turn_count);
    struct unfork_turn *turns = calloc((unsigned long)unfork_turn_count + 1, sizeof *turns);
    unfork_take(turns, (unsigned long)unfork_turn_count * sizeof *turns);
    unfork_turns = turns;
    unfork_threads[0].handle = pthread_self();
}
