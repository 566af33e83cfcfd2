import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { announceDouble } from "./announce-double.ts";

const REQUEST = {
  at: new Date(0).toISOString(),
  asked: "POST /x",
  request: {},
  answered: {},
  matched: null,
  unmatched: true,
};

describe("A double that announces itself", () => {
  it.each([
    ["where no hub is known", undefined],
    ["whose hub is away", "http://127.0.0.1:9"],
  ])("ends %s, whatever it was asked", async (_where, hub) => {
    const cwd = temporaryFolder("announced");
    const announcer = announceDouble({ cwd, env: {}, hub, kind: "tools", name: "tools.yaml" });
    announcer.start("http://127.0.0.1:4100");
    for (let count = 0; count < 60; count++) announcer.tell(REQUEST);
    await expect(announcer.close()).resolves.toBeUndefined();
  });
});
