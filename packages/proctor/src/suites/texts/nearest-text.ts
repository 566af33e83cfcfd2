// What stands in a text instead of the words that were looked for: all of it when it is short, else the line that is most like
// them, or its beginning. For messages, so it is cut to what people read.
import { quote } from "../../core/printable.ts";

const SHOWN_CHARS = 200;
/** Characters of a text that are searched for a line like the words. */
const MAX_SEARCHED = 1_000_000;
const MAX_PIECES = 50;
/** Below this share of common pieces a line is like anything. */
const LEAST_SHARE = 0.4;

/** `"Hello, Bob!"`, or `line 12 is nearest: "Hello, Bob!"`. */
export function nearestText(text: string, wanted?: string): string {
  if (text === "") return "it is empty";
  if (text.length <= SHOWN_CHARS || wanted === undefined) return quote(text, SHOWN_CHARS);
  const found = nearestLine(text.slice(0, MAX_SEARCHED), wanted);
  if (!found) return quote(text, SHOWN_CHARS);
  return `line ${found.number} is nearest: ${quote(found.line, SHOWN_CHARS)}`;
}

function nearestLine(text: string, wanted: string): { number: number; line: string } | undefined {
  const pieces = piecesOf(wanted.toLowerCase());
  let best: { number: number; line: string } | undefined;
  let most = Math.max(1, pieces.length * LEAST_SHARE);
  for (const [index, line] of text.split("\n").entries()) {
    const lower = line.toLowerCase();
    const common = pieces.filter((piece) => lower.includes(piece));
    // The first of several that are equally near.
    if (common.length < most || (best && common.length === most)) continue;
    most = common.length;
    best = { number: index + 1, line: around(line, lower.indexOf(common[0] ?? "")) };
  }
  return best;
}

/** Three characters at every place, spread over the words when they are long. */
function piecesOf(wanted: string): string[] {
  const length = Math.min(3, wanted.length);
  const places = wanted.length - length + 1;
  const step = Math.max(1, Math.ceil(places / MAX_PIECES));
  const pieces = new Set<string>();
  for (let at = 0; at < places; at += step) pieces.add(wanted.slice(at, at + length));
  return [...pieces].filter((piece) => piece.trim() !== "");
}

/** The part of a long line that is meant. */
function around(line: string, at: number): string {
  const start = line.length <= SHOWN_CHARS ? 0 : Math.max(0, at - SHOWN_CHARS / 4);
  return `${start > 0 ? "…" : ""}${line.slice(start, start + SHOWN_CHARS + 1).trimEnd()}`;
}
