/* A fuzzer in one process, for targets that a compiler gave counters of edges; see report/replay/native_fuzzer.py.
 *
 * usage: program fuzz CORPUS ASIDE SEED LARGEST WORDS   mutates the files in CORPUS, and adds those that show anything
 *        program edges CORPUS LIST OUTPUT               writes an empty line, then the edges of each file named in LIST
 *
 * While it fuzzes, it runs as its gate says (native_gate.h), and reads files that others add to CORPUS meanwhile. A
 * crash leaves its input in ASIDE, as crash-...; in OUTPUT, a run that ends the process leaves a line that begins with
 * ! or ~. WORDS is a file of words for mutations, each after its length in one byte. The command line of the compiler
 * defines SLOWEST, the seconds for one input, and SLOW_STATUS, the exit status at one that takes longer.
 *
 * With RUNS_PROCESSES, the target is a program with a main (native_process.c), and -- with its words follows.
 */
#include "native_gate.h"
#include "native_process.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MODULES 64
#define MOST_WORDS 4096
#define AGAIN 4096 /* runs after which the weights of inputs are computed again */
#define BUCKETS 8

#ifdef __cplusplus
extern "C" {
#endif
#ifdef RUNS_PROCESSES
#define TARGET unfork_run_process
#else
#define TARGET LLVMFuzzerTestOneInput
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *count, char ***words);
#endif
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

typedef struct {
    uint8_t *start, *stop;
    size_t first;
} Module;

typedef struct {
    uint8_t *data;
    size_t size;
    uint32_t *features; /* those that it was the first or smallest to show */
    size_t count;
    double weight;
} Input;

static Module modules[MODULES];
static size_t module_count, edge_count;
Comparisons unfork_compared;
static struct {
    uint8_t text[LONGEST_WORD];
    size_t size;
} words[MOST_WORDS];
static size_t word_count;

static Input *inputs;
static size_t input_count, input_room;
static uint32_t *smallest; /* by feature: the number of its smallest input, plus one */
static uint64_t *hits;     /* by feature: how many runs showed it */
static size_t largest;
static const char *corpus, *aside;

static const uint8_t *volatile running;
static volatile size_t running_size;
static char running_name[512];
static volatile double began;
static volatile int is_in_target;
static pid_t own; /* this process, not one that the target starts */
static int output = -1;

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) {
    size_t i;
    for (i = 0; i < module_count; i++)
        if (modules[i].start == start) return;
    if (start == stop || module_count == MODULES) return;
    modules[module_count].start = start;
    modules[module_count].stop = stop;
    modules[module_count++].first = edge_count;
    edge_count += (size_t)(stop - start);
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) { (void)start, (void)stop; }

static void compare(const void *left, const void *right, size_t size) {
    Comparison *entry;
    if (!is_in_target || size == 0 || size > LONGEST_WORD) return;
    entry = &unfork_compared.latest[unfork_compared.count++ % COMPARED];
    memcpy(entry->left, left, size);
    memcpy(entry->right, right, size);
    entry->size = size;
}

#define COMPARES(name, type)                        \
    void __sanitizer_cov_trace_##name(type a, type b) { \
        if (a != b) compare(&a, &b, sizeof a);      \
    }
COMPARES(cmp1, uint8_t)
COMPARES(cmp2, uint16_t)
COMPARES(cmp4, uint32_t)
COMPARES(cmp8, uint64_t)
COMPARES(const_cmp1, uint8_t)
COMPARES(const_cmp2, uint16_t)
COMPARES(const_cmp4, uint32_t)
COMPARES(const_cmp8, uint64_t)

void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {
    size_t size = cases[1] / 8;
    if (size == 0 || size > 8 || cases[0] == 0) return;
    compare(&value, &cases[2 + (unfork_compared.count + value) % cases[0]], size);
}

void __sanitizer_cov_trace_div4(uint32_t value) { (void)value; }
void __sanitizer_cov_trace_div8(uint64_t value) { (void)value; }
void __sanitizer_cov_trace_gep(uintptr_t index) { (void)index; }
void __sanitizer_cov_trace_pc_indir(uintptr_t callee) { (void)callee; }
__attribute__((tls_model("initial-exec"))) __thread uintptr_t __sancov_lowest_stack;

/* The linker's --wrap sends the target's comparisons of strings here. */
int __real_memcmp(const void *a, const void *b, size_t n);
int __real_bcmp(const void *a, const void *b, size_t n);
int __real_strcmp(const char *a, const char *b);
int __real_strncmp(const char *a, const char *b, size_t n);
int __real_strcasecmp(const char *a, const char *b);
int __real_strncasecmp(const char *a, const char *b, size_t n);

