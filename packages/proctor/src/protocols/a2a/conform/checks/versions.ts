// Rules about versions, and about interfaces compared with one another.
import { uuidV7 } from "../../../../core/id.ts";
import { isJsonObject } from "../../../../core/json.ts";
import { codecOf } from "../../codecs.ts";
import type { A2aPart, SendResult } from "../../model.ts";
import type { Attempt } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import { end, findingOf } from "../../../../conformance/demand.ts";
import {
  assume,
  both,
  demand,
  inVersion1,
  overEach,
  overHttp,
  overJsonRpc,
  overOne,
  preferred,
  type A2aFinding,
  type Check,
} from "../finding.ts";
import { demandRefusal, describeError, isSaid, taskIn } from "../judgement.ts";
import { below, jsonOf } from "../raw-request.ts";
import type { Trial } from "../trial.ts";
import { post } from "./errors.ts";
import { readAnswer, sendChanged } from "./send.ts";

/** Equal answers that show that an agent has one answer to a message. */
const SAME_ANSWERS = 4;

const old = ({ version }: Endpoint): boolean => version === "0.3";

function methodOf03(trial: Trial): string {
  const params = codecOf("0.3").encodeRequest("send", { message: trial.message() });
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params });
}

/** Returns whether the result is a message or a task, and the task's state. */
const outlineOf = ({ task }: SendResult): string =>
  task === undefined ? "message" : `task ${task.status.state}`;

/** Returns the result without ids and times, which may differ. */
function essenceOf({ task, message }: SendResult): string {
  const content = ({ text, raw, url, data }: A2aPart): string =>
    JSON.stringify(text ?? raw ?? url ?? data ?? null);
  if (message !== undefined) return `message: ${message.parts.map(content).join(" ")}`;
  const said = task?.status.message?.parts.map(content).join(" ") ?? "";
  const artifacts = (task?.artifacts ?? []).map(({ parts }) => parts.map(content).join(" "));
  return `task ${task?.status.state ?? ""}: ${said} ${artifacts.join(" | ")}`.trim();
}

type Tried = { endpoint: Endpoint; attempt: Attempt<unknown>; said: string };

/** Demands that no result differs from the first. */
function demandSame(tried: readonly Tried[], what: string): void {
  const [first, ...others] = tried;
  const isOne = first === undefined || others.length === 0;
  assume(!isOne, "the agent answers over one interface only");
  for (const { endpoint, said, attempt } of others) {
    const reason = `${first.endpoint.name} and ${endpoint.name} ${what}`;
    demand(said === first.said, reason, attempt.transcript, {
      expected: `${first.endpoint.name}: ${first.said}`,
      got: `${endpoint.name}: ${said}`,
    });
  }
}

async function overThose(
  trial: Trial,
  ask: (endpoint: Endpoint) => Promise<Attempt<unknown>>,
  say: (attempt: Attempt<never>) => string,
): Promise<Tried[]> {
  const { endpoints } = await trial.found();
  const tried = endpoints.map(async (endpoint): Promise<Tried[]> => {
    if ((await trial.plain(endpoint)).value === undefined) return [];
    const attempt = await ask(endpoint);
    // The caller of `say` knows the type of what it says.
    return [{ endpoint, attempt, said: say(attempt as Attempt<never>) }];
  });
  return (await Promise.all(tried)).flat();
}

/** Answers to the same message over one interface. */
async function sameOver(trial: Trial): Promise<SendResult[]> {
  const endpoint = await preferred(trial);
  const answers: SendResult[] = [];
  while (answers.length < SAME_ANSWERS) {
    const attempt = await trial.send(endpoint, { message: trial.message() });
    assume(attempt.value !== undefined, `no answer: ${describeError(attempt)}`, attempt.transcript);
    answers.push(attempt.value);
  }
  return answers;
}

const areSame = (texts: readonly string[]): boolean => new Set(texts).size === 1;

