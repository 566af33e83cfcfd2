import { describe, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { createDatabase, lacksPostgres } from "../../../test/support/postgres.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { leastOffset, openDatabaseClock } from "./database-clock.ts";

describe("the difference between two clocks", () => {
  it("is none where the answer may have been given at any time in between", () => {
    expect(leastOffset(1005, 1000, 1010)).toBe(0);
    expect(leastOffset(1000, 1000, 1000)).toBe(0);
  });

  it("is the smallest that explains the answer", () => {
    expect(leastOffset(5000, 1000, 1010)).toBe(3990);
    expect(leastOffset(500, 1000, 1010)).toBe(-500);
  });
});

describe.skipIf(await lacksPostgres("the clock of a database"))("the clock of a database", () => {
  it("says the server's time on a machine whose own clock is wrong, and says so", async () => {
    for (const offMs of [-300_000, 300_000]) {
      const local = { ...systemClock, now: () => Date.now() + offMs };
      const url = await createDatabase();
      // An answer that takes half a second allows a smaller difference.
      await eventually(async () => {
        const remarks: string[] = [];
        const clock = await openDatabaseClock({ url, local, report: (remark) => remarks.push(remark) });
        try {
          // The server is on this machine.
          expect(Math.abs(clock.now() - Date.now())).toBeLessThan(150_000);
          expect(remarks).toEqual([expect.stringContaining(offMs < 0 ? "300 s behind" : "300 s ahead of")]);
        } finally {
          await clock.close();
        }
      });
    }
  });

  it("is the machine's own where the two agree", async () => {
    const remarks: string[] = [];
    const clock = await openDatabaseClock({
      url: await createDatabase(),
      local: systemClock,
      report: (remark) => remarks.push(remark),
    });
    expect(remarks).toEqual([]);
    await clock.close();
  });
});
