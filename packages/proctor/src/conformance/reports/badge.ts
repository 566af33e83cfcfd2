// A badge as an SVG image that needs nothing from anywhere: the protocol on the left, the verdict on the right.
import { escapeXml } from "../../core/escape-xml.ts";
import { printable } from "../../core/printable.ts";
import { shorten } from "../../core/shorten.ts";
import type { ConformDocument } from "../document.ts";
import { verdictWords, type Report } from "./report.ts";

interface Badge {
  label: string;
  message: string;
  /** Name of a colour that badge services know. */
  color: "brightgreen" | "red" | "yellow" | "blue" | "lightgrey";
}

/** Fill colours by name, each dark enough for white text. */
const FILLS: Record<Badge["color"], string> = {
  brightgreen: "#1f7a3d",
  red: "#c0273d",
  yellow: "#8a5a00",
  blue: "#0b5cad",
  lightgrey: "#5a6675",
};

export function badgeOf(document: ConformDocument): Badge {
  return {
    label: shorten(printable(document.title), LABEL_CHARACTERS),
    message: verdictWords(document),
    color: colorOf(document),
  };
}

function colorOf({ verdict, reachable, interrupted, complete }: ConformDocument): Badge["color"] {
  if (!reachable) return "lightgrey";
  if (verdict === "fail") return "red";
  if (interrupted) return "lightgrey";
  if (verdict === "unevaluated") return "yellow";
  return complete ? "brightgreen" : "blue";
}

/** Most characters of the protocol with its versions, which an agent may have named. */
const LABEL_CHARACTERS = 40;
const HEIGHT = 20;
const PADDING = 6;

export const badgeReport: Report = (document) => {
  const { label, message, color } = badgeOf(document);
  const left = widthOf(label) + 2 * PADDING;
  const width = left + widthOf(message) + 2 * PADDING;
  const name = escapeXml(`${label}: ${message}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${name}">
<title>${name}</title>
<clipPath id="round"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="${HEIGHT}" fill="#444c56"/><rect x="${left}" width="${width - left}" height="${HEIGHT}" fill="${FILLS[color]}"/></g>
<g fill="#fff" font-family="Verdana, DejaVu Sans, Geneva, sans-serif" font-size="11">
${textAt(PADDING, label)}
${textAt(left + PADDING, message)}
</g>
</svg>
`;
};

/** Returns a text that is stretched to its estimated width, whatever font draws it. */
function textAt(x: number, text: string): string {
  return `<text x="${x}" y="14" textLength="${widthOf(text)}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`;
}

/** Returns the estimated width of a text in pixels. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text)
    width += /[il.,:'|! ]/.test(character) ? 3.8 : /[A-Zmw]/.test(character) ? 8 : 6.8;
  return Math.ceil(width);
}
