// Rules about versions, and about interfaces compared with one another.
import { uuidV7 } from "../../../../core/id.ts";
import { isJsonObject } from "../../../../core/json.ts";
import { codecOf } from "../../codecs.ts";
import type { A2aPart, SendResult } from "../../model.ts";
import type { Attempt } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import {
  broken,
  inVersion1,
  KEPT,
  noOccasion,
  overEach,
  overHttp,
  overJsonRpc,
  preferred,
  type A2aFinding,
  type Check,
} from "../finding.ts";
import { describeError, isFinding, isSaid, refusedWith, taskIn } from "../judgement.ts";
import { below, jsonOf } from "../raw-request.ts";
import type { Trial } from "../trial.ts";
import { post } from "./errors.ts";
import { readAnswer, sendChanged } from "./send.ts";

/** How many equal answers show that an agent has one answer to a message. */
const SAME_ANSWERS = 4;

const old = ({ version }: Endpoint): boolean => version === "0.3";

function methodOf03(trial: Trial): string {
  const params = codecOf("0.3").encodeRequest("send", { message: trial.message() });
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params });
}

/** A message or a task, and its state. */
const outlineOf = ({ task }: SendResult): string =>
  task === undefined ? "message" : `task ${task.status.state}`;

/** Ids and times differ, the rest should not. */
function essenceOf({ task, message }: SendResult): string {
  const content = ({ text, raw, url, data }: A2aPart): string =>
    JSON.stringify(text ?? raw ?? url ?? data ?? null);
  if (message !== undefined) return `message: ${message.parts.map(content).join(" ")}`;
  const said = task?.status.message?.parts.map(content).join(" ") ?? "";
  const artifacts = (task?.artifacts ?? []).map(({ parts }) => parts.map(content).join(" "));
  return `task ${task?.status.state ?? ""}: ${said} ${artifacts.join(" | ")}`.trim();
}

type Tried = { endpoint: Endpoint; attempt: Attempt<unknown>; said: string };

/** The first that differs from the first. */
function different(tried: readonly Tried[], what: string): A2aFinding {
  const [first, ...others] = tried;
  const other = others.find(({ said }) => said !== first?.said);
  if (first === undefined || others.length === 0)
    return noOccasion("the agent answers over one interface only");
  if (other === undefined) return KEPT;
  return broken(`${first.endpoint.name} and ${other.endpoint.name} ${what}`, other.attempt.transcript, {
    expected: `${first.endpoint.name}: ${first.said}`,
    got: `${other.endpoint.name}: ${other.said}`,
  });
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
    // What it says is read by whoever asked.
    return [{ endpoint, attempt, said: say(attempt as Attempt<never>) }];
  });
  return (await Promise.all(tried)).flat();
}

/** Answers to the same message over one interface. */
async function sameOver(trial: Trial): Promise<SendResult[] | A2aFinding> {
  const endpoint = await preferred(trial);
  if (isFinding(endpoint)) return endpoint;
  const answers: SendResult[] = [];
  while (answers.length < SAME_ANSWERS) {
    const attempt = await trial.send(endpoint, { message: trial.message() });
    if (attempt.value === undefined)
      return noOccasion(`no answer: ${describeError(attempt)}`, attempt.transcript);
    answers.push(attempt.value);
  }
  return answers;
}

const areSame = (texts: readonly string[]): boolean => new Set(texts).size === 1;

const errorName = (attempt: Attempt<unknown>): string =>
  isSaid(attempt) ? (attempt.error?.reason ?? "an answer") : describeError(attempt);

