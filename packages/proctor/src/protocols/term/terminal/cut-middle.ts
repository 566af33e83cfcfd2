// A text within a number of bytes: its head and its tail, on characters' borders, and a line that says what is missing.

export function cutMiddle(text: string, maxBytes: number): { output: string; truncated: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { output: text, truncated: false };
  const half = Math.floor(maxBytes / 2);
  let headEnd = half;
  while (headEnd > 0 && isInside(bytes, headEnd)) headEnd--;
  let tailStart = bytes.length - half;
  while (tailStart < bytes.length && isInside(bytes, tailStart)) tailStart++;
  const missing = tailStart - headEnd;
  const head = bytes.toString("utf8", 0, headEnd);
  const tail = bytes.toString("utf8", tailStart);
  return { output: `${head}\n[… ${missing} bytes left out …]\n${tail}`, truncated: true };
}

/** Returns true for a byte that continues a character. */
function isInside(bytes: Buffer, index: number): boolean {
  return ((bytes[index] ?? 0) & 0xc0) === 0x80;
}
