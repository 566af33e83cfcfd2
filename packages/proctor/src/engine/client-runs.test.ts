import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import { ProctorError } from "../core/errors.ts";
import { foldAllSteps, NO_STEPS } from "../core/fold-steps.ts";
import { uuidV7 } from "../core/id.ts";
import type { ClientDraft, Hub, NewFile } from "../core/ports/hub.ts";
import { isTerminal } from "../core/run.ts";
import { isOver, STEP_STATUSES } from "../core/step.ts";
import { STEP_TRANSITIONS } from "../core/step-machine.ts";
import { createHub } from "./hub.ts";
import { systemClock } from "../runtime/time/system-clock.ts";
import { propertyRuns } from "../../test/support/property-runs.ts";

const task = { description: "do it" };
const agent = { protocol: "atp", transport: "stdio", command: ["scripted"] };

const added = (id: string, input: string | null = null): ClientDraft => ({
  type: "step.added",
  payload: { step_id: id, name: "s", input, additional_input: {} },
});
const changed = (id: string, changes: object): ClientDraft => ({
  type: "step.changed",
  payload: { step_id: id, ...changes },
});

function file(content: AsyncIterable<Uint8Array>, changes: Partial<NewFile> = {}): NewFile {
  const named = { fileName: "f", relativePath: "f", contentType: "text/plain", maxBytes: 1e9 };
  return { ...named, content, ...changes };
}

