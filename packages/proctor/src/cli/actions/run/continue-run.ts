// `proctor run --continue`: the run to go on from, and its agent unless another is named.
import { isAddress } from "../../../core/address.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import { isClientRun, isTerminal, type Run } from "../../../core/run.ts";
import { localAgent } from "../../../hub/local-agent.ts";
import type { HubSession } from "../../compose/compose.ts";
import { findRun } from "../runs/find-run.ts";

export async function continueRun(
  reference: string,
  agent: string | undefined,
  session: HubSession,
  cwd: string,
): Promise<{ agent: string | AgentSpec; follows: string }> {
  const { hub } = session;
  const run = await findRun(hub, reference);
  if (!isTerminal(run.status)) {
    throw new ProctorError(
      "ILLEGAL_TRANSITION",
      `run ${run.id} is ${run.status}: only an ended run can be continued\nsay something to it: proctor runs say ${run.id} "…"`,
      { details: { run_id: run.id, status: run.status } },
    );
  }
  if (agent !== undefined) return { agent: localAgent(agent, session, cwd), follows: run.id };
  return { agent: await agentOf(run, session, cwd), follows: run.id };
}

/** Resolves with the agent of a run, to be asked again. */
export async function agentOf(run: Run, session: HubSession, cwd: string): Promise<string | AgentSpec> {
  if (isClientRun(run)) {
    throw new ProctorError("USAGE", `run ${run.id} has no agent\nname one: --agent <address>`);
  }
  return localAgent(run.agent, session, await directoryOf(run, session.hub, cwd));
}

/** Resolves with the directory in which the program ran before, where it goes on. */
async function directoryOf(run: Run, hub: Hub, otherwise: string): Promise<string> {
  if (!isAddress(run.agent)) return otherwise;
  const [created] = await hub.events(run.id, { limit: 1 });
  return (created?.type === "run.created" ? created.payload.spec.cwd : undefined) ?? otherwise;
}
