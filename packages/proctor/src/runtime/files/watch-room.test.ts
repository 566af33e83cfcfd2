// On a small file system of its own that is really full.
import { describe, expect, it } from "vitest";
import { openSmallDisk } from "../../../test/support/chaos/small-disk.ts";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { watchRoom } from "./watch-room.ts";

const disk = openSmallDisk("room");
const LOOK_MS = 2000;

describe("the room of a folder", () => {
  it.skipIf(disk === undefined)(
    "is none while its disk is full, and is told of when that changes",
    async () => {
      if (disk === undefined) return;
      const clock = createManualClock();
      const told: string[] = [];
      const room = await watchRoom({
        folder: disk.folder,
        clock,
        report: (change) => void told.push(change),
        onRoom: () => void told.push("room"),
      });
      try {
        expect(room.full()).toBeUndefined();
        disk.fill();
        clock.advance(LOOK_MS);
        await eventually(() => expect(room.full()).toBe(`no room in ${disk.folder}`));
        disk.clear();
        await eventually(() => {
          clock.advance(LOOK_MS);
          expect(room.full()).toBeUndefined();
        });
        expect(told).toEqual([
          `no room in ${disk.folder}: no run is taken until there is room`,
          `there is room in ${disk.folder} again: runs are taken`,
          "room",
        ]);
      } finally {
        await room.close();
        disk.close();
      }
    },
  );

  it("is none from the moment that a run met a full disk until the next look", async () => {
    const clock = createManualClock();
    const told: string[] = [];
    const folder = temporaryFolder("room");
    const report = (change: string): void => void told.push(change);
    const room = await watchRoom({ folder, clock, report, onRoom: () => undefined });
    room.met();
    room.met();
    expect(room.full()).toBe(`no room in ${folder}`);
    expect(told).toHaveLength(1);
    clock.advance(LOOK_MS);
    await eventually(() => expect(room.full()).toBeUndefined());
    await room.close();
  });

  it("is there where the folder cannot be looked at: runs say what is wrong with it", async () => {
    const clock = createManualClock();
    const folder = `${temporaryFolder("room")}/nowhere`;
    const room = await watchRoom({ folder, clock, report: () => undefined, onRoom: () => undefined });
    expect(room.full()).toBeUndefined();
    await room.close();
  });
});
