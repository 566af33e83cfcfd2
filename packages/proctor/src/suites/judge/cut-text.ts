// Long texts in little room: each gets its share, and one that is cut says so, and keeps its beginning and its end.
import { wholeCharacters } from "../texts/words.ts";

/** Returns how much of each length fits: short ones stay whole, and long ones share the rest equally. */
export function shareOut(lengths: readonly number[], room: number): number[] {
  const shares = lengths.map(() => 0);
  const order = lengths.map((_, index) => index).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0));
  let left = room;
  for (const [done, index] of order.entries()) {
    const share = Math.min(lengths[index] ?? 0, Math.floor(left / (lengths.length - done)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/** Returns at most `limit` characters of the text, with a note where something is missing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.ceil((limit * 3) / 4);
  const tail = limit - head;
  const note = `\n[… ${text.length - limit} characters left out here …]\n`;
  return `${wholeCharacters(text.slice(0, head))}${note}${tail === 0 ? "" : text.slice(-tail).replace(/^[\uDC00-\uDFFF]/, "")}`;
}
