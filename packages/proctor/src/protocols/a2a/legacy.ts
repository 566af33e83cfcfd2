// What 0.3 says and the shapes of 1.0 have no place for. It travels with the object that it was said of, under a symbol: so no JSON that is
// written or read has it, no peer can set it, and `{...object, changed}` keeps it. A copy through JSON forgets it.
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { Loss } from "./codec.ts";

const LEGACY: unique symbol = Symbol("said in A2A 0.3");

export interface Legacy {
  /** Fields of 0.3, under their names there. In 1.0 they are lost. */
  fields?: JsonObject;
  /** Spelling, where the document leaves a choice. Nothing is lost without it. */
  form?: JsonObject;
}

/** Returns the object with its notes of 0.3; the object itself where there is nothing to keep. */
export function withLegacy<T extends JsonObject>(value: T, { fields = {}, form = {} }: Legacy): T {
  const legacy: Legacy = {
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(Object.keys(form).length > 0 && { form }),
  };
  return Object.keys(legacy).length > 0 ? { ...value, [LEGACY]: legacy } : value;
}

export function legacyOf(value: JsonObject): Legacy {
  // Only withLegacy() sets it.
  return (value as { [LEGACY]?: Legacy })[LEGACY] ?? {};
}

/** Returns the fields that go on the wire, without the notes. */
export function withoutLegacy(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value));
}

/** Returns everything that is lost when the value is written as 1.0. Walks without recursion: `data` may be nested as deeply as it likes. */
export function lossesOfLegacy(value: unknown, root: string): Loss[] {
  const losses: Loss[] = [];
  const open: { value: unknown; path: string }[] = [{ value, path: root }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path } = next;
    if (Array.isArray(next.value)) {
      // The last is pushed first, so that the first is looked at next.
      for (let index = next.value.length - 1; index >= 0; index--) {
        open.push({ value: next.value[index], path: `${path}[${index}]` });
      }
    } else if (isJsonObject(next.value)) {
      for (const name of Object.keys(legacyOf(next.value).fields ?? {})) {
        losses.push({ path: below(path, name), message: "has no place in A2A 1.0, and is left out" });
      }
      for (const [name, entry] of Object.entries(next.value).toReversed()) {
        if (!OPAQUE.has(name)) open.push({ value: entry, path: below(path, name) });
      }
    }
  }
  return losses;
}

/** Fields whose content is the peer's own. */
const OPAQUE: ReadonlySet<string> = new Set(["metadata", "data", "params"]);

function below(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
