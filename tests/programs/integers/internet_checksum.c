/* The checksum of a packet that carries its own checksum is all ones, whatever the packet.
   expect: safe
   paths: 3
   native: asan
   input: first=4660 second=43981 third=65535 */
#include <stdint.h>
#include "unfork.h"

static uint16_t folded(uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)sum;
}

int main(void) {
  uint16_t packet[3];
  unfork_symbolic(packet, sizeof packet, "packet");
  uint32_t sum = 0, backwards = 0;
  for (int i = 0; i < 3; i++) sum += packet[i];
  for (int i = 2; i >= 0; i--) backwards += packet[i];
  unfork_check(sum == backwards);
  uint16_t own = (uint16_t)~folded(sum);
  unfork_check(folded(sum + own) == 0xffff);
  return 0;
}
