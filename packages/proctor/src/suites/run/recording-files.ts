// Where the recording of a run is kept, and how a suite is run against such recordings instead of its agents.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { isJsonObject } from "../../core/json.ts";
import { readLines } from "../journal/read-lines.ts";
import { caseIdentifier, type PlannedCase } from "../plan.ts";
import { isConversation } from "../suite.ts";
import type { Recall } from "./attempt.ts";

const MAX_NAME = 60;

/** File name that people recognise, with enough of a hash to be unique to its case, and the number of the turn in a conversation. */
export function recordingFile(
  folder: string,
  { suite, test, agent }: PlannedCase,
  number: number,
  turn?: number,
): string {
  const identifier = caseIdentifier(suite.name, test.id, agent.label);
  const hash = createHash("sha256").update(identifier).digest("hex").slice(0, 8);
  return join(
    resolve(folder),
    slug(suite.name),
    `${slug(test.id)}.${slug(agent.label)}.${hash}.${number}${turn === undefined ? "" : `.turn-${turn}`}.jsonl`,
  );
}

export function replayFrom(folder: string): Recall {
  return async (planned, number) => {
    if (isConversation(planned.test))
      return { source: "replayed", missing: "a conversation cannot be replayed: run it again" };
    const file = recordingFile(folder, planned, number);
    if (!existsSync(file)) return { source: "replayed", missing: `there is no recording ${file}` };
    const recorded = await recordedKey(file);
    if (recorded !== undefined && recorded !== planned.key?.task) {
      return { source: "replayed", missing: `its task has changed since it was recorded in ${file}` };
    }
    return { source: "replayed", agent: { protocol: "replay", transport: "file", url: `file:${file}` } };
  };
}

/** Id of the recorded task; undefined when the recording does not name one. */
async function recordedKey(file: string): Promise<unknown> {
  for await (const { bytes } of readLines(file)) {
    try {
      const header: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
      return isJsonObject(header) ? header["key"] : undefined;
    } catch {
      // A broken recording is reported when it is played.
      return undefined;
    }
  }
  return undefined;
}

function slug(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+|[.-]+$/g, "");
  return plain.slice(0, MAX_NAME) || "unnamed";
}
