import { describe, expect, it } from "vitest";
import { sseBody, type SseBodyOptions } from "./sse-body.ts";

/** Longer than any test waits. */
const NEVER_MS = 2 ** 30;

function setup(options: Partial<SseBodyOptions<string>> = {}) {
  const closed: string[] = [];
  const failures: unknown[] = [];
  const pulled: string[] = [];
  let finish: (failure: Error | undefined) => void = () => {};
  const finished = new Promise<Error | undefined>((resolve) => (finish = resolve));
  let reading: AbortSignal | undefined;

  /** Two pages, then whatever the test decides. */
  async function* pages(signal: AbortSignal): AsyncGenerator<string> {
    reading = signal;
    signal.addEventListener("abort", () => finish(undefined));
    for (const page of ["one", "two"]) {
      pulled.push(page);
      yield page;
    }
    const failure = await finished;
    if (failure) throw failure;
  }

  const body = sseBody(({ signal }) => pages(signal), {
    encode: (page) => `data: ${page}\n\n`,
    keepAliveMs: NEVER_MS,
    onClose: (how) => closed.push(how),
    onFailure: (problem) => (failures.push(problem), { comment: "broken off" }),
    ...options,
  });
  const reader = body.getReader();
  return {
    closed,
    failures,
    pulled,
    reader,
    finish,
    isReading: () => reading?.aborted === false,
    read: async (): Promise<string | undefined> => {
      const { value } = await reader.read();
      return value && Buffer.from(value).toString();
    },
  };
}

describe("an event stream's body", () => {
  it("sends its start, then pages as they are asked for, and ends with them", async () => {
    const { read, finish, pulled, closed } = setup({ start: "retry: 1000\n\n" });
    expect(await read()).toBe("retry: 1000\n\n");
    expect(pulled).toEqual([]);
    expect(await read()).toBe("data: one\n\n");
    expect(pulled).toEqual(["one"]);
    expect(await read()).toBe("data: two\n\n");
    finish(undefined);
    expect(await read()).toBeUndefined();
    expect(closed).toEqual(["ended"]);
  });

  it("sends bytes that are encoded already as they are", async () => {
    const { read } = setup({ encode: (page) => Buffer.from(page) });
    expect(await read()).toBe("one");
  });

  it("sends a comment each time it was silent for too long, and loses no page", async () => {
    const { read, finish } = setup({ keepAliveMs: 1 });
    const texts: (string | undefined)[] = [];
    while (texts.at(-1) !== ": keep-alive\n\n") texts.push(await read());
    expect(await read()).toBe(": keep-alive\n\n");
    finish(undefined);
    let last = await read();
    while (last === ": keep-alive\n\n") last = await read();
    expect(last).toBeUndefined();
    expect(texts.filter((text) => text !== ": keep-alive\n\n")).toEqual(["data: one\n\n", "data: two\n\n"]);
  });

  it("ends in an orderly way when a signal stops it", async () => {
    const stop = new AbortController();
    const { read, closed, failures, isReading } = setup({ stops: [stop.signal] });
    expect(await read()).toBe("data: one\n\n");
    expect(await read()).toBe("data: two\n\n");
    const waiting = read();
    stop.abort();
    expect(await waiting).toBeUndefined();
    expect(isReading()).toBe(false);
    expect(closed).toEqual(["ended"]);
    expect(failures).toEqual([]);
  });

  it("has no pages when it was stopped before it began", async () => {
    const { read, pulled, closed } = setup({ stops: [AbortSignal.abort()], start: "retry: 1\n\n" });
    expect(await read()).toBe("retry: 1\n\n");
    expect(await read()).toBeUndefined();
    expect(pulled).toEqual([]);
    expect(closed).toEqual(["ended"]);
  });

  it("stops reading pages once when the client cancels it", async () => {
    const client = new AbortController();
    const { read, reader, closed, isReading } = setup({ client: client.signal });
    await read();
    await reader.cancel();
    client.abort();
    expect(isReading()).toBe(false);
    expect(closed).toEqual(["left"]);
  });

  it("stops reading pages when the client's signal says that it left", async () => {
    const client = new AbortController();
    const { read, closed, isReading } = setup({ client: client.signal });
    await read();
    client.abort();
    expect(isReading()).toBe(false);
    expect(await read()).toBeUndefined();
    expect(closed).toEqual(["left"]);
  });

  it("reports pages that fail, says so in a comment and ends", async () => {
    const { read, finish, failures, closed } = setup();
    await read();
    await read();
    const failure = new Error("the disk is gone");
    finish(failure);
    expect(await read()).toBe(": broken off\n\n");
    expect(await read()).toBeUndefined();
    expect(failures).toEqual([failure]);
    expect(closed).toEqual(["ended"]);
  });
});