static size_t shorter(const char *a, const char *b, size_t most) {
    size_t i = strnlen(a, most), j = strnlen(b, most);
    return i < j ? i : j;
}

int __wrap_memcmp(const void *a, const void *b, size_t n) {
    int result = __real_memcmp(a, b, n);
    if (result) compare(a, b, n < LONGEST_WORD ? n : LONGEST_WORD);
    return result;
}
int __wrap_bcmp(const void *a, const void *b, size_t n) {
    int result = __real_bcmp(a, b, n);
    if (result) compare(a, b, n < LONGEST_WORD ? n : LONGEST_WORD);
    return result;
}
static void compare_texts(const char *a, const char *b, size_t most) {
    if (most > LONGEST_WORD) most = LONGEST_WORD;
    if (is_in_target) compare(a, b, shorter(a, b, most));
    if (is_in_target && strnlen(a, most) != strnlen(b, most)) { /* the whole words, for the dictionary's moves */
        Comparison *entry = &unfork_compared.latest[unfork_compared.count++ % COMPARED];
        entry->size = strnlen(b, most);
        memset(entry->left, 0, sizeof entry->left);
        memcpy(entry->left, a, strnlen(a, entry->size));
        memcpy(entry->right, b, entry->size);
    }
}
int __wrap_strcmp(const char *a, const char *b) {
    int result = __real_strcmp(a, b);
    if (result) compare_texts(a, b, LONGEST_WORD);
    return result;
}
int __wrap_strncmp(const char *a, const char *b, size_t n) {
    int result = __real_strncmp(a, b, n);
    if (result) compare_texts(a, b, n);
    return result;
}
int __wrap_strcasecmp(const char *a, const char *b) {
    int result = __real_strcasecmp(a, b);
    if (result) compare_texts(a, b, LONGEST_WORD);
    return result;
}
int __wrap_strncasecmp(const char *a, const char *b, size_t n) {
    int result = __real_strncasecmp(a, b, n);
    if (result) compare_texts(a, b, n);
    return result;
}

static uint64_t random_state;

