/* Declarations that differ from the definitions: the result of a void function is anything, an int is cut from a long,
   a call that expects a float where an int comes is an error.
   expect: unsafe
   native: none (the result is whatever the register holds)
   sources: result_of_other_type_part.c */
int gives_nothing(void);
int gives_long(int number);
float gives_int(void);

int main(void) {
    if (gives_nothing() == 3) {
        return 0;
    }
    if (gives_long(3) != 3) {
        __builtin_trap();
    }
    return gives_int() > 1;
}
