// Terminal colours in a line of text: SGR sequences become styles, every other sequence (moves, links, titles) is dropped. Elements are made of it,
// never HTML.

export interface Span {
  text: string;
  /** Colour of the text: 0 to 255, or `#rrggbb`. */
  colour?: number | string;
  ground?: number | string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
}

type Style = Omit<Span, "text">;

const ESCAPE = "\u001b";
const BELL = "\u0007";
/** Sequences with parameters, titles and links, other escapes, and control characters except tab and newline. */
const SEQUENCE = new RegExp(
  [
    `${ESCAPE}\\[([0-9;:]*)([@-~])`,
    `${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?`,
    `${ESCAPE}[@-_][^${ESCAPE}]?`,
    "[\u0000-\u0008\u000b-\u001f\u007f]",
  ].join("|"),
  "g",
);

export function parseAnsi(text: string): Span[] {
  if (!text.includes(ESCAPE)) return [{ text: text.replaceAll(SEQUENCE, "") }];
  const spans: Span[] = [];
  let style: Style = {};
  let end = 0;
  for (const match of text.matchAll(SEQUENCE)) {
    if (match.index > end) spans.push({ text: text.slice(end, match.index), ...style });
    end = match.index + match[0].length;
    if (match[2] === "m") style = restyle(style, (match[1] ?? "").split(/[;:]/).map(Number));
  }
  if (end < text.length) spans.push({ text: text.slice(end), ...style });
  return spans;
}

/** Returns the text without any sequence, for places that show words. */
export function plainText(text: string): string {
  return text.replaceAll(SEQUENCE, "");
}

function restyle(before: Style, codes: readonly number[]): Style {
  let style = { ...before };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) style = {};
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 3) style.italic = true;
    else if (code === 4) style.underline = true;
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 38 || code === 48) {
      const [colour, used] = extended(codes, at);
      at += used;
      if (colour !== undefined) style[code === 38 ? "colour" : "ground"] = colour;
    } else if (code === 39) delete style.colour;
    else if (code === 49) delete style.ground;
    else if (code >= 30 && code <= 37) style.colour = code - 30;
    else if (code >= 40 && code <= 47) style.ground = code - 40;
    else if (code >= 90 && code <= 97) style.colour = code - 82;
    else if (code >= 100 && code <= 107) style.ground = code - 92;
  }
  return style;
}

/** Returns the colour after 38 or 48, and the number of codes that it took. */
function extended(codes: readonly number[], at: number): [number | string | undefined, number] {
  if (codes[at + 1] === 5) return [clamp(codes[at + 2]), 2];
  if (codes[at + 1] !== 2) return [undefined, 0];
  const [red, green, blue] = [at + 2, at + 3, at + 4].map((place) => clamp(codes[place]));
  const hex = [red, green, blue].map((value) => (value ?? 0).toString(16).padStart(2, "0")).join("");
  return [`#${hex}`, 4];
}

function clamp(value = 0): number {
  return Number.isFinite(value) ? Math.min(255, Math.max(0, Math.floor(value))) : 0;
}

/** Returns a colour as CSS, for text: the first sixteen are the theme's, others are made as dark or as light as the theme needs to be read. */
export function cssColour(colour: number | string): string {
  if (typeof colour === "number" && colour < 16) return `var(--ansi-${colour})`;
  return `oklch(from ${exactColour(colour)} clamp(var(--ansi-least), l, var(--ansi-most)) c h)`;
}

/** Returns a colour as CSS, for the background of text: a tint of it. */
export function cssGround(colour: number | string): string {
  return `color-mix(in oklab, ${exactColour(colour)} 25%, var(--ground))`;
}

function exactColour(colour: number | string): string {
  if (typeof colour === "string") return colour;
  if (colour < 16) return `var(--ansi-${colour})`;
  if (colour >= 232)
    return `rgb(${Array(3)
      .fill(8 + (colour - 232) * 10)
      .join(" ")})`;
  const cube = colour - 16;
  const level = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  return `rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`;
}
