// Puts copies of one real task into a hub's database, because a million of them would take an hour through the API.
import { join } from "node:path";
import Database from "libsql";
import { startHub } from "./processes.ts";

export async function fillTasks(folder: string, count: number): Promise<void> {
  const hub = await startHub({ concurrency: 0, folder });
  try {
    const created = await fetch(`http://127.0.0.1:${hub.port}/api/tasks`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ task: "Create a report about sales data" }),
    });
    if (created.status !== 200) throw new Error(await created.text());
  } finally {
    await hub.stop();
  }
  const database = new Database(join(folder, ".proctor/proctor.db"));
  database.pragma("synchronous = OFF");
  const numbers = `WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count - 1})`;
  const copy = (table: string, changed: Record<string, string>, where: string): void => {
    // `table_info` returns one row per column, with its name.
    const columns = database.pragma(`table_info(${table})`) as { name: string }[];
    const names = columns.map(({ name }) => name).filter((name) => name !== "ordinal");
    const values = names.map((name) => changed[name] ?? `model.${name}`);
    database.exec(
      `${numbers} INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")} FROM numbers, (SELECT * FROM ${table} WHERE ${where}) AS model ORDER BY number`,
    );
  };
  const id = (column: string): string => `substr(model.${column}, 1, 24) || printf('%012x', number)`;
  // The rows of the first task, whose run has the first ordinal.
  const ofFirst = "run_id = (SELECT id FROM runs ORDER BY ordinal LIMIT 1)";
  database.exec("BEGIN");
  copy("events", { run_id: id("run_id") }, `sequence = 0 AND ${ofFirst}`);
  copy("events", { run_id: id("run_id") }, `sequence = 1 AND ${ofFirst}`);
  copy("runs", { id: id("id"), created_at: "model.created_at + number" }, "true");
  database.exec("DELETE FROM run_blocks");
  database.exec("INSERT INTO run_blocks SELECT ordinal / 1024, count(*) FROM runs GROUP BY 1");
  database.exec("COMMIT");
  database.close();
}
