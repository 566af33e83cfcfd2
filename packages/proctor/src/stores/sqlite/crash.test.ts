import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { bundleProgram } from "../../../test/support/bundle-program.ts";
import { logged, readLog } from "../../../test/support/stores/fixtures.ts";
import { openSqliteStore } from "./open-store.ts";

let program: string;
let directory: string;

beforeAll(async () => {
  program = await bundleProgram(
    fileURLToPath(new URL("../../../test/support/stores/append-forever.ts", import.meta.url)),
  );
});

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "proctor-crash-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Lets the program acknowledge so many appends, kills it, and returns the last sequence it acknowledged per run. */
async function killAfter(file: string, appends: number): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [program, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const acknowledged = new Map<string, number>();
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [id = "", last] = line.split(" ");
    // The last line may be cut off in the middle: a number that is too small proves less, never too much.
    if (last !== undefined) acknowledged.set(id, Number(last));
    if (++lines === appends) child.kill("SIGKILL");
  }
  expect(await exited).toEqual([null, "SIGKILL"]);
  return acknowledged;
}

it("the SQLite store keeps everything it acknowledged, without gaps, when it is killed", async () => {
  const file = join(directory, "proctor.db");
  const acknowledged = new Map([...(await killAfter(file, 60)), ...(await killAfter(file, 25))]);
  expect(acknowledged.size).toBe(6);

  const store = await openSqliteStore({ file });
  try {
    for (const [id, last] of acknowledged) {
      const log = await readLog(store, id);
      expect(log.length).toBeGreaterThan(last);
      expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index));
      const texts = log.slice(3).map(({ type, payload }) => (type === "log" ? payload.text : type));
      expect(texts).toEqual(texts.map((_, index) => String(index + 3)));
      await store.append(id, [logged("goes on")]);
      expect((await readLog(store, id)).at(-1)?.sequence).toBe(log.length);
    }
  } finally {
    await store.close();
  }
});
