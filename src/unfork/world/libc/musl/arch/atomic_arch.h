/* Atomic operations on one thread: plain C. musl derives every other one from a compare-and-swap. */
#define a_cas a_cas
static inline int a_cas(volatile int *place, int expected, int wanted)
{
	int old = *place;
	if (old == expected) *place = wanted;
	return old;
}

#define a_cas_p a_cas_p
static inline void *a_cas_p(volatile void *place, void *expected, void *wanted)
{
	void *volatile *cell = (void *volatile *)place;
	void *old = *cell;
	if (old == expected) *cell = wanted;
	return old;
}

#define a_swap a_swap
static inline int a_swap(volatile int *place, int value)
{
	int old = *place;
	*place = value;
	return old;
}

#define a_fetch_add a_fetch_add
static inline int a_fetch_add(volatile int *place, int value)
{
	int old = *place;
	*place = (int)((unsigned)old + (unsigned)value);
	return old;
}

#define a_fetch_and a_fetch_and
static inline int a_fetch_and(volatile int *place, int value)
{
	int old = *place;
	*place = old & value;
	return old;
}

#define a_fetch_or a_fetch_or
static inline int a_fetch_or(volatile int *place, int value)
{
	int old = *place;
	*place = old | value;
	return old;
}

#define a_and a_and
static inline void a_and(volatile int *place, int value) { *place &= value; }

#define a_or a_or
static inline void a_or(volatile int *place, int value) { *place |= value; }

#define a_and_64 a_and_64
static inline void a_and_64(volatile uint64_t *place, uint64_t value) { *place &= value; }

#define a_or_64 a_or_64
static inline void a_or_64(volatile uint64_t *place, uint64_t value) { *place |= value; }

#define a_inc a_inc
static inline void a_inc(volatile int *place) { a_fetch_add(place, 1); }

#define a_dec a_dec
static inline void a_dec(volatile int *place) { a_fetch_add(place, -1); }

#define a_store a_store
static inline void a_store(volatile int *place, int value) { *place = value; }

#define a_barrier a_barrier
static inline void a_barrier(void) {}

#define a_spin a_spin
static inline void a_spin(void) {}

#define a_crash a_crash
static inline void a_crash(void) { __builtin_trap(); }

#define a_ctz_64 a_ctz_64
static inline int a_ctz_64(uint64_t value) { return __builtin_ctzll(value); }

#define a_clz_64 a_clz_64
static inline int a_clz_64(uint64_t value) { return __builtin_clzll(value); }
