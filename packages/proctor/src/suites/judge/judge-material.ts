// What a judge gets to see of a run: its task, what it produced, what happened; as texts with names, cut to a size.
import { messageOf } from "../../core/message-of.ts";
import { artifactName, type Artifact } from "../../core/artifact.ts";
import type { RunEvent } from "../../core/event.ts";
import type { CheckSubject } from "../check.ts";
import { readTexts } from "../texts/artifact-texts.ts";
import { CONVERSATION } from "../texts/find-source.ts";
import { cutText, shareOut } from "./cut-text.ts";

export interface Exhibit {
  title: string;
  text: string;
}

interface Material {
  exhibits: Exhibit[];
  /** The number of characters that were left out. */
  omitted: number;
}

export const INCLUDES = ["task", "artifacts", "events"] as const;
export type Include = (typeof INCLUDES)[number];

const MAX_MATERIAL_CHARS = 60_000;
/** The number of characters of a log that are held at most. */
const MAX_LOG_CHARS = 4 * MAX_MATERIAL_CHARS;

/** Events of the platform itself, and events that repeat the task. */
const NOT_SHOWN = new Set([
  "run.created",
  "run.queued",
  "run.started",
  "wire.message",
  "log",
  "workspace.kept",
  "environment.opened",
]);

/** `only` is the only artifact to show. Throws when it cannot be read. */
export async function gatherMaterial(
  subject: CheckSubject,
  include: readonly Include[],
  only?: Artifact,
): Promise<Material> {
  const exhibits: Exhibit[] = [];
  let omitted = 0;
  if (include.includes("task"))
    exhibits.push({ title: "The task that the agent was given", text: taskOf(subject) });
  if (include.includes("artifacts")) {
    for (const artifact of only ? [only] : subject.run.artifacts)
      exhibits.push(await exhibitOf(subject, artifact));
  }
  if (include.includes("events")) {
    const log = await logOf(subject);
    exhibits.push({ title: "What happened during the run, one event in each line", text: log.text });
    omitted += log.omitted;
  }
  const shares = shareOut(
    exhibits.map(({ text }) => text.length),
    MAX_MATERIAL_CHARS,
  );
  const cut = exhibits.map(({ title, text }, index) => ({ title, text: cutText(text, shares[index] ?? 0) }));
  for (const [index, { text }] of exhibits.entries())
    omitted += Math.max(0, text.length - (shares[index] ?? 0));
  return { exhibits: cut, omitted };
}

function taskOf({ run: { task } }: CheckSubject): string {
  const input =
    task.input_data === undefined ? "" : `\n\nIts input data:\n${JSON.stringify(task.input_data)}`;
  return `${task.description}${input}`;
}

/** The name is part of the text, because the agent chose it. */
async function exhibitOf(subject: CheckSubject, artifact: Artifact): Promise<Exhibit> {
  if (artifact === CONVERSATION)
    return { title: "The conversation of the user and the agent", text: await subject.transcript() };
  const name = JSON.stringify(artifactName(artifact));
  const kind = artifact.type === "structured" ? "Data" : artifact.type === "file" ? "A file" : "A reference";
  const exhibit = (text: string): Exhibit => ({
    title: `${kind} by the agent, first its name`,
    text: `${name}\n\n${text}`,
  });
  if (artifact.type === "reference" && artifact.content_hash === undefined)
    return exhibit("(only named, not sent)");
  try {
    // For structured data, the first text is the whole.
    const [text] = await readTexts(subject, artifact);
    return exhibit(text ?? "(bytes that are no text)");
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`${name} cannot be read (${reason})`, { cause: error });
  }
}

async function logOf(subject: CheckSubject): Promise<{ text: string; omitted: number }> {
  const lines: string[] = [];
  let size = 0;
  let omitted = 0;
  for await (const event of subject.events()) {
    if (NOT_SHOWN.has(event.type)) continue;
    const line = lineOf(event);
    if (size + line.length > MAX_LOG_CHARS) omitted += line.length;
    else {
      lines.push(line);
      size += line.length;
    }
  }
  return { text: lines.join("\n"), omitted };
}

function lineOf({ type, payload }: RunEvent): string {
  return `${type} ${JSON.stringify(payload)}`;
}
