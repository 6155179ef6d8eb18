struct source { int (*read)(struct source *from, unsigned kind); };
int next(struct source *from, unsigned kind);
void open_weights(struct source *source);
