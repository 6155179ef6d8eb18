int weight_of(int kind);
int last_weight(int count);
