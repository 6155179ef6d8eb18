#include "../weight.h"
int main(void) { return weight_of(3); }
