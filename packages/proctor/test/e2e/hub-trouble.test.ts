// A hub whose disk or database lets it down: it says what, where and what next, and neither lies nor dies of it.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  closeSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { beforeAll, describe, expect, it } from "vitest";
import { findMarked } from "../../src/runtime/processes/strays.ts";
import type { Page } from "../../src/core/page.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { Run } from "../../src/core/run.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { PROGRAM, runProgram, type Ended } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture, openTestHub, shellFixture } from "../support/test-hub.ts";
import { eventually } from "../support/eventually.ts";

const root = temporaryFolder("trouble");
const task = { description: "do it" };
const PAGE = 4096;
/** On Linux "nobody"; any user that owns nothing would do. */
const NOBODY = 65_534;

describe("the database", () => {
  /** A sound one, with a run whose events fill some hundred pages. */
  const sound = join(root, "sound.db");
  let long: string;
  beforeAll(async () => {
    const folder = join(root, "made");
    mkdirSync(folder);
    const made = await openTestHub({ folder });
    const { run } = await made.hub.submit({ agent: fixture("flood-events", "3000"), task });
    long = run.id;
    await made.ended(run.id);
    await made.close();
    copyFileSync(join(folder, "proctor.db"), sound);
  });

  function place(name: string, change: (file: string) => void): string {
    const folder = join(root, name);
    mkdirSync(join(folder, ".proctor"), { recursive: true });
    const file = join(folder, ".proctor/proctor.db");
    copyFileSync(sound, file);
    change(file);
    return folder;
  }

  function overwrite(file: string, offset: number, sizeBytes: number): void {
    const descriptor = openSync(file, "r+");
    writeSync(descriptor, Buffer.alloc(sizeBytes, 0xa5), 0, sizeBytes, offset);
    closeSync(descriptor);
  }

  const up = (folder: string, uid?: number): Promise<Ended> =>
    runProgram(["up", "--port", "0"], { folder, ...(uid !== undefined && { uid }) });

  async function refused(folder: string, code: string, uid?: number): Promise<Ended> {
    const ended = await up(folder, uid);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(`[${code}]`);
    expect(ended.stderr).toContain(join(folder, ".proctor"));
    // What, and on the next line what to do about it; no stack.
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(2);
    return ended;
  }

  it("with a damaged header is refused, and left as it is", async () => {
    const folder = place("header", (file) => overwrite(file, 0, 100));
    const before = readFileSync(join(folder, ".proctor/proctor.db"));
    await refused(folder, "DATABASE_CORRUPT");
    expect(readFileSync(join(folder, ".proctor/proctor.db")).equals(before)).toBe(true);
  });

  it("with damaged tables is refused", async () => {
    await refused(
      place("tables", (file) => overwrite(file, PAGE, 30 * PAGE)),
      "DATABASE_CORRUPT",
    );
  });

  it("with damage among a run's events serves everything else and says what it cannot read", async () => {
    const folder = place("events", (file) => {
      const pages = Math.floor(statSync(file).size / PAGE);
      overwrite(file, Math.floor(pages / 2) * PAGE, Math.floor(pages / 4) * PAGE);
    });
    const hub = await startHubProcess({ folder });
    const answers: [status: number, code: unknown][] = [];
    for (let after = -1; after < 3000; after += 500) {
      const response = await hub.send("GET", `/runs/${long}/events?after=${after}&limit=500`);
      answers.push([response.status, ((await response.json()) as { code?: string }).code]);
    }
    expect(answers).toContainEqual([500, "DATABASE_CORRUPT"]);
    expect(
      answers.filter(([status]) => status === 500).every(([, code]) => code === "DATABASE_CORRUPT"),
    ).toBe(true);
    expect((await hub.send("GET", "/healthz")).status).toBe(200);
    const { id } = await hub.post<Run>("/runs", { agent: shellFixture("ok"), task });
    expect(await hub.ended(id)).toMatchObject({ status: "completed" });
    expect(await hub.stop()).toBe(0);
  });

  it("that is taken away under a hub acknowledges nothing more", async () => {
    const folder = place("taken", () => undefined);
    const hub = await startHubProcess({ folder });
    await hub.post<Run>("/runs", { agent: shellFixture("ok"), task });
    rmSync(join(folder, ".proctor"), { recursive: true });
    const ready = await hub.send("GET", "/readyz");
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ code: "STORE_UNAVAILABLE" });
    await eventually(async () => {
      const refused = await hub.send("POST", "/runs", { json: { agent: shellFixture("ok"), task } });
      expect(refused.status).toBe(503);
    });
    await hub.stop();
  });

  it("that is a text file is refused, by commands that only read as well", async () => {
    const folder = place("text", (file) => writeFileSync(file, "Dear diary,\n".repeat(100)));
    await refused(folder, "DATABASE_CORRUPT");
    expect(readFileSync(join(folder, ".proctor/proctor.db"), "utf8")).toMatch(/^Dear diary/);
    const list = await runProgram(["runs", "list"], { folder });
    expect(list).toMatchObject({ code: 2, stdout: "" });
    expect(list.stderr).toMatch(/not a sound database|not a Proctor database/);
  });

  it("from the future is refused", async () => {
    const folder = place("future", (file) => {
      const database = new Database(file);
      database.exec("insert into proctor_migrations (version, name, applied_at) values (999, 'later', 0)");
      database.close();
    });
    const { stderr } = await refused(folder, "DATABASE_TOO_NEW");
    expect(stderr).toContain("999");
    const run = ["run", "--agent", "atp+stdio:true", "--task", "x"];
    expect(await runProgram(run, { folder })).toMatchObject({ code: 2 });
  });

  it("in a directory that cannot be written is refused", async ({ skip }) => {
    const isRoot = process.getuid?.() === 0;
    if (
      isRoot &&
      spawnSync(process.execPath, [PROGRAM, "--version"], { uid: NOBODY, cwd: "/" }).status !== 0
    ) {
      skip("as root this needs another user, and that one may not read this checkout");
    }
    const folder = place("unwritable", (file) => {
      if (isRoot) chownSync(file, NOBODY, NOBODY);
    });
    chmodSync(root, 0o755);
    if (isRoot) for (const path of [folder, join(folder, ".proctor")]) chownSync(path, NOBODY, NOBODY);
    chmodSync(join(folder, ".proctor"), 0o500);
    await refused(folder, "DATA_DIR_UNWRITABLE", isRoot ? NOBODY : undefined);
    chmodSync(join(folder, ".proctor"), 0o700);

    writeFileSync(join(folder, "artifacts"), "in the way");
    const ended = await up(folder, isRoot ? NOBODY : undefined);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(`${join(folder, "artifacts")} cannot be written`);
  });
});

