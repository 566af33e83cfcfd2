// Tasks, steps and artifacts as the official Agent Protocol v1 shows them. Its clients know three statuses and only texts for
// input and output, and refuse a whole list for one item that is otherwise; so whatever does not fit goes to `additional_*`.
import type { Artifact } from "../../../../core/artifact.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import { isTerminal, type Run } from "../../../../core/run.ts";
import type { Step } from "../../../../core/step.ts";
import { artifactDocument, noUri } from "../shared/artifact-document.ts";
import { artifactsById } from "../shared/step-document.ts";
import { taskDocument, type TaskDocument } from "../shared/task-document.ts";

export interface OfficialArtifact extends JsonObject {
  artifact_id: string;
  agent_created: boolean;
  file_name: string;
  /** Folder of the file; null at the top, because benchmarks join it with the name. */
  relative_path: string | null;
  created_at: string;
}

export interface OfficialTask extends Omit<TaskDocument, "input" | "artifacts"> {
  input: string | null;
  artifacts: OfficialArtifact[];
}

export interface OfficialStep extends JsonObject {
  task_id: string;
  step_id: string;
  name: string;
  status: "created" | "running" | "completed";
  input: string | null;
  additional_input: JsonObject;
  output: string | null;
  additional_output: JsonObject;
  artifacts: OfficialArtifact[];
  is_last: boolean;
}

/** Key in the run's metadata that says what its task was on this surface. */
export const ORIGIN = "agent_protocol";

export function officialTask(run: Run): OfficialTask {
  const origin = run.metadata[ORIGIN];
  const hadInput = !isJsonObject(origin) || origin["input"] !== null;
  return {
    ...taskDocument(run),
    input: hadInput ? run.task.description : null,
    artifacts: run.artifacts.map((artifact) => officialArtifact(run, artifact)),
  };
}

/** Leaves out `uri`: clients of this API must not learn where files are on this machine. */
export function officialArtifact(
  { ended_at, created_at: begun }: Pick<Run, "ended_at" | "created_at">,
  artifact: Artifact,
): OfficialArtifact {
  const shown = artifactDocument(artifact, noUri);
  const { artifact_id, agent_created, file_name, relative_path: path, mime_type, size_bytes } = shown;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return {
    artifact_id,
    agent_created,
    file_name,
    relative_path: folder === "" ? null : folder,
    mime_type,
    size_bytes,
    created_at: shown.created_at ?? ended_at ?? begun,
  };
}

export function officialStep(run: Run, steps: readonly Step[], step: Step): OfficialStep {
  const artifacts = artifactsById(run.artifacts);
  // When a task is over, its last step is the last, even if it was not marked so.
  const isLast = step.is_last || (isTerminal(run.status) && step === steps.at(-1));
  return {
    task_id: run.id,
    step_id: step.id,
    name: step.name,
    status: step.status === "failed" ? "completed" : step.status,
    input: asText(step.input),
    additional_input: withOriginal("input", step.input, step.additional_input),
    output: asText(step.output),
    additional_output: {
      ...withOriginal("output", step.output, step.additional_output),
      ...(step.status === "failed" && { error: errorOf(run, step, isLast) }),
    },
    artifacts: step.artifact_ids.flatMap((id) => {
      const artifact = artifacts.get(id);
      return artifact === undefined ? [] : [officialArtifact(run, artifact)];
    }),
    is_last: isLast,
  };
}

function asText(value: Json): string | null {
  return value === null || typeof value === "string" ? value : JSON.stringify(value);
}

function withOriginal(name: string, value: Json, additional: JsonObject): JsonObject {
  return value === null || typeof value === "string" ? additional : { [name]: value, ...additional };
}

/** Returns what went wrong, as far as the step or the run says. */
function errorOf(run: Run, step: Step, isLast: boolean): Json {
  const { error } = step.additional_output;
  if (error !== undefined && error !== null && error !== "") return error;
  if (isLast && run.failure !== null) return { code: run.failure.code, message: run.failure.message };
  return { message: typeof step.output === "string" && step.output !== "" ? step.output : "the step failed" };
}
