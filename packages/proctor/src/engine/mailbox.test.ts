import { describe, expect, it } from "vitest";
import type { EventRecord } from "../core/ports/store.ts";
import type { RunEvent } from "../core/event.ts";
import { createMailbox } from "./mailbox.ts";

/** A log of which others, or the owner, have written the events; their payloads are their places. */
function setUp() {
  const log: EventRecord[] = [];
  const acted: number[] = [];
  let reads = 0;
  const mailbox = createMailbox({
    runId: "r",
    known: 0,
    store: {
      async readEvents(_, after, limit) {
        reads += 1;
        return log.filter(({ sequence }) => sequence > after).slice(0, limit);
      },
    },
    act: ({ sequence }: RunEvent) => void acted.push(sequence),
    report: (problem) => {
      throw problem;
    },
  });
  const write = (...sequences: number[]): void => {
    for (const sequence of sequences)
      log.push({ run_id: "r", sequence, timestamp: 0, type: "log", payload: "{}", origin: null });
  };
  return { mailbox, acted, write, reads: () => reads };
}

describe("the mailbox of a run's owner", () => {
  it("acts on what others wrote, once, however often it is announced", async () => {
    const { mailbox, acted, write } = setUp();
    write(1, 2);
    mailbox.look();
    mailbox.arrived(2, 2);
    await mailbox.settled();
    mailbox.look();
    mailbox.arrived(2, 1);
    await mailbox.settled();
    expect(acted).toEqual([1, 2]);
  });

  it("finds what nobody announced between its own events", async () => {
    const { mailbox, acted, write } = setUp();
    write(1, 2, 3, 4);
    mailbox.wrote(1, 1);
    mailbox.wrote(4, 2);
    await mailbox.settled();
    expect(acted).toEqual([2]);
  });

  it("reads nothing while only the owner writes", async () => {
    const { mailbox, acted, write, reads } = setUp();
    write(1, 2, 3);
    mailbox.wrote(1, 1);
    mailbox.wrote(3, 2);
    await mailbox.settled();
    expect(acted).toEqual([]);
    expect(reads()).toBe(0);
  });
});
