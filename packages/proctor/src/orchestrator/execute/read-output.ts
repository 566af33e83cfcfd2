// What a run yielded, as a value that other tasks can refer to: its last structured artifact, or what it said, as JSON where it is that.
import type { Json } from "../../core/json.ts";
import { textOf } from "../../core/message.ts";
import type { Hub } from "../../core/ports/hub.ts";
import { jsonIn, outputValue } from "../../core/output-value.ts";
import type { Run } from "../../core/run.ts";

type OutputHub = Pick<Hub, "messages" | "readArtifact">;

const MAX_BYTES = 16 * 1024 * 1024;

export async function readOutput(hub: OutputHub, run: Run): Promise<Json> {
  const structured = run.artifacts.findLast((artifact) => artifact.type === "structured");
  if (structured !== undefined)
    return outputValue(structured.data ?? (await readData(hub, run.id, structured.id)));
  const said = await lastWords(hub, run.id);
  if (said !== undefined) return jsonIn(said) ?? said;
  const files = run.artifacts.flatMap((artifact) => (artifact.type === "file" ? [artifact.path] : []));
  return files.length === 0 ? null : { files };
}

async function lastWords(hub: OutputHub, runId: string): Promise<string | undefined> {
  const spoken = (await hub.messages(runId)).filter(({ message }) => message.role === "agent");
  const text = textOf(spoken.at(-1)?.message.parts ?? []);
  return text === "" ? undefined : text;
}

async function readData(hub: OutputHub, runId: string, artifactId: string): Promise<Json> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of await hub.readArtifact(runId, artifactId)) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return jsonIn(Buffer.concat(chunks).toString()) ?? null;
}
