/* Each thread's own, as a variable: see src/start.c. */
extern _Thread_local __attribute__((__visibility__("hidden"))) struct __pthread unfork_thread;

static inline uintptr_t __get_tp(void) { return (uintptr_t)&unfork_thread; }

#define MC_PC gregs[REG_EIP]
