// The JSON of one artifact: structured data, or a file that holds JSON.
import { artifactName } from "../../core/artifact.ts";
import type { Artifact } from "../../core/artifact.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import type { Json } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import type { CheckSubject } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail } from "../verdict.ts";
import type { Verdict } from "../verdict.ts";
import { decodeText, readBytes } from "../texts/artifact-texts.ts";
import { findArtifact, listArtifacts, noArtifact } from "../texts/find-artifact.ts";
import { parseJson } from "./parse-json.ts";

/** Judges the value of the named artifact, or without a name of the first structured one. */
export async function judgeJson(
  subject: CheckSubject,
  path: string | undefined,
  judge: (value: Json, name: string) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  const artifact = path === undefined ? firstData(subject.run) : findArtifact(subject.run, path);
  if (!artifact && path !== undefined) return noArtifact(subject.run, path);
  if (!artifact) return fail(`no structured artifact; ${listArtifacts(subject.run)}`);
  const name = quote(artifactName(artifact));
  const value = await readJson(subject, artifact);
  return value === undefined ? fail(`${name} is no JSON`) : judge(value, name);
}

/** Undefined when it is no JSON. Throws when it cannot be read. */
async function readJson(subject: CheckSubject, artifact: Artifact): Promise<Json | undefined> {
  if (artifact.type === "structured" && artifact.data !== undefined) return artifact.data;
  const text = decodeText(await readBytes(subject, artifact));
  if (text === undefined) return undefined;
  if (isTooDeep(text)) throw new Error(`${quote(artifactName(artifact))} is nested too deeply`);
  return parseJson(text);
}

/** The last of the name that comes first: an agent may send it again. */
function firstData(run: Run): Artifact | undefined {
  const first = run.artifacts.find(({ type }) => type === "structured");
  return first && findArtifact(run, artifactName(first));
}
