// The recordings that a path names: one file, or all of a folder.
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { NamedRecording } from "../../doubles/agent/mock-agent.ts";
import { readRecording } from "../../protocols/replay/read-recording.ts";

const MAX_RECORDINGS = 10_000;

/** Loads the recordings, which are all of one protocol. Throws FILE_UNREADABLE. */
export async function loadRecordings(path: string): Promise<[NamedRecording, ...NamedRecording[]]> {
  const found = await stat(path).catch(() => undefined);
  const [file, ...files] = found?.isDirectory() === true ? await recordingsIn(path) : [path];
  const first = await load(file ?? path);
  const loaded: [NamedRecording, ...NamedRecording[]] = [first];
  for (const other of files) loaded.push(await load(other));
  const { protocol } = first.recording.header;
  const stranger = loaded.find(({ recording }) => recording.header.protocol !== protocol);
  if (stranger === undefined) return loaded;
  throw new ProctorError(
    "FILE_UNREADABLE",
    `${first.file} is of an agent that speaks ${protocol}, and ${stranger.file} of another\nserve them one by one`,
  );
}

async function recordingsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort(byName);
  if (names.length === 0 || names.length > MAX_RECORDINGS) {
    const what =
      names.length === 0 ? "no recordings, which end in .jsonl" : `more than ${MAX_RECORDINGS} recordings`;
    throw new ProctorError(
      "FILE_UNREADABLE",
      `the folder ${folder} holds ${what}\nname a recording, or a folder of them`,
    );
  }
  return names.map((name) => join(folder, name));
}

const byName = (one: string, other: string): number => (one < other ? -1 : 1);

async function load(file: string): Promise<NamedRecording> {
  const recording = await readRecording(file);
  if (recording.entries.some(({ channel }) => channel === "dropped")) {
    throw new ProctorError(
      "FILE_UNREADABLE",
      `the recording ${file} is not complete\nrecord it again, with: proctor run --record`,
    );
  }
  return { file: basename(file), recording };
}
