/* Calls what lib.h does not declare. */
int lib_weight(unsigned kind);
int main(void) { return lib_weight(0) != 1; }
