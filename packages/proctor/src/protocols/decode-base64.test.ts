import { describe, expect, it } from "vitest";
import { decodeBase64 } from "./decode-base64.ts";
import { decodeArtifacts } from "./envelope/artifacts.ts";
import { blockReports } from "./mcp/artifacts.ts";

describe("base64 that agents send", () => {
  it.each([
    ["padded", "AP8=", [0, 255]],
    ["without its padding", "AP8", [0, 255]],
    ["in the alphabet of URLs", "-_-_", [251, 255, 191]],
    ["folded over lines", "AP\r\n8A\n", [0, 255, 0]],
    ["of nothing", "", []],
  ])("is read when it is %s", (_, text, bytes) => {
    expect(decodeBase64(text)).toEqual(Buffer.from(bytes));
  });

  it.each(["no base64!", "A", "AP8=AP8=", "é"])("is not guessed at: %s", (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });

  it("is a violation of its artifact in an envelope when it cannot be read", () => {
    const sent = [
      { path: "a.bin", content_base64: "AP8=" },
      { path: "b.bin", content_base64: "no base64!" },
    ];
    expect(decodeArtifacts(sent)).toMatchObject([
      { kind: "artifact", artifact: { path: "a.bin", content: Buffer.from([0, 255]) } },
      {
        kind: "event",
        event: { payload: { where: "artifacts.1", message: expect.stringMatching(/no base64/) as string } },
      },
    ]);
  });

  it("is a violation of its file in the result of an MCP tool when it cannot be read", () => {
    const resource = { uri: "file:///a.bin", blob: "no base64!" };
    expect(blockReports({ type: "resource", resource }, 0)).toMatchObject([
      {
        kind: "event",
        event: { payload: { rule: "mcp.encoding", message: expect.stringMatching(/a\.bin/) as string } },
      },
    ]);
  });
});
