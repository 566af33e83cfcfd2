// Stores an artifact's bytes and makes its record: hash and size checked on what came, secrets replaced in what is kept.
// What an agent only points at is taken from the run's workspace, and from nowhere else.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { artifactName, INLINE_DATA_BYTES, PLATFORM_FIELDS, type Artifact } from "../core/artifact.ts";
import type { Violation } from "../core/event.ts";
import { uuidV7 } from "../core/id.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { RunBlobs } from "../core/ports/run-store.ts";
import type { ReceivedArtifact } from "../core/ports/driver.ts";
import type { Workspace } from "../core/ports/workspaces.ts";
import type { Redactor } from "../core/redact.ts";
import { NotKept, type ArtifactBudget } from "./artifact-budget.ts";
import type { Canary } from "./canary.ts";
import { keepFile } from "./keep-file.ts";
import { isGzip, searchGzip } from "./search-gzip.ts";

interface KeptArtifact {
  artifact: Artifact;
  violations: Violation[];
}

export interface KeepDeps {
  blobs: Pick<RunBlobs, "put">;
  redactor: Redactor;
  canary: Canary | undefined;
  /** The run's workspace; absent when the client brought a directory of its own, which is not read. */
  workspace: Workspace | undefined;
  /** Bytes that the run's artifacts may have; absent for what the platform makes, which is limited where it is made. */
  budget?: ArtifactBudget | undefined;
  /** Controller whose signal aborts when the run is over: nothing is copied after that. */
  work: Pick<AbortController, "signal">;
}

/** Keeps an artifact. One that cannot be kept gets a record without bytes, which says why. */
export async function keepArtifact(
  sent: ReceivedArtifact,
  deps: KeepDeps,
  id: string = uuidV7(),
): Promise<KeptArtifact> {
  const received = sent.extensions ? { ...sent, extensions: withoutOurs(sent.extensions) } : sent;
  try {
    return received.type === "structured"
      ? await keepData(received, id, deps)
      : await keepContent(received, id, deps);
  } catch (error) {
    const notKept = asNotKept(error, deps.work);
    const { extensions, ...described } = received;
    const { content_hash: claimed_hash } = { content_hash: undefined, ...described };
    const claimed = claimed_hash === undefined ? {} : { claimed_hash };
    // Without its content, what came is a record of the same type.
    const artifact = {
      ...extensions,
      ...withoutContent(described),
      ...claimed,
      ...omission(notKept),
      id,
    } as Artifact;
    return { artifact, violations: complaint(notKept, `artifact ${artifactName(artifact)}`) };
  }
}

/** Returns why the bytes are missing after a failed copy; throws anything that must end the run. */
export function asNotKept(error: unknown, work: KeepDeps["work"]): NotKept {
  if (error instanceof NotKept) return error;
  if (!work.signal.aborted) throw error;
  return new NotKept("the run was over before it was copied", { cause: error });
}

/** Returns the fields of a record that has no bytes. */
export function omission({ message, sizeBytes }: NotKept): { omitted: string; size_bytes?: number } {
  return { omitted: message, ...(sizeBytes !== undefined && { size_bytes: sizeBytes }) };
}

export function complaint({ message, rule }: NotKept, where: string): Violation[] {
  return rule === undefined ? [] : [{ rule, message: `its bytes were not kept: ${message}`, where }];
}

/** Fields that only some types of artifacts have, all absent. */
const WITHOUT = { content: undefined, read: undefined, elsewhere: undefined };

async function keepContent(
  received: Exclude<ReceivedArtifact, { type: "structured" }>,
  id: string,
  deps: KeepDeps,
): Promise<KeptArtifact> {
  const { extensions, content, read, elsewhere, ...described } = { ...WITHOUT, ...received };
  if (content !== undefined) {
    const stored = await keepBytes(content, `artifact ${received.path}`, deps);
    return {
      artifact: { ...extensions, ...described, ...stored, id },
      violations: lies(received, factsOf(content)),
    };
  }
  if (read !== undefined) {
    const { facts, stored } = await keepFile({ path: received.path, read }, { ...deps, budget: undefined });
    return { artifact: { ...extensions, ...described, ...stored, id }, violations: lies(received, facts) };
  }
  const found = elsewhere ? undefined : await deps.workspace?.find(received.path);
  if (found === undefined || typeof found === "string") {
    const violations = found === undefined ? [] : [unusable(received, found)];
    const { content_hash: claimed_hash, ...rest } = described;
    // As `content_hash`, the agent's hash would give access to the bytes of any run.
    const claimed = claimed_hash === undefined ? {} : { claimed_hash };
    return { artifact: { ...extensions, ...rest, ...claimed, id }, violations };
  }
  const { facts, stored } = await keepFile(found, deps);
  return { artifact: { ...extensions, ...described, ...stored, id }, violations: lies(received, facts) };
}

