/* What users call a char * is a context, which only the library looks into: num is no number of bytes there. A rate of
   zero is let through.
   scan: conditional null-dereference 14
   scan: certain div-by-zero 15 */
typedef char *handle;
struct channel { int pan, volume; };
struct context { int rate, count; struct channel channels[8]; };

int channel_rate(handle opaque, int num)
{
    struct context *context = (struct context *)opaque;
    if (num < 0 || num >= 8)
        return -1;
    if (context->rate < 0) return 0;
    return context->channels[num].volume / context->rate;
}
