// Artifacts that arrive piece by piece: they are gathered within the run's limits and kept when they are whole. The log has their sizes and, of
// texts, what can be shown of them before that.
import type { EventDraft } from "../core/event.ts";
import { uuidV7 } from "../core/id.ts";
import type { JsonObject } from "../core/json.ts";
import { isTextType, mediaTypeOf } from "../core/media-type.ts";
import type { AgentReport, ReceivedArtifact } from "../core/ports/driver.ts";
import type { Redactor } from "../core/redact.ts";
import { createShownText, type Room, type ShownText } from "./shown-text.ts";

type Chunk = Extract<AgentReport, { kind: "chunk" }>;

/** Stores an artifact under this id, or a new one. */
export type KeepArtifact = (artifact: ReceivedArtifact, id?: string) => Promise<void>;

interface Gathered {
  /** Id of the artifact that the pieces become. */
  artifactId: string;
  name: string;
  contentType: string | undefined;
  extensions: JsonObject | undefined;
  pieces: Uint8Array[];
  size: number;
  tooLarge: boolean;
  /** The text as far as it can be shown; undefined where the artifact is not text. */
  shown: ShownText | undefined;
}

/** Characters of text that one event holds. */
const PIECE_CHARS = 16 * 1024;
/** Characters of all artifacts of a run that are shown before they are whole. */
const MAX_SHOWN_CHARS = 8 * 1024 * 1024;

export interface ArtifactChunks {
  add(chunk: Chunk): Promise<void>;
  /** Keeps what the agent left unfinished. */
  end(): Promise<void>;
}

export function createArtifactChunks(options: {
  record: (draft: EventDraft) => Promise<void> | undefined;
  keep: KeepArtifact;
  redactor: Redactor;
  /** Bytes that one artifact may have. */
  maxBytes: number;
}): ArtifactChunks {
  const { record, keep, redactor, maxBytes } = options;
  const open = new Map<string, Gathered>();
  const room: Room = { chars: MAX_SHOWN_CHARS };

  async function begin(chunk: Chunk): Promise<Gathered> {
    const { artifactId: id, name, content_type: contentType, extensions } = chunk;
    const artifactId = uuidV7();
    const gathered = {
      artifactId,
      name,
      contentType,
      extensions,
      pieces: [],
      size: 0,
      tooLarge: false,
      shown: isText(name, contentType) ? createShownText(redactor, room) : undefined,
    };
    open.set(id, gathered);
    const more = {
      ...(contentType !== undefined && { content_type: contentType }),
      ...(extensions && { extensions }),
    };
    await record({ type: "artifact.opened", payload: { id, name, artifact_id: artifactId, ...more } });
    return gathered;
  }

  /** Records the size so far, and what can be shown: in several events where that is much. */
  async function extended(id: string, size: number, text: string, restart = false): Promise<void> {
    let isFirst = true;
    for (let at = 0; isFirst || at < text.length; isFirst = false) {
      const piece = pieceAt(text, at);
      at += piece.length;
      const more = { ...(piece !== "" && { text: piece }), ...(restart && isFirst && { restart }) };
      await record({ type: "artifact.extended", payload: { id, size_bytes: size, ...more } });
    }
  }

  async function finish(id: string, gathered: Gathered): Promise<void> {
    const { artifactId, name, contentType, extensions, pieces, size, shown } = gathered;
    const rest = shown?.end() ?? "";
    if (rest !== "") await extended(id, size, rest);
    open.delete(id);
    const artifact = {
      type: "file" as const,
      path: name,
      content: Buffer.concat(pieces),
      ...(contentType !== undefined && { content_type: contentType }),
      ...(extensions && { extensions }),
    };
    await keep(artifact, artifactId);
  }

  return {
    async add(chunk) {
      const { artifactId: id, content, append, last } = chunk;
      const known = open.get(id);
      const gathered = known ?? (await begin(chunk));
      const restart = known !== undefined && !append;
      if (restart) {
        const shown = gathered.shown && createShownText(redactor, room);
        Object.assign(gathered, { pieces: [], size: 0, shown });
      }
      const fits = gathered.size + content.length <= maxBytes;
      if (fits) {
        gathered.pieces.push(content);
        gathered.size += content.length;
        await extended(id, gathered.size, gathered.shown?.push(content) ?? "", restart);
      } else if (!gathered.tooLarge) {
        gathered.tooLarge = true;
        const message = `artifact ${id} has more than ${maxBytes} bytes; the rest is left out`;
        await record({ type: "violation", payload: { rule: "artifact.too_large", message } });
      }
      if (last) await finish(id, gathered);
    },
    async end() {
      for (const [id, gathered] of open) await finish(id, gathered);
    },
  };
}

function isText(name: string, contentType: string | undefined): boolean {
  return isTextType(contentType ?? mediaTypeOf(name) ?? "");
}

/** Returns a piece that never ends with half a character. */
function pieceAt(text: string, at: number): string {
  const piece = text.slice(at, at + PIECE_CHARS);
  return piece.length === PIECE_CHARS && !piece.isWellFormed() ? piece.slice(0, -1) : piece;
}
