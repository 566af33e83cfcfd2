// Script tools in this process and over HTTP: the same promises.
import { describe, expect, it } from "vitest";
import { scriptToolsCases } from "../core/ports/script-tools.case.ts";
import { OPERATOR, type Caller } from "../core/caller.ts";
import { openLocalScriptTools, openServedScriptTools } from "../../test/support/script-tools.ts";
import { expectError } from "../../test/support/expect-error.ts";

scriptToolsCases("script tools in this process", openLocalScriptTools);
scriptToolsCases("script tools over HTTP", openServedScriptTools);

describe("the scope for script tools", () => {
  it("is asked for whoever adds or removes one", async () => {
    const opened = await openLocalScriptTools();
    try {
      const { tools } = opened;
      const reader: Caller = { name: "token:1", scopes: ["runs:*", "agents:*"] };
      const tool = {
        name: "t",
        language: "javascript",
        source: "const run = () => 1",
        parameters: { type: "object" },
      } as const;
      await expectError(tools.put(tool, {}, reader), "SCOPE_MISSING");
      await tools.put(tool, {}, OPERATOR);
      await expectError(tools.remove("t", reader), "SCOPE_MISSING");
      await tools.remove("t", { ...reader, scopes: ["programs"] });
      expect((await tools.list({})).items).toEqual([]);
    } finally {
      await opened.close();
    }
  });
});