describe("a full disk, in the middle of a flood of events", () => {
  it("keeps the hub up and honest, and loses nothing that was acknowledged", async () => {
    const folder = join(root, "full");
    mkdirSync(folder);
    // Less than the write-ahead log may grow before it is folded into the database: once full, it stays full.
    let hub: HubProcess = await startHubProcess({ folder, maxFileBytes: 2 * 1024 * 1024 });
    const before = await hub.post<Run>("/runs", { agent: fixture("file-artifact"), task });
    const kept = await hub.ended(before.id);
    const { id } = await hub.post<Run>("/runs", { agent: fixture("flood-events", "1000000"), task });

    await eventually(async () => {
      const ready = await hub.send("GET", "/readyz");
      const reason = await ready.json();
      expect(ready.status).toBe(503);
      expect(reason).toMatchObject({
        code: expect.stringMatching(/^STORE_(UNAVAILABLE|FULL)$/) as string,
        message: expect.stringContaining("proctor.db") as string,
      });
    });
    const refused = await hub.send("POST", "/runs", { json: { agent: shellFixture("ok"), task } });
    expect([503, 507]).toContain(refused.status);
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining("proctor.db") as string });
    await eventually(() => expect(findMarked("PROCTOR_RUN_ID", id)).toEqual([]));

    expect((await hub.send("GET", "/healthz")).status).toBe(200);
    expect(await hub.get<Run>(`/runs/${kept.id}`)).toEqual(kept);
    const content = `/runs/${kept.id}/artifacts/${kept.artifacts[0]?.id}/content`;
    expect((await hub.send("GET", content)).status).toBe(200);
    const { items } = await hub.get<Page<RunEvent>>(`/runs/${id}/events?after=500&limit=1000`);
    expect(items).toHaveLength(1000);
    expect(hub.log().filter(({ level, message }) => level === "error" && message !== undefined)).not.toEqual(
      [],
    );
    expect(await hub.stop()).toBe(0);

    hub = await startHubProcess({ folder });
    const closed = await hub.get<Run>(`/runs/${id}`);
    expect(closed).toMatchObject({
      status: "failed",
      failure: { code: expect.stringMatching(/^(INTERNAL_ERROR|INTERRUPTED)$/) as string },
    });
    const log = await hub.events(id);
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index));
    expect(log.slice(501, 1501)).toEqual(items);
    const after = await hub.post<Run>("/runs", { agent: shellFixture("ok"), task });
    expect(await hub.ended(after.id)).toMatchObject({ status: "completed" });
    expect(await hub.stop()).toBe(0);
  });
});
