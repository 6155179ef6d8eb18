/* The gate of a process that fuzzes: it runs while its parent holds the gate open, and keeps what it knows between.
 *
 * The gate is a file of two bytes: the first is 1 while it is open, the second is 1 while this process waits. The
 * parent holds a lock on the file; if this process gets the lock, the parent is gone. See report/replay/fuzz_process.py.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define GATE_VARIABLE "UNFORK_GATE"
#define RUNS_WITHOUT_LOOK 4096 /* a target may have taken the signal whose handler looks for the parent */

static volatile unsigned char *gate;
static int gate_file = -1;

static void find_gate(void) {
    const char *path = getenv(GATE_VARIABLE);
    void *mapped;
    if (!path || (gate_file = open(path, O_RDWR)) < 0) return;
    mapped = mmap(0, 2, PROT_READ | PROT_WRITE, MAP_SHARED, gate_file, 0);
    if (mapped != MAP_FAILED) gate = (volatile unsigned char *)mapped;
}

/* Ends this process if its parent is gone. Signal handlers call it. */
static void look_for_parent(void) {
    if (gate && !flock(gate_file, LOCK_SH | LOCK_NB)) _exit(0);
}

/* Waits until the gate is open; returns whether it was closed. Called before each run. */
static int pass_gate(void) {
    static unsigned turns;
    static const struct timespec often = {0, 10000000};
    if (++turns % RUNS_WITHOUT_LOOK == 0) look_for_parent();
    if (!gate || gate[0]) return 0;
    gate[1] = 1;
    while (!gate[0]) {
        look_for_parent();
        nanosleep(&often, 0);
    }
    gate[1] = 0;
    return 1;
}
