// What copied files are, as one hash: names, permissions, bytes and links. Not their times, which a checkout changes.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Source } from "./list-sources.ts";

export async function hashSources(sources: readonly Source[], signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for (const { name, type, entries } of sources) {
    hash.update(JSON.stringify(["source", name, type]));
    for (const entry of entries) {
      hash.update(JSON.stringify([entry.path, entry.type, entry.mode, entry.target ?? "", entry.sizeBytes]));
      if (entry.type !== "file") continue;
      if (entry.content !== undefined) hash.update(entry.content);
      else if (entry.source !== undefined) {
        for await (const chunk of createReadStream(entry.source, { signal })) {
          // A stream without an encoding yields buffers.
          hash.update(chunk as Buffer);
        }
      }
    }
  }
  return hash.digest("hex");
}
