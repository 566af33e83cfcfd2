// What a run produced: the records, and the bytes. The bytes came from an agent, so a browser never opens them:
// it gets a download, sandboxed, whose type it must not guess.
import { artifactName, contentSha256, type Artifact } from "../../core/artifact.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Hub } from "../../core/ports/hub.ts";
import { attachment } from "../../runtime/http/attachment.ts";
import { bodyStream } from "../../runtime/http/body-stream.ts";
import { matchesTag, parseByteRange } from "../../runtime/http/byte-range.ts";
import { pathParam, runParam, type Call } from "../call.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { refuse } from "../refuse.ts";
import type { Route } from "../route.ts";
import { slicePage } from "../slice-page.ts";
import { ArtifactDocument, ArtifactList } from "../schemas/artifact.ts";
import { PageQuery } from "../schemas/common.ts";
import { BAD_PAGE } from "./refusals.ts";

const NOT_FOUND = { description: "There is no such run or artifact." };

export function artifactRoutes(hub: Hub, onFailure: (call: Call, cause: unknown) => void): Route[] {
  return [
    {
      id: "listRunArtifacts",
      method: "GET",
      path: "/runs/{id}/artifacts",
      tag: "Artifacts",
      summary: "List a run's artifacts",
      query: PageQuery,
      responses: {
        200: { description: "A page of artifacts.", schema: ArtifactList },
        400: BAD_PAGE,
        404: NOT_FOUND,
      },
      async handle(call) {
        const page = readQuery(call.request.url, PageQuery);
        return jsonResponse(slicePage((await hub.run(runParam(call))).artifacts, page));
      },
    },
    {
      id: "getRunArtifact",
      method: "GET",
      path: "/runs/{id}/artifacts/{artifact_id}",
      tag: "Artifacts",
      summary: "Read an artifact's record",
      responses: { 200: { description: "The record.", schema: ArtifactDocument }, 404: NOT_FOUND },
      async handle(call) {
        const artifact = await hub.artifact(runParam(call), pathParam(call, "artifact_id"));
        return jsonResponse(artifact);
      },
    },
    {
      id: "downloadRunArtifact",
      method: "GET",
      path: "/runs/{id}/artifacts/{artifact_id}/content",
      tag: "Artifacts",
      summary: "Download an artifact",
      description: "Always as a download. `HEAD`, conditional requests and single ranges work.",
      headers: {
        Range: "One range of bytes: `bytes=0-499`.",
        "If-Range": "The `ETag`; the range counts only while it is current.",
        "If-None-Match": "The `ETag`; answers 304 while it is current.",
      },
      responses: {
        200: {
          description: "The bytes, with the artifact's own content type.",
          content: ["application/octet-stream", "*/*"],
          headers: { ETag: "The sha256 of the bytes." },
        },
        206: { description: "The range of bytes.", content: ["application/octet-stream", "*/*"] },
        304: { description: "The client's copy is current." },
        404: {
          description: "There is no such artifact, or the agent did not send its bytes.",
        },
        416: { description: "The range lies outside the artifact." },
      },
      async handle(call) {
        const { request } = call;
        const runId = runParam(call);
        const artifactId = pathParam(call, "artifact_id");
        const { name, sizeBytes, etag, type } = describeContent(await hub.artifact(runId, artifactId));
        const headers = { ...contentHeaders(name, type), etag };
        const conditions = request.headers;
        if (matchesTag(conditions.get("if-none-match"), etag)) return emptyResponse(304, headers);
        const ifRange = conditions.get("if-range");
        const rangeHeader = ifRange === null || ifRange === etag ? conditions.get("range") : null;
        const range = parseByteRange(rangeHeader, sizeBytes);
        if (range === "unsatisfiable") {
          const error = new ProctorError("RANGE_NOT_SATISFIABLE", `the artifact has ${sizeBytes} bytes`);
          return refuse(call, error, { "content-range": `bytes */${sizeBytes}` });
        }
        const part = range === "all" ? undefined : range;
        const all = {
          ...headers,
          "content-length": String(part === undefined ? sizeBytes : part.end - part.start + 1),
          ...(part && { "content-range": `bytes ${part.start}-${part.end}/${sizeBytes}` }),
        };
        const status = part === undefined ? 200 : 206;
        if (request.method === "HEAD") return emptyResponse(status, all);
        const bytes = await hub.readArtifact(runId, artifactId, part);
        const body = bodyStream(bytes, {
          onFailure(cause) {
            onFailure(call, cause);
            call.outgoing?.destroy();
            return call.outgoing !== undefined;
          },
        });
        return new Response(body, { status, headers: all });
      },
    },
  ];
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/;

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
    type: contentType !== undefined && MEDIA_TYPE.test(contentType) ? contentType : fallback,
    sizeBytes,
    etag: `"${sha256}"`,
  };
}

function contentHeaders(name: string, type: string): Record<string, string> {
  return {
    "content-type": type,
    "content-disposition": attachment(name),
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "same-origin",
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
  };
}
