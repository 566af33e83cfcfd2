// Agents that say too much, on every transport: what they say is kept up to the limits, in order and without a gap, and the
// hub's memory does not grow with it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deferred } from "../support/http/servers.ts";
import { MAX_ARTIFACTS } from "../../src/core/artifact.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Run } from "../../src/core/run.ts";
import { ATP_STAGES } from "../support/atp/stages.ts";
import type { Play, Puppet } from "../support/protocols/puppet.ts";
import { atpEventOf, atpResponseOf } from "../support/atp-words.ts";
import { isThorough } from "../support/property-runs.ts";
import { openTestHub, type TestHub } from "../support/test-hub.ts";
import { eventually } from "../support/eventually.ts";
import { openMemoryFolder } from "../support/memory-folder.ts";

const MB = 1024 * 1024;
const MANY_EVENTS = 100_000;
/** At the peak, in the process that is hub and agent in one. */
const MAX_GROWTH_MB = 220;
const MAX_AHEAD_MB = 40;
const FLOOD_BYTES = 16 * 1024;
/** Where an agent that nobody holds back ends by itself: far beyond what may be ahead. */
const FLOOD = 6_000;

/** The disk is not what is tested, and this process is that of this file alone. */
const memory = openMemoryFolder();
if (memory !== undefined) process.env["TMPDIR"] = memory;

let hub: TestHub;
const puppets: Puppet[] = [];

beforeAll(async () => {
  hub = await openTestHub({ graceMs: 300 });
});

afterAll(async () => {
  for (const puppet of puppets) await puppet.close();
  expect(hub.problems).toEqual([]);
  await hub.close();
});

describe.each(ATP_STAGES)("an agent over $name that sends", (stage) => {
  async function perform(play: Play): Promise<Run> {
    const puppet = await stage.raise(play);
    puppets.push(puppet);
    const { run } = await hub.hub.submit({ agent: puppet.spec, task: { description: "do it" } });
    return hub.ended(run.id);
  }

  // All of them over one transport, fewer and longer ones over the others: they are as many bytes. An event over gRPC costs
  // several times what it costs elsewhere.
  const events = isThorough || stage.name === "http" ? MANY_EVENTS : stage.name === "grpc" ? 2_500 : 10_000;
  it(`${events} events: all kept, gapless and in order, in bounded memory`, async () => {
    const before = process.memoryUsage().rss;
    let peak = before;
    const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const run = await perform(async (told) => {
      const timestamp = new Date().toISOString();
      const common = { ...atpEventOf(told, 0, "progress"), timestamp };
      const message = "x".repeat((100 * MANY_EVENTS) / events);
      for (let sequence = 0; sequence < events; sequence++) {
        await told.event({ ...common, sequence, payload: { current_step: sequence, message } });
      }
      await told.respond(atpResponseOf(told, { metrics: {} }));
    });
    clearInterval(watching);
    expect(run).toMatchObject({ status: "completed", violations: [] });
    expect(run.metrics.total_steps).toBe(events - 1);
    let next = 0;
    let steps = 0;
    for (;;) {
      const page = await hub.store.readEvents(run.id, next - 1, 1000);
      if (page.length === 0) break;
      for (const { sequence, type, payload } of page) {
        if (sequence !== next++) throw new Error(`event ${next - 1} is missing`);
        if (type !== "progress") continue;
        if (!payload.startsWith(`{"current_step":${steps},`)) throw new Error(`step ${steps} is missing`);
        steps++;
      }
    }
    expect(steps).toBe(events);
    expect((peak - before) / MB).toBeLessThan(MAX_GROWTH_MB);
  });

  it("a flood into a disk that stalls: is held back, and nothing of it is lost", async () => {
    const disk = deferred();
    const stalled = await openTestHub({
      wrapStore: (store) => ({
        ...store,
        append: (...args) => disk.promise.then(() => store.append(...args)),
      }),
    });
    let sent = 0;
    const flood = { enough: false };
    const message = "x".repeat(FLOOD_BYTES);
    const puppet = await stage.raise(async (told) => {
      while (!flood.enough && sent < FLOOD)
        await told.event(atpEventOf(told, sent++, "progress", { message }));
      await told.respond(atpResponseOf(told));
    });
    const { run } = await stalled.hub.submit({ agent: puppet.spec, task: { description: "do it" } });
    await settled(() => sent);
    flood.enough = true;
    // What the system and the libraries hold on both ends of a pipe or a connection, and our own share.
    expect((sent * message.length) / MB).toBeLessThan(MAX_AHEAD_MB);
    disk.resolve();
    expect(await stalled.ended(run.id)).toMatchObject({ status: "completed", violations: [] });
    const progress = (await stalled.log(run.id)).filter(({ type }) => type === "progress");
    expect(progress.map(({ origin }) => origin?.["sequence"])).toEqual(progress.map((_, index) => index));
    expect(progress).toHaveLength(sent);
    await puppet.close();
    await stalled.close();
  });

  it("one event of 5 MB: kept whole", async () => {
    const thought = `${"☃x".repeat((5 * MB) / 4)}end`;
    const run = await perform(async (told) => {
      await told.event(atpEventOf(told, 0, "reasoning", { thought }));
      await told.event(atpEventOf(told, 1, "progress", { percentage: 1 }));
      await told.respond(atpResponseOf(told));
    });
    expect(run).toMatchObject({ status: "completed", violations: [] });
    const event = await hub.until(run.id, ({ type }) => type === "reasoning");
    expect((event.payload as { thought: string }).thought === thought).toBe(true);
  });

  it("more artifacts than a run keeps: the first are kept, the rest counted", async () => {
    const artifacts: JsonObject[] = Array.from({ length: MAX_ARTIFACTS + 30 }, (_, index) =>
      index % 2 === 0
        ? { type: "structured", name: `data-${index}`, data: { index } }
        : { type: "file", path: `file-${index}.txt`, content: `${index % 10}` },
    );
    const run = await perform((told) => told.respond(atpResponseOf(told, { artifacts })));
    expect(run.status).toBe("completed");
    expect(run.artifacts).toHaveLength(MAX_ARTIFACTS);
    expect(run.artifacts.at(-1)).toMatchObject({ type: "file", path: `file-${MAX_ARTIFACTS - 1}.txt` });
    expect(run.violations.at(-1)).toMatchObject({ rule: "artifact.count", repeated: 10 });
    expect(new Set(run.violations.map(({ rule }) => rule))).toEqual(new Set(["artifact.count"]));
  });
});

/** Resolves when a count that was growing has stood still for a while. */
async function settled(count: () => number): Promise<void> {
  let last = -1;
  let still = 0;
  await eventually(() => {
    still = count() > 0 && count() === last ? still + 1 : 0;
    last = count();
    expect(still).toBeGreaterThan(15);
  });
}
