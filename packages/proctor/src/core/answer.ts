// What an agent answered: the data that it calls its result, as a text where it is one.
import { isJsonObject, type Json } from "./json.ts";
import type { Artifact, StructuredArtifact } from "./artifact.ts";
import type { Run } from "./run.ts";

/** The name that the SDKs and most agents give to the data they return. */
const RESULT = "result";

/** Returns undefined where the agent sent no data, several pieces without one called `result`, or more than its record holds. */
export function answerOf({ artifacts }: Pick<Run, "artifacts">): Json | undefined {
  const sent = artifacts.filter(isData);
  const data = (sent.findLast(({ name }) => name === RESULT) ?? (sent.length === 1 ? sent[0] : undefined))
    ?.data;
  if (!isJsonObject(data)) return data;
  const { output } = data;
  if (output !== undefined && output !== null) return output;
  const [only, ...others] = Object.values(data);
  return typeof only === "string" && others.length === 0 ? only : data;
}

function isData(artifact: Artifact): artifact is StructuredArtifact {
  return artifact.type === "structured" && artifact.agent_created !== false;
}
