import { describe, expect, it } from "vitest";
import type { NewRun, Store } from "../core/ports/store.ts";
import type { Run } from "../core/run.ts";
import { createRepeatedRequests } from "./repeated-requests.ts";

type Stored = { run: Run; created: boolean };

/** A database that answers when the test says so. */
function slowStore(): {
  store: Pick<Store, "createRun">;
  asked: NewRun[];
  answer: (with_: Stored | Error) => void;
} {
  const asked: NewRun[] = [];
  const waiting: { resolve: (stored: Stored) => void; reject: (error: Error) => void }[] = [];
  return {
    asked,
    store: {
      createRun(run) {
        asked.push(run);
        return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
      },
    },
    answer(with_) {
      for (const { resolve, reject } of waiting.splice(0))
        if (with_ instanceof Error) reject(with_);
        else resolve(with_);
    },
  };
}

const stored: Stored = { run: { id: "first" } as Run, created: true };
const request = (key?: string, fingerprint = "f"): NewRun =>
  ({
    id: "r",
    events: [],
    ...(key !== undefined && { idempotency: { key, fingerprint } }),
  }) as unknown as NewRun;

describe("A request that is repeated before it is answered", () => {
  it("is written once, and every try gets the same run", async () => {
    const { store, asked, answer } = slowStore();
    const createRun = createRepeatedRequests(store);
    const tries = [createRun(request("k")), createRun(request("k")), createRun(request("k"))];
    answer(stored);
    const again = { ...stored, created: false };
    expect(await Promise.all(tries)).toEqual([stored, again, again]);
    expect(asked).toHaveLength(1);
  });

  it("fails with the first try, and is written by the next one", async () => {
    const { store, asked, answer } = slowStore();
    const createRun = createRepeatedRequests(store);
    const tries = [createRun(request("k")), createRun(request("k"))];
    answer(new Error("away"));
    const results = await Promise.allSettled(tries);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = createRun(request("k"));
    answer(stored);
    expect(await next).toEqual(stored);
    expect(asked).toHaveLength(2);
  });

  it("is told from one with another key, another body or none", async () => {
    const { store, asked, answer } = slowStore();
    const createRun = createRepeatedRequests(store);
    const others = [request("k"), request("l"), request("k", "g"), request(), request()];
    const tries = others.map((run) => createRun(run));
    answer(stored);
    await Promise.all(tries);
    expect(asked).toEqual(others);
  });
});
