// Reads server-sent events the plain way: what an independent client would make of the bytes.
export interface SseFrame {
  event: string | undefined;
  id: string | undefined;
  data: unknown;
}

export async function readFrames(answer: Response): Promise<SseFrame[]> {
  const blocks = (await answer.text())
    .split("\n\n")
    .filter((block) => block !== "" && !block.startsWith(":"));
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
