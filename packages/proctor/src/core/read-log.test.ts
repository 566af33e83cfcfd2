import { expect, test } from "vitest";
import type { RunEvent } from "./event.ts";
import { readLog } from "./read-log.ts";

/** A hub with a log of `length` events; `endsAt` is the sequence of `run.ended`. */
function hubWith(length: number, endsAt: number) {
  const log = Array.from({ length }, (_, sequence) => {
    return { sequence, type: sequence === endsAt ? "run.ended" : "log" } as unknown as RunEvent;
  });
  const asked: number[] = [];
  const events = async (_: string, { after = -1, limit = 50 }: { after?: number; limit?: number }) => {
    asked.push(after);
    return log.slice(after + 1, after + 1 + limit);
  };
  return { events, asked };
}

async function sequences(events: AsyncIterable<RunEvent>): Promise<number[]> {
  const found: number[] = [];
  for await (const { sequence } of events) found.push(sequence);
  return found;
}

test("readLog yields a short log that has ended with one request", async () => {
  const hub = hubWith(3, 2);

  expect(await sequences(readLog(hub, "r"))).toEqual([0, 1, 2]);
  expect(hub.asked).toEqual([-1]);
});

test("readLog yields every event of a log of several pages once and in order", async () => {
  const hub = hubWith(1203, 1202);

  expect(await sequences(readLog(hub, "r"))).toEqual([...Array(1203).keys()]);
});

test("readLog yields what came after the end of a run, even where the end fills a page", async () => {
  expect(await sequences(readLog(hubWith(502, 499), "r"))).toHaveLength(502);
});

test("readLog begins after the sequence it is given", async () => {
  expect(await sequences(readLog(hubWith(5, 4), "r", 2))).toEqual([3, 4]);
});
