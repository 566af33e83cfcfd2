import { describe, expect, it } from "vitest";
import type { EventDraft } from "../core/event.ts";
import type { AppendOptions, NewEvent, Store } from "../core/ports/store.ts";
import { createRedactor } from "../core/redact.ts";
import { systemClock } from "../runtime/time/system-clock.ts";
import { createRecorder } from "./recorder.ts";

interface Commit {
  types: string[];
  continuation: string | null | undefined;
  /** Lets the commit succeed. */
  end: () => void;
}

/** A store whose commits take as long as the test wants. */
function slowStore(): { store: Pick<Store, "append">; commits: Commit[] } {
  const commits: Commit[] = [];
  const append = (_: string, events: readonly NewEvent[], { continuation }: AppendOptions) =>
    new Promise<never>((resolve) => {
      commits.push({
        types: events.map(({ draft }) => draft.type),
        continuation,
        // Nobody here looks at what was appended.
        end: () => resolve(undefined as never),
      });
    });
  return { store: { append }, commits };
}

const said: EventDraft = {
  type: "message.added",
  payload: { message: { id: "m", role: "agent", parts: [{ kind: "text", text: "hello" }] } },
};
const opened: EventDraft = { type: "session.opened", payload: { protocol: "a2a" } };

describe("the recorder of a run", () => {
  it("commits what was reported together with the way to go on after it", async () => {
    const { store, commits } = slowStore();
    // The recorder only appends.
    const recorder = createRecorder({
      store,
      runId: "r",
      fence: 1,
      redactor: createRedactor([]),
      clock: systemClock,
    });
    void recorder.push(said);
    const first = recorder.write(opened, { continuation: "after one" });
    await Promise.resolve();
    expect(commits).toMatchObject([
      { types: ["message.added", "session.opened"], continuation: "after one" },
    ]);
    // While that is being written.
    void recorder.push(said);
    const second = recorder.write(opened, { continuation: "after two" });
    const third = recorder.write(opened, { continuation: "after three" });
    commits[0]!.end();
    await first;
    await expect.poll(() => commits.length).toBe(2);
    expect(commits[1]).toMatchObject({
      types: ["message.added", "session.opened"],
      continuation: "after two",
    });
    commits[1]!.end();
    await second;
    await expect.poll(() => commits.length).toBe(3);
    expect(commits[2]).toMatchObject({ types: ["session.opened"], continuation: "after three" });
    commits[2]!.end();
    await third;
  });
});
