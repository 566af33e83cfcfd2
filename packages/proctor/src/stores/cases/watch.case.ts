// Cases of a store: telling others about commits.
import { expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import { claimRequest, ended, logged, newRun, startRun } from "../../../test/support/stores/fixtures.ts";

export function watchCases(use: () => Store): void {
  it("announces every commit that grew a log, with its last sequence, by how much, whether the run ended and its owner wrote it", async () => {
    const seen: [string, number, number, boolean, boolean][] = [];
    const stop = use().watch((...told) => seen.push([told[0], told[1], told[2], told[3], told[4]]));
    await use().createRun(newRun({ id: "r1" }));
    await use().claimRuns(claimRequest());
    await use().append("r1", [logged("a"), logged("b")]);
    await use().append("r1", []);
    await use().append("r1", [ended("failed")], { fence: 1, successor: newRun({ id: "r2" }) });
    stop();
    await use().createRun(newRun({ id: "r3" }));

    expect(seen).toEqual([
      ["r1", 1, 2, false, false],
      ["r1", 2, 1, false, true],
      ["r1", 4, 2, false, false],
      ["r1", 5, 1, true, true],
      ["r2", 1, 2, false, false],
    ]);
  });

  it("announces nothing that was refused", async () => {
    const id = await startRun(use(), { idempotency: { key: "k", fingerprint: "f" } });
    let calls = 0;
    const stop = use().watch(() => calls++);
    await expect(use().append(id, [logged("a"), ...newRun().events])).rejects.toThrow(id);
    await use().createRun(newRun({ idempotency: { key: "k", fingerprint: "f" } }));
    stop();
    expect(calls).toBe(0);
  });

  it("announces only what can already be read, and before the writer is answered", async () => {
    const id = await startRun(use());
    const reads: Promise<number>[] = [];
    const stop = use().watch((runId, last) => {
      reads.push(
        use()
          .readEvents(runId, last - 1, 1)
          .then((events) => events.length),
      );
    });
    const appends = Array.from({ length: 10 }, async (_, index) => {
      await use().append(id, [logged(String(index))]);
      return reads.length;
    });
    const told = await Promise.all(appends);
    stop();
    expect(await Promise.all(reads)).toEqual(Array.from({ length: 10 }, () => 1));
    expect(told.every((count, index) => count > index)).toBe(true);
  });

  it("calls the other listeners when one throws", async () => {
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
    const seen: string[] = [];
    const stops = [
      use().watch(() => {
        throw new Error("listener is broken");
      }),
      use().watch((runId) => seen.push(runId)),
    ];
    await expect(use().createRun(newRun({ id: "r1" }))).resolves.toMatchObject({ created: true });
    for (const stop of stops) stop();
    expect(seen).toEqual(["r1"]);
    expect((await warned).message).toBe("listener is broken");
  });
}
