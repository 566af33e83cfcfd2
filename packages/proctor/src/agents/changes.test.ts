// How many watch the registry, how far behind they may be, and that a thousand of them hear everything.
import { describe, expect, it } from "vitest";
import { expectError } from "../../test/support/expect-error.ts";
import type { RegisteredAgent, RegistryChange } from "../core/registration.ts";
import { createChanges } from "./changes.ts";

// Watchers look at nothing but the name.
const documentOf = (name: string) => ({ name }) as RegisteredAgent;

function create(names: readonly string[] = ["first"], limits: { keeps?: number; maxWatchers?: number } = {}) {
  const described: string[] = [];
  const changes = createChanges({
    now: () => 1000,
    snapshot: () => names,
    describe(name) {
      described.push(name);
      return documentOf(name);
    },
    ...limits,
  });
  const watch = (): AsyncIterator<RegistryChange> =>
    changes.watch(undefined, new AbortController().signal)[Symbol.asyncIterator]();
  return { changes, described, watch };
}

describe("those who watch the registry", () => {
  it("are refused when there are too many, and taken again when one has left", async () => {
    const { watch } = create(["first"], { maxWatchers: 2 });
    const one = watch();
    const two = watch();
    await one.next();
    await two.next();
    await expectError(watch().next(), "RATE_LIMITED", /2 clients watch/);
    await one.return?.();
    expect(await watch().next()).toMatchObject({ value: { agent: "first" } });
  });

  it("are let go when they are further behind than changes are kept", async () => {
    const { changes, watch } = create(["first"], { keeps: 10 });
    const slow = watch();
    await slow.next();
    for (let count = 0; count < 21; count++) changes.add("updated", "first", documentOf("first"));
    await expectError(slow.next(), "RATE_LIMITED", /more than 10 changes behind/);
    // Whoever comes back begins anew.
    expect(await watch().next()).toMatchObject({ value: { type: "registered", agent: "first" } });
  });

  it("are shown one agent after the other, and hold nothing of those to come", async () => {
    const { described, watch } = create(["a", "b", "c"]);
    const watcher = watch();
    await watcher.next();
    expect(described).toEqual(["a"]);
  });

  it("all hear all of a hundred changes in order, a thousand of them", async () => {
    const { changes, watch } = create();
    const watchers = Array.from({ length: 1000 }, watch);
    await Promise.all(watchers.map((watcher) => watcher.next()));
    const heard = Promise.all(
      watchers.map(async (watcher) => {
        const agents: string[] = [];
        while (agents.length < 100) agents.push(((await watcher.next()).value as RegistryChange).agent);
        return agents.join();
      }),
    );
    const names = Array.from({ length: 100 }, (_, index) => `agent-${index}`);
    for (const name of names) {
      changes.add("registered", name, documentOf(name));
      await Promise.resolve();
    }
    expect(new Set(await heard)).toEqual(new Set([names.join()]));
  });
});
