// `proctor migrate` of the built program, from one machine to a database with a bucket and back again: what a hub had before, another has
// afterwards, and what was sealed can be opened.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { createDatabase, lacksPostgres } from "../support/postgres.ts";
import { runProgram } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { BUCKET, S3_KEYS, startS3 } from "../support/s3.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture, shellFixture } from "../support/test-hub.ts";

const task = { description: "do it" };

describe.skipIf(await lacksPostgres("moving a hub"))("a hub that is moved", { timeout: HANG_MS }, () => {
  const [before, elsewhere, back] = [temporaryFolder("a"), temporaryFolder("b"), temporaryFolder("c")];
  let shared: Record<string, string>;
  let secret: string;
  let known: { run: Run; events: object[]; made: Run; queued: string };

  beforeAll(async () => {
    shared = {
      DATABASE_URL: await createDatabase(),
      ARTIFACTS_URL: `s3://${BUCKET}?endpoint=${encodeURIComponent(await startS3())}`,
      S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    };
  }, HANG_MS);

  const move = (direction: string, from: string, to: string, folder: string) =>
    runCommand(["migrate", direction, "--from", from, "--to", to, "--blobs"], {
      folder,
      env: { ...shared, DATABASE_URL: "" },
    });

  async function expectAll(hub: HubProcess): Promise<void> {
    const { run, events, made } = known;
    expect(await hub.get(`/runs/${run.id}`)).toEqual(run);
    expect(await hub.events(run.id)).toEqual(events);
    const file = made.artifacts.find(({ type }) => type === "file");
    const content = await hub.send("GET", `/runs/${made.id}/artifacts/${file?.id}/content`);
    expect(await content.text()).toContain("# Report");
    const { items } = await hub.get<Page<{ name: string }>>("/agents");
    expect(items.map(({ name }) => name)).toContain("kept");
    // A token of before gets in, and its scope still holds.
    expect((await hub.send("GET", "/runs", { token: secret })).status).toBe(200);
    expect((await hub.send("POST", "/runs", { token: secret, json: {} })).status).toBe(403);
  }

  it("has everything at the new place, and is refused there with a key that opens nothing", async () => {
    const env = { PROCTOR_TOKEN: "operator", PROCTOR_GRACE_SECONDS: "1" };
    const hub = await startHubProcess({ folder: before, env });
    const issued = await hub.post<{ secret: string }>("/tokens", { name: "reader", scopes: ["runs:read"] });
    secret = issued.secret;
    await hub.post("/agents", { name: "kept", ...shellFixture("ok") });
    const { id } = await hub.post<Run>("/runs", { agent: shellFixture("ok"), task });
    const run = await hub.ended(id);
    const other = await hub.post<Run>("/runs", { agent: fixture("file-artifact"), task });
    const made = await hub.ended(other.id);
    // What has not begun has its secrets still sealed.
    const { id: queued } = await hub.post<Run>("/runs?start=false", {
      agent: fixture("calls-tool"),
      task,
      context: { environment: { API_KEY: "a very secret key" } },
      options: { tools: { tools: [{ name: "search", default: { output: { hits: 3 } } }] } },
    });
    known = { run, events: await hub.events(id), made, queued };
    expect(await hub.stop()).toBe(0);

    const url = shared["DATABASE_URL"] ?? "";
    const moved = await move("sqlite-to-postgres", ".proctor/proctor.db", url, before);
    expect(moved.stdout + moved.stderr).toContain("files copied");
    expect(moved.stdout).not.toContain("missing");
    expect(moved.code).toBe(0);

    const wrong = { ...env, ...shared, SEAL_KEY: randomBytes(32).toString("base64") };
    const refused = await runProgram(["up", "--port", "0"], { folder: elsewhere, env: wrong });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("Set SEAL_KEY");

    const key = readFileSync(join(before, ".proctor/seal.key"), "utf8").trim();
    const SEAL_KEY = `${wrong.SEAL_KEY},${key}`;
    const there = await startHubProcess({ folder: elsewhere, env: { ...wrong, SEAL_KEY } });
    await expectAll(there);
    await there.post(`/runs/${queued}/start`);
    const done = await there.ended(queued);
    expect(done.artifacts).toMatchObject([{ data: { output: { secretLength: 17 } } }]);
    expect(await there.stop()).toBe(0);

    const returned = await move("postgres-to-sqlite", url, ".proctor/proctor.db", back);
    expect(returned).toMatchObject({ code: 0 });
    const without = await runCommand(["up", "--port", "0"], { folder: back, env });
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("Set SEAL_KEY");
    const again = await startHubProcess({ folder: back, env: { ...env, SEAL_KEY } });
    await expectAll(again);
    expect(await again.get(`/runs/${queued}`)).toEqual(done);
    expect(await again.stop()).toBe(0);
  });
});
