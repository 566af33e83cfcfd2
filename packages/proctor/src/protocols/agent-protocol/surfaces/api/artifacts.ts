// Document 003, "Artifacts API": of a step as the document has it, and of a task as a whole. What a download answers is in download.ts.
import type { Artifact } from "../../../../core/artifact.ts";
import { ProctorError } from "../../../../core/errors.ts";
import { emptyResponse, jsonResponse } from "../../../../runtime/http/respond.ts";
import type { Route, RouteCall } from "../../../../runtime/http/route.ts";
import { artifactDocument, type ArtifactDocument } from "../shared/artifact-document.ts";
import { readPage } from "../shared/read-page.ts";
import { readUpload } from "../shared/read-upload.ts";
import { idsOf, queryOf, refusals } from "../shared/schemas.ts";
import { listPage, PAGE_NAMES, type Api } from "./context.ts";
import { downloadArtifact } from "./download.ts";
import { ApiArtifact, ApiArtifactPage, ApiUpload, PageQuery } from "./schemas.ts";
import { findStep } from "./steps.ts";

export const ARTIFACTS_TAG = "Task API, artifacts";

export function artifactRoutes(api: Api): Route[] {
  return [
    ...routesAt(api, "Step", "/api/tasks/{task_id}/steps/{step_id}/artifacts"),
    // Not in the document: all artifacts of a task, of clients and agents alike.
    ...routesAt(api, "Task", "/api/tasks/{task_id}/artifacts"),
  ];
}

function routesAt(api: Api, owner: "Step" | "Task", path: string): Route[] {
  const { hub } = api;
  const tag = ARTIFACTS_TAG;
  const artifact = owner === "Step" ? "an artifact" : "an artifact of a task";
  const record = artifact.replace("an artifact", "an artifact's record");
  const bytes = ["application/octet-stream", "*/*"];
  return [
    {
      id: `list${owner}Artifacts`,
      method: "GET",
      scope: "runs:read",
      path,
      tag,
      summary: `List a ${owner.toLowerCase()}'s artifacts`,
      query: PageQuery,
      responses: { 200: { description: "One page.", schema: ApiArtifactPage }, ...refusals(400, 404) },
      async handle(call) {
        const page = readPage(queryOf(call), PAGE_NAMES);
        const { since, artifacts } = await artifactsOf(api, call);
        return listPage("artifacts", artifacts, page, (each) => show(api, each, since));
      },
    },
    {
      id: `upload${owner}Artifact`,
      method: "POST",
      scope: "runs:write",
      path,
      tag,
      summary: `Upload ${artifact}`,
      description: "Also after the task's end.",
      form: { schema: ApiUpload, example: { file: "@report.pdf", relative_path: "reports/report.pdf" } },
      responses: {
        201: {
          description: "Its record.",
          schema: ApiArtifact,
          headers: { Location: "Where its record is." },
        },
        ...refusals(400, 404, 409, 413, 415),
      },
      handle: (call) => uploadArtifact(api, call),
    },
    {
      id: `get${owner}Artifact`,
      method: "GET",
      scope: "runs:read",
      path: `${path}/{artifact_id}`,
      tag,
      summary: `Get ${record}`,
      responses: { 200: { description: "Its record.", schema: ApiArtifact }, ...refusals(404) },
      async handle(call) {
        const { since, artifact: found } = await findArtifact(api, call);
        return jsonResponse(show(api, found, since));
      },
    },
    {
      id: `download${owner}Artifact`,
      method: "GET",
      scope: "runs:read",
      path: `${path}/{artifact_id}/download`,
      tag,
      summary: `Download ${artifact}`,
      headers: {
        Range: "One range of bytes.",
        "If-None-Match": "The `ETag` of bytes that the client has.",
        "If-Range": "The `ETag` that the range belongs to.",
      },
      responses: {
        200: { description: "The bytes, with the artifact's own content type.", content: bytes },
        206: { description: "The range that was asked for.", content: bytes },
        304: { description: "The client has them." },
        416: { description: "The artifact has no such range." },
        ...refusals(404),
      },
      async handle(call) {
        const { artifact: found } = await findArtifact(api, call);
        return downloadArtifact(api, call, found);
      },
    },
    {
      id: `delete${owner}Artifact`,
      method: "DELETE",
      scope: "runs:write",
      path: `${path}/{artifact_id}`,
      tag,
      summary: `Delete ${artifact}`,
      description: "Its record and its bytes.",
      responses: { 204: { description: "It is gone." }, ...refusals(404) },
      async handle(call) {
        const { artifact: found } = await findArtifact(api, call);
        await hub.removeArtifact(idsOf(call).task, found.id);
        return emptyResponse(204);
      },
    },
  ];
}

async function uploadArtifact(api: Api, call: RouteCall): Promise<Response> {
  const { hub, maxFileBytes, nameFile } = api;
  const { task, step: stepId } = idsOf(call);
  const { run, steps } = await hub.steps(task);
  const step = stepId === "" ? undefined : findStep(run, steps, stepId);
  const artifact = await readUpload(call.request, {
    maxFileBytes,
    describe: (fileName) => (step ? { stepId, storedAs: nameFile(task, stepId, fileName) } : {}),
    store: (file) => hub.addFile(task, file),
  });
  const place = step ? `/api/tasks/${task}/steps/${stepId}` : `/api/tasks/${task}`;
  const location = `${place}/artifacts/${artifact.id}`;
  return jsonResponse(show(api, artifact, (step ?? run).created_at), 201, { location });
}

/** Throws RUN_NOT_FOUND, STEP_NOT_FOUND or ARTIFACT_NOT_FOUND: a step does not have the artifacts of another. */
async function findArtifact(api: Api, call: RouteCall): Promise<{ since: string; artifact: Artifact }> {
  const { task, step, artifact: id } = idsOf(call);
  const { since, artifacts } = await artifactsOf(api, call);
  const artifact = artifacts.find((each) => each.id === id);
  if (artifact) return { since, artifact };
  const place = step === "" ? `task ${task}` : `step ${step}`;
  throw new ProctorError("ARTIFACT_NOT_FOUND", `${place} has no artifact ${id}`);
}

/** Resolves with the artifacts of the step that the path names, or of the task where it names none; `since` is when that began. */
async function artifactsOf({ hub }: Api, call: RouteCall): Promise<{ since: string; artifacts: Artifact[] }> {
  const { task, step: id } = idsOf(call);
  const { run, steps } = await hub.steps(task);
  if (id === "") return { since: run.created_at, artifacts: run.artifacts };
  const step = findStep(run, steps, id);
  const own = new Set(step.artifact_ids);
  return { since: step.created_at, artifacts: run.artifacts.filter((artifact) => own.has(artifact.id)) };
}

function show({ uriOf }: Api, artifact: Artifact, since: string): ArtifactDocument {
  return artifactDocument(artifact, uriOf, since);
}
