// A scripted agent on a socket, and the clients of tests that talk to it: raw HTTP, so that a test sees each byte.
import { readFileSync } from "node:fs";
import {
  startScriptedAgent,
  type StartedScriptedAgent,
  type StartScriptedAgentOptions,
} from "../../../src/cli/compose/start-scripted-agent.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { afterEveryTest } from "../closing.ts";

const opened: StartedScriptedAgent[] = [];

afterEveryTest(async () => {
  for (const agent of opened.splice(0)) await agent.close();
});

/** Closed after the test. */
export async function startAgent(
  options: Partial<StartScriptedAgentOptions> = {},
): Promise<StartedScriptedAgent> {
  const agent = await startScriptedAgent({ port: 0, ...options });
  opened.push(agent);
  return agent;
}

/** A file of document 001, its comments taken out. */
export function corpus(name: string): Json {
  const text = readFileSync(new URL(`../../../src/doubles/scripted/corpus/${name}`, import.meta.url), "utf8");
  return JSON.parse(text.replaceAll(/ ?\/\/ .*$/gm, "")) as Json;
}

export function directive(responses: Json, testCaseId?: string): string {
  const base64 = Buffer.from(JSON.stringify(responses)).toString("base64");
  const id = testCaseId === undefined ? "" : `[test_case_id=${testCaseId}]\n`;
  return `Do it.\n${id}[responses_json=${base64}]`;
}

interface Said {
  text: string;
  taskId?: string;
  contextId?: string;
  messageId?: string;
}

let count = 0;

/** A user's message in the form of 0.3. */
export function message03({ text, taskId, contextId, messageId = `m-${++count}` }: Said): JsonObject {
  return {
    kind: "message",
    role: "user",
    messageId,
    parts: [{ kind: "text", text }],
    ...(taskId !== undefined && { taskId }),
    ...(contextId !== undefined && { contextId }),
  };
}

export function rpcRequest(
  url: string,
  method: string,
  params: JsonObject,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

/** The result or the error of a call in the form of 0.3. */
export async function rpc(
  url: string,
  method: string,
  params: JsonObject,
  headers?: Record<string, string>,
): Promise<JsonObject> {
  return (await (await rpcRequest(url, method, params, headers)).json()) as JsonObject;
}

export async function send03(url: string, said: Said): Promise<JsonObject> {
  return rpc(url, "message/send", { message: message03(said) });
}

/** The results of a stream of 0.3, in order. */
export async function stream03(url: string, said: Said): Promise<JsonObject[]> {
  const response = await rpcRequest(url, "message/stream", { message: message03(said) });
  return framesOf(await response.text()).map(({ result, error }) => (result ?? { error }) as JsonObject);
}

export function framesOf(text: string): JsonObject[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice(6)) as JsonObject);
}
