// Document 003, "Artifacts API": list, metadata, upload and delete. Downloads are in download.ts.
import type { Artifact } from "../../../../core/artifact.ts";
import { ProctorError } from "../../../../core/errors.ts";
import { artifactDocument, type ArtifactDocument } from "../shared/artifact-document.ts";
import { readPage } from "../shared/read-page.ts";
import { readUpload } from "../shared/read-upload.ts";
import { json, listPage, noContent } from "./respond.ts";
import type { Api, ApiCall, Handler } from "./context.ts";
import { findStep } from "./steps.ts";
import { PAGE_NAMES } from "./tasks.ts";

export const listArtifacts: Handler = async (api, call) => {
  const page = readPage(call.query(), PAGE_NAMES);
  const { since, artifacts } = await artifactsOf(api, call);
  return listPage("artifacts", artifacts, page, (artifact) => show(api, artifact, since));
};

export const getArtifact: Handler = async (api, call) => {
  const { since, artifact } = await findArtifact(api, call);
  return json(show(api, artifact, since));
};

/** Also after the task's end, as in the document's own example. */
export const uploadArtifact: Handler = async (api, { request, task, step: stepId }) => {
  const { hub, maxFileBytes, nameFile } = api;
  const { run, steps } = await hub.steps(task);
  const step = stepId === "" ? undefined : findStep(run, steps, stepId);
  const artifact = await readUpload(request, {
    maxFileBytes,
    describe: (fileName) => (step ? { stepId, storedAs: nameFile(task, stepId, fileName) } : {}),
    store: (file) => hub.addFile(task, file),
  });
  const place = step ? `/api/tasks/${task}/steps/${stepId}` : `/api/tasks/${task}`;
  const location = `${place}/artifacts/${artifact.id}`;
  return json(show(api, artifact, (step ?? run).created_at), 201, { location });
};

export const deleteArtifact: Handler = async (api, call) => {
  await findArtifact(api, call);
  await api.hub.removeArtifact(call.task, call.artifact);
  return noContent();
};

/** Without a step in the path, the artifacts are all those of the task, whoever made them. */
export function ofTask(handle: Handler): Handler {
  return (api, call) => handle(api, { ...call, step: "", artifact: call.step });
}

/** Throws RUN_NOT_FOUND, STEP_NOT_FOUND, ARTIFACT_NOT_FOUND: an artifact of another step is none of this one. */
export async function findArtifact(api: Api, call: ApiCall): Promise<{ since: string; artifact: Artifact }> {
  const { since, artifacts } = await artifactsOf(api, call);
  const artifact = artifacts.find(({ id }) => id === call.artifact);
  if (artifact) return { since, artifact };
  const place = call.step === "" ? `task ${call.task}` : `step ${call.step}`;
  throw new ProctorError("ARTIFACT_NOT_FOUND", `${place} has no artifact ${call.artifact}`);
}

/** `since`: when whatever they belong to began. */
async function artifactsOf(
  { hub }: Api,
  { task, step: id }: ApiCall,
): Promise<{ since: string; artifacts: Artifact[] }> {
  const { run, steps } = await hub.steps(task);
  if (id === "") return { since: run.created_at, artifacts: run.artifacts };
  const step = findStep(run, steps, id);
  const own = new Set(step.artifact_ids);
  return { since: step.created_at, artifacts: run.artifacts.filter((artifact) => own.has(artifact.id)) };
}

function show({ uriOf }: Api, artifact: Artifact, since: string): ArtifactDocument {
  return artifactDocument(artifact, uriOf, since);
}
