/* Nobody writes the limit: it has its first value.
   scan: nothing */
static unsigned limit = 4;
static const int weights[4] = {1, 2, 4, 8};

int heaviest(void) {
  return weights[limit - 1];
}
