// A task's events through connections that break: each once, in order, and an end.
import type { ServerResponse } from "node:http";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBackOff } from "../src/client/back-off.ts";
import { readFrames } from "../src/client/read-frames.ts";
import { createHubClient, type EventsOptions, type TaskEvent } from "../src/client.ts";
import { json, openHubDouble, type Answer } from "./hub-double.ts";

const event = (seq: number, type = "log"): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ type, task_id: "t", data: "x", timestamp: "", seq })}\n\n`;

function stream(response: ServerResponse, text = ""): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.write(`retry: 1\n\n${text}`);
  return response;
}

async function read(answers: Answer[], options: EventsOptions = {}): Promise<Outcome> {
  let next = 0;
  const { url, asked } = await openHubDouble((one, response) => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    answer?.(one, response);
  });
  const seqs: number[] = [];
  const reasons: string[] = [];
  let thrown: unknown;
  try {
    const onReconnect = (reason: unknown): void => void reasons.push(String(reason));
    for await (const { seq } of createHubClient({ url }).events("t", { onReconnect, ...options }))
      seqs.push(seq);
  } catch (error) {
    thrown = error;
  }
  return { seqs, reasons, thrown, resumes: asked.map(({ headers }) => headers["last-event-id"]) };
}

interface Outcome {
  seqs: number[];
  reasons: string[];
  thrown: unknown;
  /** The `Last-Event-ID` header of each request, in order. */
  resumes: (string | string[] | undefined)[];
}

const gone: Answer = (_, response) => response.writeHead(204).end();

describe("events of the hub client", () => {
  it("continue after the last one when the connection breaks within a frame", async () => {
    const { seqs, thrown, resumes } = await read([
      (_, response) => {
        stream(response, event(0) + event(1) + event(2).slice(0, 20));
        setImmediate(() => response.destroy());
      },
      // A hub may send an event again that the client knows already.
      (_, response) => stream(response, event(1) + event(2) + event(3)).end(),
      gone,
    ]);
    expect(thrown).toBeUndefined();
    expect(seqs).toEqual([0, 1, 2, 3]);
    expect(resumes).toEqual([undefined, "1", "3"]);
  });

  it("begin after `since`", async () => {
    const { seqs, resumes } = await read([(_, response) => stream(response, event(8)).end(), gone], {
      since: 7,
    });
    expect(seqs).toEqual([8]);
    expect(resumes).toEqual(["7", "8"]);
  });

  it("wait for a hub that restarts, and not for one that was never there", async () => {
    const busy: Answer = (_, response) => json(response, { message: "stopping", code: "SHUTTING_DOWN" }, 503);
    const { seqs, reasons, thrown } = await read([
      (_, response) => stream(response, event(0)).end(),
      busy,
      (_, response) => response.destroy(),
      (_, response) => stream(response).end(),
      (_, response) => stream(response, event(1)).end(),
      gone,
    ]);
    expect(thrown).toBeUndefined();
    expect(seqs).toEqual([0, 1]);
    expect(reasons).toHaveLength(3);
    expect(reasons[0]).toContain("stopping");
    expect((await read([busy])).thrown).toMatchObject({ status: 503 });
  });

  it("give up after the given number of failures in a row", async () => {
    const { seqs, thrown, resumes } = await read(
      [(_, response) => stream(response, event(0)).end(), (_, response) => response.destroy()],
      { maxFailures: 3 },
    );
    expect(seqs).toEqual([0]);
    expect(thrown).toBeInstanceOf(Error);
    expect(resumes).toHaveLength(5);
  });

  it("give up a connection on which nothing arrives", async () => {
    const { seqs, reasons } = await read(
      [(_, response) => stream(response, event(0)), (_, response) => stream(response, event(1)).end(), gone],
      // Long enough for the first answer of a busy machine.
      { idleTimeoutMs: 3000 },
    );
    expect(seqs).toEqual([0, 1]);
    expect(reasons[0]).toContain("nothing came");
  });

  it("end with the deletion of the task", async () => {
    const { seqs, resumes } = await read([
      (_, response) => stream(response, event(0) + event(1, "task.deleted")),
    ]);
    expect(seqs).toEqual([0, 1]);
    expect(resumes).toHaveLength(1);
  });

  it.each<[string, Answer]>([
    ["a refusal", (_, response) => json(response, { message: "no such task", code: "RUN_NOT_FOUND" }, 404)],
    ["not a stream", (_, response) => json(response, {})],
    ["an event that is not JSON", (_, response) => stream(response, "data: {\n\n")],
    ["an event without a number", (_, response) => stream(response, 'data: {"type":"log"}\n\n')],
    ["one with a missing event", (_, response) => stream(response, event(0) + event(2))],
  ])("are not requested again when the answer is %s", async (_what, answer) => {
    const { thrown, resumes } = await read([answer]);
    expect(thrown).toMatchObject({ name: "HubError" });
    expect(resumes).toHaveLength(1);
  });

  it("stop when the signal aborts, while they arrive and between attempts", async () => {
    for (const answers of [
      [(_, response) => stream(response, event(0))],
      [
        (_, response) => stream(response, `retry: 60000\n\n${event(0)}`).end(),
        (_, response) => response.destroy(),
      ],
    ] satisfies Answer[][]) {
      const leave = new AbortController();
      const reason = new Error("enough");
      let next = 0;
      const { url } = await openHubDouble((one, response) => answers[next++]?.(one, response));
      const seen: TaskEvent[] = [];
      const reading = async (): Promise<void> => {
        const options = { signal: leave.signal, onReconnect: () => leave.abort(reason) };
        for await (const one of createHubClient({ url }).events("t", options)) {
          seen.push(one);
          if (answers.length === 1) leave.abort(reason);
        }
      };
      await expect(reading()).rejects.toBe(reason);
      expect(seen).toHaveLength(1);
    }
  });

  it("close the connection when the reader stops", async () => {
    let left = (): void => undefined;
    const leaving = new Promise<void>((resolve) => (left = resolve));
    const { url } = await openHubDouble((_, response) => {
      stream(response, event(0)).on("close", () => left());
    });
    for await (const _ of createHubClient({ url }).events("t")) break;
    await leaving;
  });
});

describe("server-sent frames of the hub client", () => {
  it("are the same however the bytes are cut", async () => {
    const bytes = new TextEncoder().encode(": hi\r\n\r\ndata: ä€😀\rdata:b\r\rid: 1\ndata: c\n\ndata: never");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        async function* pieces(): AsyncGenerator<Uint8Array> {
          for (let index = 1; index < edges.length; index += 1)
            yield bytes.subarray(edges[index - 1], edges[index]);
        }
        const data: string[] = [];
        for await (const sign of readFrames(pieces()))
          if (sign !== "alive" && "data" in sign) data.push(sign.data);
        expect(data).toEqual(["ä€😀\nb", "c"]);
      }),
      { numRuns: 300 },
    );
  });

  it("are refused when they never end", async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield new Uint8Array(8 * 1024 * 1024).fill(120);
    }
    const reading = async (): Promise<void> => {
      for await (const _ of readFrames(endless()));
    };
    await expect(reading()).rejects.toThrow(RangeError);
  });
});

describe("back-off of the hub client", () => {
  it("doubles up to a limit, varies between clients, and can be reset", () => {
    const high = createBackOff(() => 1);
    expect(Array.from({ length: 7 }, () => high.next())).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
    high.reset();
    expect(high.next()).toBe(1000);
    expect(createBackOff(() => 0).next()).toBe(500);
  });
});
