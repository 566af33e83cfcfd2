import { describe, expect, it } from "vitest";
import { createHttpPlatform } from "./http-platform.ts";

// Nobody listens there: what is refused is refused before it is sent.
const { tokens, workers, doubles, scriptTools, goals } = createHttpPlatform({
  url: "http://127.0.0.1:1",
  readSse: () => {
    throw new Error("nothing is streamed");
  },
});

const ASKED: Record<string, (id: string) => Promise<unknown>> = {
  "a token": (id) => tokens.get(id),
  "the end of a token": (id) => tokens.revoke(id),
  "a worker": (id) => workers.get(id),
  "a double": (id) => doubles.get(id),
  "the requests of a double": (id) => doubles.requests(id, {}),
  "a script tool": (id) => scriptTools.get(id),
  "a goal": (id) => goals.get(id),
};

describe("A hub elsewhere", () => {
  it.each(Object.entries(ASKED))(
    "is not asked for %s by a name that leads out of its path",
    async (_, ask) => {
      for (const id of ["", ".", ".."])
        await expect(async () => ask(id), id).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    },
  );
});
