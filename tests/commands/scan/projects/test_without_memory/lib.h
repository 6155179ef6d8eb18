int *numbers(unsigned count);
