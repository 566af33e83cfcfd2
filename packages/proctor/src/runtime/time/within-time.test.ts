// A time limit that ends what it limits, whatever else happens meanwhile.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { withinTime } from "./within-time.ts";

const aborted = (limit: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    limit.addEventListener("abort", () => resolve(limit.reason), { once: true });
    if (limit.aborted) resolve(limit.reason);
  });

test("a time limit comes even when garbage is collected before it", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { signal } = new AbortController();
  const collecting = setInterval(collect, 5);
  const reason = await withinTime(signal, 100, aborted);
  clearInterval(collecting);
  expect(reason).toMatchObject({ name: "TimeoutError" });
});

test("a time limit is left with the signal that it stands beside, and by work that is done", async () => {
  const stop = new AbortController();
  const waiting = withinTime(stop.signal, 1_000_000, aborted);
  stop.abort("enough");
  expect(await waiting).toBe("enough");
  expect(await withinTime(stop.signal, 1_000_000, aborted)).toBe("enough");
  expect(await withinTime(new AbortController().signal, 1_000_000, async () => 7)).toBe(7);
});

test("work within a time may be as many at once as there is, without a warning of Node's", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  const { signal } = new AbortController();
  let resume = (): void => undefined;
  const held = new Promise<void>((resolve) => (resume = resolve));
  const works = Array.from({ length: 20 }, () => withinTime(signal, 1_000_000, () => held));
  // Warnings come with the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  resume();
  await Promise.all(works);
  process.off("warning", warn);
  expect(warnings.filter(({ name }) => name === "MaxListenersExceededWarning")).toEqual([]);
});
