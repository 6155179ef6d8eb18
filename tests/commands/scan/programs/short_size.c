/* A number of two bytes may be a size as well.
   scan: certain out-of-bounds 9 */
#include <stdint.h>

int put_header(uint8_t *packet, uint16_t packet_size, uint8_t type) {
  if (!packet || packet_size < 2) return 0;
  packet[0] = 0x81;
  packet[1] = type;
  packet[2] = 0;
  return 3;
}
