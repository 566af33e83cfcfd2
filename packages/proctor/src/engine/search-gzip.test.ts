import { randomBytes } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createScriptedDriver, type ScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import type { Artifact } from "../core/artifact.ts";
import type { ReceivedArtifact } from "../core/ports/driver.ts";

const SECRET = "sk-proj-AbC123/xyz+789";
const filler = (bytes: number): Buffer => Buffer.alloc(bytes, "the quick brown fox\n");
const secretly = Buffer.concat([filler(200_000), Buffer.from(SECRET), filler(200_000)]);

let hub: TestHub;
let driver: ScriptedDriver;
beforeEach(async () => {
  driver = createScriptedDriver();
  hub = await openTestHub({ driver });
});
afterEach(() => hub.close());

/** The artifact's record after a run that has the secret in its environment. */
async function keepRecord(artifact: ReceivedArtifact): Promise<Artifact> {
  const { run } = await hub.hub.submit({
    agent: { protocol: "atp", transport: "stdio", command: ["scripted"] },
    task: { description: "pack it" },
    context: { environment: { API_KEY: SECRET } },
  });
  const session = await driver.session(driver.sessions.length);
  session.push({ kind: "artifact", artifact });
  session.end();
  const [record] = (await hub.ended(run.id)).artifacts;
  if (record === undefined) throw new Error("the run has no artifact");
  return record;
}

async function keep(artifact: ReceivedArtifact): Promise<{ record: Artifact; bytes: Buffer }> {
  const record = await keepRecord(artifact);
  const [run] = (await hub.hub.runs({})).items;
  const chunks: Uint8Array[] = [];
  for await (const chunk of await hub.hub.readArtifact(run?.id ?? "", record.id)) chunks.push(chunk);
  return { record, bytes: Buffer.concat(chunks) };
}

const asContent = (content: Buffer): ReceivedArtifact => ({ type: "file", path: "a.gz", content });
const asStream = (content: Buffer): ReceivedArtifact => ({
  type: "file",
  path: "a.gz",
  async *read() {
    for (let at = 0; at < content.length; at += 1000) yield content.subarray(at, at + 1000);
  },
});

it.each([
  ["sent", asContent],
  ["read", asStream],
])("replaces a secret inside gzip content that is %s, and packs it again", async (_how, artifact) => {
  const { record, bytes } = await keep(artifact(gzipSync(secretly)));
  expect(record).toMatchObject({ redacted: true });
  expect(record).not.toHaveProperty("unsearched");
  const inside = gunzipSync(bytes);
  expect(inside.includes(SECRET)).toBe(false);
  expect(
    inside.equals(Buffer.concat([filler(200_000), Buffer.from("[redacted:API_KEY]"), filler(200_000)])),
  ).toBe(true);
});

it.each([
  ["sent", asContent],
  ["read", asStream],
])("keeps gzip content without secrets as it came when it is %s", async (_how, artifact) => {
  const packed = gzipSync(filler(300_000));
  const { record, bytes } = await keep(artifact(packed));
  expect(bytes.equals(packed)).toBe(true);
  expect(record).not.toHaveProperty("redacted");
  expect(record).not.toHaveProperty("unsearched");
});

it.each([
  ["would fill the memory when it is unpacked", gzipSync(Buffer.alloc(70 * 1024 * 1024)), /67108864/],
  [
    "is damaged",
    Buffer.concat([gzipSync(secretly).subarray(0, 500), Buffer.alloc(500)]),
    /cannot be unpacked/,
  ],
])("says that gzip content was not searched when it %s", async (_what, content, why) => {
  const { record, bytes } = await keep(asContent(content));
  expect(record).toMatchObject({ unsearched: expect.stringMatching(why) as string });
  expect(bytes.equals(content)).toBe(true);
});

it.each([
  ["would fill the memory", gzipSync(Buffer.concat([secretly, Buffer.alloc(70 * 1024 * 1024)]))],
  ["is cut off", gzipSync(Buffer.concat([secretly, randomBytes(500_000)])).subarray(0, -100_000)],
])("keeps no gzip content that holds a secret and %s", async (_what, content) => {
  for (const artifact of [asContent(content), asStream(content)]) {
    const record = await keepRecord(artifact);
    expect(record).toMatchObject({ omitted: expect.stringContaining("holds a secret") as string });
    expect(record).not.toHaveProperty("content_hash");
  }
});
