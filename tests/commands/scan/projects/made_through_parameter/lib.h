struct reader;
int reader_open(struct reader **reader, unsigned at);
void reader_step(struct reader *reader);
int reader_next(const struct reader *reader);
