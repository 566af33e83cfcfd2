// The frames of an answer, one by one: of an event stream, or the one document of a plain answer. And back to bytes.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { encodeSse } from "../../../runtime/http/encode-sse.ts";

export interface Frame {
  /** The JSON as text; undefined for a frame that is not a message: a comment, a reconnection time. */
  data: string | undefined;
  /** The frame as it was sent, where it is not a message. */
  text: string;
  id?: string;
  isStream: boolean;
}

export async function* readFrames(response: Response): AsyncGenerator<Frame> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) {
    const data = await response.text();
    yield { data, text: data, isStream: false };
    return;
  }
  // The server writes these lines: each ends with \n, and a frame with an empty line.
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + chunk).split("\n\n");
    rest = frames.pop() ?? "";
    for (const text of frames) yield readFrame(text);
  }
  if (rest !== "") yield readFrame(rest);
}

function readFrame(text: string): Frame {
  const lines = text.split("\n");
  const values = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  const data = values("data");
  const [id] = values("id");
  return {
    data: data.length === 0 ? undefined : data.join("\n"),
    text: `${text}\n\n`,
    ...(id !== undefined && { id }),
    isStream: true,
  };
}

export function writeFrame({ data, text, id, isStream }: Frame): string {
  if (data === undefined) return text;
  return isStream ? encodeSse({ ...(id !== undefined && { id }), data }) : data;
}

/** Returns the frame with its document changed, or unchanged where it has none. */
export function withDocument(frame: Frame, change: (document: JsonObject) => JsonObject): Frame {
  const document = documentOf(frame);
  return document === undefined ? frame : { ...frame, data: JSON.stringify(change(document)) };
}

/** Changes what the binding wraps: the result of JSON-RPC, or the document itself. */
export function withResult(frame: Frame, change: (result: Json) => Json): Frame {
  return withDocument(frame, (document) => {
    if ("jsonrpc" in document) return { ...document, result: change(document["result"] ?? null) };
    const changed = change(document);
    return isJsonObject(changed) ? changed : { value: changed };
  });
}

function documentOf({ data }: Frame): JsonObject | undefined {
  try {
    const document: unknown = JSON.parse(data ?? "");
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}
