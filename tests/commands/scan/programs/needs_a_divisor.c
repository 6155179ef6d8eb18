/* Nobody tests whether the number of pages is zero.
   scan: conditional div-by-zero 4 */
unsigned per_page(unsigned total, unsigned pages) {
  return total / pages;
}
