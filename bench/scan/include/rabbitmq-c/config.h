#define HAVE_POLL
#define AMQ_PLATFORM "Linux"
