/* What native_fuzzer.c and native_process.c know of each other. */
#ifndef NATIVE_PROCESS_H
#define NATIVE_PROCESS_H
#include <stddef.h>
#include <stdint.h>

#define COMPARED 64
#define LONGEST_WORD 64

typedef struct {
    uint8_t left[LONGEST_WORD], right[LONGEST_WORD];
    size_t size;
} Comparison;

/* The latest comparisons of runs; count goes on, and the next is at count % COMPARED. */
typedef struct {
    Comparison latest[COMPARED];
    size_t count;
} Comparisons;

#ifdef RUNS_PROCESSES
extern Comparisons unfork_compared;
int unfork_run_process(const uint8_t *data, size_t size);
void unfork_begin_processes(int count, char **words);
#endif
#endif