export const VERSION_CHECKS = {
  "a2a.version.unsupported": (trial) =>
    overEach(
      trial,
      (endpoint) => inVersion1(endpoint) && overHttp(endpoint),
      async (endpoint) => {
        const isRpc = endpoint.binding === "JSONRPC";
        const headers = { ...trial.headersFor(endpoint), "a2a-version": "99.0" };
        const transcript = isRpc
          ? await post(
              trial,
              endpoint,
              JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: uuidV7() } }),
              headers,
            )
          : await trial.raw({
              url: below(endpoint, `/tasks/${uuidV7()}`),
              headers,
              as: trial.identityFor(endpoint),
            });
        return refusedWith(
          { ...readAnswer(transcript, isRpc), transcript, timedOut: false },
          "VERSION_NOT_SUPPORTED",
        );
      },
    ),
  "a2a.version.missing": (trial) =>
    overEach(
      trial,
      (endpoint) => old(endpoint) && overJsonRpc(endpoint),
      async (endpoint) => {
        const transcript = await post(trial, endpoint, methodOf03(trial));
        const body = jsonOf(transcript);
        const result = isJsonObject(body) && isJsonObject(body["result"]) ? body["result"] : {};
        if (result["kind"] === "task" || result["kind"] === "message") return KEPT;
        return broken("it is not answered as 0.3 answers", transcript, {
          expected: 'a result with "kind"',
          got: body ?? transcript.received,
        });
      },
    ),
  "a2a.version.methods": (trial) =>
    overEach(
      trial,
      (endpoint) => inVersion1(endpoint) && overJsonRpc(endpoint),
      async (endpoint) => {
        const transcript = await post(trial, endpoint, methodOf03(trial));
        return refusedWith(
          { ...readAnswer(transcript, true), transcript, timedOut: false },
          "METHOD_NOT_FOUND",
        );
      },
    ),
  "a2a.version.media": (trial) =>
    overEach(trial, overHttp, async (endpoint) => {
      const attempt = await sendChanged(trial, endpoint, () => undefined, { "content-type": "text/plain" });
      if (attempt.transcript.status === undefined)
        return noOccasion(`no answer: ${describeError(attempt)}`, attempt.transcript);
      return attempt.value === undefined
        ? KEPT
        : broken("it was carried out", attempt.transcript, { expected: "415, or an error" });
    }),
  "a2a.same.answer": async (trial) => {
    const compare = async (say: (result: SendResult) => string): Promise<A2aFinding> =>
      different(
        await overThose(
          trial,
          (endpoint) => trial.plain(endpoint),
          ({ value }: Attempt<SendResult>) => say(value ?? {}),
        ),
        "answer the same message differently",
      );
    const finding = await compare(essenceOf);
    if (finding.outcome !== "fail") return finding;
    // Many agents never say a thing twice in the same words: that is no difference between interfaces.
    const answers = await sameOver(trial);
    if (isFinding(answers)) return answers;
    if (areSame(answers.map(essenceOf))) return finding;
    if (areSame(answers.map(outlineOf))) return compare(outlineOf);
    return noOccasion("the agent answers the same message differently each time");
  },
  "a2a.same.task": async (trial) => {
    const endpoint = await preferred(trial);
    if (isFinding(endpoint)) return endpoint;
    const task = taskIn(await trial.plain(endpoint));
    if (isFinding(task)) return task;
    const tried = await overThose(
      trial,
      (other) => trial.ask(other, (service, call) => service.getTask({ id: task.id }, call)),
      (attempt: Attempt<{ id: string; status: { state: string } }>) =>
        attempt.value ? `${attempt.value.id} ${attempt.value.status.state}` : errorName(attempt),
    );
    return different(tried, "know different tasks");
  },
  "a2a.same.errors": async (trial) => {
    const id = uuidV7();
    const asked = [
      (endpoint: Endpoint) => trial.ask(endpoint, (service, call) => service.getTask({ id }, call)),
      (endpoint: Endpoint) => trial.ask(endpoint, (service, call) => service.cancelTask({ id }, call)),
      (endpoint: Endpoint) => trial.send(endpoint, { message: trial.message(undefined, { taskId: id }) }),
    ];
    for (const ask of asked) {
      const finding = different(
        await overThose(trial, ask, errorName),
        "give different errors for the same mistake",
      );
      if (finding.outcome !== "pass") return finding;
    }
    return KEPT;
  },
} satisfies Record<string, Check>;