const errorName = (attempt: Attempt<unknown>): string =>
  isSaid(attempt) ? (attempt.error?.reason ?? "an answer") : describeError(attempt);

export const VERSION_CHECKS = {
  "a2a.version.unsupported": overEach(both(inVersion1, overHttp), async (endpoint, trial) => {
    const isRpc = endpoint.binding === "JSONRPC";
    const headers = { ...trial.headersFor(endpoint), "a2a-version": "99.0" };
    const id = uuidV7();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } });
    const as = trial.identityFor(endpoint);
    const transcript = isRpc
      ? await post(trial, endpoint, body, headers)
      : await trial.raw({ url: below(endpoint, `/tasks/${id}`), headers, as });
    const answer = readAnswer(transcript, isRpc);
    demandRefusal({ ...answer, transcript, timedOut: false }, "VERSION_NOT_SUPPORTED");
  }),
  "a2a.version.missing": overEach(both(old, overJsonRpc), async (endpoint, trial) => {
    const transcript = await post(trial, endpoint, methodOf03(trial));
    const body = jsonOf(transcript);
    const { kind } = isJsonObject(body) && isJsonObject(body["result"]) ? body["result"] : {};
    demand(kind === "task" || kind === "message", "it is not answered as 0.3 answers", transcript, {
      expected: 'a result with "kind"',
      got: body ?? transcript.received,
    });
  }),
  "a2a.version.methods": overEach(both(inVersion1, overJsonRpc), async (endpoint, trial) => {
    const transcript = await post(trial, endpoint, methodOf03(trial));
    demandRefusal({ ...readAnswer(transcript, true), transcript, timedOut: false }, "METHOD_NOT_FOUND");
  }),
  "a2a.version.media": overEach(overHttp, async (endpoint, trial) => {
    const attempt = await sendChanged(trial, endpoint, () => undefined, { "content-type": "text/plain" });
    const { transcript, value } = attempt;
    assume(transcript.status !== undefined, `no answer: ${describeError(attempt)}`, transcript);
    demand(value === undefined, "it was carried out", transcript, { expected: "415, or an error" });
  }),
  "a2a.same.answer": async (trial) => {
    const compare = (say: (result: SendResult) => string): Promise<A2aFinding> =>
      findingOf(async () => {
        const plain = (endpoint: Endpoint): Promise<Attempt<SendResult>> => trial.plain(endpoint);
        const tried = await overThose(trial, plain, ({ value }: Attempt<SendResult>) => say(value ?? {}));
        demandSame(tried, "answer the same message differently");
      });
    const finding = await compare(essenceOf);
    if (finding.outcome !== "fail") return finding;
    // Many agents never say a thing twice in the same words: that is no difference between interfaces.
    return findingOf(async () => {
      const answers = await sameOver(trial);
      if (areSame(answers.map(essenceOf))) end(finding);
      if (areSame(answers.map(outlineOf))) end(await compare(outlineOf));
      assume(false, "the agent answers the same message differently each time");
    });
  },
  "a2a.same.task": overOne(async (endpoint, trial) => {
    const { id } = taskIn(await trial.plain(endpoint));
    const tried = await overThose(
      trial,
      (other) => trial.getTask(other, id),
      (attempt: Attempt<{ id: string; status: { state: string } }>) =>
        attempt.value ? `${attempt.value.id} ${attempt.value.status.state}` : errorName(attempt),
    );
    demandSame(tried, "know different tasks");
  }),
  "a2a.same.errors": (trial) =>
    findingOf(async () => {
      const id = uuidV7();
      const asked = [
        (endpoint: Endpoint) => trial.getTask(endpoint, id),
        (endpoint: Endpoint) => trial.cancelTask(endpoint, id),
        (endpoint: Endpoint) => trial.send(endpoint, { message: trial.message(undefined, { taskId: id }) }),
      ];
      for (const ask of asked) {
        demandSame(await overThose(trial, ask, errorName), "give different errors for the same mistake");
      }
    }),
} satisfies Record<string, Check>;
