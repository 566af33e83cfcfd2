// All that a run has written, or one artifact of it, as one text for checks that look at the language.
import { messageOf } from "../../core/message-of.ts";
import { artifactName } from "../../core/artifact.ts";
import type { CheckSubject } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, unevaluated } from "../verdict.ts";
import type { Verdict } from "../verdict.ts";
import { readTexts } from "./artifact-texts.ts";
import { listArtifacts, noArtifact } from "./find-artifact.ts";
import { findSource } from "./find-source.ts";

/** Characters of the longest text; a longer one is not for people to read. */
const MAX_TEXT_CHARS = 2_000_000;

/** The texts of the run. Of data it takes each text by itself, which may be prose, or the whole as JSON with a line per value. */
export async function gatherTexts(
  subject: CheckSubject,
  path: string | undefined,
  data: "texts" | "json" = "texts",
): Promise<string[] | Verdict> {
  const { run } = subject;
  const single = path === undefined ? undefined : findSource(subject, path);
  if (path !== undefined && !single) return noArtifact(run, path);
  const texts: string[] = [];
  let size = 0;
  for (const artifact of single ? [single] : run.artifacts) {
    try {
      const found = await readTexts(subject, artifact);
      for (const text of artifact.type === "structured" ? ofData(found, data) : found) {
        size += text.length;
        if (text.trim() !== "") texts.push(text);
      }
    } catch (error) {
      if (!single && artifact.type === "reference") continue;
      const reason = messageOf(error);
      return unevaluated(`${quote(artifactName(artifact))} cannot be read (${reason})`);
    }
    if (size > MAX_TEXT_CHARS) return unevaluated(`there are more than ${MAX_TEXT_CHARS} characters of text`);
  }
  if (texts.length === 0) return fail(`no text; ${listArtifacts(run)}`);
  return texts;
}

/** Data comes as JSON first, then each text in it. */
function ofData([json = "null", ...texts]: readonly string[], data: "texts" | "json"): string[] {
  return data === "texts" ? texts : [JSON.stringify(JSON.parse(json), undefined, 1)];
}

export function isVerdict(found: string[] | Verdict): found is Verdict {
  return !Array.isArray(found);
}