async function* bytes(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

describe("calls of a client's run, in any order and at the same time,", () => {
  let local: TestHub;
  beforeAll(async () => {
    local = await openTestHub();
  });
  afterAll(() => local.close());

  const ids = Array.from({ length: 3 }, () => uuidV7());
  const call = fc.oneof(
    fc.record({ kind: fc.constant("add" as const), step: fc.nat(2) }),
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("change" as const),
        step: fc.nat(2),
        status: fc.constantFrom(...STEP_STATUSES),
        is_last: fc.constantFrom(false, false, false, true),
      }),
    },
    fc.record({
      kind: fc.constantFrom("pause" as const, "resume" as const, "upload" as const, "take" as const),
    }),
    fc.record({ kind: fc.constantFrom("cancel" as const) }),
  );

  async function make(
    hub: Hub,
    id: string,
    one: typeof call extends fc.Arbitrary<infer T> ? T : never,
  ): Promise<number> {
    switch (one.kind) {
      case "add":
        return (await hub.tell(id, () => [added(ids[one.step] ?? "")])).sequence;
      case "change": {
        const { status, is_last } = one;
        return (await hub.tell(id, () => [changed(ids[one.step] ?? "", { status, is_last })])).sequence;
      }
      case "upload":
        return hub.addFile(id, file(bytes("x"))).then(() => 0);
      case "take": {
        const [artifact] = (await hub.run(id)).artifacts;
        if (artifact) await hub.removeArtifact(id, artifact.id);
        return 0;
      }
      default:
        return hub[one.kind](id).then(() => 0);
    }
  }

  it("reach no illegal state and lose no event", async () => {
    const { hub, store } = local;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(call, { minLength: 1, maxLength: 6 }), { maxLength: 6 }),
        async (turns) => {
          const { run } = await hub.openClientRun({ task });
          let answered = 0;
          for (const turn of turns) {
            const outcomes = await Promise.allSettled(turn.map((one) => make(hub, run.id, one)));
            for (const outcome of outcomes) {
              if (outcome.status === "fulfilled") answered = Math.max(answered, outcome.value);
              else {
                expect(ProctorError.is(outcome.reason), String(outcome.reason)).toBe(true);
                expect(["ILLEGAL_TRANSITION", "STEP_NOT_FOUND", "ARTIFACT_NOT_FOUND"]).toContain(
                  outcome.reason.code,
                );
              }
            }
            await check(run.id, answered);
          }
        },
      ),
      { numRuns: propertyRuns(40) },
    );

    async function check(id: string, last: number): Promise<void> {
      const events = await local.log(id);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
      expect(events.length).toBeGreaterThan(last);
      // The fold throws at the first event that its state does not take.
      const { run, steps } = foldAllSteps(NO_STEPS, events);
      expect(await store.readRun(id)).toEqual(run?.run);
      expect(await hub.steps(id)).toEqual({ run: run?.run, steps, sequence: events.length - 1 });
      const statuses = new Map<string, (typeof STEP_STATUSES)[number]>();
      for (const event of events) {
        if (event.type === "step.added") statuses.set(event.payload.step_id, "created");
        if (event.type !== "step.changed") continue;
        const from = statuses.get(event.payload.step_id);
        const { status = from } = event.payload;
        if (from === undefined || status === undefined) throw new Error("a step that was never added");
        expect(from === status || STEP_TRANSITIONS[from].includes(status)).toBe(true);
        statuses.set(event.payload.step_id, status);
      }
      const isEnded = run !== null && isTerminal(run.run.status);
      const lastIsOver = steps.some((step) => step.is_last && isOver(step.status));
      if (isEnded) expect(steps.filter(({ status }) => status === "running")).toEqual([]);
      else expect(lastIsOver).toBe(false);
    }
  });

  it("come one after the other even from two hubs on one store", async () => {
    const { hub, store, reader, judging, blobs, engine } = local;
    const nobody = () => Promise.reject(new Error("there are no agents here"));
    const other = createHub({
      store,
      log: reader,
      judging,
      blobs,
      engine,
      agents: { resolve: nobody, add: nobody, get: nobody, list: nobody, remove: nobody },
      sealer: { seal: (plain) => plain, open: (sealed) => sealed },
      clock: systemClock,
      closeGraceMs: 0,
    });
    const { run } = await hub.openClientRun({ task });
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? hub : other).tell(run.id, ({ steps }) => [added(uuidV7(), `${steps.length}`)]),
      ),
    );
    for (const one of [hub, other]) {
      const { steps } = await one.steps(run.id);
      expect(steps.map(({ input }) => input)).toEqual(steps.map((_, index) => `${index}`));
      expect(steps).toHaveLength(12);
    }
  });

  it("read the steps while the log grows, never fewer than were acknowledged", async () => {
    const { hub } = local;
    const { run } = await hub.openClientRun({ task });
    const told = { acknowledged: 0 };
    const telling = (async () => {
      for (let count = 1; count <= 60; count++) {
        await hub.tell(run.id, () => [added(uuidV7())]);
        told.acknowledged = count;
      }
    })();
    while (told.acknowledged < 60) {
      // Reads of what is at hand never wait; the commits need their turn.
      await new Promise(setImmediate);
      const before = told.acknowledged;
      const { steps, sequence } = await hub.steps(run.id);
      expect(steps.length).toBeGreaterThanOrEqual(before);
      expect(sequence).toBe(steps.length + 1);
    }
    await telling;
  });

  it("refuse steps beyond the limit of what is held, and still end the run", async () => {
    const { hub } = local;
    const { run } = await hub.openClientRun({ task });
    const input = "x".repeat(4 * 1024 * 1024);
    const id = uuidV7();
    await hub.tell(run.id, () => [added(id, input), changed(id, { status: "running" })]);
    for (let count = 0; count < 6; count++) await hub.tell(run.id, () => [added(uuidV7(), input)]);
    await expect(hub.tell(run.id, () => [added(uuidV7(), input)])).rejects.toMatchObject({
      code: "LIMIT_REACHED",
    });
    expect((await hub.cancel(run.id)).status).toBe("cancelled");
    await hub.remove(run.id);
  });
});

describe("a client's run", () => {
  let folder = "";
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("goes on after a restart of the hub, as a prepared run can still be started", async () => {
    folder = await mkdtemp(join(tmpdir(), "proctor-client-runs-"));
    const before = await openTestHub({ folder, driver: createScriptedDriver() });
    const { run } = await before.hub.openClientRun({ task });
    const paused = await before.hub.openClientRun({ task });
    await before.hub.pause(paused.run.id);
    const prepared = await before.hub.prepare({
      agent,
      task,
      context: { environment: { KEY: "sk-secret" } },
    });
    const id = uuidV7();
    await before.hub.tell(run.id, () => [added(id), changed(id, { status: "running" })]);
    await before.close();

    const driver = createScriptedDriver();
    const after = await openTestHub({ folder, driver });
    expect((await after.hub.run(paused.run.id)).status).toBe("paused");
    const told = await after.hub.tell(run.id, ({ steps }) => [
      changed(steps[0]?.id ?? "", { status: "completed", is_last: true }),
    ]);
    expect(told.run.status).toBe("completed");
    expect(driver.sessions).toHaveLength(0);
    await after.hub.start(prepared.run.id);
    const session = await driver.session(0);
    expect(session.job.context.environment).toEqual({ KEY: "sk-secret" });
    session.end();
    expect((await after.ended(prepared.run.id)).status).toBe("completed");
    await after.close();
  });
});

