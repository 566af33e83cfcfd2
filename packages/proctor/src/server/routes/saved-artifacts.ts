// Artifacts that are kept independently of runs, by application, user, session and name: see core/ports/artifact-service.ts.
import { contentSha256 } from "../../core/artifact.ts";
import { HUB_APP, type ArtifactKey } from "../../core/artifact-key.ts";
import { requireUser } from "../../core/caller.ts";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { ArtifactService } from "../../core/ports/artifact-service.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam, type Call } from "../call.ts";
import { requestBytes } from "../request-bytes.ts";
import { pageRequest } from "../page-request.ts";
import { routesOf, type Route } from "../route.ts";
import { PageQuery } from "../schemas/common.ts";
import {
  SavedArtifactDocument,
  SavedArtifactList,
  SaveQuery,
  VersionQuery,
} from "../schemas/saved-artifact.ts";
import { safeType, sendFile, TAKES_RANGES } from "../send-file.ts";
import { BAD_PAGE } from "./refusals.ts";

const SCOPE = "/artifacts/{app}/{user}/{session}";
const NOT_FOUND = "There is no such artifact.";
const BAD_NAME = "A name in the path or a parameter is wrong.";

export function savedArtifactRoutes(
  artifacts: ArtifactService | undefined,
  onFailure: (call: Call, cause: unknown) => void,
): Route[] {
  function service(): ArtifactService {
    if (artifacts) return artifacts;
    throw new ProctorError("NOT_FOUND", "this server keeps no artifacts beside runs");
  }
  return routesOf({ tag: "Artifacts", unbound: true }, [
    {
      id: "listArtifacts",
      at: `GET ${SCOPE}`,
      scope: "runs:read",
      summary: "List what a session has",
      description: "The latest version of each, by name. What the user shares between sessions comes first.",
      query: PageQuery,
      responses: { 200: { description: "A page of artifacts.", schema: SavedArtifactList }, 400: BAD_PAGE },
      async handle(call) {
        return jsonResponse(await service().list(keyOf(call), pageRequest(call)));
      },
    },
    {
      id: "downloadArtifact",
      at: `GET ${SCOPE}/{name}`,
      scope: "runs:read",
      summary: "Download an artifact of a session",
      description: "Always as a download. `HEAD`, conditional requests and single ranges work.",
      query: VersionQuery,
      headers: TAKES_RANGES,
      responses: {
        200: {
          description: "The bytes, with the type they were saved with.",
          content: ["application/octet-stream", "*/*"],
          headers: { ETag: "The sha256 of the bytes.", "X-Artifact-Version": "The version that it is." },
        },
        206: { description: "The range of bytes.", content: ["application/octet-stream", "*/*"] },
        304: "The client's copy is current.",
        400: BAD_NAME,
        404: NOT_FOUND,
        416: "The range lies outside the artifact.",
      },
      async handle(call) {
        const { version = "latest" } = readQuery(call.request.url, VersionQuery);
        const artifact = await service().find(keyOf(call), version);
        const { name, mime_type, size_bytes: sizeBytes } = artifact;
        const file = { name, type: safeType(mime_type), sizeBytes, etag: `"${contentSha256(artifact)}"` };
        const response = await sendFile(call, file, (range) => service().read(artifact, range), onFailure);
        response.headers.set("x-artifact-version", String(artifact.version));
        return response;
      },
    },
    {
      id: "listArtifactVersions",
      at: `GET ${SCOPE}/{name}/versions`,
      scope: "runs:read",
      summary: "List the versions of an artifact",
      description: "With their metadata, the oldest first.",
      query: PageQuery,
      responses: {
        200: { description: "A page of versions.", schema: SavedArtifactList },
        400: BAD_PAGE,
        404: NOT_FOUND,
      },
      async handle(call) {
        return jsonResponse(await service().versions(keyOf(call), pageRequest(call)));
      },
    },
    {
      id: "saveArtifact",
      at: `PUT ${SCOPE}/{name}`,
      scope: "runs:write",
      summary: "Save a version of an artifact",
      description:
        "The body is the file, its `Content-Type` that of the version. Each call makes another version.",
      query: SaveQuery,
      takesFile: true,
      responses: {
        201: { description: "The version; its bytes are on disk.", schema: SavedArtifactDocument },
        400: BAD_NAME,
        409: "The session keeps no more artifacts.",
        413: "The file or its metadata is too large; nothing of it is kept.",
      },
      async handle(call) {
        const { request } = call;
        const { metadata } = readQuery(request.url, SaveQuery);
        const saved = await service().save(
          ownKeyOf(call),
          {
            content: requestBytes(request),
            mimeType: safeType(request.headers.get("content-type") ?? undefined),
            ...(metadata !== undefined && { metadata: parseMetadata(metadata) }),
          },
          request.signal,
        );
        return jsonResponse(saved, 201);
      },
    },
    {
      id: "deleteArtifact",
      at: `DELETE ${SCOPE}/{name}`,
      scope: "runs:write",
      summary: "Remove an artifact of a session",
      description: "All its versions and their bytes. Their numbers are not used again.",
      responses: { 204: "It is gone.", 400: BAD_NAME, 404: NOT_FOUND },
      async handle(call) {
        await service().remove(ownKeyOf(call));
        return emptyResponse(204);
      },
    },
  ]);
}

/** Throws FORBIDDEN for what is another user's. */
function keyOf(call: Call): ArtifactKey {
  const param = (name: string): string => pathParam(call, name);
  const user = param("user");
  requireUser(call.caller, user);
  return { app: param("app"), user, session: param("session"), name: param("name") };
}

/** Throws FORBIDDEN for what only the hub itself writes. */
function ownKeyOf(call: Call): ArtifactKey {
  const key = keyOf(call);
  if (key.app !== HUB_APP) return key;
  throw new ProctorError("FORBIDDEN", `artifacts of the application ${HUB_APP} are the hub's own`);
}

function parseMetadata(text: string): JsonObject {
  const parsed = parseJson(text, "metadata");
  if (isJsonObject(parsed)) return parsed;
  throw new ProctorError("INVALID_REQUEST", "metadata must be a JSON object", {
    details: [{ path: "metadata", message: "must be a JSON object" }],
  });
}
