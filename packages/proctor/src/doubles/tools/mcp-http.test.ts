import { expect, test } from "vitest";
import { createMcpFetch } from "./mcp-http.ts";

test.each(["http://127.0.0.1:2/mcp", "https://127.0.0.1:1/mcp", "http://10.0.0.1/token"])(
  "an MCP client is kept from %s when its server is elsewhere",
  async (url) => {
    const fetchFrom = createMcpFetch(new URL("http://127.0.0.1:1/mcp"));
    await expect(fetchFrom(url)).rejects.toThrow("the MCP server leads to another host");
  },
);
