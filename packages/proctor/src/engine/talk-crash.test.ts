import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram } from "../../test/support/bundle-program.ts";
import { HANG_MS, eventually } from "../../test/support/eventually.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import { textPart } from "../core/message.ts";
import type { RunEvent } from "../core/event.ts";
import { isTerminal } from "../core/run.ts";

const PROGRAM = fileURLToPath(new URL("../../test/support/engine/talk-and-die.ts", import.meta.url));
let program = "";
let folder = "";
let after: TestHub | undefined;

beforeAll(async () => {
  program = await bundleProgram(PROGRAM);
});

afterEach(async () => {
  await after?.close();
  after = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** What the program acknowledged before it was killed. */
async function dieAfter(mode: "attached" | "parked", point: string): Promise<Map<string, string>> {
  folder = await mkdtemp(join(tmpdir(), "proctor-talk-crash-"));
  const child = spawn(process.execPath, [program, folder, mode, point], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
  const lines = output.trim().split("\n");
  return new Map(lines.map((line) => JSON.parse(line) as [string, string]));
}

async function reopen(mode: "attached" | "parked") {
  const driver = createScriptedDriver({
    talks: { asks: ["input"], parks: mode === "parked", follows: true },
  });
  after = await openTestHub({ folder, driver });
  return { hub: after, driver };
}

function count(log: readonly RunEvent[], type: string): number {
  return log.filter((event) => event.type === type).length;
}

describe("a hub that is killed while an agent asks", { timeout: HANG_MS }, () => {
  for (const point of ["submitted", "asked", "answered", "heard", "delivered"]) {
    it(`after it acknowledged "${point}" says that the run was interrupted, and has lost and doubled nothing`, async () => {
      const reached = await dieAfter("attached", point);
      const id = reached.get("submitted") ?? "";
      const { hub, driver } = await reopen("attached");
      const run = await hub.hub.run(id);
      if (!isTerminal(run.status)) {
        // It was still queued, or had only just been.
        (await driver.session(0)).end();
        await hub.ended(id);
      } else {
        expect(run).toMatchObject({ status: "failed", failure: { code: "INTERRUPTED" }, questions: [] });
      }
      const log = await hub.log(id);
      expect(count(log, "question.answered")).toBe(reached.has("answered") ? 1 : 0);
      expect(count(log, "question.delivered")).toBeLessThanOrEqual(reached.has("heard") ? 1 : 0);
      if (reached.has("delivered")) expect(count(log, "question.delivered")).toBe(1);
      expect(count(log, "question.withdrawn")).toBe(reached.has("asked") && !reached.has("answered") ? 1 : 0);
      expect(count(log, "run.ended")).toBe(1);
    });
  }

  for (const point of ["asked", "parked", "answered", "heard", "delivered", "ended"]) {
    it(`and whose session can be opened again, goes on after "${point}" with the one answer it has`, async () => {
      const reached = await dieAfter("parked", point);
      const id = reached.get("submitted") ?? "";
      const { hub, driver } = await reopen("parked");
      if (!reached.has("answered")) {
        expect(await hub.hub.run(id)).toMatchObject({ status: "waiting", questions: [{ id: "q" }] });
        expect(hub.engine.active).toBe(0);
        await hub.hub.answer(id, { question_id: "q", id: "a", parts: [textPart("yes")] });
      }
      const again = await hub.hub.answer(id, { question_id: "q", id: "a", parts: [textPart("yes")] });
      expect(again.id).toBe(id);
      if (!reached.has("ended")) {
        const session = await driver.session(0);
        expect(session.job.conversation?.continuation).toEqual({ thread: 1 });
        if (!reached.has("delivered")) {
          await eventually(() =>
            expect(session.heard).toMatchObject([{ questionId: "q", answer: { id: "a" } }]),
          );
        }
        session.end();
      }
      const ended = await hub.ended(id);
      expect(ended).toMatchObject({ status: "completed", questions: [] });
      const log = await hub.log(id);
      expect(count(log, "question.asked")).toBe(1);
      expect(count(log, "question.answered")).toBe(1);
      expect(count(log, "question.delivered")).toBe(1);
    });
  }
});
