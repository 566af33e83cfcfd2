// Passes when a text or a regular expression is found in what the run produced: in files that are text, and in
// structured data, both as JSON and in each string of it.
import { z } from "zod";
import { artifactName } from "../../core/artifact.ts";
import type { Artifact } from "../../core/artifact.ts";
import type { Json } from "../../core/json.ts";
import type { Check, CheckSubject } from "../check.ts";
import { printable, quote } from "../printable.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { findArtifact, listArtifacts } from "./find-artifact.ts";
import { compilePattern } from "./pattern.ts";
import type { Matcher } from "./pattern.ts";

const config = z
  .strictObject({
    pattern: z.string().min(1),
    regex: z.boolean().default(false),
    /** The name of the one artifact to look in; all when absent. */
    path: z.string().min(1).optional(),
  })
  .superRefine(({ pattern, regex }, context) => {
    try {
      compilePattern(pattern, regex);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      context.addIssue({
        code: "custom",
        path: ["pattern"],
        message: `"pattern" is no regular expression: ${message}`,
      });
    }
  });

export const contains: Check<z.output<typeof config>> = {
  type: "contains",
  config,
  async evaluate(subject, { pattern, regex, path }) {
    const { run } = subject;
    const what = regex ? `/${pattern}/` : quote(pattern);
    const single = path === undefined ? undefined : findArtifact(run, path);
    if (path !== undefined && !single) return fail(`no artifact ${quote(path)}; ${listArtifacts(run)}`);

    const matches = compilePattern(pattern, regex);
    const unread: string[] = [];
    for (const artifact of single ? [single] : run.artifacts) {
      const name = quote(artifactName(artifact));
      const found = await search(subject, artifact, matches);
      if (found === "found") return pass(`${what} found in ${name}`);
      // A reference is not looked into, unless it is what was asked for.
      if (found !== "absent" && (single || artifact.type !== "reference"))
        unread.push(`${name} (${found.unread})`);
    }
    if (unread.length > 0)
      return unevaluated(`${what} not found, but not everything could be read: ${unread.join(", ")}`);
    return fail(
      single
        ? `${what} not found in ${quote(artifactName(single))}${excerpt(single)}`
        : `${what} not found; ${listArtifacts(run)}${run.artifacts.length === 1 ? excerpt(run.artifacts[0]) : ""}`,
    );
  },
};

const EXCERPT_CHARS = 200;

/** The beginning of small data, which often shows at once what is wrong. */
function excerpt(artifact: Artifact | undefined): string {
  if (artifact?.type !== "structured" || artifact.data === undefined) return "";
  const text = JSON.stringify(artifact.data);
  return `: ${printable(text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text)}`;
}

type Search = "found" | "absent" | { unread: string };

async function search(subject: CheckSubject, artifact: Artifact, matches: Matcher): Promise<Search> {
  if (artifact.type === "reference" || (artifact.type === "file" && artifact.content_hash === undefined)) {
    return { unread: "the agent did not send its content" };
  }
  try {
    return matches(await textsIn(subject, artifact)) ? "found" : "absent";
  } catch (error) {
    return { unread: error instanceof Error ? error.message : String(error) };
  }
}

async function textsIn(subject: CheckSubject, artifact: Artifact): Promise<string[]> {
  if (artifact.type === "structured" && artifact.data !== undefined) return textsOf(artifact.data);
  const text = decodeText(await subject.readArtifact(artifact));
  if (text === undefined) return [];
  // The bytes of structured data are JSON that the hub itself has written.
  return artifact.type === "structured" ? textsOf(JSON.parse(text) as Json) : [text];
}

function textsOf(data: Json): string[] {
  const texts = [JSON.stringify(data)];
  const waiting: (Json | undefined)[] = [data];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null)
      for (const inner of Object.values(value)) waiting.push(inner);
  }
  return texts;
}

/** Undefined for bytes that are no text. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
