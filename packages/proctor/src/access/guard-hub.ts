// A Hub that shows and takes only what its caller may see and do. Callers who may everything get the hub itself.
import { isBound, may, mayUseAgent, requireAgent, requireUnbound, type Caller } from "../core/caller.ts";
import { ProctorError, runNotFound } from "../core/errors.ts";
import { findLoading, refuseLoading } from "../core/loading-variables.ts";
import { forkRun } from "../core/fork.ts";
import type { Page } from "../core/page.ts";
import { answerAs } from "../core/answer-as.ts";
import type { Hub, RunRequest } from "../core/ports/hub.ts";
import { requireProgramsForAgent, requireProgramsForRun } from "../core/require-programs.ts";
import type { Run } from "../core/run.ts";

/** Guarded hubs by the hub, then by the caller, whose object stays the same as long as its token does. */
const guarded = new WeakMap<Hub, WeakMap<Caller, Hub>>();

export function guardHub(hub: Hub, caller: Caller): Hub {
  // A caller bound to a person answers as that person.
  if (caller.binding === undefined && may(caller, "programs")) return hub;
  const byCaller = guarded.get(hub) ?? new WeakMap<Caller, Hub>();
  guarded.set(hub, byCaller);
  const known = byCaller.get(caller) ?? createGuardedHub(hub, caller);
  byCaller.set(caller, known);
  return known;
}

