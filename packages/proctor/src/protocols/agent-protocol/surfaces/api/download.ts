// Document 003, "Artifacts API": the bytes of one, or a part of them.
import { contentSha256, type Artifact } from "../../../../core/artifact.ts";
import { ProctorError } from "../../../../core/errors.ts";
import { matchesTag, parseByteRange } from "../../../../runtime/http/byte-range.ts";
import type { RouteCall } from "../../../../runtime/http/route.ts";
import { refuse } from "../../errors.ts";
import { bodyOf, contentHeaders, noBytes } from "../shared/artifact-bytes.ts";
import { idsOf } from "../shared/schemas.ts";
import type { Api } from "./context.ts";

export async function downloadArtifact(api: Api, call: RouteCall, artifact: Artifact): Promise<Response> {
  const { task } = idsOf(call);
  const { size_bytes: sizeBytes } = artifact;
  const sha256 = contentSha256(artifact);
  if (sizeBytes === undefined || sha256 === undefined) throw noBytes(artifact);
  const etag = `"${sha256}"`;
  const asked = call.request.headers;
  const headers = { ...contentHeaders(artifact), "accept-ranges": "bytes", etag };
  if (matchesTag(asked.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const ifRange = asked.get("if-range");
  const range = parseByteRange(ifRange === null || ifRange === etag ? asked.get("range") : null, sizeBytes);
  if (range === "unsatisfiable") {
    const error = new ProctorError("RANGE_NOT_SATISFIABLE", `the artifact has ${sizeBytes} bytes`);
    return refuse(error, { "content-range": `bytes */${sizeBytes}` });
  }
  const part = range === "all" ? undefined : range;
  const init = {
    status: part === undefined ? 200 : 206,
    headers: {
      ...headers,
      "content-length": String(part === undefined ? sizeBytes : part.end - part.start + 1),
      ...(part && { "content-range": `bytes ${part.start}-${part.end}/${sizeBytes}` }),
    },
  };
  if (call.request.method === "HEAD") return new Response(null, init);
  const bytes = await api.hub.readArtifact(task, artifact.id, part);
  return new Response(
    bodyOf(bytes, (problem) => api.report(problem, task)),
    init,
  );
}
