// scan: certain div-by-zero 26
// scan: certain out-of-bounds 42
// scan: certain out-of-bounds 55
// scan: certain div-by-zero 66
// scan: certain div-by-zero 82
// scan: conditional overflow 26
// A call of the project passes the function with which it fails; what fails with any function;
// and users may pass a variable of the project that has the function.
#include <stddef.h>

static int weight_of_none(int item)
{
    return item < 0;
}

static int weight_of_any(int item)
{
    return item + 1;
}

/* The project itself passes weight_of_none. */
int share(int (*weight)(int), int total, int item)
{
    if (weight == NULL || item < 0 || item > 100)
        return 0;
    return total / weight(item);
}

int share_of(int total, int item, int has_weight)
{
    return share(has_weight ? weight_of_any : weight_of_none, total, item);
}

int (*const weights[])(int) = {weight_of_none, weight_of_any};

/* The function does not matter. */
int first_weight(int (*weight)(int), unsigned kind)
{
    static const int known[3] = {1, 5, 9};
    if (weight == NULL || kind > 3)
        return 0;
    return weight(0) + known[kind];
}

/* Nor does it here, where nothing stands for a function of the caller's. */
static const char *no_name(int item, int at) { return item + at > 0 ? "" : "none"; }
static const char *any_name(int item, int at) { return item + at > 1 ? "one" : "any"; }
const char *(*const names[])(int, int) = {no_name, any_name};

int named(const char *(*name)(int, int), unsigned kind)
{
    static const int known[3] = {1, 5, 9};
    if (name == NULL || kind > 3)
        return 0;
    return name(1, 0)[0] + known[kind];
}

/* Users take it where they have no rates of their own. */
struct rates { int (*rate)(int item); int (*limit)(int item); };
const struct rates usual_rates = {weight_of_none, weight_of_any};

int rated(const struct rates *rates, unsigned char item)
{
    if (rates == NULL || rates->rate == NULL || rates->limit == NULL || rates->limit(item) > 1000)
        return 0;
    return 1000 / rates->rate(item);
}

/* Users call the function that fills it. */
struct steps { int (*first)(int item); int (*later)(int item); };

void steps_default(struct steps *steps)
{
    steps->first = weight_of_none;
    steps->later = weight_of_any;
}

int stepped(const struct steps *steps, unsigned char item)
{
    if (steps == NULL || steps->first == NULL || steps->later == NULL || steps->later(item) > 1000)
        return 0;
    return 1000 / steps->first(item);
}
