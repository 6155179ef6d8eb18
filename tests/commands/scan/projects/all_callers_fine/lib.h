int weight_of(int kind);
int first_weight(void);
