// Rules about several tasks on one connection: each gets its own events and its own response, and nothing of the other.
import { isSameTask } from "../../formats.ts";
import type { Exchange } from "../exchange.ts";
import { judge, showValue } from "../../../../conformance/finding.ts";
import type { Check, AtpFinding } from "../finding.ts";
import { describeSilence } from "../judgement.ts";
import type { Trial, TrialConnection } from "../trial.ts";

type Ask = (connection: TrialConnection, requests: [Request, Request]) => Promise<[Exchange, Exchange]>;
type Request = Parameters<TrialConnection["send"]>[0];

export const TASKS_CHECKS = {
  "atp.tasks.sequential": (trial) =>
    together(trial, async (connection, [first, second]) => [
      await connection.send(first),
      await connection.send(second),
    ]),
  "atp.tasks.concurrent": (trial) =>
    together(trial, (connection, requests) =>
      Promise.all([connection.send(requests[0]), connection.send(requests[1])]),
    ),
} satisfies Record<string, Check>;

async function together(trial: Trial, ask: Ask): Promise<AtpFinding> {
  const marks = ["(task alpha-1417)", "(task omega-2803)"] as const;
  const start = (await trial.basic()).events[0]?.["sequence"];
  const connection = await trial.open();
  try {
    const [first, second] = await ask(connection, [
      trial.request({ description: `${trial.task} ${marks[0]}` }),
      trial.request({ description: `${trial.task} ${marks[1]}` }),
    ]);
    const finding = judge(first, [mixed(first, "first", marks[1], start)]);
    return finding.outcome === "pass" ? judge(second, [mixed(second, "second", marks[0], start)]) : finding;
  } finally {
    await connection.close();
  }
}

function mixed(exchange: Exchange, which: string, foreign: string, start: unknown): string | undefined {
  const { events, messages, response, responses, taskId } = exchange;
  if (response === undefined) return `the ${which} of two tasks: ${describeSilence(exchange)}`;
  if (responses.length > 1) return `the ${which} of two tasks got ${responses.length} responses`;
  for (const { json, text, kind } of messages) {
    const id = json?.["task_id"];
    if (kind !== "other" && !isSameTask(id, taskId)) {
      return `among the messages of the ${which} of two tasks is a ${kind} with task_id ${showValue(id)}`;
    }
    if (text.includes(foreign)) return `the ${which} of two tasks was told about the other one`;
  }
  const sequences = events.map(({ sequence }) => sequence);
  const isOwn = sequences.every((sequence, index) => {
    const before = sequences[index - 1];
    return index === 0 ? sequence === start : Number(sequence) > Number(before);
  });
  return isOwn
    ? undefined
    : `the events of the ${which} of two tasks have the sequences ${showValue(sequences)}`;
}
