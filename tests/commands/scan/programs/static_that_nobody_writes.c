/* Nobody writes the table's end, so it is that of the table; the counter may be anything, as it is reset elsewhere.
   scan: nothing */
static int last = 3;
static int values[4];
static unsigned next_value;

void reset(unsigned to)
{
    next_value = to;
}

int value(int index)
{
    if (index < 0 || index > last)
        return -1;
    return values[index];
}

unsigned next(void)
{
    return next_value++;
}
