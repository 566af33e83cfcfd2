// Blocks of a tool's result that are no text, as artifacts: files with their bytes, and links. Pure.
import type { AgentReport } from "../../core/ports/driver.ts";
import { artifactPath } from "../artifact-path.ts";
import { decodeBase64 } from "../decode-base64.ts";
import { violationReport } from "../reports.ts";
import type { ContentBlock } from "./wire.ts";

/** `index` is the block's place in the result, by which a file without a name is called. */
export function blockReports(block: ContentBlock, index: number): AgentReport[] {
  switch (block.type) {
    case "text":
      return [];
    case "image":
    case "audio":
      return file(`${block.type}-${index + 1}.${extensionOf(block.mimeType)}`, block.data, block.mimeType);
    case "resource":
      return resourceReports(block.resource, index);
    case "resource_link":
      return [
        {
          kind: "artifact",
          artifact: {
            type: "reference",
            path: block.uri,
            elsewhere: true,
            ...(block.mimeType !== undefined && { content_type: block.mimeType }),
            ...(block.size !== undefined && block.size >= 0 && { size_bytes: block.size }),
          },
        },
      ];
  }
}

type Resource = (ContentBlock & { type: "resource" })["resource"];

function resourceReports({ uri, mimeType, text, blob }: Resource, index: number): AgentReport[] {
  const { path, problem } = artifactPath(nameIn(uri) ?? `resource-${index + 1}`);
  const kept =
    text === undefined
      ? file(path, blob ?? "", mimeType)
      : [artifact(path, Buffer.from(text), mimeType ?? "text/plain")];
  return problem === undefined ? kept : [violation({ rule: "mcp.resource", message: problem }), ...kept];
}

/** Returns the path of a `file:` address, and the last word of any other. */
function nameIn(uri: string): string | undefined {
  const [, rest = uri] = /^[a-z][a-z0-9+.-]*:(?:\/\/)?(.*)$/is.exec(uri) ?? [];
  const last = rest
    .replace(/[?#].*$/s, "")
    .split("/")
    .at(-1);
  return last === undefined || last === "" ? undefined : last;
}

function file(path: string, base64: string, mimeType: string | undefined): AgentReport[] {
  const content = decodeBase64(base64);
  if (content) return [artifact(path, content, mimeType)];
  const message = `the bytes of ${path} are no base64; the file is left out`;
  return [violation({ rule: "mcp.encoding", message })];
}

function violation(found: { rule: string; message: string }): AgentReport {
  return violationReport({ ...found, where: "content", owner: "proctor" });
}

function artifact(path: string, content: Uint8Array, mimeType: string | undefined): AgentReport {
  return {
    kind: "artifact",
    artifact: { type: "file", path, content, ...(mimeType !== undefined && { content_type: mimeType }) },
  };
}

function extensionOf(mimeType: string): string {
  const [, subtype = ""] = /^[a-z]+\/([a-z0-9]{1,10})/i.exec(mimeType) ?? [];
  return subtype === "" ? "bin" : subtype.toLowerCase();
}
