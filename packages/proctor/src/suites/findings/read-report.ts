// What an agent reports as its findings: a list in structured data or in a file of JSON, else the text itself.
import { messageOf } from "../../core/message-of.ts";
import { artifactName, type Artifact } from "../../core/artifact.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import type { CheckSubject } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, unevaluated, type Verdict } from "../verdict.ts";
import { parseJson } from "../json/parse-json.ts";
import { textsIn } from "../json/texts-in.ts";
import { decodeText, readBytes } from "../texts/artifact-texts.ts";
import { findArtifact, listArtifacts, noArtifact } from "../texts/find-artifact.ts";

export type Report = { kind: "list"; findings: Finding[] } | { kind: "text"; text: string };

export interface Finding {
  ruleId?: string;
  /** The piece of text that it points at, if it says so. */
  anchor?: string;
  /** All texts of the finding. */
  text: string;
}

const MAX_FINDINGS = 10_000;
const RULE_KEYS = ["rule_id", "rule", "ruleId", "id", "type", "check"];

/** Reads the named artifact; without a name, the first that holds a list of findings, else all texts together. */
export async function readReport(subject: CheckSubject, path: string | undefined): Promise<Report | Verdict> {
  const { run } = subject;
  const single = path === undefined ? undefined : findArtifact(run, path);
  if (path !== undefined && !single) return noArtifact(run, path);
  const texts: string[] = [];
  for (const artifact of single ? [single] : run.artifacts) {
    try {
      const text = await readWhole(subject, artifact);
      const findings = text === undefined ? undefined : listOf(text);
      if (findings) return { kind: "list", findings };
      if (text !== undefined) texts.push(text);
    } catch (error) {
      if (!single && artifact.type === "reference") continue;
      const reason = messageOf(error);
      return unevaluated(`${quote(artifactName(artifact))} cannot be read (${reason})`);
    }
  }
  if (texts.length === 0) return fail(`no findings; ${listArtifacts(run)}`);
  return { kind: "text", text: texts.join("\n\n") };
}

async function readWhole(subject: CheckSubject, artifact: Artifact): Promise<string | undefined> {
  if (artifact.type === "structured" && artifact.data !== undefined) return JSON.stringify(artifact.data);
  return decodeText(await readBytes(subject, artifact));
}

function listOf(text: string): Finding[] | undefined {
  const bare = text.trim();
  const json = /^```(?:json)?\s*\n([^]*)\n```$/.exec(bare)?.[1] ?? bare;
  if (!/^[[{]/.test(json)) return undefined;
  if (isTooDeep(json)) throw new Error("it is nested too deeply");
  const value = parseJson(json);
  const list = isJsonObject(value) ? value["findings"] : value;
  if (!Array.isArray(list)) return undefined;
  if (list.length > MAX_FINDINGS) throw new Error(`it holds more than ${MAX_FINDINGS} findings`);
  return list.map(findingOf);
}

function findingOf(value: Json): Finding {
  if (!isJsonObject(value)) return { text: typeof value === "string" ? value : JSON.stringify(value) };
  const ruleId = RULE_KEYS.map((key) => value[key]).find((id) => typeof id === "string");
  const { anchor } = value;
  return {
    text: textsIn(value).join("\n"),
    ...(typeof ruleId === "string" && { ruleId }),
    ...(typeof anchor === "string" && { anchor }),
  };
}
