// `proctor/testing`: agents in the tests of a program, with whatever test runner it has.
import { closeSession } from "./session.ts";
import { runTest } from "./run-test.ts";

export type { TestRequest, TestAgent } from "./run-test.ts";
export type { TestRun, TestVerdict } from "./test-run.ts";
export { startScriptedAgent } from "./scripted-agent.ts";
export type {
  CapturedFilter,
  CapturedRequest,
  ScriptedAgent,
  StartScriptedAgentOptions,
} from "./scripted-agent.ts";
export { startOAuthLab } from "./oauth-lab.ts";
export type {
  OAuthLabFaults,
  OAuthLabRequest,
  OAuthLabScript,
  OAuthLabServer,
  StartOAuthLabOptions,
} from "./oauth-lab.ts";
export { startPushReceiver } from "./push-receiver.ts";
export type {
  PushReceiverAnswers,
  PushReceiverDelivery,
  PushReceiverScript,
  PushReceiverServer,
  StartPushReceiverOptions,
} from "./push-receiver.ts";

export const proctor = {
  /** Runs one task on one agent and checks the result. A failing agent is a result, not an exception. */
  run: runTest,
  /** Closes the hub of this process; the next run opens another one. */
  close: closeSession,
};
