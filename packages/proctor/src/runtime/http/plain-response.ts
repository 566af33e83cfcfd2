// A response whose parts are all there: a status, headers and a text or bytes. A server writes it in one piece, without building the web
// objects that it stands for; whoever uses it as the Response that it is gets a real one, made at that moment.

export type PlainHeaders = Readonly<Record<string, string>>;

type PlainBody = string | Uint8Array<ArrayBuffer> | null;

/** What a server writes. */
export interface PlainParts {
  status: number;
  /** Names and values in turns, as `writeHead` takes them. */
  headers: string[];
  body: PlainBody;
}

class PlainResponse {
  readonly status: number;
  readonly #body: PlainBody;
  readonly #headers: PlainHeaders;
  /** Headers that were added later, names and values in turns. */
  #added: string[] | undefined;
  #real: Response | undefined;

  constructor(body: PlainBody, status: number, headers: PlainHeaders) {
    this.status = status;
    this.#body = body;
    this.#headers = headers;
  }

  get real(): Response {
    if (this.#real) return this.#real;
    const headers = new Headers(this.#headers);
    for (let index = 0; index < (this.#added?.length ?? 0); index += 2)
      headers.set(this.#added?.[index] ?? "", this.#added?.[index + 1] ?? "");
    this.#real = new Response(this.#body, { status: this.status, headers });
    return this.#real;
  }

  static is(response: Response): response is Response & PlainResponse {
    return #body in response && response.#real === undefined;
  }

  static add(response: PlainResponse, name: string, value: string): void {
    if (Object.hasOwn(response.#headers, name)) return;
    (response.#added ??= []).push(name, value);
  }

  static parts(response: PlainResponse): PlainParts {
    const headers: string[] = [];
    for (const name in response.#headers) headers.push(name, response.#headers[name] ?? "");
    if (response.#added) headers.push(...response.#added);
    const body = response.#body;
    if (body !== null && !Object.hasOwn(response.#headers, "content-length"))
      headers.push("content-length", String(Buffer.byteLength(body)));
    return { status: response.status, headers, body };
  }
}

// Everything else that a Response has is the real one's.
Object.setPrototypeOf(PlainResponse.prototype, Response.prototype);
const OWN = new Set(["constructor", "status"]);
type Method = (...given: unknown[]) => unknown;
for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Response.prototype))) {
  if (OWN.has(name)) continue;
  const member = name as keyof Response;
  Object.defineProperty(
    PlainResponse.prototype,
    name,
    typeof value === "function"
      ? {
          value(this: PlainResponse, ...given: unknown[]): unknown {
            const { real } = this;
            return Reflect.apply(real[member] as Method, real, given);
          },
        }
      : {
          get(this: PlainResponse): unknown {
            return this.real[member];
          },
        },
  );
}

/** The names of headers are in lower case. */
export function plainResponse(body: PlainBody, status: number, headers: PlainHeaders): Response {
  // It has everything that a Response has, by its prototype.
  return new PlainResponse(body, status, headers) as unknown as Response;
}

/** True while nobody has used it as a Response: then it is no stream, and is answered in one piece. */
export function isPlain(response: Response): boolean {
  return PlainResponse.is(response);
}

/** What a server has to write; undefined for every other response. */
export function plainParts(response: Response): PlainParts | undefined {
  return PlainResponse.is(response) ? PlainResponse.parts(response) : undefined;
}

/** Adds a header unless the response has it. False for every other response, which is then unchanged. */
export function addPlainHeader(response: Response, name: string, value: string): boolean {
  if (!PlainResponse.is(response)) return false;
  PlainResponse.add(response, name, value);
  return true;
}
