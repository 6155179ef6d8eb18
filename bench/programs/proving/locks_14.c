/* expect: unsafe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int want0 = __VERIFIER_nondet_int(), held0;
    int want1 = __VERIFIER_nondet_int(), held1;
    int want2 = __VERIFIER_nondet_int(), held2;
    int want3 = __VERIFIER_nondet_int(), held3;
    int want4 = __VERIFIER_nondet_int(), held4;
    int want5 = __VERIFIER_nondet_int(), held5;
    int want6 = __VERIFIER_nondet_int(), held6;
    int want7 = __VERIFIER_nondet_int(), held7;
    int want8 = __VERIFIER_nondet_int(), held8;
    int want9 = __VERIFIER_nondet_int(), held9;
    int want10 = __VERIFIER_nondet_int(), held10;
    int want11 = __VERIFIER_nondet_int(), held11;
    int want12 = __VERIFIER_nondet_int(), held12;
    int want13 = __VERIFIER_nondet_int(), held13;
    while (__VERIFIER_nondet_int()) {
        held0 = 0;
        held1 = 0;
        held2 = 0;
        held3 = 0;
        held4 = 0;
        held5 = 0;
        held6 = 0;
        held7 = 0;
        held8 = 0;
        held9 = 0;
        held10 = 0;
        held11 = 0;
        held12 = 0;
        held13 = 0;
        if (want0 != 0) held0 = 1;
        if (want1 != 0) held1 = 1;
        if (want2 != 0) held2 = 1;
        if (want3 != 0) held3 = 1;
        if (want4 != 0) held4 = 1;
        if (want5 != 0) held5 = 1;
        if (want6 != 0) held6 = 1;
        if (want7 != 0) held7 = 1;
        if (want8 != 0) held8 = 1;
        if (want9 != 0) held9 = 1;
        if (want10 != 0) held10 = 1;
        if (want11 != 0) held11 = 1;
        if (want12 != 0) held12 = 1;
        if (want13 != 0) held13 = 1;
        if (want0 != 0) { assert(held0 == 1); held0 = 0; }
        if (want1 != 0) { assert(held1 == 1); held1 = 0; }
        if (want2 != 0) { assert(held2 == 1); held2 = 0; }
        if (want3 != 0) { assert(held3 == 1); held3 = 0; }
        if (want4 != 0) { assert(held4 == 1); held4 = 0; }
        if (want5 != 0) { assert(held5 == 1); held5 = 0; }
        if (want6 != 0) { assert(held6 == 1); held6 = 0; }
        if (want7 != 0) { assert(held7 == 1); held7 = 0; }
        if (want8 != 0) { assert(held8 == 1); held8 = 0; }
        if (want9 != 0) { assert(held9 == 1); held9 = 0; }
        if (want10 != 0) { assert(held10 == 1); held10 = 0; }
        if (want11 != 0) { assert(held11 == 1); held11 = 0; }
        if (want12 != 0) { assert(held12 == 1); held12 = 0; }
        if (want13 >= 0) { assert(held13 == 1); held13 = 0; }
    }
    return 0;
}
