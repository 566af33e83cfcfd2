// Texts that agents wrote have no limit; a place in a report has one. Whoever reads a shortened text is told so.

export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Not through the middle of a character.
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… (${text.length - kept.length} more characters)`;
}
