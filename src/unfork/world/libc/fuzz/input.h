/* The engine's functions for a fuzzer's input. */

typedef unsigned long size_type;

#ifdef __cplusplus
extern "C" {
#endif
/* Any size up to the largest, then a block of that size, which is a known number from then on. */
size_type unfork_input_size(void);
unsigned char *unfork_input(size_type *size);
#ifdef __cplusplus
}
#endif
