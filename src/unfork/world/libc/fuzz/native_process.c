/* Runs a program on an input in a process of its own, which begins at the program's main; see native_fuzzer.c.
 *
 * The program may exit and keep what it likes: the next process knows nothing of it. The linker's --wrap gives the name
 * main to our fuzzer. What the process counted and compared comes back in memory that both share when it exits; of one
 * that a signal ends, nothing does.
 */
#define _GNU_SOURCE
#include "native_process.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define DESCRIPTORS 64 /* this process has no more open */
#define NO_PROCESS 4 /* the exit status where the system grants none */

extern char **environ;
extern uint8_t __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
int __real_main(int count, char **words, char **variables);
void __real__exit(int status);
void __real__Exit(int status);

typedef struct {
    volatile int is_back;
    Comparisons compared;
    uint8_t counters[];
} Returned;

static Returned *returned;
static const char *input_file; /* where the program reads its input; 0 if it does so in memory or standard input */
static int input = -1;         /* the file that is standard input, if the input is there */
static int word_count;
static char **words;
static volatile pid_t process; /* in the process that runs the program: its number */
static const uint8_t *given;
static size_t given_size;

static size_t counters(void) { return (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs); }

/* Gives back what was counted, unless this is a process that the program has started. */
static void give_back(void) {
    if (!process || getpid() != process) return;
    memcpy(returned->counters, __start___sancov_cntrs, counters());
    returned->compared = unfork_compared;
    returned->is_back = 1;
}

/* Handlers that are registered first run last. */
__attribute__((constructor(101))) static void at_last(void) { atexit(give_back); }

void __wrap__exit(int status) {
    give_back();
    __real__exit(status);
}
void __wrap__Exit(int status) {
    give_back();
    __real__Exit(status);
}

/* The input of programs for AFL++: one turn of the loop, and a block with nothing behind it. */
int unfork_afl_loop(void) {
    static int turns;
    return !turns++;
}
unsigned char *unfork_afl_data(void) {
    static unsigned char *data;
    if (!data && (data = (unsigned char *)malloc(given_size)) && given_size) memcpy(data, given, given_size);
    return data;
}
unsigned long unfork_afl_size(void) { return given_size; }

/* Takes the words of the command line: the name of the file for inputs, - for standard input, empty for memory; then
 * the program's own words. */
void unfork_begin_processes(int count, char **given_words) {
    size_t size = sizeof *returned + counters();
    void *shared = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count < 2 || shared == MAP_FAILED) _exit(2);
    returned = (Returned *)shared;
    if (!strcmp(given_words[0], "-")) {
        input = memfd_create("input", 0);
        if (input < 0 || dup2(input, 0)) _exit(NO_PROCESS);
    } else if (*given_words[0]) {
        input_file = given_words[0];
    }
    word_count = count - 1, words = given_words + 1;
}

static void write_input(const uint8_t *data, size_t size) {
    int file = input;
    size_t done = 0;
    ssize_t written;
    if (input_file) {
        unlink(input_file); /* the last program may have left anything there */
        file = open(input_file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0644);
    } else if (ftruncate(file, 0)) {
        _exit(NO_PROCESS);
    }
    while (done < size && (written = pwrite(file, data + done, size - done, (off_t)done)) > 0) done += (size_t)written;
    if (file < 0 || done < size) _exit(NO_PROCESS);
    if (input_file) close(file);
}

static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP};

/* The program has the descriptors that it would have alone. */
static void be_the_program(void) {
    size_t i;
    setsid();
    process = getpid();
    for (i = 3; i < DESCRIPTORS; i++) close((int)i);
    unsetenv("UNFORK_GATE");
    for (i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    exit(__real_main(word_count, words, environ));
}

/* Ends as the program does if that crashes. */
int unfork_run_process(const uint8_t *data, size_t size) {
    int status = 0;
    size_t i;
    pid_t child;
    if (input_file || input >= 0) write_input(data, size);
    lseek(0, 0, SEEK_SET);
    given = data, given_size = size;
    returned->is_back = 0;
    child = fork();
    if (child < 0) _exit(NO_PROCESS);
    if (!child) be_the_program();
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    kill(-child, SIGKILL); /* what it has started */
    if (returned->is_back) {
        memcpy(__start___sancov_cntrs, returned->counters, counters());
        unfork_compared = returned->compared;
    }
    for (i = 0; WIFSIGNALED(status) && i < sizeof crashes / sizeof *crashes; i++)
        if (WTERMSIG(status) == crashes[i]) raise(crashes[i]);
    return 0;
}
