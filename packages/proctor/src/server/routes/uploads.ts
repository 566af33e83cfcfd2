// Files that clients give to runs and take back.
import { tooLarge } from "../../core/at-most.ts";
import { pathParam, runParam } from "../call.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { requestBytes } from "../request-bytes.ts";
import { routesOf, type Route } from "../route.ts";
import { ArtifactDocument, MAX_UPLOAD_BYTES, UploadQueryParams } from "../schemas/artifact.ts";

export function uploadRoutes(): Route[] {
  return routesOf({ tag: "Artifacts", scope: "runs:write" }, [
    {
      id: "uploadRunArtifact",
      at: "POST /runs/{id}/artifacts",
      summary: "Give a file to a run",
      description:
        "The body is the file, its `Content-Type` that of the artifact. Runs take files at any time, also after their end.",
      query: UploadQueryParams,
      takesFile: true,
      responses: {
        201: { description: "The record; the bytes are on disk.", schema: ArtifactDocument },
        400: "A parameter is wrong, or the body was cut off.",
        404: "There is no such run or step.",
        409: "The run keeps no more artifacts, or the name is taken.",
        413: "The file is too large; nothing of it is kept.",
      },
      async handle(call) {
        const { request } = call;
        const runId = runParam(call);
        const query = readQuery(request.url, UploadQueryParams);
        const {
          file_name: fileName,
          relative_path,
          step_id,
          stored_as,
          max_bytes = MAX_UPLOAD_BYTES,
        } = query;
        if (Number(request.headers.get("content-length")) > max_bytes) throw tooLarge(max_bytes);
        const artifact = await call.hub.addFile(runId, {
          fileName,
          relativePath: relative_path ?? fileName,
          contentType: request.headers.get("content-type") ?? "application/octet-stream",
          maxBytes: max_bytes,
          ...(step_id !== undefined && { stepId: step_id }),
          ...(stored_as !== undefined && { storedAs: stored_as }),
          content: requestBytes(request),
        });
        return jsonResponse(artifact, 201);
      },
    },
    {
      id: "deleteRunArtifact",
      at: "DELETE /runs/{id}/artifacts/{artifact_id}",
      summary: "Take an artifact back",
      description: "Its record and its bytes are removed; the log says that there was one.",
      responses: {
        204: "It is gone.",
        404: "There is no such run or artifact.",
      },
      async handle(call) {
        await call.hub.removeArtifact(runParam(call), pathParam(call, "artifact_id"));
        return emptyResponse(204);
      },
    },
  ]);
}
