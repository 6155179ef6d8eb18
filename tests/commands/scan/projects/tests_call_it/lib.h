int weight_of(unsigned kind);
