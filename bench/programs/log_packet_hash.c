/* The trouble with static merging, after Figure 2 of Kuznetsov12: whether a hash of the packet is logged is open, the
   hash takes a walk through the whole packet, and what is worth covering comes behind both ways. A schedule that waits
   for all states before it lets any go on has to leave the loop on every path first.

   expect: safe
   paths: 138
   native: asan
*/
#include <stdio.h>

#include "unfork.h"

#ifndef LENGTH
#define LENGTH 4
#endif
#define ESCAPE 0x7d

enum { DATA, ACKNOWLEDGE, RESET, PING, ROUTE };

struct packet {
  const char *name;
  unsigned char type, hops;
  unsigned short length;
  unsigned source, target;
  unsigned char bytes[LENGTH];
};

static unsigned compute_hash(const struct packet *packet) {
  unsigned hash = 5381;
  for (unsigned i = 0; i < packet->length; i++) {
    unsigned char byte = packet->bytes[i];
    if (byte == ESCAPE)
      byte = packet->bytes[++i % LENGTH] ^ 0x20;
    hash = hash * 33 ^ byte;
  }
  return hash;
}

static int handle_data(const struct packet *packet) {
  if (packet->length == 0)
    return -2;
  if (packet->bytes[0] == ESCAPE)
    return packet->length > 1 ? packet->bytes[1] : -3;
  return packet->bytes[0];
}

static int handle_packet(const struct packet *packet) {
  if (packet->hops == 0)
    return -1;
  if (packet->source == packet->target)
    return packet->type == PING ? 1 : -4;
  switch (packet->type) {
  case DATA:
    return handle_data(packet);
  case ACKNOWLEDGE:
    if (packet->length != 4)
      return -5;
    return packet->bytes[3] & 0x80 ? 2 : 3;
  case RESET:
    return packet->hops > 200 ? -6 : 4;
  case PING:
    return 5;
  case ROUTE:
    if (packet->length < 4)
      return -7;
    return packet->target >> 24 == 127 ? -8 : 6;
  default:
    return -9;
  }
}

int main(void) {
  struct packet packet;
  _Bool log_packet_hash;
  unfork_symbolic(&packet, sizeof packet, "packet");
  unfork_symbolic(&log_packet_hash, sizeof log_packet_hash, "log_packet_hash");
  packet.name = "eth0";
  unfork_assume(packet.length <= LENGTH);
  if (log_packet_hash) {
    unsigned hash = compute_hash(&packet);
    puts(packet.name);
    fwrite(&hash, sizeof hash, 1, stdout);
  } else
    puts(packet.name);
  return handle_packet(&packet);
}