function createGuardedHub(hub: Hub, caller: Caller): Hub {
  const { binding } = caller;

  function isTheirs({ id, agent }: { id: string; agent: string }): boolean {
    return binding?.kind === "run" ? id === binding.name : mayUseAgent(caller, agent);
  }

  /** Throws RUN_NOT_FOUND for runs of other agents as well: whether they exist is not for this caller to know. */
  async function own(id: string): Promise<Run> {
    const run = await hub.run(id);
    if (isTheirs(run)) return run;
    throw runNotFound(id);
  }

  /** Checks the run first, and then does the same as the hub. */
  function ofRun<Rest extends unknown[], T>(
    act: (id: string, ...rest: Rest) => Promise<T>,
  ): (id: string, ...rest: Rest) => Promise<T> {
    if (!isBound(caller)) return act;
    return async (id, ...rest) => {
      await own(id);
      return act(id, ...rest);
    };
  }

  async function checkRequest(request: RunRequest): Promise<void> {
    requireProgramsForRun(caller, request);
    await checkVariables(request);
    if (!isBound(caller)) return;
    requireAgent(caller, typeof request.agent === "string" ? request.agent : "");
    for (const id of [request.follows, request.parent_id]) if (id !== undefined) await own(id);
  }

  /** Throws INVALID_REQUEST for a variable that makes the agent's program load code of the caller's choosing. */
  async function checkVariables({ agent, context }: RunRequest): Promise<void> {
    const names = findLoading(context?.environment);
    if (names.length > 0 && typeof agent === "string" && !may(caller, "programs"))
      refuseLoading(names, agent, await hub.agent(agent));
  }

  function filtered<T>(page: Page<T>, keep: (item: T) => boolean): Page<T> {
    return { ...page, items: page.items.filter(keep) };
  }

  /** Returns the only agent whose runs the caller sees, where it is one; undefined where the query asks for another. */
  function agentFilter(asked: string | undefined): { agent?: string } | undefined {
    if (binding?.kind !== "agent") return asked === undefined ? {} : { agent: asked };
    return asked === undefined || asked === binding.name ? { agent: binding.name } : undefined;
  }

  return {
    async submit(request, options) {
      await checkRequest(request);
      return hub.submit(request, options);
    },
    async prepare(request, options) {
      await checkRequest(request);
      return hub.prepare(request, options);
    },
    async openClientRun(request, options) {
      requireUnbound(caller);
      requireProgramsForRun(caller, request);
      return hub.openClientRun(request, options);
    },
    run: own,
    async runs(query) {
      const filter = agentFilter(query.agent);
      if (filter === undefined) return { items: [], next_cursor: null };
      return filtered(await hub.runs({ ...query, ...filter }), isTheirs);
    },
    async runsPage(page) {
      const filter = agentFilter(page.agent);
      if (filter === undefined) return { items: [], total: 0 };
      // The runs of a folder cannot be counted without reading them all.
      if (filter.agent === undefined) requireUnbound(caller);
      else requireAgent(caller, filter.agent);
      return hub.runsPage({ ...page, ...filter });
    },
    events: ofRun((id, page) => hub.events(id, page)),
    async *follow(id, after, signal) {
      await own(id);
      yield* hub.follow(id, after, signal);
    },
    cancel: ofRun((id, reason?: string) => hub.cancel(id, reason)),
    pause: ofRun((id) => hub.pause(id)),
    resume: ofRun((id) => hub.resume(id)),
    say: ofRun((id, message) => hub.say(id, message)),
    answer: ofRun((id, answer) => hub.answer(id, answerAs(caller, answer))),
    messages: ofRun((id) => hub.messages(id)),
    async questions(query) {
      const filter = agentFilter(query.agent);
      if (filter === undefined) return { items: [], next_cursor: null };
      const page = await hub.questions({ ...query, ...filter });
      return filtered(page, ({ run_id, agent }) => isTheirs({ id: run_id, agent }));
    },
    async conversation(id) {
      const whole = await hub.conversation(id);
      const runs = whole.runs.filter(isTheirs);
      if (runs.length === 0)
        throw new ProctorError("CONVERSATION_NOT_FOUND", `there is no conversation ${id}`);
      const shown = new Set(runs.map((run) => run.id));
      return { ...whole, runs, messages: whole.messages.filter(({ run_id }) => shown.has(run_id)) };
    },
    forkPoints: ofRun((id) => hub.forkPoints(id)),
    // What is submitted for it is looked at like any other request.
    async fork(id, request, options) {
      const submit = async (built: RunRequest): ReturnType<Hub["submit"]> => {
        await checkRequest(built);
        return hub.submit(built, options);
      };
      return forkRun({ run: own, forkPoints: (run) => hub.forkPoints(run), submit }, id, request);
    },
    tally: ofRun((id) => hub.tally(id)),
    start: ofRun((id) => hub.start(id)),
    tell: ofRun((id, drafts) => hub.tell(id, drafts)),
    steps: ofRun((id) => hub.steps(id)),
    addFile: ofRun((id, file) => hub.addFile(id, file)),
    removeArtifact: ofRun((id, artifactId) => hub.removeArtifact(id, artifactId)),
    remove: ofRun((id) => hub.remove(id)),
    artifact: ofRun((id, artifactId) => hub.artifact(id, artifactId)),
    readArtifact: ofRun((id, artifactId, range?) => hub.readArtifact(id, artifactId, range)),
    openWorkspace: ofRun((id) => hub.openWorkspace(id)),
    packWorkspace: ofRun((id) => hub.packWorkspace(id)),
    async verify(request, signal) {
      await own(request.runId);
      return hub.verify(request, signal);
    },
    release: ofRun((id) => hub.release(id)),
    async agents(page) {
      return filtered(await hub.agents(page), ({ name }) => mayUseAgent(caller, name));
    },
    async agent(name) {
      if (mayUseAgent(caller, name)) return hub.agent(name);
      throw new ProctorError("AGENT_NOT_FOUND", `there is no agent named ${name}`);
    },
    async addAgent(agent, options) {
      requireAgent(caller, agent.name);
      requireProgramsForAgent(caller, agent);
      return hub.addAgent(agent, options);
    },
    async removeAgent(name) {
      requireAgent(caller, name);
      return hub.removeAgent(name);
    },
    // It is not the caller's to close.
    close: async () => undefined,
  };
}
