// Invariant 5: secrets never reach storage. Replaces every occurrence of the values it was given, in any encoding that a
// trace may hold: plain, JSON-escaped, URL, HTML, base64 (even twice), hex and dumps of it, and their mixtures. SECURITY.md lists what is
// found and what is not: values of fewer than four characters, and what was compressed, encrypted or cut into pieces.
import type { Json } from "./json.ts";
import { rewriteJson } from "./redact-json.ts";
import { createMatcher, type Matcher } from "./redact-matcher.ts";
import { hiddenTexts, patternsOf, type Secret } from "./redact-patterns.ts";

export type { Secret } from "./redact-patterns.ts";

interface RedactedStream {
  /** Returns what can be shown now; holds back the shortest suffix that may be the beginning of a secret. */
  push(chunk: string): string;
  /** Returns the text that was held back. */
  end(): string;
  /** Returns the text that is held back, for another redactor to continue with. */
  held(): HeldText;
}

/** The end of a text that is not shown yet. */
export interface HeldText {
  text: string;
  /** Number of characters at the start of the text that belong to a secret whose marker has been written already. */
  covered: number;
}

export interface Redactor {
  /** False when there is nothing to hide; then everything is left unchanged. */
  readonly active: boolean;
  /** Returns the text with every occurrence replaced by `[redacted:NAME]`. */
  text(text: string): string;
  /** Redacts serialised JSON, which stays JSON; undefined when it holds no secret. A number is replaced only when it equals one. */
  json(text: string): string | undefined;
  /** Redacts a JSON value; returns the same reference when it holds no secret. */
  value<T extends Json>(value: T): T;
  /** Redacts any content, even binary; undefined when it holds no secret. */
  bytes(bytes: Uint8Array): Uint8Array | undefined;
  /** Redacts chunks of one text: however it is cut, the result is that of `text` on the whole. */
  stream(before?: HeldText): RedactedStream;
}

const NOTHING: HeldText = { text: "", covered: 0 };

const INACTIVE: Redactor = {
  active: false,
  text: (text) => text,
  json: () => undefined,
  value: (value) => value,
  bytes: () => undefined,
  stream({ text: held, covered } = NOTHING) {
    let waiting = held.slice(covered);
    const show = (chunk: string): string => {
      const shown = waiting + chunk;
      waiting = "";
      return shown;
    };
    return { push: show, end: () => show(""), held: () => ({ text: waiting, covered: 0 }) };
  },
};

/** A number is hidden when it equals a secret of at least this length; shorter ones are ordinary numbers. */
const MIN_NUMBER_LENGTH = 6;
const SHOWN_NAME = /^[\w.-]{1,128}$/;

export function createRedactor(secrets: readonly Secret[]): Redactor {
  // Most runs have no secrets.
  if (secrets.length === 0) return INACTIVE;
  const hidden = hiddenTexts(secrets);
  if (hidden.length === 0) return INACTIVE;
  const matcher = createMatcher(hidden.flatMap(patternsOf));
  const numbers = new Map(
    hidden.flatMap(({ name, value }) => (value.length < MIN_NUMBER_LENGTH ? [] : [[value, name] as const])),
  );
  const markerOf = createMarkers(matcher);

  function text(text: string): string {
    return scan(matcher, markerOf, { text, covered: 0 }, true).out;
  }

  function json(document: string): string | undefined {
    if (!matcher.test(document)) return undefined;
    let result = rewriteJson(document, ({ kind, value }) => {
      if (kind !== "bare") return changed(value, text(value));
      const name = numbers.get(value) ?? numbers.get(value.replace(/^-/, ""));
      return name === undefined ? undefined : markerOf(name);
    });
    // A secret may be spelled by several tokens and the text between them: `1,2,3`, or a piece of JSON itself.
    for (let before = ""; before !== result;) {
      before = result;
      const regions = regionsIn(matcher, result);
      let at = 0;
      result = rewriteJson(result, ({ kind, start, end, value }) => {
        while ((regions[at]?.end ?? Infinity) <= start) at++;
        const region = regions[at];
        if (region === undefined || region.start >= end) return undefined;
        const inside = region.start >= start && region.end <= end;
        return kind === "bare" && inside ? undefined : changed(value, markerOf(region.name));
      });
    }
    return changed(document, result);
  }

  function value<T extends Json>(value: T): T {
    const redacted = json(JSON.stringify(value));
    // The document has the shape of the value it was made from; only strings in it differ.
    return redacted === undefined ? value : (JSON.parse(redacted) as T);
  }

  function bytes(bytes: Uint8Array): Uint8Array | undefined {
    const latin1 = decodeLatin1(bytes);
    return matcher.test(latin1) ? encodeLatin1(text(latin1)) : undefined;
  }

  function stream(before: HeldText = NOTHING): RedactedStream {
    let state = before;
    const advance = (chunk: string, final: boolean): string => {
      const { out, rest } = scan(
        matcher,
        markerOf,
        { text: state.text + chunk, covered: state.covered },
        final,
      );
      state = rest;
      return out;
    };
    return { push: (chunk) => advance(chunk, false), end: () => advance("", true), held: () => state };
  }

  return { active: true, text, json, value, bytes, stream };
}

const changed = (before: string, after: string): string | undefined => (after === before ? undefined : after);

/** Creates the texts that are shown instead of secrets. A marker must not hold a secret itself; the last one is too short for that. */
function createMarkers(matcher: Matcher): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const marker =
      known.get(name) ??
      [...(SHOWN_NAME.test(name) ? [`[redacted:${name}]`] : []), "[redacted]", "[***]", "<hidden>"].find(
        (candidate) => !matcher.test(candidate),
      ) ??
      "***";
    known.set(name, marker);
    return marker;
  };
}

/**
 * Replaces secrets from left to right; overlapping ones become one marker. Unless `final`, stops where the end of the text
 * may be the beginning of a secret.
 */
function scan(
  matcher: Matcher,
  markerOf: (name: string) => string,
  { text, covered: alreadyCovered }: HeldText,
  final: boolean,
): { out: string; rest: HeldText } {
  let covered = alreadyCovered;
  let out = "";
  let start = matcher.nextStart(text, 0);
  for (; start < text.length; start = matcher.nextStart(text, start + 1)) {
    const { end, pattern, open } = matcher.matchAt(text, start);
    if (open && !final) break;
    if (pattern === undefined) continue;
    if (start >= covered) out += text.slice(covered, start) + markerOf(pattern.name);
    covered = Math.max(covered, end);
  }
  if (start > covered) out += text.slice(covered, start);
  return { out, rest: { text: text.slice(start), covered: Math.max(0, covered - start) } };
}

interface Region {
  start: number;
  end: number;
  name: string;
}

/** Returns the regions of the text that hold secrets; overlapping ones are joined. */
function regionsIn(matcher: Matcher, text: string): Region[] {
  const regions: Region[] = [];
  for (
    let start = matcher.nextStart(text, 0);
    start < text.length;
    start = matcher.nextStart(text, start + 1)
  ) {
    const { end, pattern } = matcher.matchAt(text, start);
    if (pattern === undefined) continue;
    const last = regions.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else regions.push({ start, end, name: pattern.name });
  }
  return regions;
}

const SLICE = 8192;

/** Decodes one character per byte, so that binary content survives; TextDecoder has no such encoding. */
function decodeLatin1(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += SLICE) {
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, start + SLICE));
  }
  return text;
}

function encodeLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
