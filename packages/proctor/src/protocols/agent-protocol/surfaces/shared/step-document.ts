// A step as document 003 shows it.
import type { Artifact } from "../../../../core/artifact.ts";
import type { Json, JsonObject } from "../../../../core/json.ts";
import type { Step, StepStatus } from "../../../../core/step.ts";
import { briefArtifact, type BriefArtifact, type UriOf } from "./artifact-document.ts";

export interface StepDocument extends JsonObject {
  step_id: string;
  task_id: string;
  name: string;
  status: StepStatus;
  input: Json;
  output: Json;
  additional_input: JsonObject;
  additional_output: JsonObject;
  artifacts: (BriefArtifact & { uri: string | null })[];
  is_last: boolean;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  /** Not in the document: `executor` for a step that consists of an agent's events, which no client may change. */
  owner: "client" | "executor";
}

export function stepDocument(
  taskId: string,
  step: Step,
  artifacts: ReadonlyMap<string, Artifact>,
  uriOf: UriOf,
): StepDocument {
  return {
    step_id: step.id,
    task_id: taskId,
    name: step.name,
    status: step.status,
    input: step.input,
    output: step.output,
    additional_input: step.additional_input,
    additional_output: step.additional_output,
    artifacts: step.artifact_ids.flatMap((id) => {
      const artifact = artifacts.get(id);
      return artifact === undefined ? [] : [{ ...briefArtifact(artifact), uri: uriOf(artifact) }];
    }),
    is_last: step.is_last,
    created_at: step.created_at,
    started_at: step.started_at,
    completed_at: step.completed_at,
    owner: step.owner,
  };
}

export function artifactsById(artifacts: readonly Artifact[]): Map<string, Artifact> {
  return new Map(artifacts.map((artifact) => [artifact.id, artifact]));
}
