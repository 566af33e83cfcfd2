import { describe, expect, it } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import { createScriptedExecutions } from "../../../test/support/atp/executions.ts";
import { refusal } from "./execution.ts";
import { serveAtp } from "./surface.ts";

const { signal: stopping } = new AbortController();
const surface = serveAtp({
  executions: createScriptedExecutions(),
  stopping,
  keepAliveMs: 1000,
  report: () => undefined,
});
const call = { traceId: "0".repeat(32) };
const ask = async (request: Request) => surface.fetch(request, call);

describe("the surface of ATP", () => {
  it.each(["01890000-0000-7000-8000-000000000000", "no UUID", undefined])(
    "describes the refusal of a request whose task_id is %j",
    (taskId) => {
      const refused = refusal(new ProctorError("AGENT_NOT_FOUND", "there is no such agent"), taskId);
      for (const { id, responses } of surface.openapi().routes) {
        if (id !== "connectAtp")
          expect([id, responses[404]?.schema?.safeParse(refused).success]).toEqual([id, true]);
      }
    },
  );

  it.each(["/atp", "/atp/a", "/atp/a/run", "/atp/a/execute/x"])("has nothing at %s", async (path) => {
    const thrown = ask(new Request(`http://h${path}`, { method: "POST" }));
    await expect(thrown).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("refuses a plain request where a WebSocket is, and a WebSocket where none is", async () => {
    const plain = ask(new Request("http://h/atp/a/ws"));
    await expect(plain).rejects.toMatchObject({ code: "UPGRADE_REQUIRED" });
    const socket = surface.upgrade(new Request("http://h/atp/a/execute"), call);
    await expect(socket).rejects.toMatchObject({
      status: expect.toSatisfy((code) => [404, 405].includes(code)),
    });
  });
});
