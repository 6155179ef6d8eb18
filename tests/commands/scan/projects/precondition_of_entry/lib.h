int sum_of(const int *numbers, int count);
