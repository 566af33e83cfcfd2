// What a run produced, as text, as far as a terminal should show it. What is large or is not text is left to
// `proctor runs artifact`.
import { buffer } from "node:stream/consumers";
import { artifactName, type Artifact } from "../../../core/artifact.ts";
import { ProctorError } from "../../../core/errors.ts";
import { PLAN_ARTIFACT } from "../../../core/goal.ts";
import { isJsonObject, type Json } from "../../../core/json.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";
import { decodeText } from "../../../suites/texts/artifact-texts.ts";
import type { Answer } from "../../terminal/answer-lines.ts";

const MAX_ANSWERS = 5;
const MAX_BYTES = 64 * 1024;

export async function readAnswers(run: Run, hub: Hub): Promise<Answer[]> {
  const answers: Answer[] = [];
  const isPlan = (artifact: Artifact): boolean =>
    run.options.goal !== undefined && artifactName(artifact) === PLAN_ARTIFACT;
  const found = run.artifacts.filter((artifact) => isAnswer(artifact) && !isPlan(artifact));
  for (const artifact of found.slice(0, MAX_ANSWERS)) {
    const { size_bytes } = artifact;
    const text = await readText(run.id, artifact, hub);
    // A result is often the text of a file that was sent as well.
    if (text !== undefined && answers.some((shown) => shown.text?.trim() === text.trim())) continue;
    answers.push({
      name: artifactName(artifact),
      ...(size_bytes !== undefined && { sizeBytes: size_bytes }),
      ...(text !== undefined && { text }),
    });
  }
  return answers;
}

/** Returns false for an artifact of a client, and for one that the agent described without sending its content. */
function isAnswer(artifact: Artifact): boolean {
  if (artifact.agent_created === false) return false;
  return (
    artifact.content_hash !== undefined || (artifact.type === "structured" && artifact.data !== undefined)
  );
}

async function readText(runId: string, artifact: Artifact, hub: Hub): Promise<string | undefined> {
  if (artifact.type === "structured" && artifact.data !== undefined) return textOf(artifact.data);
  if (artifact.size_bytes === undefined || artifact.size_bytes > MAX_BYTES) return undefined;
  try {
    return decodeText(await buffer(await hub.readArtifact(runId, artifact.id)));
  } catch (error) {
    // The run is shown without it.
    if (ProctorError.is(error) && error.code === "ARTIFACT_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Returns the text of an answer that has one field, as most agents answer, and JSON for any other. */
function textOf(data: Json): string {
  if (typeof data === "string") return data;
  const values = isJsonObject(data) ? Object.values(data) : [];
  return values.length === 1 && typeof values[0] === "string" ? values[0] : JSON.stringify(data, null, 2);
}
