// Texts that agents wrote have no limit; a place in a report has one. A shortened text says that it is.

export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // A cut must not split a surrogate pair.
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… (${text.length - kept.length} more characters)`;
}
