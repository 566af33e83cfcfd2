// Which media type an agent reads. Most servers have a parser for application/json and for nothing else, and the version is in the
// body; so that is what is sent, unless an agent was found to want the type that document 000 names.
import type { Job } from "../../../core/ports/driver.ts";
import { PLAIN_JSON, type JsonType } from "./media.ts";

export interface KnownTypes {
  of(job: Job): JsonType;
  learn(job: Job, type: JsonType): void;
}

/** Agents that are remembered; the oldest are asked again. */
const MAX_KNOWN = 1000;

export function createKnownTypes(): KnownTypes {
  const types = new Map<string, JsonType>();
  return {
    of: ({ spec }) => types.get(spec.url ?? "") ?? PLAIN_JSON,
    learn({ spec }, type) {
      const [oldest] = types.keys();
      if (types.size >= MAX_KNOWN && oldest !== undefined) types.delete(oldest);
      types.set(spec.url ?? "", type);
    },
  };
}
