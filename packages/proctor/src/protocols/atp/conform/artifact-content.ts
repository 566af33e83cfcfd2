// Whether what an artifact says about its content is true of the content that came with it.
import { createHash } from "node:crypto";
import { describeIssues } from "../../../core/describe-issues.ts";
import { isJsonObject, type Json } from "../../../core/json.ts";
import { isBase64 } from "../artifacts.ts";
import { atpArtifact } from "../wire.ts";
import { showValue } from "../../../conformance/finding.ts";

/** Returns the first thing that is wrong with an artifact. */
export function artifactProblem(artifact: Json, index: number): string | undefined {
  const where = `artifacts[${index}]`;
  const parsed = atpArtifact.safeParse(artifact);
  if (!parsed.success) {
    const [issue] = describeIssues(parsed.error.issues, artifact, where);
    return issue?.path === "" ? `${where}: ${issue.message}` : issue?.message;
  }
  if (!isJsonObject(artifact) || parsed.data.type !== "file" || parsed.data.content === undefined)
    return undefined;
  const { content, content_type, size_bytes, content_hash } = parsed.data;
  const base64 = isBase64(content, artifact["content_encoding"], content_type, size_bytes);
  const bytes = Buffer.from(content, base64 ? "base64" : "utf8");
  if (size_bytes !== undefined && size_bytes !== bytes.length) {
    return `${where}.size_bytes is ${size_bytes}, and its content has ${bytes.length} bytes`;
  }
  const hash = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  if (content_hash !== undefined && content_hash.toLowerCase() !== hash) {
    return `${where}.content_hash is ${showValue(content_hash)}, and that of its content is ${showValue(hash)}`;
  }
  return undefined;
}
