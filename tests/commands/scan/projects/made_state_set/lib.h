struct decoder;
struct decoder *decoder_new(void);
void decoder_feed(struct decoder *decoder, unsigned char byte);
int decoder_poll(const struct decoder *decoder);
