/* Functions that end, for the law of counting: each has so many paths, however its states are joined.
   Every parameter is an input. Loops are bounded; some joins are separated again, some are nested. */

int none(int a) { return a; }

int one_branch(int a) {
    if (a > 3)
        return 1;
    return 0;
}

int diamonds(int a, int b, int c) {
    int n = 0;
    if (a > 0)
        n += 1;
    if (b > 0)
        n += 2;
    if (c > 0)
        n += 4;
    return n;
}

int long_diamonds(unsigned a) {
    int n = 0;
    for (int i = 0; i < 6; i++)
        if (a >> i & 1)
            n += i;
    return n;
}

int separated_again(int a, int b) {
    int n = 1;
    if (a > 0)
        n = 2;
    if (b > 0)
        n += 2;
    if (n == 4)
        return 9;
    return n;
}

int separated_twice(int a, int b) {
    int n = 0, m = 0;
    if (a == 7)
        n = 1;
    if (b == 7)
        m = 1;
    if (n)
        m += 2;
    if (m == 3)
        return 1;
    if (m == 2)
        return 2;
    return 3;
}

int same_question(int a) {
    int n = 0;
    if (a > 10)
        n++;
    if (a > 10)
        n++;
    if (a > 20)
        n++;
    return n;
}

int loop_to_input(unsigned a) {
    int n = 0;
    for (unsigned i = 0; i < a && i < 7; i++)
        n++;
    return n;
}

int loop_with_branch(unsigned a, unsigned b) {
    int n = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (i == a)
            n += 3;
        if (i == b)
            n += 5;
    }
    return n;
}

int loop_that_breaks(unsigned a, unsigned b) {
    int n = 0;
    for (unsigned i = 0; i < 5; i++) {
        if (a >> i & 1)
            n++;
        if (b == i)
            break;
    }
    return n;
}

int nested_loops(unsigned a, unsigned b) {
    int n = 0;
    for (unsigned i = 0; i < a && i < 3; i++)
        for (unsigned j = 0; j < b && j < 3; j++)
            n++;
    return n;
}

int switch_of_five(int a) {
    switch (a) {
    case 1: return 10;
    case 2: return 20;
    case 3: return 30;
    case 4: return 40;
    default: return 0;
    }
}

int switch_falls(int a, int b) {
    int n = 0;
    switch (a & 3) {
    case 0: n += 1;
    case 1: n += 2; break;
    case 2: n += 4;
    default: n += 8;
    }
    if (b > n)
        n = 0;
    return n;
}

int switch_after_join(int a, int b) {
    int n = 0;
    if (a > 0)
        n = 1;
    if (b > 0)
        n += 2;
    switch (n) {
    case 0: return 5;
    case 1: return 6;
    case 2: return 7;
    }
    return 8;
}

int two_switches(int a, int b) {
    int n = 0;
    switch (a) {
    case 1: n = 1; break;
    case 2: n = 2; break;
    case 3: n = 3; break;
    }
    switch (b) {
    case 1: n += 10; break;
    case 2: n += 20; break;
    }
    return n;
}

int nested_joins(int a, int b, int c) {
    int n = 0;
    if (a > 0) {
        if (b > 0)
            n = 1;
        else
            n = 2;
    } else {
        if (c > 0)
            n = 3;
        else
            n = 4;
    }
    if (c > 5)
        n++;
    return n;
}

int early_exit(int a, int b, int c) {
    int n = 0;
    if (a > 0)
        n = 1;
    if (b == 12)
        return -1;
    if (c > 0)
        n += 2;
    if (b == 13)
        return n;
    return n + 1;
}

int divides(int a, int b) {
    int n = 0;
    if (a > 0)
        n = 1;
    if (b > 0)
        n += 1;
    return 10 / n;
}

int beyond_an_array(unsigned a, int b) {
    int cells[4] = {1, 2, 3, 4};
    unsigned at = 0;
    if (b > 0)
        at = 2;
    if (a < 3)
        at += a;
    return cells[at];
}

int traps(int a, int b) {
    int n = 3;
    if (a > 0)
        n = 5;
    if (b > 0)
        n++;
    if (n == 6)
        __builtin_trap();
    return n;
}

int traps_in_loop(unsigned a) {
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (a >> i & 1)
            n++;
        if (n == 3)
            __builtin_trap();
    }
    return n;
}

int infeasible_pairs(int a) {
    int n = 0;
    if (a < 10)
        n += 1;
    if (a > 20)
        n += 2;
    if (a == 5)
        n += 4;
    if (a == 25)
        n += 8;
    return n;
}

static int callee(int a) {
    if (a > 100)
        return 3;
    if (a < -100)
        return 4;
    return 5;
}

int calls(int a, int b) { return callee(a) + callee(b); }

int calls_and_asks(int a, int b) {
    int n = callee(a);
    if (b > 0)
        n++;
    if (n > 4)
        return callee(b);
    return n;
}

static int down(unsigned n) {
    if (n == 0)
        return 0;
    if (n & 1)
        return down(n >> 1) + 1;
    return down(n >> 1);
}

int recursion(unsigned a) { return down(a & 15); }

int writes_memory(unsigned a, unsigned b) {
    char cells[4] = {0, 0, 0, 0};
    if (a < 4)
        cells[1] = 1;
    if (b < 4)
        cells[2] = 1;
    int n = 0;
    for (int i = 0; i < 4; i++)
        if (cells[i])
            n++;
    return n;
}

int reads_by_choice(int a, int b) {
    char text[4] = "ab:";
    int at = 0;
    if (a > 0)
        at = 1;
    if (b > 0)
        at = 2;
    if (text[at] == ':')
        return 1;
    return 0;
}

int scans(unsigned a) {
    char text[6];
    for (int i = 0; i < 5; i++)
        text[i] = (char)(a >> 4 * i & 15);
    text[5] = 0;
    int n = 0;
    while (text[n])
        n++;
    return n;
}

int pointers(int a, int b) {
    int x = 1, y = 2;
    int *p = &x;
    if (a > 0)
        p = &y;
    if (b > 0)
        *p = 7;
    return x + y;
}

int ends_at_once(int a, int b) {
    int n = 0;
    if (a == 3 && b == 4)
        n = 1;
    if (a == 3 || b == 5)
        n += 2;
    return n;
}

int counter(unsigned char a, unsigned char b, unsigned char c) {
    int n = 0;
    if (a == 'x')
        n++;
    if (b == 'x')
        n++;
    if (c == 'x')
        n++;
    if (n >= 2)
        return 1;
    return 0;
}

int goes_back(unsigned a) {
    int n = 0;
    a &= 63;
again:
    if (a & 1)
        n++;
    a >>= 1;
    if (a && n < 3)
        goto again;
    return n;
}

int spread_out(unsigned a, unsigned b) {
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (a >> i & 1)
            n++;
        if ((b >> i & 1) && n > 1)
            return i;
    }
    return n;
}

int wide(unsigned a) {
    int n = 0;
    for (int i = 0; i < 8; i++)
        if (a >> i & 1)
            n ^= i;
    if (n == 3)
        return 1;
    return 0;
}
