// The body of an answer, pulled piece by piece: a reader that stops holds the server back.
import type { ClientRequest, IncomingMessage } from "node:http";
import type { HttpTrouble } from "./trouble.ts";

export interface HttpBody {
  /** Resolves with what has arrived since, at least a byte; undefined at the end. Never rejects. One reader at a time. */
  read(): Promise<Buffer | undefined>;
  /** Why the body ended too early; undefined when it is complete. Known after the end. */
  readonly trouble: HttpTrouble | undefined;
  /** Called when no more is wanted. A connection whose rest is short and comes at once is kept for another request. */
  release(): void;
  /** Closes the connection now; a read that waits ends. */
  close(): void;
}

/** Bytes that a server may still send after the last that mattered: the end of a chunked body, some padding. */
const REST_BYTES = 64 * 1024;
const REST_MS = 100;

export function openBody(
  request: ClientRequest,
  incoming: IncomingMessage,
  troubleOf: () => HttpTrouble,
): HttpBody {
  return new IncomingBody(request, incoming, troubleOf);
}

/** Not a closure: very many bodies may be open at once. */
class IncomingBody implements HttpBody {
  readonly #request: ClientRequest;
  readonly #incoming: IncomingMessage;
  readonly #troubleOf: () => HttpTrouble;
  #wake: (() => void) | undefined;

  constructor(request: ClientRequest, incoming: IncomingMessage, troubleOf: () => HttpTrouble) {
    this.#request = request;
    this.#incoming = incoming;
    this.#troubleOf = troubleOf;
    const onChange = (): void => this.#wake?.();
    for (const event of ["readable", "end", "error", "close"]) incoming.on(event, onChange);
  }

  async read(): Promise<Buffer | undefined> {
    for (;;) {
      // First what had arrived: a connection that broke afterwards does not take it back.
      const chunk = this.#incoming.read() as Buffer | null;
      if (chunk !== null) return chunk;
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  get trouble(): HttpTrouble | undefined {
    return this.#incoming.readableEnded ? undefined : this.#troubleOf();
  }

  release(): void {
    if (!this.#isOver) void this.#readRest();
  }

  close(): void {
    this.#request.destroy();
  }

  get #isOver(): boolean {
    return this.#incoming.readableEnded || this.#incoming.destroyed;
  }

  async #readRest(): Promise<void> {
    // A process that is done does not wait for a server that is not.
    this.#incoming.socket.unref();
    const tooLate = setTimeout(() => this.#request.destroy(), REST_MS).unref();
    let size = 0;
    for (let chunk = await this.read(); chunk !== undefined; chunk = await this.read()) {
      size += chunk.length;
      if (size > REST_BYTES) this.#request.destroy();
    }
    clearTimeout(tooLate);
  }
}
