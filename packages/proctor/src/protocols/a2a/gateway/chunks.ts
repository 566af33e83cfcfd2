// Files that come in the chunks of a stream (`append`, `lastChunk`), put together before they are kept. A file is held back until it is
// whole; texts and data pass at once. Where an agent does not say that more will come (1.0 leaves `lastChunk: false` out), the file is held
// until something else comes, or some time has passed; bytes that come even later make a new version of the whole.
import type { SavedArtifact } from "../../../core/saved-artifact.ts";
import { A2aError } from "../errors.ts";
import type { A2aPart, ArtifactUpdate } from "../model.ts";
import { decodeRaw, type KeepBytes, type KeptPart, type Produced } from "./keep-bytes.ts";
import { openFile, type OpenFile } from "./open-file.ts";

export interface Chunks {
  /** Returns true while nothing is held. */
  isIdle(): boolean;
  /** Returns whether an update goes on to the client as it is: it has no bytes, and follows none. */
  passes(update: ArtifactUpdate): boolean;
  /** Resolves with the updates that go on to the client now, in order. */
  take(update: ArtifactUpdate): Promise<ArtifactUpdate[]>;
  /** Settles files after something else has come, or the time is up: files of which no chunk is known to be missing are whole. */
  settle(): Promise<ArtifactUpdate[]>;
  /** Ends with the task: with `complete`, everything held is whole; otherwise files that lack chunks are given up. */
  end(complete: boolean): Promise<ArtifactUpdate[]>;
  /** Returns true while something is held that only time can complete. */
  isUnsettled(): boolean;
  /** Gives up what is held. Never throws. */
  close(): Promise<void>;
}

export interface ChunksDeps {
  keep: KeepBytes;
  read: (artifact: SavedArtifact) => AsyncIterable<Uint8Array>;
  /** User who owns the files. Their session is the context that the updates name. */
  user: string;
  onKept: (produced: Produced) => void;
  signal: AbortSignal;
}

interface Held {
  /** First update that is held. */
  update: ArtifactUpdate;
  /** Parts before the open file. */
  parts: A2aPart[];
  file: OpenFile;
  /** True when the agent has announced more, or more has come. */
  isChunked: boolean;
}

/** Files that may be open at once in a stream, and files whose last version is remembered. */
const MAX_OPEN = 16;
const MAX_REMEMBERED = 64;

export function createChunks({ keep, read, user, onKept, signal }: ChunksDeps): Chunks {
  const held = new Map<string, Held>();
  /** Last file of each artifact that was released without its last chunk. */
  const loose = new Map<string, KeptPart>();

  async function finish(file: OpenFile): Promise<KeptPart> {
    const kept = await file.finish();
    onKept(kept.produced);
    return kept;
  }

  /** Releases what is held of an artifact. */
  async function release(id: string, isLast: boolean): Promise<ArtifactUpdate[]> {
    const entry = held.get(id);
    if (entry === undefined) return [];
    held.delete(id);
    const kept = await finish(entry.file);
    if (!isLast) rememberLoose(id, kept);
    return [withParts(entry.update, [...entry.parts, kept.part], isLast)];
  }

  function rememberLoose(id: string, kept: KeptPart): void {
    const [oldest] = loose.keys();
    if (loose.size >= MAX_REMEMBERED && oldest !== undefined) loose.delete(oldest);
    loose.set(id, kept);
  }

  function open(update: ArtifactUpdate, part: A2aPart, before?: KeptPart): OpenFile {
    const { artifactId, name } = update.artifact;
    return openFile({
      part: before?.part ?? part,
      origin: { user, session: update.contextId, artifactId, ...(name !== undefined && { name }) },
      keep,
      signal,
      ...(before && { before: read(before.saved) }),
    });
  }

  /** Goes through the parts of an update, after what is held of its artifact. */
  async function add(update: ArtifactUpdate, from: Held | undefined): Promise<ArtifactUpdate[]> {
    const { artifactId } = update.artifact;
    const parts = from?.parts ?? [];
    let file = from?.file;
    const before = update.append === true ? loose.get(artifactId) : undefined;
    loose.delete(artifactId);
    try {
      for (const [index, part] of update.artifact.parts.entries()) {
        const goesOn = file !== undefined && continues(file.part, part, index === 0 && from !== undefined);
        if (file !== undefined && !goesOn) {
          const done = file;
          file = undefined;
          parts.push((await finish(done)).part);
        }
        if (part.raw === undefined) {
          parts.push(part);
          continue;
        }
        const resumes = index === 0 && before !== undefined && continues(before.part, part, true);
        file ??= open(update, part, resumes ? before : undefined);
        await file.write(decodeRaw(part.raw));
      }
    } catch (error) {
      await file?.abandon();
      throw error;
    }
    const first = from?.update ?? update;
    if (file === undefined) return [withParts(first, parts, update.lastChunk === true)];
    const isChunked = from !== undefined || update.append === true || update.lastChunk === false;
    held.set(artifactId, { update: first, parts, file, isChunked });
    if (update.lastChunk === true) return release(artifactId, true);
    if (held.size <= MAX_OPEN) return [];
    throw new A2aError("RESOURCE_EXHAUSTED", `the agent has more than ${MAX_OPEN} unfinished files open`);
  }

  async function settle(except?: string): Promise<ArtifactUpdate[]> {
    const settled: ArtifactUpdate[] = [];
    for (const [id, { isChunked }] of held) {
      if (!isChunked && id !== except) settled.push(...(await release(id, false)));
    }
    return settled;
  }

  async function close(): Promise<void> {
    const files = [...held.values()].map(({ file }) => file);
    held.clear();
    for (const file of files) await file.abandon();
  }

  return {
    isIdle: () => held.size === 0,
    passes: ({ artifact: { artifactId, parts } }) =>
      held.size === 0 && !loose.has(artifactId) && parts.every(({ raw }) => raw === undefined),
    async take(update) {
      const { artifactId, parts } = update.artifact;
      const settled = await settle(artifactId);
      const entry = held.get(artifactId);
      const [first] = parts;
      // An empty last chunk only says that the file is whole.
      const isEmpty = first === undefined && update.append === true;
      if (entry && isEmpty) return [...settled, ...(update.lastChunk ? await release(artifactId, true) : [])];
      const goesOn =
        entry !== undefined &&
        update.append === true &&
        first !== undefined &&
        continues(entry.file.part, first, true);
      if (entry && goesOn) held.delete(artifactId);
      else if (entry) settled.push(...(await release(artifactId, false)));
      return [...settled, ...(await add(update, goesOn ? entry : undefined))];
    },
    settle: () => settle(),
    async end(complete) {
      const last = await settle();
      if (complete) for (const id of held.keys()) last.push(...(await release(id, true)));
      await close();
      return last;
    },
    isUnsettled: () => held.size > 0 && [...held.values()].some(({ isChunked }) => !isChunked),
    close,
  };
}

/** Returns whether bytes belong to the file before them: by the same name, or without any where `append` says so; and of the same type. */
export function continues(file: A2aPart, part: A2aPart, isAppended: boolean): boolean {
  if (part.raw === undefined) return false;
  const isSameName = part.filename === undefined ? isAppended : part.filename === file.filename;
  return isSameName && (part.mediaType === undefined || part.mediaType === file.mediaType);
}

function withParts(update: ArtifactUpdate, parts: A2aPart[], isLast: boolean): ArtifactUpdate {
  return { ...update, artifact: { ...update.artifact, parts }, ...(isLast && { lastChunk: true }) };
}
