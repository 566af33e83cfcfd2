// A text of a plan, cut into what is plain and what is a reference. Takes one pass, whatever the text holds.
import { isJsonObject, type Json } from "../../core/json.ts";
import { parseReference, type ParsedReference } from "./parse-reference.ts";

/** Splits a text into plain pieces, in which `$${` is already replaced by `${`, and references. */
export function splitReferences(text: string): (string | ParsedReference)[] {
  const pieces: (string | ParsedReference)[] = [];
  let plain = "";
  let from = 0;
  for (let at = text.indexOf("${"); at !== -1; at = text.indexOf("${", from)) {
    if (text[at - 1] === "$") {
      plain += `${text.slice(from, at - 1)}\${`;
      from = at + 2;
      continue;
    }
    plain += text.slice(from, at);
    if (plain !== "") pieces.push(plain);
    plain = "";
    const end = endOfReference(text, at + 2);
    pieces.push(end === undefined ? unclosed(text.slice(at + 2)) : parseReference(text.slice(at + 2, end)));
    from = (end ?? text.length) + 1;
  }
  plain += text.slice(from);
  if (plain !== "") pieces.push(plain);
  return pieces;
}

/** Returns the reference if it is the whole text. */
export function soleReference(value: Json): ParsedReference | undefined {
  if (typeof value !== "string") return undefined;
  const [first, ...rest] = splitReferences(value);
  return rest.length === 0 && typeof first === "object" ? first : undefined;
}

export function escapeText(text: string): string {
  return text.replaceAll("${", () => "$${");
}

/** Escapes data for a plan, so that texts in it that look like references stay texts. */
export function escapeReferences(value: Json): Json {
  if (typeof value === "string") return escapeText(value);
  if (Array.isArray(value)) return value.map(escapeReferences);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : [[key, escapeReferences(inner)]],
    ),
  );
}

/** Returns the index of the brace that closes the reference; braces in quoted keys do not count. */
function endOfReference(text: string, start: number): number | undefined {
  let quoted: string | undefined;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted === undefined) {
      if (character === "}") return at;
      if (character === "'" || character === '"') quoted = character;
    } else if (character === "\\") at++;
    else if (character === quoted) quoted = undefined;
  }
  return undefined;
}

function unclosed(body: string): ParsedReference {
  const text = `\${${body.slice(0, 20)}`;
  return {
    kind: "none",
    text,
    reason: "its closing brace is missing; write $${ for the text ${ itself",
  };
}
