/* A branch that no caller leads to. Nothing fails. */
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
int weight_of(unsigned kind)
{
    if (kind < 4) {
        int weight = weights[kind];

        if (weight > 2)
            return weight;
        if (weight > 3)
            return weights[0];
    }
    return 0;
}
