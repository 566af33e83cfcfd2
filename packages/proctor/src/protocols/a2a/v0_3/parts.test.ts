import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/json.ts";
import type { Loss } from "../codec.ts";
import type { A2aPart } from "../model.ts";
import { v03 } from "./codec.ts";

const MESSAGE = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "hi" }] };
const partsUp = (...parts: Json[]) =>
  v03.decodeRequest("send", { message: { ...MESSAGE, parts } }).message.parts;
const partsDown = (...parts: A2aPart[]) => {
  const losses: Loss[] = [];
  const message = { messageId: "m", role: "ROLE_USER" as const, parts };
  const request = v03.encodeRequest("send", { message }, losses) as { message: { parts: Json[] } };
  return { parts: request.message.parts, losses: losses.map(({ path }) => path) };
};

describe("a part of A2A 0.3", () => {
  it("is flat inside", () => {
    expect(
      partsUp(
        { kind: "file", file: { bytes: "aGk=", name: "a.txt", mimeType: "text/plain" }, metadata: { a: 1 } },
        { kind: "file", file: { uri: "https://a.example" } },
        { kind: "data", data: { a: [1] } },
      ),
    ).toEqual([
      { raw: "aGk=", filename: "a.txt", mediaType: "text/plain", metadata: { a: 1 } },
      { url: "https://a.example" },
      { data: { a: [1] } },
    ]);
  });

  it("has no name and type beside a text, and no data but objects", () => {
    expect(
      partsDown(
        { text: "a", mediaType: "text/markdown", filename: "a.md" },
        { data: [1], mediaType: "a/b" },
        { data: null },
      ),
    ).toEqual({
      parts: [
        { kind: "text", text: "a" },
        { kind: "data", data: { value: [1] }, metadata: { data_part_compat: true } },
        { kind: "data", data: { value: null }, metadata: { data_part_compat: true } },
      ],
      losses: [
        "message.parts[0].mediaType",
        "message.parts[0].filename",
        "message.parts[1].mediaType",
        "message.parts[1].data",
        "message.parts[2].data",
      ],
    });
  });

  it("that was wrapped, here or by an SDK, is unwrapped; an object that looks like it is not", () => {
    const metadata = { data_part_compat: true };
    expect(partsUp({ kind: "data", data: { value: 5 }, metadata: { ...metadata, a: 1 } })).toEqual([
      { data: 5, metadata: { a: 1 } },
    ]);
    expect(partsUp({ kind: "data", data: { value: 5 } })).toEqual([{ data: { value: 5 } }]);
    const both = { data: { value: 5, more: 1 }, metadata };
    expect(partsUp({ kind: "data", ...both })).toEqual([both]);
  });

  it("of another kind is kept as it came", () => {
    const video = { kind: "video", url: 5, text: "a", frames: [1] };
    const message = v03.decodeRequest("send", { message: { ...MESSAGE, parts: [video] } }).message;
    expect(JSON.parse(JSON.stringify(message.parts))).toEqual([{ kind: "video", frames: [1] }]);
    expect(v03.encodeRequest("send", { message })).toEqual({ message: { ...MESSAGE, parts: [video] } });
  });

  it("is data where a later version has something of its own", () => {
    expect(partsDown({ hologram: 1, metadata: { a: 1 } }, { kind: "video", frames: 1 })).toEqual({
      parts: [
        { kind: "data", data: { hologram: 1 }, metadata: { a: 1 } },
        { kind: "video", frames: 1 },
      ],
      losses: ["message.parts[0]"],
    });
  });
});
