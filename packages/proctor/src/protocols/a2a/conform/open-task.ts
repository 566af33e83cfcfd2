// A task that stays under way until it is cancelled, where the agent knows how to make one.
import type { A2aTask } from "../model.ts";
import { isTerminalState } from "../states.ts";
import type { Endpoint } from "./endpoint.ts";
import { assume } from "./finding.ts";
import { taskIn } from "./judgement.ts";
import type { Trial } from "./trial.ts";

export async function openTask(trial: Trial, endpoint: Endpoint): Promise<A2aTask> {
  const configuration = { returnImmediately: true };
  const sent = await trial.send(endpoint, { message: trial.message("tck-cancel"), configuration });
  const task = taskIn(sent);
  const read = await trial.getTask(endpoint, task.id);
  const isOver = isTerminalState((read.value ?? task).status.state);
  assume(!isOver, "the agent has no task that stays under way (tck-cancel)", sent.transcript);
  return task;
}
