// Whole numbers as people read them: `1,234,567`. Node does the same by locale, but loads its locales for the first of them, which is a tenth of
// what a command costs.

export function groupDigits(value: number): string {
  const rounded = Math.round(value);
  const digits = String(Math.abs(rounded));
  // Beyond that, and for values that are not numbers, a string of the number is not all digits.
  if (!/^\d+$/.test(digits)) return rounded.toLocaleString("en-US");
  const grouped = digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return rounded < 0 ? `-${grouped}` : grouped;
}
