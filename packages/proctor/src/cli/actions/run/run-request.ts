// What `proctor run` asks the hub for, from the flags.
import { ProctorError } from "../../../core/errors.ts";
import type { Constraints } from "../../../core/task.ts";
import type { RunRequest } from "../../../core/ports/hub.ts";
import type { CliIo } from "../../cli-io.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import type { RunFlags } from "./flags.ts";
import { parsePairs, parseSecrets } from "../key-values.ts";
import { readInput } from "./read-input.ts";
import { readOptions } from "./run-options.ts";

/** Builds the request without the agent and the run to go on from: how those are named depends on the hub. */
export async function buildRequest(
  flags: RunFlags,
  task: string,
  { conversation }: ConversationPlan,
  io: CliIo,
): Promise<Omit<RunRequest, "agent">> {
  if (flags.allowTool?.some((name) => name.trim() === "") === true) {
    throw new ProctorError("USAGE", "--allow-tool names no tool\nfor example: --allow-tool web_search");
  }
  if (flags.allowTool && flags.forbidTools) {
    throw new ProctorError(
      "USAGE",
      "--allow-tool and --forbid-tools contradict each other\nleave out one of them",
    );
  }
  const environment = parseSecrets("--env", flags.env ?? [], io.env);
  const metadata = parsePairs("--metadata", flags.metadata ?? []);
  const constraints: Constraints = {
    ...(flags.timeout !== undefined && { timeout_seconds: flags.timeout }),
    ...(flags.maxSteps !== undefined && { max_steps: flags.maxSteps }),
    ...(flags.maxTokens !== undefined && { max_tokens: flags.maxTokens }),
    ...(flags.budget !== undefined && { budget_usd: flags.budget }),
    ...(flags.allowTool && { allowed_tools: flags.allowTool }),
    ...(flags.forbidTools && { allowed_tools: [] }),
  };
  const input = flags.input === undefined ? undefined : await readInput(flags.input, io);
  const options = { ...(await readOptions(flags, io)), ...(conversation && { conversation }) };
  return {
    ...(Object.keys(options).length > 0 && { options }),
    task: { description: task, ...(input !== undefined && { input_data: input }) },
    ...(Object.keys(constraints).length > 0 && { constraints }),
    ...(Object.keys(environment).length > 0 && { context: { environment } }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(flags.conversation !== undefined && { conversation_id: flags.conversation }),
    ...(flags.retries !== undefined && flags.retries > 0 && { retry: { max_attempts: flags.retries + 1 } }),
  };
}
