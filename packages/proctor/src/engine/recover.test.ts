import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub } from "../../test/support/test-hub.ts";
import { openSqliteStore } from "../stores/sqlite/open-store.ts";

const agent = { protocol: "atp", transport: "stdio", command: ["scripted"] };
const task = { description: "do it" };

let folder = "";
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("after the hub went away", () => {
  it("continues queued runs with their secrets", async () => {
    folder = await mkdtemp(join(tmpdir(), "proctor-recover-"));
    const before = await openTestHub({ folder, concurrency: 0, driver: createScriptedDriver() });
    const environment = { API_KEY: "sk-very-secret" };
    const { run } = await before.hub.submit({ agent, task, context: { environment } });
    await before.close();

    const driver = createScriptedDriver();
    const after = await openTestHub({ folder, driver });
    const session = await driver.session(0);
    expect(session.job).toMatchObject({ runId: run.id, context: { environment } });
    session.end();
    expect((await after.ended(run.id)).status).toBe("completed");
    await after.close();
  });

  it("closes runs that were in flight as failed and says so, or retries them if their policy allows", async () => {
    folder = await mkdtemp(join(tmpdir(), "proctor-recover-"));
    const before = await openTestHub({ folder, driver: createScriptedDriver() });
    const plain = await before.hub.submit({ agent, task });
    const retry = { max_attempts: 2, initial_delay_ms: 0 };
    const retried = await before.hub.submit({ agent, task, retry });
    for (const { run } of [plain, retried])
      await before.until(run.id, (event) => event.type === "run.started");
    // What a crash leaves behind: a copy of the database while the runs are in flight.
    await before.store.ping();
    const copy = await mkdtemp(join(tmpdir(), "proctor-recover-"));
    await copyDatabase(folder, copy);
    await before.close();

    const driver = createScriptedDriver();
    const after = await openTestHub({ folder: copy, driver });
    expect(await after.hub.run(plain.run.id)).toMatchObject({
      status: "failed",
      failure: { code: "INTERRUPTED", message: expect.stringContaining("in flight") as string },
    });
    const closed = await after.hub.run(retried.run.id);
    expect(closed).toMatchObject({ status: "failed", failure: { code: "INTERRUPTED" } });
    const session = await driver.session(0);
    expect(session.job.runId).toBe(closed.retried_as);
    session.end();
    expect((await after.ended(closed.retried_as ?? "")).status).toBe("completed");
    await after.close();
    await rm(copy, { recursive: true, force: true });
  });

  it("fails a run whose environment can no longer be unsealed, instead of running it without", async () => {
    folder = await mkdtemp(join(tmpdir(), "proctor-recover-"));
    const before = await openTestHub({ folder, concurrency: 0, driver: createScriptedDriver() });
    const { run } = await before.hub.submit({
      agent,
      task,
      context: { environment: { API_KEY: "sk-very-secret" } },
    });
    await before.close();
    await rm(join(folder, "seal.key"));
    const driver = createScriptedDriver();
    const after = await openTestHub({ folder, driver });
    expect(await after.ended(run.id)).toMatchObject({ status: "failed", failure: { code: "SECRETS_LOST" } });
    expect(driver.sessions).toHaveLength(0);
    await after.close();
  });
});

async function copyDatabase(from: string, to: string): Promise<void> {
  const { cp } = await import("node:fs/promises");
  for (const name of ["proctor.db", "proctor.db-wal", "seal.key"]) {
    await cp(join(from, name), join(to, name)).catch(() => undefined);
  }
  const store = await openSqliteStore({ file: join(to, "proctor.db") });
  await store.close();
}
