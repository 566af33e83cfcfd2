// Random bytes as hex, a few at a time from one larger draw: asking the system for each id costs more than the id.

const pool = new Uint8Array(4096);
let used = pool.length;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function randomHex(sizeBytes: number): string {
  if (used + sizeBytes > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let text = "";
  for (const end = used + sizeBytes; used < end; used++) text += HEX[pool[used] ?? 0] ?? "";
  return text;
}
