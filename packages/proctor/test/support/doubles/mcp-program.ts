// An MCP server for tests, written with the official library: as a program on stdio, and as a handler for HTTP.
import { createMcpHandler, McpServer, type McpHttpHandler } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { McpServer as McpServerEntry } from "../../../src/core/tools.ts";
import { ROOT } from "./tools-harness.ts";

/** The program's own text, run by node; what it can do besides is decided by its environment. */
const PROGRAM = `
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { spawn } from "node:child_process";
import { z } from "zod";

if (process.env.FAIL) {
  console.error("cannot find the license " + process.env.FAIL);
  process.exit(3);
}
console.log("a banner that is no JSON");
let calls = 0;
const text = (value) => ({ content: [{ type: "text", text: String(value) }] });
serveStdio(() => {
  const server = new McpServer({ name: "fixture", version: "1.0.0" });
  const any = z.looseObject({});
  server.registerTool("add", { description: "Adds.", inputSchema: z.object({ a: z.number(), b: z.number() }) },
    async ({ a, b }) => text(a + b));
  server.registerTool("count", { inputSchema: any }, async () => text(++calls));
  server.registerTool("pid", { inputSchema: any }, async () => text(process.pid));
  server.registerTool("env", { inputSchema: any }, async () => text(Object.keys(process.env).sort().join(",")));
  server.registerTool("weather", { inputSchema: any, outputSchema: z.object({ degrees: z.number() }) },
    async () => ({ ...text("warm"), structuredContent: { degrees: 21 } }));
  server.registerTool("image", { inputSchema: any },
    async () => ({ content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }));
  server.registerTool("fail", { inputSchema: any }, async () => ({ ...text("no such city"), isError: true }));
  server.registerTool("hang", { inputSchema: any }, () => new Promise(() => {}));
  server.registerTool("crash", { inputSchema: any }, async () => {
    console.error("going down with " + process.env.TOKEN);
    process.exit(7);
  });
  server.registerTool("child", { inputSchema: any }, async () => {
    const child = spawn("sleep", ["3600"], { stdio: "ignore" });
    return text(child.pid);
  });
  return server;
}, process.env.ONLY_NEW ? { legacy: "reject" } : {});
// One that does not end when its input does.
if (process.env.STUBBORN) setInterval(() => {}, 1000);
`;

export function mcpProgram(more: Omit<McpServerEntry, "command" | "url"> = {}): McpServerEntry {
  return { command: [process.execPath, "--input-type=module", "-e", PROGRAM], cwd: ROOT, ...more };
}

export function mcpHandler(options: { legacy?: "reject" } = {}): McpHttpHandler {
  return createMcpHandler(() => {
    const server = new McpServer({ name: "http-fixture", version: "1.0.0" });
    server.registerTool(
      "shout",
      { description: "Shouts.", inputSchema: z.object({ text: z.string() }) },
      async ({ text }) => ({ content: [{ type: "text", text: text.toUpperCase() }] }),
    );
    server.registerTool("big", { inputSchema: z.looseObject({}) }, async () => ({
      content: [{ type: "text", text: "x".repeat(11 * 1024 * 1024) }],
    }));
    return server;
  }, options);
}
