// Script tools over HTTP: those of a hub elsewhere.
import type { Page } from "../core/page.ts";
import type { ScriptTools } from "../core/ports/script-tools.ts";
import type { ScriptResult, ScriptTool } from "../core/script-tool.ts";
import type { HttpClient } from "./http-client.ts";
import { path } from "./http-path.ts";
import { query } from "./http-query.ts";

/** The hub knows its caller by the token. */
export function createHttpScriptTools(client: HttpClient): ScriptTools {
  return {
    put(tool, { replace = false } = {}) {
      if (!replace) return client.sendJson<ScriptTool>("/script-tools", { method: "POST", body: tool });
      const { name, ...body } = tool;
      return client.sendJson<ScriptTool>(path`/script-tools/${name}`, { method: "PUT", body });
    },
    get: (name) => client.sendJson<ScriptTool>(path`/script-tools/${name}`),
    list: ({ cursor, limit }) =>
      client.sendJson<Page<ScriptTool>>(`/script-tools${query({ cursor, limit })}`),
    async remove(name) {
      await client.send(path`/script-tools/${name}`, { method: "DELETE" });
    },
    call: (name, input, signal) =>
      client.sendJson<ScriptResult>(path`/script-tools/${name}/call`, {
        method: "POST",
        body: { input },
        signal,
      }),
  };
}
