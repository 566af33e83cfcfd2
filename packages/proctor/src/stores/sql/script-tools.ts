// The tools that are scripts, by name.
import { ProctorError } from "../../core/errors.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import type { ScriptTool } from "../../core/script-tool.ts";
import { cursorKind, isTextKey } from "./cursor.ts";
import { readPage } from "./read-page.ts";
import { refuseNul } from "./refuse-nul.ts";
import type { ScriptToolsTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

interface ScriptToolQueries {
  put(tx: Connection, tool: ScriptTool, replace: boolean): Promise<ScriptTool>;
  read(connection: Connection, name: string): Promise<ScriptTool | undefined>;
  list(connection: Connection, page: PageRequest): Promise<Page<ScriptTool>>;
  remove(tx: Connection, name: string): Promise<boolean>;
}

const cursors = cursorKind("script tools", null, isTextKey);

export function createScriptToolQueries({ builder }: SqlDialect): ScriptToolQueries {
  const write = template(({ name, document }: ScriptToolsTable) =>
    builder
      .insertInto("script_tools")
      .values({ name, document })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ document })),
  );
  const one = template(({ name }: { name: string }) =>
    builder.selectFrom("script_tools").select("document").where("name", "=", name),
  );
  const page = template(({ after, limit }: { after: string; limit: number }) =>
    builder
      .selectFrom("script_tools")
      .select(["name", "document"])
      .where("name", ">", after)
      .orderBy("name")
      .limit(limit),
  );
  const drop = template(({ name }: { name: string }) =>
    builder.deleteFrom("script_tools").where("name", "=", name),
  );

  async function read(connection: Connection, name: string): Promise<ScriptTool | undefined> {
    const row = await connection.first(one({ name }));
    return row && decode(row);
  }

  return {
    async put(tx, tool, replace) {
      const { name } = tool;
      refuseNul("the name of a tool", name);
      const before = await read(tx, name);
      if (before && !replace) {
        throw new ProctorError("TOOL_EXISTS", `a tool named ${name} exists\nreplace it with --replace`, {
          details: { name },
        });
      }
      const kept = { ...tool, created_at: before?.created_at ?? tool.created_at };
      await tx.run(write({ name, document: JSON.stringify(kept) }));
      return kept;
    },
    read,
    list: (connection, request) =>
      readPage(request, {
        cursors,
        rows: (after = "", limit) => connection.all(page({ after, limit })),
        decode: (row) => decode(row),
        keyOf: ({ name }) => name,
      }),
    remove: async (tx, name) => (await tx.run(drop({ name }))) > 0,
  };
}

function decode({ document }: Pick<ScriptToolsTable, "document">): ScriptTool {
  // Only `put` writes documents.
  return JSON.parse(document) as ScriptTool;
}
