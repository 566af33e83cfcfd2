// What an agent's address and its `options` say about the requests to its model, checked before anything is sent.
import { failure, type Failure } from "../../core/failure.ts";
import type { Job } from "../../core/ports/driver.ts";
import { traceparentOf } from "../../runtime/span-ids.ts";
import { agentEndpoint, type AgentEndpoint } from "../agent-endpoint.ts";
import { readOptions, type OpenaiOptions } from "./options.ts";

export interface OpenaiSettings extends OpenaiOptions {
  endpoint: AgentEndpoint;
  model: string;
}

const EXAMPLE = "openai+https://api.openai.com/v1#gpt-4o-mini";

export function settingsOf(job: Job): OpenaiSettings | { refused: Failure } {
  const endpoint = agentEndpoint(job.spec, traceparentOf(job));
  if ("refused" in endpoint) return endpoint;
  const model = modelIn(job.spec.url ?? "");
  if (model === "") {
    return refuse(`the agent's address names no model\nput it behind a #: ${EXAMPLE}`);
  }
  const read = readOptions(job.spec.options ?? {});
  if (read.ok) return { endpoint, model, ...read.value };
  const lines = read.findings.map(({ message, hint }) =>
    hint === undefined ? message : `${message}; ${hint}`,
  );
  return refuse(`the agent's options are wrong\n${lines.join("\n")}`);
}

/** Returns the fragment of the address, in which `%` may escape characters. */
function modelIn(url: string): string {
  const fragment = new URL(url).hash.slice(1);
  try {
    return decodeURIComponent(fragment).trim();
  } catch {
    return fragment;
  }
}

function refuse(message: string): { refused: Failure } {
  return { refused: failure("INVALID_REQUEST", message) };
}
