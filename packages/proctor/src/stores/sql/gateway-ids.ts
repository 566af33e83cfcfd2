// The ids that a gateway gave out, and the agents' ids that they stand for.
import type { GatewayId, GatewayIdKind, KeptTask } from "../../core/ports/gateway-ids.ts";
import { refuseNul } from "./refuse-nul.ts";
import type { GatewayIdsTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

interface GatewayIdQueries {
  put(tx: Connection, id: GatewayId): Promise<GatewayId>;
  putTask(tx: Connection, task: GatewayId, context: GatewayId): Promise<KeptTask>;
  byInner(
    connection: Connection,
    gateway: string,
    kind: GatewayIdKind,
    inner: string,
  ): Promise<GatewayId | undefined>;
  byOuter(
    connection: Connection,
    gateway: string,
    kind: GatewayIdKind,
    user: string,
    outer: string,
  ): Promise<GatewayId | undefined>;
}

type Row = GatewayIdsTable;
const COLUMNS = ["gateway", "kind", "outer_id", "inner_id", "user_id", "context", "created_at"] as const;

export function createGatewayIdQueries({ builder }: SqlDialect): GatewayIdQueries {
  const insert = template((row: Row) =>
    builder
      .insertInto("gateway_ids")
      .values(row)
      .onConflict((conflict) => conflict.columns(["gateway", "kind", "inner_id"]).doNothing()),
  );
  const inner = template(({ gateway, kind, inner_id }: Pick<Row, "gateway" | "kind" | "inner_id">) =>
    builder
      .selectFrom("gateway_ids")
      .select(COLUMNS)
      .where((eb) => eb.and({ gateway, kind, inner_id })),
  );
  type Outer = Pick<Row, "gateway" | "kind" | "user_id" | "outer_id">;
  const outer = template(({ gateway, kind, user_id, outer_id }: Outer) =>
    builder
      .selectFrom("gateway_ids")
      .select(COLUMNS)
      .where((eb) => eb.and({ gateway, kind, user_id, outer_id }))
      .orderBy("created_at")
      .limit(1),
  );

  async function byInner(
    connection: Connection,
    gateway: string,
    kind: GatewayIdKind,
    innerId: string,
  ): Promise<GatewayId | undefined> {
    const row = await connection.first(inner({ gateway, kind, inner_id: innerId }));
    return row && decode(row);
  }

  async function put(tx: Connection, id: GatewayId): Promise<GatewayId> {
    refuseNul("the id of a task or a context", `${id.inner}${id.outer}${id.user}${id.context}`);
    const isNew = (await tx.run(insert(encode(id)))) > 0;
    return isNew ? id : ((await byInner(tx, id.gateway, id.kind, id.inner)) ?? id);
  }

  return {
    put,
    async putTask(tx, task, context) {
      const kept = await put(tx, context);
      if (kept.user !== task.user) return { context: kept, task: undefined };
      return { context: kept, task: await put(tx, { ...task, context: kept.outer }) };
    },
    byInner,
    async byOuter(connection, gateway, kind, user, outerId) {
      const row = await connection.first(outer({ gateway, kind, user_id: user, outer_id: outerId }));
      return row && decode(row);
    },
  };
}

function encode({ gateway, kind, outer, inner, user, context, createdAt }: GatewayId): Row {
  return {
    gateway,
    kind,
    outer_id: outer,
    inner_id: inner,
    user_id: user,
    context,
    created_at: createdAt,
  };
}

function decode({ gateway, kind, outer_id, inner_id, user_id, context, created_at }: Row): GatewayId {
  return {
    gateway,
    kind,
    outer: outer_id,
    inner: inner_id,
    user: user_id,
    context,
    createdAt: created_at,
  };
}
