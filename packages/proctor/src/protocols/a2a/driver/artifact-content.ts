// How much of an artifact has come, whatever pieces it came in: servers keep the pieces of a stream as parts of their own, or join them.
// So a snapshot can be compared with what was streamed, and only its rest is new.
import { createHash, type Hash } from "node:crypto";
import { canonicalJson } from "../../../core/canonical-json.ts";
import type { A2aPart } from "../model.ts";
import { bytesOf, kindOf } from "./parts.ts";

export interface ArtifactContent {
  add(parts: readonly A2aPart[]): void;
  /** Returns what the parts hold beyond this content; undefined when they do not begin with it. */
  restOf(parts: readonly A2aPart[]): A2aPart[] | undefined;
  /** Returns an equal digest for equal content, however it is divided into parts. */
  digest(): string;
}

const DIGITS = 32;

export function createContent(): ArtifactContent {
  const hash: Hash = createHash("sha256");
  let size = 0;
  let last = "";

  function addPart(part: A2aPart): void {
    const content = contentOf(part);
    if (content.length === 0) return;
    const kind = kindOf(part) ?? "unknown";
    const key = `${kind}\0${part.filename ?? ""}`;
    // Text goes on in the next part of its file; data and addresses never do.
    if (key !== last || !isDivisible(part)) hash.update(`\0${key}\0`);
    last = key;
    hash.update(content);
    size += sizeOf(part);
  }

  function digest(): string {
    return hash.copy().digest("hex").slice(0, DIGITS);
  }

  return {
    add: (parts) => parts.forEach(addPart),
    digest,
    restOf(parts) {
      const beginning = createContent();
      let room = size;
      let rest: A2aPart[] = [];
      for (const [index, part] of parts.entries()) {
        const wanted = sizeOf(part);
        if (wanted > room) {
          const [head, tail] = room === 0 || !isDivisible(part) ? [undefined, part] : divide(part, room);
          if (head) beginning.add([head]);
          if (head === undefined && room > 0) return undefined;
          room = 0;
          rest = [tail, ...parts.slice(index + 1)];
          break;
        }
        beginning.add([part]);
        room -= wanted;
      }
      return room === 0 && beginning.digest() === digest() ? rest : undefined;
    },
  };
}

export function digestOf(parts: readonly A2aPart[]): string {
  const content = createContent();
  content.add(parts);
  return content.digest();
}

function isDivisible(part: A2aPart): boolean {
  const kind = kindOf(part);
  return kind === "text" || kind === "raw";
}

function contentOf(part: A2aPart): string | Buffer {
  switch (kindOf(part)) {
    case "text":
      return part.text ?? "";
    case "raw":
      return bytesOf(part);
    default:
      return canonicalJson(part);
  }
}

/** Returns the characters of a text, the bytes of a file, and 1 for anything else. */
function sizeOf(part: A2aPart): number {
  return isDivisible(part) ? contentOf(part).length : 1;
}

function divide(part: A2aPart, at: number): [head: A2aPart, tail: A2aPart] {
  if (kindOf(part) === "text") {
    const { text = "" } = part;
    return [
      { ...part, text: text.slice(0, at) },
      { ...part, text: text.slice(at) },
    ];
  }
  const bytes = bytesOf(part);
  return [
    { ...part, raw: bytes.subarray(0, at).toString("base64") },
    { ...part, raw: bytes.subarray(at).toString("base64") },
  ];
}
