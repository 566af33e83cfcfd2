// What is too long to be shown whole is not cut through a secret: halves are not recognised later.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveHttp } from "../../../test/support/http/servers.ts";
import { createRedactor } from "../../core/redact.ts";
import { startTools, type ToolsHarness } from "../../../test/support/doubles/tools-harness.ts";

const SECRET = "sk-Live-9f8e7d6c5b4a-32109876";
const HALF = SECRET.slice(0, 12);
const OTHER_HALF = SECRET.slice(-12);
const redactor = createRedactor([{ name: "API_KEY", value: SECRET }]);
const redact = (text: string): string => redactor.text(text);

let tools: ToolsHarness;
beforeAll(async () => {
  tools = await startTools();
});
afterAll(() => tools.close());

/** So long that a cut after `chars` leaves half of the secret before it. */
const straddling = (chars: number): string =>
  `${"x".repeat(chars - HALF.length)}${SECRET}${"y".repeat(chars)}`;

test("no secret is left in the name of a tool that does not exist", async () => {
  const session = await tools.open([], { redact });
  const { body } = await session.call(straddling(200));
  expect(body).toMatchObject({ error_code: "TOOL_NOT_FOUND" });
  expect(JSON.stringify([body, session.calls])).not.toContain(HALF);
  expect(session.calls[0]?.tool).toMatch(/^\(a name of \d+ characters\)$/);
  await session.close();
});

test("no secret is left in the page of a tool that answers with one", async () => {
  const server = await serveHttp((_request, response) => response.writeHead(500).end(straddling(500)));
  const session = await tools.open([{ name: "search", forward: { url: server.url } }], { redact });
  const { body } = await session.call("search");
  expect(body).toMatchObject({ error: "search answered with HTTP 500" });
  expect(JSON.stringify([body, session.calls])).not.toContain(HALF);
  await session.close();
});

test.each([
  ["cut out of its line", `${"x".repeat(500)}${SECRET}${"y".repeat(980)}`],
  ["in a line before the last", `${SECRET}\n${"y".repeat(980)}`],
])("no secret is left in the last words of an MCP server that does not start: %s", async (_, words) => {
  // The command line is shown, too; there the secret stands in two pieces.
  const said = JSON.stringify(`${words}\n`).replace(SECRET, `${HALF}"+"${SECRET.slice(HALF.length)}`);
  const script = `process.stderr.write(${said}, () => process.exit(3))`;
  const mcp = [{ command: [process.execPath, "-e", script] }];
  const failed = await tools.open({ tools: [], mcp }, { redact, runId: randomUUID() }).then(
    () => "",
    (error: Error) => error.message,
  );
  const [, shown = ""] = failed.split("exited with code 3");
  expect(shown).not.toBe("");
  expect(shown).not.toContain(OTHER_HALF);
});
