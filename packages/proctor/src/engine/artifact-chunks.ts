// Artifacts that come piece by piece: they are gathered within the run's limits and kept when they are whole.
import type { EventDraft } from "../core/event.ts";
import type { JsonObject } from "../core/json.ts";
import type { AgentReport, ReceivedArtifact } from "../core/ports/driver.ts";

type Chunk = Extract<AgentReport, { kind: "chunk" }>;

interface Gathered {
  name: string;
  contentType: string | undefined;
  extensions: JsonObject | undefined;
  pieces: Uint8Array[];
  size: number;
  tooLarge: boolean;
}

export interface ArtifactChunks {
  add(chunk: Chunk): Promise<void>;
  /** Keeps what the agent left unfinished. */
  end(): Promise<void>;
}

export function createArtifactChunks(options: {
  record: (draft: EventDraft) => Promise<void> | undefined;
  keep: (artifact: ReceivedArtifact) => Promise<void>;
  /** How many bytes one artifact may have. */
  maxBytes: number;
}): ArtifactChunks {
  const { record, keep, maxBytes } = options;
  const open = new Map<string, Gathered>();

  async function begin({ artifactId: id, name, content_type, extensions }: Chunk): Promise<Gathered> {
    const gathered = { name, contentType: content_type, extensions, pieces: [], size: 0, tooLarge: false };
    open.set(id, gathered);
    await record({ type: "artifact.opened", payload: { id, name } });
    return gathered;
  }

  async function finish(id: string, { name, contentType, extensions, pieces }: Gathered): Promise<void> {
    open.delete(id);
    await keep({
      type: "file",
      path: name,
      content: Buffer.concat(pieces),
      ...(contentType !== undefined && { content_type: contentType }),
      ...(extensions && { extensions }),
    });
  }

  return {
    async add(chunk) {
      const { artifactId: id, content, append, last } = chunk;
      const gathered = open.get(id) ?? (await begin(chunk));
      if (!append) Object.assign(gathered, { pieces: [], size: 0 });
      const fits = gathered.size + content.length <= maxBytes;
      if (fits) {
        gathered.pieces.push(content);
        gathered.size += content.length;
        await record({ type: "artifact.extended", payload: { id, size_bytes: gathered.size } });
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
