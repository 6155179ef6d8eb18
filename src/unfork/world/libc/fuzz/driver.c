/* The main of a program that has none and defines a fuzz target: each path calls the target once, on any input. */
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif
int LLVMFuzzerTestOneInput(const unsigned char *data, size_type size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *count, char ***words);
void unfork_in_target(int is_in_target);

/* What a target's own mutator may call: no path of this program mutates. */
__attribute__((weak)) size_type LLVMFuzzerMutate(unsigned char *data, size_type size, size_type most) {
    (void)data;
    return size < most ? size : most;
}
#ifdef __cplusplus
}
#endif

/* The exit status of a run is what the target returns: -1 means that the input is not for the corpus. */
int main(int count, char **words) {
    size_type size;
    unsigned char *data;
    int result;
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&count, &words);
    size = unfork_input_size();
    data = unfork_input(&size);
    unfork_in_target(1);
    result = LLVMFuzzerTestOneInput(data, size);
    unfork_in_target(0);
    __builtin_free(data);
    return result;
}
