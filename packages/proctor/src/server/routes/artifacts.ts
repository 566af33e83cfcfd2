// What a run produced: the records, and the bytes.
import { artifactName, contentSha256, type Artifact } from "../../core/artifact.ts";
import { ProctorError } from "../../core/errors.ts";
import { pathParam, runParam, type Call } from "../call.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { routesOf, type Route } from "../route.ts";
import { safeType, sendFile, TAKES_RANGES } from "../send-file.ts";
import { slicePage } from "../slice-page.ts";
import { ArtifactDocument, ArtifactList } from "../schemas/artifact.ts";
import { PageQuery } from "../schemas/common.ts";
import { BAD_PAGE } from "./refusals.ts";

const NOT_FOUND = "There is no such run or artifact.";

export function artifactRoutes(onFailure: (call: Call, cause: unknown) => void): Route[] {
  return routesOf({ tag: "Artifacts", scope: "runs:read" }, [
    {
      id: "listRunArtifacts",
      at: "GET /runs/{id}/artifacts",
      summary: "List a run's artifacts",
      query: PageQuery,
      responses: {
        200: { description: "A page of artifacts.", schema: ArtifactList },
        400: BAD_PAGE,
        404: NOT_FOUND,
      },
      async handle(call) {
        const page = readQuery(call.request.url, PageQuery);
        return jsonResponse(slicePage((await call.hub.run(runParam(call))).artifacts, page));
      },
    },
    {
      id: "getRunArtifact",
      at: "GET /runs/{id}/artifacts/{artifact_id}",
      summary: "Read an artifact's record",
      responses: { 200: { description: "The record.", schema: ArtifactDocument }, 404: NOT_FOUND },
      async handle(call) {
        const artifact = await call.hub.artifact(runParam(call), pathParam(call, "artifact_id"));
        return jsonResponse(artifact);
      },
    },
    {
      id: "downloadRunArtifact",
      at: "GET /runs/{id}/artifacts/{artifact_id}/content",
      summary: "Download an artifact",
      description: "Always as a download. `HEAD`, conditional requests and single ranges work.",
      headers: TAKES_RANGES,
      responses: {
        200: {
          description: "The bytes, with the artifact's own content type.",
          content: ["application/octet-stream", "*/*"],
          headers: { ETag: "The sha256 of the bytes." },
        },
        206: { description: "The range of bytes.", content: ["application/octet-stream", "*/*"] },
        304: "The client's copy is current.",
        404: "There is no such artifact, or the agent did not send its bytes.",
        416: "The range lies outside the artifact.",
      },
      async handle(call) {
        const runId = runParam(call);
        const artifactId = pathParam(call, "artifact_id");
        const { name, sizeBytes, etag, type } = describeContent(await call.hub.artifact(runId, artifactId));
        const file = { name, type, sizeBytes, etag };
        return sendFile(call, file, (range) => call.hub.readArtifact(runId, artifactId, range), onFailure);
      },
    },
  ]);
}

/** Throws ARTIFACT_NOT_FOUND when the bytes were never sent: a reference, or a file that was only described. */
function describeContent(artifact: Artifact): {
  name: string;
  type: string;
  sizeBytes: number;
  etag: string;
} {
  const { type, size_bytes: sizeBytes, content_type: contentType, omitted } = artifact;
  const sha256 = contentSha256(artifact);
  if (omitted !== undefined) {
    throw new ProctorError("ARTIFACT_NOT_FOUND", `the bytes of this artifact were not kept: ${omitted}`);
  }
  if (type === "reference" || sha256 === undefined || sizeBytes === undefined) {
    throw new ProctorError("ARTIFACT_NOT_FOUND", "the agent named this artifact but did not send its bytes");
  }
  const name = artifactName(artifact);
  const fallback = type === "structured" ? "application/json" : "application/octet-stream";
  return {
    name: type === "structured" && !/\.\w+$/.test(name) ? `${name}.json` : name,
    type: safeType(contentType, fallback),
    sizeBytes,
    etag: `"${sha256}"`,
  };
}
