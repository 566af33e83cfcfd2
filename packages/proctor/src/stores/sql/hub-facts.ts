// The facts that all processes of one database agree on: the first to write one decides.
import type { HubFactName, HubFacts } from "../../core/ports/hub-facts.ts";
import type { SqlBackend } from "./sql-backend.ts";
import { template } from "./template.ts";

export function createHubFacts({ dialect: { builder }, read, write }: SqlBackend): HubFacts {
  const one = template(({ name }: { name: HubFactName }) =>
    builder.selectFrom("hub_facts").select("value").where("name", "=", name),
  );
  const add = template(({ name, value }: { name: HubFactName; value: string }) =>
    builder
      .insertInto("hub_facts")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doNothing()),
  );
  const replace = template(({ name, value }: { name: HubFactName; value: string }) =>
    builder
      .insertInto("hub_facts")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value })),
  );
  const find = async (name: HubFactName): Promise<string | undefined> =>
    (await read.first(one({ name })))?.value;

  return {
    read: find,
    async settle(name, value) {
      const known = await find(name);
      if (known !== undefined) return known;
      await write((tx) => Promise.resolve(tx.run(add({ name, value }))));
      return (await find(name)) ?? value;
    },
    put: (name, value) => write(async (tx) => void (await tx.run(replace({ name, value })))),
  };
}
