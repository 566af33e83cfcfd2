// The guide "From one machine to many", followed with the built program and a real database: its commands as they stand there.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Run } from "../../src/core/run.ts";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { block, blocks } from "../support/markdown.ts";
import { createDatabase, lacksPostgres } from "../support/postgres.ts";
import { runProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

const GUIDE = readFileSync(
  fileURLToPath(new URL("../../../../docs/guides/many-machines.md", import.meta.url)),
  "utf8",
);
const ADDRESS = "export DATABASE_URL=postgres://proctor:secret@db.example/proctor";

describe.skipIf(await lacksPostgres("the guide to many machines"))("the guide to many machines", () => {
  it("does what it says", { timeout: HANG_MS }, async () => {
    const folder = temporaryFolder("many-machines-guide");
    const [, key = "", up = "", ...more] = block(GUIDE, "", ADDRESS).split("\n");
    const workers = more.filter((line) => line.startsWith("proctor worker"));
    const shell = async (script: string): Promise<string> =>
      (await promisify(execFile)("bash", ["-c", `set -eu\n${script}`], { cwd: folder })).stdout;
    const sealKey = await shell(`${key}\nprintf %s "$SEAL_KEY"`);
    const env = { DATABASE_URL: await createDatabase(), SEAL_KEY: sealKey, PROCTOR_GRACE_SECONDS: "1" };

    const hub = await startHubProcess({ folder, env, args: flagsOf(up) });
    const [plain, gpu, ...others] = await Promise.all(
      workers.map((line) => startWorkerProcess({ folder, env, args: flagsOf(line) })),
    );
    let edge: WorkerProcess | undefined;
    if (plain === undefined || gpu === undefined) throw new Error("the guide starts two workers");
    expect(others).toEqual([]);
    try {
      expect(blocks(GUIDE, "")).toContain("proctor workers list\n");
      const { stdout } = await runProgram(["workers", "list"], { folder, env });
      for (const { id } of [plain, gpu]) expect(stdout).toContain(id);

      await hub.post("/agents", { name: "painter", address: "text+stdio:cat" });
      const request = blocks(GUIDE, "").find((text) => text.startsWith("curl ")) ?? "";
      const { id } = JSON.parse(await shell(request.replace("http://127.0.0.1:3001", hub.url))) as Run;
      expect(await hub.ended(id)).toMatchObject({ status: "completed" });
      const started = (await hub.events(id)).find(({ type }) => type === "run.started");
      expect(started?.payload).toEqual({ worker: gpu.id });

      expect(await runProgram(["workers", "drain", gpu.id], { folder, env })).toMatchObject({ code: 0 });
      expect(await gpu.ended).toBe(0);

      // Without the database: the first token closes the hub, and commands in its folder go on as before.
      const create = /\$\(proctor (token create .*)\)/.exec(GUIDE)?.[1]?.split(" ") ?? [];
      const { stdout: secret } = await runProgram(create, { folder, env });
      const line = /^proctor worker --hub .*$/m.exec(GUIDE)?.[0] ?? "";
      edge = await startWorkerProcess({
        folder: temporaryFolder("edge"),
        env: { PROCTOR_TOKEN: secret.trim() },
        args: flagsOf(line.replace("https://hub.example", hub.url)),
      });
      const carriedOut = await runProgram(
        ["run", "--agent", "text+stdio:cat", "--task", "hello", "--requires", "edge"],
        { folder, env },
      );
      expect(carriedOut).toMatchObject({ code: 0 });
      const { stdout: listed } = await runProgram(["workers", "list"], { folder, env });
      expect(listed).toContain(edge.id);
    } finally {
      await edge?.stop();
      await Promise.all([plain.stop(), gpu.stop()]);
      await hub.stop();
    }
  });
});

/** What follows the name of the command, without the comment. */
function flagsOf(line: string): string[] {
  const [command = ""] = line.split("#");
  return command.trim().split(/ +/).slice(2);
}
