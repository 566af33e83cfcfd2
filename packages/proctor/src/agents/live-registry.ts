// The registry in this process: all agents in memory, what matters on disk. States are derived when they are read; a timer notices
// changes that time alone brings, for the history and for those who watch.
import { OPERATOR, type Caller } from "../core/caller.ts";
import type { Agent } from "../core/agent.ts";
import type { Candidates } from "../core/ports/candidates.ts";
import type { Capabilities } from "../core/ports/capabilities.ts";
import type { Registry } from "../core/ports/registry.ts";
import {
  LEASE_INTERVALS,
  type RegisteredAgent,
  type Registration,
  type RegistryChange,
} from "../core/registration.ts";
import { ProctorError } from "../core/errors.ts";
import { refuseDeep } from "../core/refuse-deep.ts";
import type { ScriptTool } from "../core/script-tool.ts";
import { validate } from "../runtime/http/validate.ts";
import { RegistrationBody, SearchBody } from "../runtime/schemas/registration.ts";
import { acceptBeat, commandsFor } from "./accept-beat.ts";
import { createAnswers, type Answers } from "./answers.ts";
import { createCandidates } from "./candidates.ts";
import { createContracts } from "./contracts.ts";
import { createVerdicts } from "./count-verdicts.ts";
import { createChanges } from "./changes.ts";
import { describeEntry } from "./describe-entry.ts";
import { createDueChanges } from "./due-changes.ts";
import { createEntries } from "./entries.ts";
import { createFollowOthers } from "./follow-others.ts";
import { intervalMs, newEntry, newLease, type Entry } from "./entry.ts";
import { listAgents } from "./list-agents.ts";
import { requireManager } from "./may-manage.ts";
import { emptyMeasures } from "./measures.ts";
import { createRegistrar, type RegistrarDeps } from "./registrar.ts";
import { unknownAgent } from "./registry.ts";
import { createRegistryWriter } from "./registry-writer.ts";
import { searchAgents } from "./search.ts";
import { isDown, stateOf, type Life } from "./state.ts";
import { readTools, toolAgentName, toolEntry } from "./tool-entries.ts";

export interface LiveRegistry extends Registry, Capabilities, Candidates, Answers {
  /** Loads the agents and follows them: for a hub. A command that asks now and then loads when it asks. */
  start(): Promise<void>;
  /** Resolves when everything is on disk. */
  close(): Promise<void>;
  /** Reports that an agent was added or replaced by hand; removed, when undefined. */
  changed(name: string, agent: Agent | undefined): Promise<void>;
  /** Reports that a script tool was put; removed, when undefined. */
  toolChanged(name: string, tool: ScriptTool | undefined): void;
}

export interface LiveRegistryDeps extends RegistrarDeps {
  /** Runs work on one agent, one after the other. */
  serial: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  report: (problem: unknown) => void;
  /** True where another process writes: everything is read again each time, and nothing is written. */
  readOnly?: boolean;
}

