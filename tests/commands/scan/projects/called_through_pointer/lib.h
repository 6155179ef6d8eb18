int weight_of(int which, unsigned kind);
