// Whole numbers as people read them: `1,234,567`. Node does the same by locale, but loads its locales for the first of them, which is a tenth of
// what a command costs.

export function groupDigits(value: number): string {
  const rounded = Math.round(value);
  const digits = String(Math.abs(rounded));
  // Beyond that, and for what is no number, digits are not what a string of it shows.
  if (!/^\d+$/.test(digits)) return rounded.toLocaleString("en-US");
  const grouped = digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return rounded < 0 ? `-${grouped}` : grouped;
}
