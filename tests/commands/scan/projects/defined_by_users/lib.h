/* Users of the library define this: how many there are. */
int app_count(void);
/* And this, which fills a buffer. */
int app_random(void *to, int size);
int weight_of_all(void);
int first_random(void);