describe("files of a client's run", () => {
  let local: TestHub;
  beforeAll(async () => {
    local = await openTestHub({ driver: createScriptedDriver() });
  });
  afterAll(() => local.close());

  async function onDisk(): Promise<string[]> {
    const entries = await readdir(join(local.folder, "artifacts"), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  it("pass through without being held in memory, even 50 MB", async () => {
    const { hub } = local;
    const { run } = await hub.openClientRun({ task });
    const maxBytes = 52_428_800;
    const chunk = new Uint8Array(64 * 1024).fill(120);
    let peak = 0;
    async function* content(extra: number): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < maxBytes; sent += chunk.length) {
        peak = Math.max(peak, process.memoryUsage().arrayBuffers);
        yield chunk;
      }
      if (extra > 0) yield chunk.subarray(0, extra);
    }
    const before = process.memoryUsage().arrayBuffers;
    const kept = await hub.addFile(run.id, file(content(0), { maxBytes }));
    expect(kept.size_bytes).toBe(maxBytes);
    expect(peak - before).toBeLessThan(16 * 1024 * 1024);
    const files = (await onDisk()).length;
    await expect(hub.addFile(run.id, file(content(1), { maxBytes }))).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      status: 413,
    });
    expect(await onDisk()).toHaveLength(files);
    await hub.remove(run.id);
    expect(await onDisk()).toHaveLength(files - 1);
  });

  it("leave nothing behind when the run is removed during the upload", async () => {
    const { hub } = local;
    const { run } = await hub.openClientRun({ task });
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("first, ");
      await hub.remove(run.id);
      yield Buffer.from("then");
    }
    const storedAs = `${run.id}_s_1_f`;
    await expect(hub.addFile(run.id, file(slow(), { storedAs }))).rejects.toMatchObject({
      code: "RUN_NOT_FOUND",
    });
    expect(await onDisk()).toEqual([]);
  });

  it("may name their path after their content, as a form does", async () => {
    const { hub } = local;
    const { run } = await hub.openClientRun({ task });
    let path = "not known yet";
    async function* content(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("x");
      path = "reports/f";
    }
    const given = file(content());
    Object.defineProperty(given, "relativePath", { get: () => path });
    expect(await hub.addFile(run.id, given)).toMatchObject({ path: "reports/f" });
    await hub.remove(run.id);
  });

  it("leave other files alone when they are refused or their name is taken", async () => {
    const { hub } = local;
    const { run } = await hub.openClientRun({ task });
    const storedAs = `${run.id}_s_1_f`;
    await hub.addFile(run.id, file(bytes("one"), { storedAs }));
    const files = await onDisk();
    await expect(hub.addFile(run.id, file(bytes("two"), { storedAs }))).rejects.toMatchObject({
      code: "NAME_TAKEN",
    });
    await expect(
      hub.addFile(run.id, file(bytes("two"), { relativePath: "/etc/passwd" })),
    ).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
    expect((await onDisk()).toSorted()).toEqual(files.toSorted());
    await hub.remove(run.id);
    expect(await onDisk()).toEqual([]);
  });

  it("belong to the client in an agent's run, and the agent cannot pass its own off as theirs", async () => {
    const driver = createScriptedDriver();
    const own = await openTestHub({ driver });
    try {
      const { run } = await own.hub.submit({ agent, task });
      const session = await driver.session(0);
      const given = await own.hub.addFile(run.id, file(bytes("input")));
      const lies = { agent_created: false, stored_as: `${run.id}_x`, step_id: "s", note: "kept" };
      session.push({
        kind: "artifact",
        artifact: { type: "file", path: "out", content: Buffer.from("output"), extensions: lies },
      });
      session.end();
      const { artifacts } = await own.ended(run.id);
      expect(artifacts).toMatchObject([
        { id: given.id, agent_created: false },
        { path: "out", note: "kept" },
      ]);
      for (const field of Object.keys(lies).slice(0, 3)) expect(artifacts[1]).not.toHaveProperty(field);
      const { steps } = await own.hub.steps(run.id);
      expect(steps.at(-1)?.artifact_ids).toEqual([artifacts[1]?.id]);
      await own.hub.remove(run.id);
      expect(await readdir(join(own.folder, "artifacts", "tmp"))).toEqual([]);
    } finally {
      await own.close();
    }
  });
});
