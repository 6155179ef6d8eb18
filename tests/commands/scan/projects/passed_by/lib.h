struct box {
    int size;
};
int box_size(const struct box *box, int (*scale)(int));
