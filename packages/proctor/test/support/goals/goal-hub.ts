// A hub that carries out goals, with agents whose work is a function of the test.
import type { Capability } from "../../../src/core/agent-profile.ts";
import type { RunEvent } from "../../../src/core/event.ts";
import type { Failure } from "../../../src/core/failure.ts";
import type { Goal, GoalRequest } from "../../../src/core/goal.ts";
import type { Json } from "../../../src/core/json.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../../src/core/ports/driver.ts";
import type { Goals } from "../../../src/core/ports/goals.ts";
import type { ModelHost } from "../../../src/core/ports/model-host.ts";
import { isTerminal, type Run } from "../../../src/core/run.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "../test-hub.ts";

/** Returns the output, or throws a Failure. */
export type Work = (job: Job, signals: StopSignals) => Json | Promise<Json>;

export interface WorkingAgent {
  work: Work;
  capabilities?: (string | Capability)[];
  /** The agent has a model of its own, at the addresses in `job.env`. */
  needsModel?: boolean;
}

export interface GoalHub extends Omit<TestHub, "goals" | "ended" | "until"> {
  goals: Goals;
  ended: (runId: string) => Promise<Run>;
  until: (runId: string, satisfied: (event: RunEvent) => boolean) => Promise<RunEvent>;
  /** Asks for a goal and waits for its end. */
  reach: (request: GoalRequest) => Promise<Goal>;
  /** What the goal yielded. */
  output: (id: string) => Promise<Json>;
  /** The runs below a goal, oldest first. */
  children: (id: string) => Promise<Run[]>;
  add: (name: string, agent: WorkingAgent) => Promise<void>;
}

/** Planners and reviewers are given a model, which no agent of these tests asks. */
const nobodyAnswers: ModelHost = {
  open: () =>
    Promise.resolve({
      url: "http://127.0.0.1:9/v1",
      port: 9,
      provider: "mock",
      model: "mock",
      close: () => Promise.resolve(),
    }),
};

export async function openGoalHub(
  agents: Readonly<Record<string, WorkingAgent>>,
  options: TestHubOptions = {},
): Promise<GoalHub> {
  const known = new Map(Object.entries(agents));
  const driver: AgentDriver = {
    needs: { model: Object.values(agents).some(({ needsModel }) => needsModel === true) },
    open: (job, signals) => ({
      async *[Symbol.asyncIterator](): AsyncGenerator<AgentReport> {
        const agent = known.get(job.spec.command?.[0] ?? "");
        if (agent === undefined) throw new Error("no such agent");
        try {
          const data = await agent.work(job, signals);
          yield { kind: "artifact", artifact: { type: "structured", name: "output", data } };
          yield { kind: "end", end: { status: "completed" } };
        } catch (error) {
          // Only failures are thrown by the agents of tests.
          yield { kind: "end", end: { status: "failed", failure: error as Failure } };
        }
      },
    }),
  };
  const hub = await openTestHub({
    models: nobodyAnswers,
    ...options,
    withGoals: true,
    puppets: { ...options.puppets, puppet: driver },
  });
  const { goals } = hub;
  if (goals === undefined) throw new Error("the hub has no goals");

  async function add(name: string, { capabilities = [] }: WorkingAgent): Promise<void> {
    const list = capabilities.map((one) => (typeof one === "string" ? { name: one } : one));
    await hub.hub.addAgent(
      { name, protocol: "puppet", transport: "stdio", command: [name], capabilities: list },
      { replace: true },
    );
  }
  for (const [name, agent] of known) await add(name, agent);

  return {
    ...hub,
    ended: (runId) => hub.ended(runId),
    until: (runId, satisfied) => hub.until(runId, satisfied),
    goals,
    async add(name, agent) {
      known.set(name, agent);
      await add(name, agent);
    },
    async reach(request) {
      const { goal } = await goals.submit(request);
      if (!isTerminal(goal.status)) await hub.ended(goal.id);
      return goals.get(goal.id);
    },
    async output(id) {
      const run = await hub.hub.run(id);
      const found = run.artifacts.findLast((one) => one.type === "structured" && one.name === "output");
      return found?.type === "structured" ? (found.data ?? null) : null;
    },
    async children(id) {
      return (await hub.hub.runs({ parent: id, order: "oldest", limit: 100 })).items;
    },
  };
}
