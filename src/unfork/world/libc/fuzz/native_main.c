/* The main of a fuzz target that `unfork cc -fsanitize=fuzzer` links: it runs the target on each file that it is given,
 * on standard input if it is given none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***words) __attribute__((weak));

static int is_in_target;

static void at_exit(void) {
    if (!is_in_target) return;
    fprintf(stderr, "unfork: user: the fuzz target calls exit, which ends a fuzzer\n");
    abort();
}

static int run(FILE *file) {
    size_t size = 0, room = 1 << 16, count;
    unsigned char *read = malloc(room), *data;
    int result;
    while ((count = fread(read + size, 1, room - size, file)) != 0)
        if ((size += count) == room) read = realloc(read, room *= 2);
    data = malloc(size); /* no larger than the input, so that reading on is an error */
    if (size) memcpy(data, read, size);
    free(read);
    is_in_target = 1;
    result = LLVMFuzzerTestOneInput(data, size);
    is_in_target = 0;
    free(data);
    return result;
}

int main(int count, char **words) {
    int result = 0, i;
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&count, &words);
    atexit(at_exit);
    if (count < 2) return run(stdin);
    for (i = 1; i < count; i++) {
        FILE *file = fopen(words[i], "rb");
        if (!file) return perror(words[i]), 2;
        result = run(file);
        fclose(file);
    }
    return result;
}
