/* squashfs-tools-ng on Linux: nothing is needed. */
