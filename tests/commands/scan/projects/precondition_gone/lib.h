int sum_of_two(int a, int b);