/** Fields that describe content. The agent's hash is one of them: as `content_hash` it would give access to the bytes of any run. */
const CONTENT_FIELDS = new Set(["content", "read", "data", "content_hash", "elsewhere"]);

function withoutContent(described: object): object {
  return Object.fromEntries(Object.entries(described).filter(([name]) => !CONTENT_FIELDS.has(name)));
}

function withoutOurs(extensions: JsonObject): JsonObject {
  const own = new Set<string>(PLATFORM_FIELDS);
  return Object.fromEntries(Object.entries(extensions).filter(([name]) => !own.has(name)));
}

async function keepData(
  { data, extensions, ...described }: ReceivedArtifact & { type: "structured" },
  id: string,
  { blobs, redactor, canary, budget, work }: KeepDeps,
): Promise<KeptArtifact> {
  canary?.look(JSON.stringify(data), `artifact ${described.name}`);
  const clean = redactor.active ? redactor.value(data) : data;
  const json = Buffer.from(JSON.stringify(clean));
  budget?.check(json.length);
  // Small data is kept in its record, which is as durable as a file and needs none.
  const inline: { data?: Json } = json.length <= INLINE_DATA_BYTES ? { data: clean } : {};
  const stored = inline.data === undefined ? await blobs.put(json, work.signal) : undefined;
  budget?.spend(json.length);
  const artifact: Artifact = {
    ...extensions,
    ...described,
    ...inline,
    id,
    content_type: "application/json",
    size_bytes: json.length,
    content_hash: `sha256:${stored?.sha256 ?? sha256(json)}`,
    ...(clean !== data && { redacted: true }),
  };
  return { artifact, violations: [] };
}

/** Fields of a record that describe the bytes that are kept. */
export interface StoredContent {
  size_bytes: number;
  content_hash: string;
  redacted?: boolean;
  unsearched?: string;
}

async function keepBytes(
  content: Uint8Array,
  where: string,
  { blobs, redactor, canary, budget, work }: KeepDeps,
): Promise<StoredContent> {
  canary?.lookAtBytes(content, where);
  budget?.check(content.length);
  const isPacked = redactor.active && isGzip(content);
  const inside = isPacked
    ? await searchGzip(content, where, { redactor, canary, signal: work.signal })
    : undefined;
  const clean = inside?.clean ?? (redactor.active ? redactor.bytes(content) : undefined);
  budget?.check(clean?.length ?? 0);
  const stored = await blobs.put(clean ?? content, work.signal);
  budget?.spend(stored.sizeBytes);
  return {
    size_bytes: stored.sizeBytes,
    content_hash: `sha256:${stored.sha256}`,
    ...(clean !== undefined && { redacted: true }),
    ...(inside?.unsearched !== undefined && { unsearched: inside.unsearched }),
  };
}

export interface ContentFacts {
  sizeBytes: number;
  sha256: string;
}

function factsOf(content: Uint8Array): ContentFacts {
  return { sizeBytes: content.length, sha256: sha256(content) };
}

/** Returns how the agent's `size_bytes` and `content_hash` differ: by document 000 they describe the decoded bytes. */
function lies(received: Exclude<ReceivedArtifact, { type: "structured" }>, facts: ContentFacts): Violation[] {
  const violations: Violation[] = [];
  const where = `artifact ${received.path}`;
  if (received.size_bytes !== undefined && received.size_bytes !== facts.sizeBytes) {
    const message = `size_bytes is ${received.size_bytes}, the content has ${facts.sizeBytes} bytes`;
    violations.push({ rule: "artifact.size", message, where });
  }
  const actual = `sha256:${facts.sha256}`;
  if (received.content_hash !== undefined && received.content_hash.toLowerCase() !== actual) {
    const message = `content_hash is ${received.content_hash}, the content's is ${actual}`;
    violations.push({ rule: "artifact.hash", message, where });
  }
  return violations;
}

function unusable(
  { type, path }: ReceivedArtifact & { path: string },
  why: "outside" | "missing" | "not-a-file",
): Violation {
  const where = `artifact ${path}`;
  if (why === "outside") {
    return { rule: "artifact.path", message: "the path leads out of the workspace; it was not read", where };
  }
  const message = `the workspace has no such file, and the ${type} came without content`;
  return { rule: "artifact.missing", message, where };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
