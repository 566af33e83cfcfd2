// The texts of what a run produced, and the search through them: files that are text as a whole; structured data both
// as JSON and as each string of it.
import { messageOf } from "../../core/message-of.ts";
import { artifactName } from "../../core/artifact.ts";
import type { Artifact } from "../../core/artifact.ts";
import type { Json } from "../../core/json.ts";
import type { CheckSubject } from "../check.ts";
import { printable, quote } from "../../core/printable.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import type { Verdict } from "../verdict.ts";
import { compared } from "./compared.ts";
import { parseJson } from "../json/parse-json.ts";
import { textsIn } from "../json/texts-in.ts";
import { listArtifacts, noArtifact } from "./find-artifact.ts";
import { CONVERSATION, findSource } from "./find-source.ts";
import { nearestText } from "./nearest-text.ts";
import { cut } from "./words.ts";

interface TextSearch {
  /** The name of the only artifact to look in, or `conversation`; all artifacts when undefined. */
  path: string | undefined;
  accepts: (texts: readonly string[]) => boolean;
  /** The message about the artifact that was accepted, given its quoted name. */
  found: (name: string) => string;
  /** The message when none was accepted, given a name when only that artifact was looked at. */
  absent: (name?: string) => string;
  /** The kind of artifact of which an excerpt is shown; only data by default. */
  excerpt?: "data" | "text";
  /** The words that were looked for: of a long text, the line most like them is shown. */
  near?: string;
  /** The expected value, shown next to what was found. */
  expected?: Json;
}

/** One accepted artifact is a pass, even if others could not be read. */
export async function searchTexts(subject: CheckSubject, search: TextSearch): Promise<Verdict> {
  const { run } = subject;
  const { path, accepts, found, absent } = search;
  const single = path === undefined ? undefined : findSource(subject, path);
  if (path !== undefined && !single) return noArtifact(run, path);

  const unread: string[] = [];
  let last: readonly string[] = [];
  for (const artifact of single ? [single] : run.artifacts) {
    const name = quote(artifactName(artifact));
    try {
      last = await readTexts(subject, artifact);
      if (accepts(last)) return pass(found(name));
    } catch (error) {
      // A reference is not read, unless it was named.
      if (!single && artifact.type === "reference") continue;
      unread.push(`${name} (${messageOf(error)})`);
    }
  }
  if (unread.length > 0)
    return unevaluated(`${absent()}, but not everything could be read: ${unread.join(", ")}`);
  const only = single ?? (run.artifacts.length === 1 ? run.artifacts[0] : undefined);
  const shows = only && (search.excerpt === "text" || only.type === "structured");
  const tail = shows ? excerpt(last[0], only, search.near) : "";
  const message = `${single ? absent(quote(artifactName(single))) : `${absent()}; ${listArtifacts(run)}`}${tail}`;
  const { expected } = search;
  if (expected === undefined || !only || last[0] === undefined) return fail(message);
  return fail(
    message,
    compared(expected, typeof expected === "string" ? last[0] : (parseJson(last[0]) ?? last[0])),
  );
}

/** The texts of an artifact; none for bytes that are not text. Throws when it cannot be read. */
export async function readTexts(subject: CheckSubject, artifact: Artifact): Promise<string[]> {
  if (artifact === CONVERSATION) return [await subject.transcript()];
  if (artifact.type === "structured" && artifact.data !== undefined) return textsOf(artifact.data);
  const text = decodeText(await readBytes(subject, artifact));
  if (text === undefined) return [];
  // The bytes of structured data are JSON that the hub itself has written.
  return artifact.type === "structured" ? textsOf(JSON.parse(text) as Json) : [text];
}

export function readBytes(subject: CheckSubject, artifact: Artifact): Promise<Uint8Array> {
  const described = artifact.type !== "structured" && artifact.content_hash === undefined;
  if (described) throw new Error("the agent did not send its content");
  return subject.readArtifact(artifact);
}

/** Undefined for bytes that are not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

const EXCERPT_CHARS = 200;

/** An excerpt of what was looked at, which often shows at once what is wrong. */
function excerpt(text: string | undefined, { type }: Artifact, near: string | undefined): string {
  if (text === undefined) return "";
  if (type !== "structured") return `: ${nearestText(text, near)}`;
  return `: ${printable(cut(text, EXCERPT_CHARS))}`;
}

function textsOf(data: Json): string[] {
  return [JSON.stringify(data), ...textsIn(data)];
}
