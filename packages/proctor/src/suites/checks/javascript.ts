// Passes when a function of the suite's own says so. It runs in a thread of its own, with data of the run.
import { messageOf } from "../../core/message-of.ts";
import { resolve } from "node:path";
import { z } from "zod";
import type { RunEvent } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Check, CheckSubject } from "../check.ts";
import { printable, quote } from "../../core/printable.ts";
import { unevaluated } from "../verdict.ts";
import type { Verdict } from "../verdict.ts";
import { seconds } from "../workspace/command-line.ts";
import { withoutColours } from "../workspace/command-output.ts";
import { toVerdict } from "../modules/javascript-verdict.ts";
import { json } from "../../runtime/yaml/scalars.ts";
import { callModule } from "../modules/module-workers.ts";

const MAX_EVENTS = 100_000;
const OUTPUT_CHARS = 4000;

const config = z.strictObject({
  file: z.string().min(1),
  export: z.string().min(1).default("default"),
  /** Given to the function as it is. */
  config: json.default({}),
  /** Of a function that returns a number. */
  threshold: z.number().min(0).max(1).default(0.5),
  timeout_seconds: seconds.default(300),
});

export const javascript: Check<z.output<typeof config>> = {
  type: "javascript",
  config,
  needsWorkspace: () => true,
  files: ({ file }) => [file],
  async evaluate(subject, config) {
    const { file, export: name, config: given, threshold, timeout_seconds: timeout } = config;
    const called = name === "default" ? quote(file) : `${quote(file)} ${quote(name)}`;
    try {
      const answer = await callModule(resolve(subject.folder, file), {
        subject: { ...(await dataOf(subject)), config: given },
        name,
        timeoutMs: timeout * 1000,
        readArtifact: (id) => readById(subject, id),
        signal: subject.signal,
      });
      const verdict =
        answer.threw === undefined
          ? toVerdict(answer.value, called, threshold)
          : unevaluated(`${called} could not be evaluated: ${oneLine(answer.threw)}`);
      return withOutput(verdict, answer.output);
    } catch (error) {
      if (subject.signal.aborted) throw error;
      return unevaluated(`${called} could not be evaluated: ${reasonOf(error, file, subject.folder)}`);
    }
  },
};

async function dataOf(subject: CheckSubject): Promise<object> {
  const { run } = subject;
  const events: RunEvent[] = [];
  for await (const event of subject.events()) {
    if (events.length === MAX_EVENTS) break;
    events.push(event);
  }
  // A hub elsewhere has no directory here.
  const workspace = await subject.workspace().then(
    ({ path }) => path,
    () => null,
  );
  return { run, events, artifacts: run.artifacts, workspace };
}

function readById(subject: CheckSubject, id: string): Promise<Uint8Array> {
  const artifact = subject.run.artifacts.find((one) => one.id === id);
  if (!artifact) throw new Error("the run has no such artifact");
  return subject.readArtifact(artifact);
}

/** What it wrote helps whoever looks for the reason. */
function withOutput(verdict: Verdict, output: string): Verdict {
  const text = withoutColours(output).trim();
  if (verdict.outcome === "pass" || text === "") return verdict;
  const details: JsonObject = { ...verdict.details, output: text.slice(0, OUTPUT_CHARS) };
  return { ...verdict, details };
}

function reasonOf(error: unknown, file: string, folder: string): string {
  const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
  if (missing) return `there is no file ${quote(file, 200)} in ${quote(folder, 200)}`;
  return oneLine(messageOf(error));
}

function oneLine(text: string): string {
  return printable(text.slice(0, 400)).replaceAll(/\s*\n\s*/g, " ");
}
