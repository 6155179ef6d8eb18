int weight_of_all(void);
int weight_beyond(int kind);
int first_of_stream(void);