export function createLiveRegistry(deps: LiveRegistryDeps): LiveRegistry {
  const { store, clock, fits, readOnly = false } = deps;
  const entries = createEntries();
  const registrar = createRegistrar(deps);
  const writer = createRegistryWriter({ store: store.registry, clock, report: deps.report });
  const changes = createChanges({
    now: () => clock.now(),
    snapshot: () => entries.sorted(),
    describe,
  });
  const due = createDueChanges(clock, noticeAll);
  let life: Life = { startedAt: clock.now(), aliveAt: null };
  let loading: Promise<void> | undefined;
  let started = false;

  const others = createFollowOthers({
    store: store.registry,
    clock,
    entries,
    readAll,
    changes,
    describe,
    notice: noticeOne,
    forget: (name) => writer.forget(name),
    report: deps.report,
  });
  const serial = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    others.own(() => deps.serial(name, work));

  async function load(): Promise<void> {
    const all = await readAll();
    entries.clear();
    for (const entry of all) entries.set(entry);
  }

  async function readAll(): Promise<Entry[]> {
    const loaded = await store.registry.load();
    const leases = new Map(loaded.leases.map((lease) => [lease.agent, lease]));
    // The store holds what measures.ts wrote.
    const measures = new Map(
      loaded.measures.map(({ agent, document }) => [agent, { ...emptyMeasures(), ...document }]),
    );
    if (!started) life = { startedAt: life.startedAt, aliveAt: loaded.aliveAt };
    const all = loaded.agents.map(({ agent, registration }) =>
      newEntry(agent, registration, leases.get(agent.name), measures.get(agent.name)),
    );
    for await (const tool of readTools((page) => store.scriptTools.list(page))) all.push(toolEntry(tool));
    return all;
  }

  function ready(): Promise<void> {
    if (readOnly) return load();
    return (loading ??= load());
  }

  /** Waits as `ready` does; an agent that is not known here may have been added elsewhere a moment ago. */
  async function readyFor(name: string): Promise<void> {
    await ready();
    if (entries.get(name) === undefined) await others.catchUp();
  }

  function describe(entry: Entry): RegisteredAgent {
    return describeEntry(entry, life, clock.now());
  }

  function existing(name: string): Entry {
    const entry = entries.get(name);
    if (entry === undefined)
      throw unknownAgent(
        name,
        entries.sorted().map(({ agent }) => agent),
      );
    return entry;
  }

  /** Records a change of state that was not recorded yet. Returns when the next one is due. */
  function notice(entry: Entry, now: number): number | null {
    const { state, since, dueAt, reason, quiet } = stateOf(entry, life, now);
    const { lease, agent } = entry;
    entries.index.place(entry, isDown(state));
    if (state === lease.state || (quiet === true && state === "unknown")) return dueAt;
    lease.state = state;
    lease.since = Math.min(since ?? now, now);
    writer.note({ agent: agent.name, at: lease.since, state, reason });
    changes.add("state", agent.name, describe(entry));
    return dueAt;
  }

  function noticeAll(): number | null {
    const now = clock.now();
    let next: number | null = null;
    for (const entry of entries.all()) {
      const dueAt = notice(entry, now);
      if (dueAt !== null && (next === null || dueAt < next)) next = dueAt;
    }
    return next;
  }

  function noticeOne(entry: Entry): void {
    const dueAt = notice(entry, clock.now());
    if (started) due.expect(dueAt);
  }

  function changeTool(name: string, tool: ScriptTool | undefined): void {
    const before = entries.get(name);
    if (tool === undefined) {
      if (entries.delete(name)) changes.add("removed", name);
      return;
    }
    const entry = toolEntry(tool);
    entries.set(entry);
    changes.add(before === undefined ? "registered" : "updated", name, describe(entry));
  }

  function beat(name: string, given: Parameters<Registry["beat"]>[1], caller: Caller) {
    const entry = existing(name);
    requireManager(caller, name);
    const now = clock.now();
    acceptBeat(entry, given, now);
    writer.beat(name, now);
    noticeOne(entry);
    const interval = intervalMs(entry) / 1000;
    return {
      state: entry.lease.state,
      lease_seconds: interval * LEASE_INTERVALS,
      interval_seconds: interval,
      commands: commandsFor(entry, now),
    };
  }

  return {
    async register(registration, caller = OPERATOR) {
      refuseDeep(registration, "the registration");
      const asked = validate(RegistrationBody, registration, "body") as Registration;
      await readyFor(asked.name);
      return serial(asked.name, async () => {
        const before = entries.get(asked.name);
        const { entry, ...registered } = await registrar.register(asked, caller, before);
        entries.set(entry);
        changes.add(registered.created ? "registered" : "updated", entry.agent.name, describe(entry));
        noticeOne(entry);
        return { agent: describe(entry), ...registered };
      });
    },
    async update(name, wanted, caller = OPERATOR) {
      refuseDeep(wanted, "the registration");
      await readyFor(name);
      return serial(name, async () => {
        const entry = await registrar.update(existing(name), wanted, caller);
        entries.set(entry);
        noticeOne(entry);
        changes.add("updated", name, describe(entry));
        return describe(entry);
      });
    },
    beat(name, given, caller = OPERATOR) {
      if (!started || entries.get(name) === undefined)
        return readyFor(name).then(() => beat(name, given, caller));
      try {
        return beat(name, given, caller);
      } catch (error) {
        if (!ProctorError.is(error) || error.code !== "LEASE_LOST") throw error;
        // The agent may have registered again at another process.
        return others.catchUp().then(() => beat(name, given, caller));
      }
    },
    async deregister(name, caller = OPERATOR) {
      await readyFor(name);
      await serial(name, async () => {
        existing(name);
        requireManager(caller, name);
        writer.forget(name);
        await writer.flush();
        await store.removeAgent(name);
        entries.delete(name);
        await deps.authority?.retire(name, caller);
        changes.add("removed", name);
        deps.authority?.note({
          actor: caller.name,
          action: "agent.removed",
          subject: `agent:${name}`,
          details: {},
        });
      });
    },
    async command(name, command, caller = OPERATOR) {
      await readyFor(name);
      return serial(name, async () => {
        const entry = existing(name);
        requireManager(caller, name);
        const { lease } = entry;
        const wanted = { ...lease, command, commandedAt: clock.now() };
        await store.registry.putLease(wanted);
        Object.assign(lease, { command, commandedAt: wanted.commandedAt });
        noticeOne(entry);
        return describe(entry);
      });
    },
    async get(name) {
      await readyFor(name);
      return describe(existing(name));
    },
    async list(query) {
      await ready();
      const { items, next_cursor } = listAgents(query, {
        sorted: entries.sorted(),
        life,
        now: clock.now(),
      });
      return { items: items.map(describe), next_cursor };
    },
    async search(given) {
      refuseDeep(given, "the search");
      await ready();
      const query = validate(SearchBody, given, "body") as typeof given;
      return searchAgents(query, {
        candidates: (capability) => entries.candidates(capability),
        fits,
        life,
        now: clock.now(),
      });
    },
    async history(name, page) {
      await readyFor(name);
      existing(name);
      if (!readOnly) await writer.flush();
      return store.registry.history(name, page);
    },
    async *watch(after, signal): AsyncGenerator<RegistryChange> {
      await ready();
      yield* changes.watch(after, signal);
    },
    async start() {
      life = { ...life, startedAt: clock.now() };
      await ready();
      started = true;
      writer.start();
      due.expect(noticeAll());
      others.start();
    },
    async close() {
      await others.close();
      due.close();
      changes.close();
      if (!readOnly) await writer.close();
    },
    changed: (name, agent) =>
      others.own(async () => {
        if (agent === undefined) await deps.authority?.retire(name, OPERATOR);
        if (loading === undefined) return;
        if (agent === undefined) {
          writer.forget(name);
          if (entries.delete(name)) changes.add("removed", name);
          return;
        }
        const before = entries.get(name);
        const entry = newEntry(agent, null, before?.lease ?? newLease(name), before?.measures);
        entries.set(entry);
        changes.add(before === undefined ? "registered" : "updated", name, describe(entry));
        noticeOne(entry);
      }),
    ...createCandidates({ ready, entries, fits, life: () => life, now: () => clock.now() }),
    ...createVerdicts({
      ready,
      find: (name) => entries.get(name),
      store,
      measured: (agent, measures) => {
        if (!readOnly) writer.measured(agent, measures);
      },
    }),
    toolChanged(name, tool) {
      // A process that loads later finds it on disk.
      if (loading !== undefined)
        void others.own(async () => loading?.then(() => changeTool(toolAgentName(name), tool)));
    },
    ...createContracts({ ready, fits, find: (name) => entries.get(name) }),
    ...createAnswers({
      entries,
      ready,
      describe,
      now: () => clock.now(),
      onMeasured: (name, measures) => writer.measured(name, measures),
      onHeard: noticeOne,
      readOnly,
    }),
  };
}
