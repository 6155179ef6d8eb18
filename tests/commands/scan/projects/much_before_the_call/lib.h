int hash_of(const char *text, unsigned kind);
