// Reads server-sent events without an SDK, as an independent client would.

export interface SseFrame {
  event: string | undefined;
  id: string | undefined;
  data: unknown;
}

export function parseFrames(text: string): SseFrame[] {
  const blocks = text.split("\n\n").filter((block) => block !== "" && !block.startsWith(":"));
  return blocks.map((block) => {
    const fields = new Map(
      block.split("\n").map((line): [string, string] => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2)];
      }),
    );
    return {
      event: fields.get("event"),
      id: fields.get("id"),
      data: JSON.parse(fields.get("data") ?? "null"),
    };
  });
}
