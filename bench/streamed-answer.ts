// An answer that an agent streams in very many small pieces: how many bytes are stored, and how fast it is read again, against a bare
// loop that writes the same frames.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptedDriver } from "../packages/proctor/test/support/scripted-driver.ts";
import { openTestHub } from "../packages/proctor/test/support/test-hub.ts";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { startBare, startHub } from "./processes.ts";

const PIECES = 100_000;
const PIECE = "token ";

export async function bench(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-streamed-"));
  try {
    const { id, storedBytes } = await fill(join(folder, ".proctor"));
    const hub = await startHub({ concurrency: 0, folder });
    try {
      const path = `/runs/${id}/events`;
      const file = join(folder, "frames.txt");
      writeFileSync(file, await read(hub.port, path));
      const bare = await startBare("./bare-sse.mjs", [file]);
      try {
        const seconds = await inTurns(
          9,
          () => secondsOf(() => read(bare.port, "/")),
          () => secondsOf(() => read(hub.port, path)),
        );
        const textBytes = PIECES * PIECE.length;
        return [
          {
            name: "streamed-bytes",
            what: `bytes stored of an answer in ${PIECES} pieces / bytes of its text`,
            value: storedBytes / textBytes,
            bound: { atMost: 1.3 },
            unit: "ratio",
            details: { "text KB": textBytes / 1024, "stored KB": storedBytes / 1024 },
          },
          {
            name: "streamed-replay",
            what: "reading that answer again as an event stream / a bare loop that writes the same frames",
            value: seconds.bare / seconds.ours,
            bound: { atLeast: 0.5 },
            unit: "ratio",
            details: { "bare ms": seconds.bare * 1000, "ours ms": seconds.ours * 1000 },
          },
        ];
      } finally {
        await bare.stop();
      }
    } finally {
      await hub.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills a data directory with one ended run whose agent sent all pieces. */
async function fill(folder: string): Promise<{ id: string; storedBytes: number }> {
  const driver = createScriptedDriver();
  const opened = await openTestHub({ folder, driver });
  const agent = { protocol: "puppet", transport: "stdio", command: ["x"] };
  const { run } = await opened.hub.submit({ agent, task: { description: "stream" } });
  const session = await driver.session(0);
  for (let count = 1; count <= PIECES; count++) {
    session.push({ kind: "text", messageId: "m", part: 0, text: PIECE, last: count === PIECES });
  }
  session.end();
  await opened.ended(run.id);
  const stored = (await opened.log(run.id)).filter(({ type }) => type.startsWith("message."));
  await opened.close();
  return { id: run.id, storedBytes: stored.reduce((sum, event) => sum + JSON.stringify(event).length, 0) };
}

function read(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(
      { host: "127.0.0.1", port, path, headers: { accept: "text/event-stream" }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
        response.on("end", () => resolve(Buffer.concat(chunks).toString()));
      },
    ).on("error", reject);
  });
}
