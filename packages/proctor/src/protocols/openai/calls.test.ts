import { describe, expect, it } from "vitest";
import { calls, json, says, serveModel } from "../../../test/support/openai/scripted-model.ts";
import { driveModel, RUN_ID } from "../../../test/support/openai/drive-model.ts";
import { mcpProgram } from "../../../test/support/doubles/mcp-program.ts";
import { startTools } from "../../../test/support/doubles/tools-harness.ts";
import type { Job } from "../../core/ports/driver.ts";
import type { ToolDefinition } from "../../core/tools.ts";

describe("the functions of a chat model", () => {
  async function withTools(
    tools: ToolDefinition[],
    body: (
      job: Partial<Job>,
      observed: { tool: string; input: unknown; call_id?: string }[],
    ) => Promise<void>,
    more: Partial<Job> = {},
  ): Promise<void> {
    const host = await startTools();
    try {
      const opened = await host.open(tools, {
        runId: RUN_ID,
        allowed: more.constraints?.allowed_tools ?? null,
      });
      const { options, ...rest } = more;
      await body(
        { ...rest, context: { tools_endpoint: opened.url }, options: { ...options, tools: { tools } } },
        opened.calls,
      );
    } finally {
      await host.close();
    }
  }

  const WEATHER: ToolDefinition = {
    name: "weather.now",
    description: "The weather in a city.",
    default: { output: { degrees: 4 } },
  };

  it("are the run's tools, called at its endpoint until the model stops", async () => {
    await withTools([WEATHER], async (job, observed) => {
      const server = await serveModel(
        calls({ name: "weather_now", arguments: { city: "Oslo" }, id: "call_a" }),
        says("4 degrees."),
      );
      const { toolCalls, kinds, result, rules } = await driveModel(server.base, { job });
      expect(server.asked[0]?.body["tools"]).toMatchObject([
        {
          type: "function",
          function: {
            name: "weather_now",
            description: "The weather in a city.",
            parameters: { type: "object" },
          },
        },
      ]);
      expect(server.asked[1]?.body.messages.slice(1)).toEqual([
        {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "call_a",
              type: "function",
              function: { name: "weather_now", arguments: '{"city":"Oslo"}' },
            },
          ],
        },
        { role: "tool", tool_call_id: "call_a", content: '{"degrees":4}' },
      ]);
      expect(observed).toMatchObject([{ tool: "weather.now", input: { city: "Oslo" }, call_id: "call_a" }]);
      expect(toolCalls).toMatchObject([
        {
          tool: "weather.now",
          input: { city: "Oslo" },
          output: { degrees: 4 },
          status: "success",
          call_id: "call_a",
        },
      ]);
      expect(kinds).toEqual(["llm_request", "tool_call", "text", "text", "llm_request", "artifact", "end"]);
      expect([result, rules]).toEqual([{ output: "4 degrees." }, []]);
    });
  });

  it("are only those that the run allows", async () => {
    const tools = [WEATHER, { name: "mail", default: { output: 1 } }];
    await withTools(
      tools,
      async (job, observed) => {
        const server = await serveModel(calls({ name: "mail" }), says("no."));
        const { toolCalls } = await driveModel(server.base, { job });
        expect(server.asked[0]?.body["tools"]).toMatchObject([{ function: { name: "weather_now" } }]);
        expect(toolCalls).toMatchObject([{ tool: "mail", status: "error" }]);
        expect(observed).toEqual([]);
      },
      { constraints: { allowed_tools: ["weather.now"] } },
    );
  });

  it("have names of their own where two tools would share one", async () => {
    const tools = ["a.b", "a_b", "a/b"].map((name) => ({ name, default: { output: name } }));
    await withTools(tools, async (job, observed) => {
      const server = await serveModel(calls({ name: "a_b_3" }, { name: "a_b" }), says("done"));
      await driveModel(server.base, { job });
      expect(server.asked[0]?.body["tools"]).toMatchObject(
        ["a_b", "a_b_2", "a_b_3"].map((name) => ({ function: { name } })),
      );
      expect(observed.map(({ tool }) => tool)).toEqual(["a/b", "a.b"]);
    });
  });

  it("are also those of the run's MCP servers, with their schemas", async () => {
    const host = await startTools();
    try {
      const tools = { tools: [WEATHER], mcp: [mcpProgram({ tools: ["add"] })] };
      const { url, calls: observed } = await host.open(tools, { runId: RUN_ID });
      const server = await serveModel(calls({ name: "add", arguments: { a: 1, b: 2 } }), says("3"));
      const job = { context: { tools_endpoint: url }, options: { tools } };
      const { toolCalls } = await driveModel(server.base, { job });
      expect(server.asked[0]?.body["tools"]).toMatchObject([
        { function: { name: "weather_now" } },
        { function: { name: "add", description: "Adds.", parameters: { required: ["a", "b"] } } },
      ]);
      expect(toolCalls).toMatchObject([{ tool: "add", status: "success", output: "3" }]);
      expect(observed).toMatchObject([{ tool: "add", mode: "mcp" }]);
    } finally {
      await host.close();
    }
  });

  it("count each call, even where a server uses its ids again", async () => {
    await withTools([WEATHER], async (job, observed) => {
      const call = calls({ name: "weather_now", id: "call_0" });
      const server = await serveModel(call, call, says("done"));
      const { toolCalls } = await driveModel(server.base, { job });
      const ids = ["call_0", "call_0#2"];
      expect([toolCalls.map(({ call_id }) => call_id), observed.map(({ call_id }) => call_id)]).toEqual([
        ids,
        ids,
      ]);
      expect(server.asked[2]?.body.messages.at(-1)).toMatchObject({ tool_call_id: "call_0" });
    });
  });

  it.each([
    ["are no JSON", "weather_now", "{city: Oslo", /arguments are not a JSON object/],
    ["are a list", "weather_now", "[1]", /arguments are not a JSON object/],
    ["are for nobody", "nobody", "{}", /there is no function \\"nobody\\"/],
  ])("answer with an error where the arguments %s", async (_what, name, text, message) => {
    await withTools([WEATHER], async (job, observed) => {
      const server = await serveModel(calls({ name, arguments: text }), says("sorry"));
      const { toolCalls, end } = await driveModel(server.base, { job });
      expect(server.asked[1]?.body.messages.at(-1)?.["content"]).toMatch(message);
      expect(toolCalls).toMatchObject([{ status: "error" }]);
      expect([observed, end.status]).toEqual([[], "completed"]);
    });
  });

  it("tell the model what went wrong with a tool", async () => {
    const tools = [{ name: "broken", default: { error: "out of order", error_code: "TOOL_ERROR" } }];
    await withTools(tools, async (job) => {
      const server = await serveModel(calls({ name: "broken" }), says("sorry"));
      const { toolCalls } = await driveModel(server.base, { job });
      expect(JSON.parse(server.asked[1]?.body.messages.at(-1)?.["content"] as string)).toEqual({
        error: "out of order",
        error_code: "TOOL_ERROR",
      });
      expect(toolCalls).toMatchObject([{ tool: "broken", status: "error", error: "out of order" }]);
    });
  });

  it("are never called at an address that is not the run's own", async () => {
    const other = await serveModel(json({}));
    const server = await serveModel(calls({ name: "weather_now" }), says("done"));
    const { end } = await driveModel(server.base, {
      job: { context: { tools_endpoint: `${other.url}/tools/x` }, options: { tools: { tools: [WEATHER] } } },
    });
    expect(end.failure).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("not the run's own") as string,
    });
    expect([other.asked, server.asked]).toEqual([[], []]);
  });

  it("are called as often as the model wants, until the run is stopped", async () => {
    const stop = new AbortController();
    await withTools([WEATHER], async (job) => {
      const server = await serveModel(calls(...Array.from({ length: 500 }, () => ({ name: "weather_now" }))));
      let heard = 0;
      const { end, rules } = await driveModel(server.base, {
        job,
        cancel: stop.signal,
        onReport(report) {
          if (report.kind === "event" && report.event.type === "tool_call" && ++heard === 300) stop.abort();
        },
      });
      expect(end.status).toBe("cancelled");
      // 128 calls of an answer are carried out, the others are dropped, and that is recorded once for each answer.
      expect(rules).toEqual(["openai.tool_calls", "openai.tool_calls", "openai.tool_calls"]);
      expect(server.asked).toHaveLength(3);
    });
  });
});
