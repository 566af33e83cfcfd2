// Which version of the protocol an HTTP request uses, and which one it wants the answer in, by its media types.

export const ATP_JSON = "application/vnd.atp.v1+json";
export const PLAIN_JSON = "application/json";

/** Returns the media type of a request; null for another major version, another type or another charset. */
export function readContentType(header: string | undefined): string | null {
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset !== undefined && !["utf-8", "utf8"].includes(charset.replaceAll('"', ""))) return null;
  return type === ATP_JSON || type === PLAIN_JSON ? type : null;
}

/** Returns the type to answer with; null when the client accepts none that can be given. `sent` is the type of the request. */
export function chooseType(accept: string | undefined, sent: string, streams: boolean): string | null {
  if (accept === undefined || accept.trim() === "") return sent;
  const best = accept
    .split(",")
    .map((range) => readRange(range, sent, streams))
    .filter((candidate) => candidate.type !== null && candidate.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return best[0]?.type ?? null;
}

function readRange(range: string, sent: string, streams: boolean): { type: string | null; quality: number } {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
  return { type: offered(type, sent, streams), quality: Number.isNaN(quality) ? 1 : quality };
}

function offered(type: string, sent: string, streams: boolean): string | null {
  if (type === ATP_JSON || type === PLAIN_JSON) return type;
  if (type === "*/*" || type === "application/*") return sent;
  return streams && (type === "text/event-stream" || type === "text/*") ? sent : null;
}
