/* Reading through a void pointer is given up, loudly.
   expect: unknown unsupported
   options: --function first
   native: none (a function that is run alone) */
int first(const void *data) { return data ? *(const char *)data : 0; }
