// Recordings of A2A agents as the script of a scripted agent, to be served or to be edited.
import { basename } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { readScript } from "../../doubles/scripted/load-script.ts";
import { formatScript, recordedScript as scriptOf } from "../../doubles/scripted/recorded-script.ts";
import type { ScriptFile } from "../../doubles/scripted/script-schema.ts";
import { recordedTurns } from "../../protocols/a2a/replay/recorded-turns.ts";
import { loadRecordings } from "./load-recordings.ts";
import { codecs } from "./start-scripted-agent.ts";

export interface RecordedScript {
  script: ScriptFile;
  /** Text of a file with the same script. */
  text: string;
}

/** Resolves with undefined for recordings of another protocol. Throws FILE_UNREADABLE. */
export async function recordedScript(
  path: string,
  options: { speed: number },
): Promise<RecordedScript | undefined> {
  const loaded = await loadRecordings(path);
  if (loaded[0].recording.header.protocol !== "a2a") return undefined;
  const recordings = [];
  for (const { file, recording } of loaded) {
    const turns = await recordedTurns(recording);
    if (turns.length === 0) throw nothing(file);
    recordings.push({ name: file.replace(/\.jsonl$/, ""), turns });
  }
  const name = basename(path);
  const script = scriptOf(recordings, options);
  return { script: readScript(script, codecs, name), text: formatScript(script, `From ${name}.`) };
}

function nothing(file: string): ProctorError {
  const next = "record a run that reaches its agent";
  return new ProctorError("FILE_UNREADABLE", `in the recording ${file} the agent answers nothing\n${next}`);
}
