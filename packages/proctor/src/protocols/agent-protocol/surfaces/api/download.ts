// Document 003, "Artifacts API": the bytes of one, or a part of them.
import type { Artifact } from "../../../../core/artifact.ts";
import { ProctorError } from "../../../../core/errors.ts";
import type { ByteRange } from "../../../../core/ports/blob-store.ts";
import type { RouteCall } from "../../../../runtime/http/route.ts";
import { refuse } from "../../errors.ts";
import { bodyOf, contentHeaders, noBytes } from "../shared/artifact-bytes.ts";
import { idsOf } from "../shared/schemas.ts";
import type { Api } from "./context.ts";

export async function downloadArtifact(api: Api, call: RouteCall, artifact: Artifact): Promise<Response> {
  const { task } = idsOf(call);
  const { size_bytes: sizeBytes, content_hash: hash } = artifact;
  if (sizeBytes === undefined || hash === undefined) throw noBytes(artifact);
  const etag = `"${hash.replace(/^sha256:/, "")}"`;
  const asked = call.request.headers;
  const headers = { ...contentHeaders(artifact), "accept-ranges": "bytes", etag };
  if (matchesTag(asked.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const ifRange = asked.get("if-range");
  const range = parseRange(ifRange === null || ifRange === etag ? asked.get("range") : null, sizeBytes);
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

/** Reads one range of RFC 9110. Several ranges, and what is not understood, mean all bytes. */
function parseRange(header: string | null, sizeBytes: number): "all" | "unsatisfiable" | ByteRange {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.replaceAll(/\s/g, "") ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return "all";
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? "unsatisfiable" : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "all";
  if (start >= sizeBytes) return "unsatisfiable";
  return { start, end: last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}

/** `If-None-Match` compares weakly: RFC 9110, 13.1.2. */
function matchesTag(header: string | null, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes("*") || tags.includes(etag);
}
