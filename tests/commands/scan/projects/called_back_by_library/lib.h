int least_of(int first, int second);
