import { expect, it } from "vitest";
import { bodyStream } from "./body-stream.ts";

/** A source whose end comes when the test says so; `asked` resolves when it is waited for. */
function source() {
  let settle = { resolve: (): void => undefined, reject: (_error: Error): void => undefined };
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const ended = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  return {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from("first");
      ask();
      await ended;
    },
    asked,
    end: () => settle.resolve(),
    fail: () => settle.reject(new Error("too late")),
  };
}

it.each(["end", "fail"] as const)(
  "does not report how a body ends when the client left before its %s",
  async (how) => {
    const failures: unknown[] = [];
    let closed = 0;
    const from = source();
    const body = bodyStream(from, {
      onClose: () => void closed++,
      onFailure: (cause) => failures.push(cause) > 0,
    });
    const reader = body.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("first");
    const pending = reader.read();
    await from.asked;
    const left = reader.cancel();
    from[how]();
    expect((await pending).done).toBe(true);
    await left.catch(() => undefined);
    expect(failures).toEqual([]);
    expect(closed).toBe(1);
  },
);
