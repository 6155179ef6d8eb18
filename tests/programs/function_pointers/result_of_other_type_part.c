void gives_nothing(void) {}

long gives_long(long number) {
    return number;
}

int gives_int(void) {
    return 1; /* BUG: invalid-call */
}
