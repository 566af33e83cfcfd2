// What the client of an agent's SDK makes of an answer (ACTS, section 10). The agent is asked by a convention of the official runner: a message with the
// text `tck-client-parse` and the answer as data, to which it replies with an artifact that holds what its client has read.
import { isJsonObject, type Json } from "../../../core/json.ts";
import { askOperation } from "./ask-operation.ts";
import { responseOf } from "./answer.ts";
import { match } from "./match.ts";
import { requestOf } from "./operations.ts";
import { valueAt, valuesAt } from "./path.ts";
import type { StepContext } from "./step-context.ts";
import type { StepOf } from "./step-schema.ts";
import { skipped, verdictOf, type Verdict } from "./verdict.ts";

const CLIENT_BEHAVIOR = "tck-client-parse";

export async function tryClient(
  { client_response: given, expect_parsed: expected }: StepOf<"client">,
  context: StepContext,
): Promise<{ verdict: Verdict; response: Json }> {
  const { operation, wire_payload: payload } = given;
  const parts = [{ text: CLIENT_BEHAVIOR }, { data: { operation, wire_payload: payload } }];
  const message = { role: "ROLE_USER", parts };
  const request = requestOf("send_message", { message }, () => context.scope.newId());
  const answer = await askOperation(request, context);
  const response = responseOf(answer);
  // An agent that does not know the behaviour fails the task.
  const isDone = valueAt(response, "task.status.state") === "TASK_STATE_COMPLETED";
  const found = valuesAt(response, "task.artifacts[*].parts[*].data").find(isJsonObject);
  const parsed = isDone ? found : undefined;
  if (parsed === undefined) {
    const verdict = skipped(`the agent does not show what its client reads (${CLIENT_BEHAVIOR})`);
    return { verdict, response: {} };
  }
  return { verdict: verdictOf(match(expected, parsed), answer.transcript), response: parsed };
}
