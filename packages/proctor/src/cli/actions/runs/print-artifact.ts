// `proctor runs artifact`: the bytes of one artifact, to stdout or to a file. A pipe gets them as they are; on a terminal
// nothing in them moves the cursor.
import { messageOf } from "../../../core/message-of.ts";
import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { artifactName, type Artifact } from "../../../core/artifact.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { Run } from "../../../core/run.ts";
import { suggest } from "../../../core/suggest.ts";
import { unlessAborted } from "../../../core/unless-aborted.ts";
import type { CliIo } from "../../cli-io.ts";
import type { ArtifactFlags } from "./flags.ts";
import { hubAction } from "../hub-action.ts";
import { formatBytes } from "../../terminal/amounts.ts";
import { manyLines, oneLine } from "../../terminal/text.ts";
import { findRun } from "./find-run.ts";

const MAX_NAMED = 20;

export const printArtifact = hubAction(
  "read",
  async ({ hub, io }, reference: string, name: string | undefined, flags: ArtifactFlags) => {
    const run = await findRun(hub, reference);
    const artifact = chooseArtifact(run, name);
    const bytes = await hub.readArtifact(run.id, artifact.id);
    if (flags.output !== undefined) await writeFile(flags.output, bytes, io);
    else if (io.stdout.isTTY === true) await printSafely(bytes, artifact, io);
    else for await (const chunk of bytes) await writeAll(chunk, io);
    return io.signal.aborted ? 130 : 0;
  },
);

/** Finds an artifact by its name or id; without either, the run must have exactly one. */
function chooseArtifact({ id, artifacts }: Run, wanted: string | undefined): Artifact {
  const names = artifacts.map(artifactName);
  const list = names.slice(0, MAX_NAMED).map(oneLine).join(", ");
  const [only, ...others] = artifacts;
  if (only === undefined) throw new ProctorError("ARTIFACT_NOT_FOUND", `run ${id} has no artifacts`);
  if (wanted === undefined) {
    if (others.length === 0) return only;
    throw new ProctorError(
      "USAGE",
      `run ${id} has ${artifacts.length} artifacts: say which\nthere are: ${list}`,
    );
  }
  // The same name twice: what came later is what the agent ended with.
  const found = artifacts.findLast((artifact) => artifact.id === wanted || artifactName(artifact) === wanted);
  if (found !== undefined) return found;
  const similar = suggest(wanted, names);
  throw new ProctorError(
    "ARTIFACT_NOT_FOUND",
    `run ${id} has no artifact "${oneLine(wanted)}"\n${similar === undefined ? `there are: ${list}` : `did you mean "${oneLine(similar)}"?`}`,
  );
}

async function writeFile(file: string, bytes: AsyncIterable<Uint8Array>, { cwd }: CliIo): Promise<void> {
  try {
    await pipeline(bytes, createWriteStream(resolve(cwd, file)));
  } catch (error) {
    if (ProctorError.is(error)) throw error;
    const reason = messageOf(error);
    throw new ProctorError("USAGE", `--output ${file}: it cannot be written (${reason})`, { cause: error });
  }
}

async function printSafely(bytes: AsyncIterable<Uint8Array>, artifact: Artifact, io: CliIo): Promise<void> {
  const decoder = new TextDecoder();
  let last = "\n";
  for await (const chunk of bytes) {
    if (chunk.includes(0)) {
      const size = artifact.size_bytes === undefined ? "" : ` (${formatBytes(artifact.size_bytes)})`;
      throw new ProctorError(
        "USAGE",
        `"${oneLine(artifactName(artifact))}"${size} is not text\nwrite it to a file with --output <file>, or send it through a pipe`,
      );
    }
    const text = manyLines(decoder.decode(chunk, { stream: true }));
    await writeAll(text, io);
    last = text.at(-1) ?? last;
  }
  if (last !== "\n") io.stdout.write("\n");
}

/** Waits while the reader is slower than we are, so that memory does not grow with the artifact. */
async function writeAll(chunk: Uint8Array | string, { stdout, signal }: CliIo): Promise<void> {
  signal.throwIfAborted();
  if (stdout.write(chunk) !== false || stdout.once === undefined) return;
  await unlessAborted(new Promise<void>((resolve) => stdout.once?.("drain", resolve)), signal);
}
