// A program that moves a database a few rows at a time, and prints how far it is.
import { moveDatabase } from "../../../src/stores/moving/move-database.ts";
import { openPostgres } from "../../../src/stores/moving/open-postgres.ts";
import { openSqlite } from "../../../src/stores/moving/open-sqlite.ts";

const [file = "", url = ""] = process.argv.slice(2);
await moveDatabase(await openSqlite(file), await openPostgres(url), {
  pageRows: 2,
  onProgress: ({ step, done }) => console.log(`${step} ${done}`),
});
