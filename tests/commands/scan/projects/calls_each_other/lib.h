int depth_of(unsigned kind);
