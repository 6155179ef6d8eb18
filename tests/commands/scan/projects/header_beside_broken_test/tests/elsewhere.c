#include "../weight.h"
int of_another_system(void) { return GetWeightW(weight_of(2)); }
