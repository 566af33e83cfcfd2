// What was said at one end and is not the same at the other. What was added on the way is no loss.
import { isJsonObject, type Json } from "../../../core/json.ts";
import { showValue } from "../../../conformance/finding.ts";

export interface Lost {
  /** Path of what was lost: `message.parts[2].raw`. */
  path: string;
  expected: string;
  got: string;
}

/** Returns the first thing of `said` that `heard` lacks or has with another value; undefined where all is there. */
export function missingFrom(heard: Json | undefined, said: Json | undefined, path: string): Lost | undefined {
  if (isJsonObject(said)) {
    if (!isJsonObject(heard)) return lost(path, said, heard);
    return first(Object.entries(said), ([key, value]) => missingFrom(heard[key], value, `${path}.${key}`));
  }
  if (Array.isArray(said)) {
    if (!Array.isArray(heard) || heard.length !== said.length) return lost(path, said, heard);
    return first([...said.entries()], ([index, value]) =>
      missingFrom(heard[index], value, `${path}[${index}]`),
    );
  }
  return heard === said ? undefined : lost(path, said, heard);
}

function first<T>(items: readonly T[], look: (item: T) => Lost | undefined): Lost | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lost(path: string, said: Json | undefined, heard: Json | undefined): Lost {
  return { path, expected: showValue(said), got: showValue(heard) };
}
