// The script tools of the hub among its agents: each is one, at `script-tool:<name>`, whose one capability is the tool. They are not registered,
// and no registered agent can have such a name.
import { ProctorError } from "../core/errors.ts";
import type { Page, PageRequest } from "../core/page.ts";
import { isHubTool } from "../core/address.ts";
import type { ScriptTool } from "../core/script-tool.ts";
import { newEntry, newLease, type Entry } from "./entry.ts";

const SCHEME = "script-tool";
const PAGE = 1000;

export function toolAgentName(tool: string): string {
  return `${SCHEME}:${tool}`;
}

export function toolEntry({
  name,
  description,
  version,
  parameters,
  returns,
  created_at,
}: ScriptTool): Entry {
  const address = toolAgentName(name);
  const said = description === undefined || description === "" ? {} : { description };
  const capability = { name, ...said, parameters, ...(returns && { returns }) };
  return newEntry(
    {
      name: address,
      address,
      protocol: SCHEME,
      transport: SCHEME,
      url: address,
      created_at,
      ...said,
      ...(version !== undefined && { version }),
      capabilities: [capability],
    },
    null,
    // It is there as long as the hub is: nothing has to be noticed.
    { ...newLease(address), state: "online", since: Date.parse(created_at) },
  );
}

/** Yields all tools, whatever the pages. */
export async function* readTools(
  list: (page: PageRequest) => Promise<Page<ScriptTool>>,
): AsyncGenerator<ScriptTool> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page: Page<ScriptTool> = await list({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    yield* page.items;
    cursor = page.next_cursor;
  }
}

/** Throws NOT_SUPPORTED for a tool: it is changed where tools are. */
export function refuseTool(name: string): void {
  if (!isHubTool(name)) return;
  throw new ProctorError(
    "NOT_SUPPORTED",
    `${name} is a tool of this hub, and not registered\nchange or remove it with proctor tools`,
    { details: { agent: name } },
  );
}
