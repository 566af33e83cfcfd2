// Official artifacts: they belong to the task. List, upload, download.
import { jsonResponse } from "../../../../runtime/http/respond.ts";
import type { Route, RouteCall } from "../../../../runtime/http/route.ts";
import { bodyOf, contentHeaders, noBytes } from "../shared/artifact-bytes.ts";
import { readPage } from "../shared/read-page.ts";
import { readUpload } from "../shared/read-upload.ts";
import { idsOf, queryOf, refusals } from "../shared/schemas.ts";
import { TAG, TASKS, type Official } from "./context.ts";
import { officialArtifact } from "./documents.ts";
import { listPage, PAGE_NAMES } from "./respond.ts";
import { Artifact, ArtifactPage, OfficialUpload, PageQuery, UploadQuery } from "./schemas.ts";

export function artifactRoutes(official: Official): Route[] {
  const { hub, maxFileBytes } = official;
  const path = `${TASKS}/{task_id}/artifacts`;
  return [
    {
      id: "listAgentTaskArtifacts",
      method: "GET",
      scope: "runs:read",
      path,
      tag: TAG,
      summary: "List a task's artifacts",
      query: PageQuery,
      responses: { 200: { description: "One page.", schema: ArtifactPage }, ...refusals(404, 422) },
      async handle(call) {
        const page = readPage(queryOf(call), PAGE_NAMES);
        const run = await hub.run(idsOf(call).task);
        return listPage("artifacts", run.artifacts, page, (artifact) => officialArtifact(run, artifact));
      },
    },
    {
      id: "uploadAgentTaskArtifacts",
      method: "POST",
      scope: "runs:write",
      path,
      tag: TAG,
      summary: "Upload an artifact",
      query: UploadQuery,
      form: { schema: OfficialUpload, example: { file: "@input.csv", relative_path: "data/input.csv" } },
      responses: {
        200: { description: "Its record.", schema: Artifact },
        409: { description: "The task takes no file now." },
        ...refusals(404, 413, 415, 422),
      },
      async handle(call) {
        const { task } = idsOf(call);
        const run = await hub.run(task);
        // Clients of Forge send the path in the query.
        const relativePath = queryOf(call).get("relative_path");
        const artifact = await readUpload(call.request, {
          maxFileBytes,
          ...(relativePath !== null && { relativePath }),
          describe: () => ({}),
          store: (file) => hub.addFile(task, file),
        });
        return jsonResponse(officialArtifact(run, artifact));
      },
    },
    {
      id: "downloadAgentTaskArtifact",
      method: "GET",
      path: `${path}/{artifact_id}`,
      scope: "runs:read",
      tag: TAG,
      summary: "Download an artifact",
      responses: {
        200: { description: "The bytes.", content: ["application/octet-stream"] },
        ...refusals(404),
      },
      handle: (call) => downloadArtifact(official, call),
    },
  ];
}

async function downloadArtifact({ hub, report }: Official, call: RouteCall): Promise<Response> {
  const { task, artifact: id } = idsOf(call);
  const artifact = await hub.artifact(task, id);
  const { content_hash: hash, size_bytes: sizeBytes } = artifact;
  if (hash === undefined || sizeBytes === undefined) throw noBytes(artifact);
  const headers = {
    ...contentHeaders(artifact),
    // The protocol's one type, whatever the file is.
    "content-type": "application/octet-stream",
    "content-length": String(sizeBytes),
  };
  if (call.request.method === "HEAD") return new Response(null, { headers });
  const bytes = await hub.readArtifact(task, id);
  return new Response(
    bodyOf(bytes, (problem) => report(problem, task)),
    { headers },
  );
}
