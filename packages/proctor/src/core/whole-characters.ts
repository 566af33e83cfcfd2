// Where bytes of UTF-8 may be cut: behind whole characters.

/** Returns the length of the bytes without a character that was cut off at their end. */
export function wholeCharacters(bytes: Uint8Array): number {
  // A character has at most four bytes: one that leads, and up to three of the form 10xxxxxx.
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