static uint64_t random_number(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static size_t below(size_t bound) { return bound ? (size_t)(random_number() % bound) : 0; }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t hash_of(const uint8_t *data, size_t size) {
    uint64_t hash = 14695981039346656037u;
    size_t i;
    for (i = 0; i < size; i++) hash = (hash ^ data[i]) * 1099511628211u;
    return hash;
}

/* Writes a file whose name says its contents. Signal handlers call it. */
static void keep(const char *folder, const char *prefix, const uint8_t *data, size_t size) {
    char path[4096];
    uint64_t hash = hash_of(data, size);
    size_t length = strlen(folder), start = strlen(prefix), i;
    int file;
    if (length + start + 18 > sizeof path) return;
    memcpy(path, folder, length);
    path[length++] = '/';
    memcpy(path + length, prefix, start);
    length += start;
    for (i = 0; i < 16; i++) path[length++] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
    path[length] = 0;
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return;
    while (size) {
        ssize_t written = write(file, data, size);
        if (written <= 0) break;
        data += written, size -= (size_t)written;
    }
    close(file);
}

static void leave(const char *prefix) {
    if (output >= 0) {
        (void)!write(output, prefix[0] == 'c' ? "!" : "~", 1);
        (void)!write(output, running_name, strlen(running_name));
        (void)!write(output, "\n", 1);
    } else if (prefix[0] == 'c') {
        keep(aside, prefix, (const uint8_t *)running, running_size);
    }
}

static void at_signal(int number) {
    if (is_in_target && getpid() == own) {
        is_in_target = 0;
        leave("crash-");
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void at_alarm(int number) {
    (void)number;
    look_for_parent();
    if (is_in_target && now() - began > SLOWEST) {
        is_in_target = 0;
        leave("slow-");
        _exit(SLOW_STATUS);
    }
}

static void at_exit(void) {
    if (!is_in_target || getpid() != own) return;
    is_in_target = 0;
    leave("crash-");
}

static void run(const uint8_t *data, size_t size, int *is_rejected) {
    size_t i;
    uint8_t *copy = (uint8_t *)malloc(size); /* no larger than the input, so that reading on is an error */
    if (size) memcpy(copy, data, size);
    for (i = 0; i < module_count; i++) memset(modules[i].start, 0, (size_t)(modules[i].stop - modules[i].start));
    running = data, running_size = size, began = now();
    is_in_target = 1;
    *is_rejected = TARGET(copy, size) == -1;
    is_in_target = 0;
    free(copy);
}

static int bucket(uint8_t count) {
    if (count < 4) return count - 1;
    if (count < 8) return 3;
    if (count < 16) return 4;
    if (count < 32) return 5;
    return count < 128 ? 6 : 7;
}

static void *grown(void *old, size_t bytes) {
    void *block = realloc(old, bytes);
    if (!block) _exit(3);
    return block;
}

/* Takes the features of the last run; an input that shows a new one, or a known one with fewer bytes, is kept. */
static int look(const uint8_t *data, size_t size, int is_new) {
    static uint32_t *found;
    size_t count = 0, i, fresh = 0;
    Input *input;
    if (!found) found = (uint32_t *)grown(0, edge_count * sizeof *found + 1);
    for (i = 0; i < module_count; i++) {
        uint8_t *at = modules[i].start;
        while (at < modules[i].stop) {
            uint64_t eight;
            uint32_t feature;
            if (modules[i].stop - at >= 8 && (memcpy(&eight, at, 8), eight == 0)) {
                at += 8;
                continue;
            }
            if (*at) {
                feature = (uint32_t)((modules[i].first + (size_t)(at - modules[i].start)) * BUCKETS + (size_t)bucket(*at));
                hits[feature]++;
                if (!smallest[feature]) fresh++, found[count++] = feature;
                else if (size < inputs[smallest[feature] - 1].size) found[count++] = feature;
            }
            at++;
        }
    }
    if (!count || (is_new && !fresh)) return 0;
    if (input_count == input_room) {
        input_room = input_room ? 2 * input_room : 256;
        inputs = (Input *)grown(inputs, input_room * sizeof *inputs);
    }
    input = &inputs[input_count++];
    input->data = (uint8_t *)grown(0, size + 1);
    memcpy(input->data, data, size);
    input->size = size, input->count = count, input->weight = 1;
    input->features = (uint32_t *)grown(0, count * sizeof *found);
    memcpy(input->features, found, count * sizeof *found);
    for (i = 0; i < count; i++) smallest[found[i]] = (uint32_t)input_count;
    return 1;
}

static void read_file(const char *path, uint8_t *data, size_t *size) {
    int file = open(path, O_RDONLY | O_NONBLOCK); /* a target may have left a FIFO, which would block */
    struct stat about;
    ssize_t count;
    *size = 0;
    if (file < 0) return;
    if (!fstat(file, &about) && S_ISREG(about.st_mode))
        while (*size < largest && (count = read(file, data + *size, largest - *size)) > 0) *size += (size_t)count;
    close(file);
}

static void read_words(const char *path) {
    FILE *file = fopen(path, "rb");
    int size;
    if (!file) return;
    while (word_count < MOST_WORDS && (size = fgetc(file)) != EOF && size <= LONGEST_WORD) {
        words[word_count].size = fread(words[word_count].text, 1, (size_t)size, file);
        word_count++;
    }
    fclose(file);
}

static size_t insert(uint8_t *data, size_t size, size_t most, size_t at, const uint8_t *text, size_t length) {
    if (size + length > most) return size;
    memmove(data + at + length, data + at, size - at);
    memcpy(data + at, text, length);
    return size + length;
}

static size_t put(uint8_t *data, size_t size, size_t most, const uint8_t *text, size_t length) {
    if (!length) return size;
    if (random_number() % 2 || length > size) return insert(data, size, most, below(size + 1), text, length);
    memcpy(data + below(size - length + 1), text, length);
    return size;
}

static void reverse(uint8_t *data, size_t size) {
    size_t i;
    for (i = 0; i < size / 2; i++) {
        uint8_t byte = data[i];
        data[i] = data[size - 1 - i], data[size - 1 - i] = byte;
    }
}

/* Writes one side of a comparison where the other side is. */
static size_t mutate_compared(uint8_t *data, size_t size, size_t most) {
    Comparison entry;
    uint8_t *from, *to;
    size_t i, start;
    if (!unfork_compared.count) return size;
    entry = unfork_compared.latest[below(unfork_compared.count < COMPARED ? unfork_compared.count : COMPARED)];
    from = entry.left, to = entry.right;
    if (random_number() % 2) from = entry.right, to = entry.left;
    if (entry.size <= 8 && random_number() % 2) {
        size_t used = entry.size; /* numbers are often read from fewer bytes */
        while (used > 1 && !entry.left[used - 1] && !entry.right[used - 1]) used--;
        entry.size = used;
        if (random_number() % 2) reverse(entry.left, used), reverse(entry.right, used);
    }
    if (size >= entry.size && entry.size) {
        start = below(size);
        for (i = 0; i < size - entry.size + 1; i++) {
            size_t at = (start + i) % (size - entry.size + 1);
            if (!memcmp(data + at, from, entry.size)) {
                memcpy(data + at, to, entry.size);
                return size;
            }
        }
    }
    return put(data, size, most, to, entry.size);
}

static size_t splice(uint8_t *data, size_t size, size_t most) {
    Input *other;
    size_t from, length;
    if (!input_count) return size;
    other = &inputs[below(input_count)];
    if (!other->size) return size;
    from = below(other->size), length = 1 + below(other->size - from);
    return put(data, size, most, other->data + from, length);
}

static size_t mutate_once(uint8_t *data, size_t size, size_t most) {
    static const int64_t known[] = {-128, -1, 0, 1, 16, 32, 64, 100, 127, 128, 255, 256, 512, 1000, 1024, 4096, 32767,
                                    32768, 65535, 65536, 100663045, 2147483647, -2147483647 - 1};
    size_t at = below(size), length, width;
    uint8_t byte;
    uint64_t number;
    switch (random_number() % 12) {
    case 0:
        if (size) data[at] ^= (uint8_t)(1u << below(8));
        return size;
    case 1:
        if (size) data[at] = (uint8_t)random_number();
        return size;
    case 2: /* a byte more */
        byte = (uint8_t)random_number();
        return insert(data, size, most, below(size + 1), &byte, 1);
    case 3: /* a piece less */
        if (size < 2) return size;
        length = 1 + below(random_number() % 2 ? (size < 4 ? size : 4) : size - at);
        if (length > size - at) length = size - at;
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    case 4: /* a piece twice */
    case 5: {
        uint8_t piece[256];
        if (!size) return size;
        length = 1 + below(size - at < sizeof piece ? size - at : sizeof piece);
        memcpy(piece, data + at, length);
        return put(data, size, most, piece, length);
    }
    case 6: /* a number near */
    case 7: /* a known number */
        width = (size_t)1 << below(4);
        if (size < width) return size;
        at = below(size - width + 1);
        if (random_number() % 2) reverse(data + at, width);
        number = 0;
        memcpy(&number, data + at, width);
        if (random_number() % 2) number += below(71) - 35;
        else number = (uint64_t)known[below(sizeof known / sizeof *known)];
        memcpy(data + at, &number, width);
        if (random_number() % 2) reverse(data + at, width);
        return size;
    case 8: /* another digit */
        for (length = 0; length < size; length++, at = (at + 1) % size)
            if (data[at] >= '0' && data[at] <= '9') {
                data[at] = (uint8_t)('0' + below(10));
                break;
            }
        return size;
    case 9:
        return splice(data, size, most);
    case 10:
        if (word_count) {
            length = below(word_count);
            return put(data, size, most, words[length].text, words[length].size);
        } /* fall through */
    default:
        return mutate_compared(data, size, most);
    }
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
    int moves = 1 << below(4);
    while (moves--) size = mutate_once(data, size, most);
    return size;
}

static double total;

static void weigh(void) {
    size_t i, j;
    total = 0;
    for (i = 0; i < input_count; i++) {
        double weight = 0.01;
        for (j = 0; j < inputs[i].count; j++) {
            uint32_t feature = inputs[i].features[j];
            uint64_t often = hits[feature];
            int log = 1;
            if (smallest[feature] != i + 1) continue;
            while (often >>= 1) log++;
            weight += 1.0 / log;
        }
        inputs[i].weight = weight;
        total += weight;
    }
}

static Input *choose(void) {
    double left = (double)(random_number() >> 11) / 9007199254740992.0 * total;
    size_t i;
    for (i = 0; i + 1 < input_count; i++)
        if ((left -= inputs[i].weight) < 0) break;
    return &inputs[i];
}

/* Runs the files that changed since that second of the clock. */
static void load(uint8_t *data, time_t since) {
    DIR *folder = opendir(corpus);
    struct dirent *entry;
    size_t size;
    int is_rejected;
    while (folder && (entry = readdir(folder))) {
        char path[4096];
        struct stat about;
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", corpus, entry->d_name);
        if (stat(path, &about) || about.st_mtime < since) continue;
        read_file(path, data, &size);
        run(data, size, &is_rejected);
        look(data, size, 0);
    }
    if (folder) closedir(folder);
    if (!input_count) {
        run(data, 0, &is_rejected);
        look(data, 0, 0);
    }
}

static void fuzz(void) {
    time_t read = time(0);
    uint8_t *data = (uint8_t *)grown(0, largest + 1);
    size_t runs = 0, known = 0, size;
    int is_rejected;
    load(data, 0);
    if (!input_count) return;
    while (1) {
        Input *input;
        size_t most = largest;
        if (pass_gate()) {
            time_t before = read;
            read = time(0);
            load(data, before);
        }
        if (runs++ % AGAIN == 0 || known != input_count) weigh(), known = input_count;
        input = choose();
        size = input->size;
        memcpy(data, input->data, size);
        size = LLVMFuzzerCustomMutator ? LLVMFuzzerCustomMutator(data, size, most, (unsigned)random_number())
                                       : LLVMFuzzerMutate(data, size, most);
        run(data, size, &is_rejected);
        if (!is_rejected && look(data, size, 1)) keep(corpus, "", data, size);
    }
}

/* The whole of a file: a process that the target starts would move the place in a file that is open. */
static char *text_of(const char *path) {
    FILE *file = fopen(path, "r");
    size_t room = 1 << 12, size = 0, count;
    char *text = (char *)grown(0, room);
    while (file && (count = fread(text + size, 1, room - size - 1, file)) != 0)
        if ((size += count) == room - 1) text = (char *)grown(text, room *= 2);
    if (file) fclose(file);
    text[size] = 0;
    return text;
}

static void edges(const char *list) {
    uint8_t *data = (uint8_t *)grown(0, largest + 1);
    char *rest, *name = strtok_r(text_of(list), "\n", &rest);
    size_t size, i;
    int is_rejected;
    FILE *lines = fdopen(dup(output), "w");
    if (lines) fputs("\n", lines), fflush(lines); /* from now on, the reader expects lines (native_fuzzer.py) */
    for (; name && lines; name = strtok_r(0, "\n", &rest)) {
        char path[4096];
        uint8_t *at;
        snprintf(running_name, sizeof running_name, "%s", name);
        snprintf(path, sizeof path, "%s/%s", corpus, running_name);
        read_file(path, data, &size);
        run(data, size, &is_rejected);
        fprintf(lines, "%s", running_name);
        for (i = 0; i < module_count; i++)
            for (at = modules[i].start; at < modules[i].stop; at++)
                if (*at) fprintf(lines, " %zu", modules[i].first + (size_t)(at - modules[i].start));
        fprintf(lines, "\n");
        fflush(lines);
    }
}

int main(int count, char **arguments) {
    static char stack[1 << 16];
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP};
    struct sigaction action;
    struct itimerval often = {{1, 0}, {1, 0}};
    stack_t other;
    int null, is_fuzzing, given = count;
    size_t i;
#ifdef RUNS_PROCESSES
    for (count = 1; count < given && strcmp(arguments[count], "--");) count++;
#endif
    is_fuzzing = count == 7 && !strcmp(arguments[1], "fuzz");
    if (!is_fuzzing && !(count == 5 && !strcmp(arguments[1], "edges"))) return 2;
    corpus = arguments[2], aside = arguments[3];
    if (is_fuzzing) find_gate();
    largest = is_fuzzing ? strtoul(arguments[5], 0, 10) : 1 << 24;
    random_state = is_fuzzing ? 88172645463325252u ^ strtoul(arguments[4], 0, 10) * 2654435761u : 1;
    hits = (uint64_t *)calloc(edge_count * BUCKETS + 1, sizeof *hits);
    smallest = (uint32_t *)calloc(edge_count * BUCKETS + 1, sizeof *smallest);
    if (!hits || !smallest) return 3;
    if (is_fuzzing) read_words(arguments[6]);
    else output = open(arguments[4], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    if (!getenv("UNFORK_SAYS")) dup2(null, 2);
    memset(&other, 0, sizeof other);
    other.ss_sp = stack, other.ss_size = sizeof stack;
    sigaltstack(&other, 0);
    memset(&action, 0, sizeof action);
    action.sa_handler = at_signal;
    action.sa_flags = SA_ONSTACK;
    for (i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, 0);
    action.sa_handler = at_alarm;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &often, 0);
    own = getpid();
    atexit(at_exit);
#ifdef RUNS_PROCESSES
    unfork_begin_processes(given - count - 1, arguments + count + 1);
#else
    (void)given;
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&count, &arguments);
#endif
    if (is_fuzzing) fuzz();
    else edges(arguments[3]);
    return 0;
}
#ifdef __cplusplus
}
#endif
