// A task that stays under way until it is cancelled, where the agent knows how to make one.
import type { A2aTask } from "../model.ts";
import { isTerminalState } from "../states.ts";
import type { Endpoint } from "./endpoint.ts";
import { noOccasion, type A2aFinding } from "./finding.ts";
import { isFinding, taskIn } from "./judgement.ts";
import type { Trial } from "./trial.ts";

export async function openTask(trial: Trial, endpoint: Endpoint): Promise<A2aTask | A2aFinding> {
  const configuration = { returnImmediately: true };
  const sent = await trial.send(endpoint, { message: trial.message("tck-cancel"), configuration });
  const task = taskIn(sent);
  if (isFinding(task)) return task;
  const read = await trial.ask(endpoint, (service, call) => service.getTask({ id: task.id }, call));
  const { state } = (read.value ?? task).status;
  if (!isTerminalState(state)) return task;
  return noOccasion("the agent has no task that stays under way (tck-cancel)", sent.transcript);
}
