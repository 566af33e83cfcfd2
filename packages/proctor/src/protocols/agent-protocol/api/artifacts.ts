// Document 003, "Artifacts API": list, metadata, upload and delete. Downloads are in download.ts.
import type { Artifact } from "../../../core/artifact.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { Step } from "../../../core/step.ts";
import { artifactDocument, type ArtifactDocument } from "../shared/artifact-document.ts";
import { readPage } from "../shared/read-page.ts";
import { readUpload } from "../shared/read-upload.ts";
import { json, listPage, noContent } from "./respond.ts";
import type { Api, ApiCall, Handler } from "./setting.ts";
import { findStep } from "./steps.ts";
import { PAGE_NAMES } from "./tasks.ts";

export const listArtifacts: Handler = async (api, call) => {
  const page = readPage(call.query(), PAGE_NAMES);
  const { step, artifacts } = await artifactsOfStep(api, call);
  return listPage("artifacts", artifacts, page, (artifact) => show(api, artifact, step));
};

export const getArtifact: Handler = async (api, call) => {
  const { step, artifact } = await findArtifact(api, call);
  return json(show(api, artifact, step));
};

/** Also after the task's end, as in the document's own example. */
export const uploadArtifact: Handler = async (api, { request, task, step: stepId }) => {
  const { hub, maxFileBytes, nameFile } = api;
  const { run, steps } = await hub.steps(task);
  const step = findStep(run, steps, stepId);
  const artifact = await readUpload(request, {
    maxFileBytes,
    describe: (fileName) => ({ stepId, storedAs: nameFile(task, stepId, fileName) }),
    store: (file) => hub.addFile(task, file),
  });
  const location = `/api/tasks/${task}/steps/${stepId}/artifacts/${artifact.id}`;
  return json(show(api, artifact, step), 201, { location });
};

export const deleteArtifact: Handler = async (api, call) => {
  await findArtifact(api, call);
  await api.hub.removeArtifact(call.task, call.artifact);
  return noContent();
};

/** Throws RUN_NOT_FOUND, STEP_NOT_FOUND, ARTIFACT_NOT_FOUND: an artifact of another step is none of this one. */
export async function findArtifact(api: Api, call: ApiCall): Promise<{ step: Step; artifact: Artifact }> {
  const { step, artifacts } = await artifactsOfStep(api, call);
  const artifact = artifacts.find(({ id }) => id === call.artifact);
  if (artifact) return { step, artifact };
  throw new ProctorError("ARTIFACT_NOT_FOUND", `step ${step.id} has no artifact ${call.artifact}`);
}

async function artifactsOfStep(
  { hub }: Api,
  { task, step: id }: ApiCall,
): Promise<{ step: Step; artifacts: Artifact[] }> {
  const { run, steps } = await hub.steps(task);
  const step = findStep(run, steps, id);
  const own = new Set(step.artifact_ids);
  return { step, artifacts: run.artifacts.filter((artifact) => own.has(artifact.id)) };
}

function show({ uriOf }: Api, artifact: Artifact, step: Step): ArtifactDocument {
  return artifactDocument(artifact, uriOf, step.created_at);
}
