import { describe } from "vitest";
import { createDatabase, emptyDatabase, lacksPostgres } from "../../../test/support/postgres.ts";
import { storeCases } from "../store.case.ts";
import { openPostgresStore } from "./open-store.ts";

describe.skipIf(await lacksPostgres("the store on PostgreSQL"))("on a real server", () => {
  let shared: Promise<string> | undefined;

  storeCases("PostgreSQL", async () => {
    const url = await (shared ??= createDatabase());
    let current = await openPostgresStore({ url });
    return {
      store: current,
      async reopen() {
        await current.close();
        current = await openPostgresStore({ url });
        return current;
      },
      async close() {
        await current.close();
        await emptyDatabase(url);
      },
    };
  });
});
