// A program with a hub on a directory. It sweeps, says so, and then either ends or opens runs, tells of their steps, gives them files and
// removes some, all at once, until it is killed. What was acknowledged is printed, one JSON text per line.
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { openTestHub } from "../test-hub.ts";
import { uuidV7 } from "../../../src/core/id.ts";
import { openFileBlobs } from "../../../src/stores/blobs/file-blobs.ts";

const [folder = "", mode = "sweep"] = process.argv.slice(2);
const { hub, store, close } = await openTestHub({ folder });
const blobs = await openFileBlobs(join(folder, "artifacts"));
const output = createWriteStream("", { fd: 1 });
const say = (...words: (string | number)[]): void => void output.write(`${JSON.stringify(words)}\n`);
const task = { description: "do it" };

async function* content(text: string): AsyncGenerator<Uint8Array> {
  for (let count = 0; count < 20; count++) yield Buffer.from(`${text} ${count}\n`);
}

async function workOn(worker: number, round: number): Promise<void> {
  const { run } = await hub.openClientRun({ task });
  say("run", run.id);
  const stepId = uuidV7();
  const payload = { step_id: stepId, name: "s", input: null, additional_input: {} };
  await hub.tell(run.id, () => [{ type: "step.added", payload }]);
  say("step", run.id, stepId, "created");
  const done = hub
    .tell(run.id, () => [
      { type: "step.changed", payload: { step_id: stepId, status: "completed", is_last: true } },
    ])
    .then(() => say("step", run.id, stepId, "completed"));
  const given = await hub.addFile(run.id, {
    fileName: "f.txt",
    relativePath: "f.txt",
    contentType: "text/plain",
    maxBytes: 1e6,
    stepId,
    storedAs: `${run.id}_${stepId}_${Date.now()}_f.txt`,
    // Some of them alike, so that runs share bytes.
    content: content(round % 3 === 0 ? "same" : `${worker} ${round}`),
  });
  say("file", run.id, given.id, given.content_hash ?? "", given.stored_as ?? "");
  await done;
  if (round % 4 === 1) {
    say("removing", run.id);
    await hub.remove(run.id);
    say("removed", run.id);
  }
  if (round % 4 === 2) {
    say("taking", run.id, given.id);
    await hub.removeArtifact(run.id, given.id);
    say("taken", run.id, given.id);
  }
}

async function workForever(worker: number): Promise<void> {
  for (let round = 0; ; round++) await workOn(worker, round);
}

await blobs.sweep();
say("swept", await blobs.sweepOrphans("test", (files) => store.unreferenced(files)));
if (mode === "work") await Promise.all(Array.from({ length: 12 }, (_, worker) => workForever(worker)));
else await close();
