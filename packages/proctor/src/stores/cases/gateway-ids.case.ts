// Cases of a store: the ids that a gateway gave out.
import { expect, it } from "vitest";
import type { GatewayId } from "../../core/ports/gateway-ids.ts";
import type { Store } from "../../core/ports/store.ts";

const ID: GatewayId = {
  gateway: "writer",
  kind: "task",
  outer: "o1",
  inner: "i1",
  user: "ada",
  context: "c1",
  createdAt: 1,
};

export function gatewayIdCases(use: () => Store, reopen: () => Promise<Store>): void {
  it("finds an id from both sides, also after a restart", async () => {
    expect(await use().gatewayIds.put(ID)).toEqual(ID);
    const { gatewayIds } = await reopen();
    expect(await gatewayIds.byInner("writer", "task", "i1")).toEqual(ID);
    expect(await gatewayIds.byOuter("writer", "task", "ada", "o1")).toEqual(ID);
  });

  it("keeps gateways, kinds and users apart", async () => {
    const { gatewayIds } = use();
    await gatewayIds.put(ID);
    expect(await gatewayIds.byInner("other", "task", "i1")).toBeUndefined();
    expect(await gatewayIds.byInner("writer", "context", "i1")).toBeUndefined();
    expect(await gatewayIds.byOuter("writer", "task", "bob", "o1")).toBeUndefined();
    expect(await gatewayIds.byOuter("writer", "context", "ada", "o1")).toBeUndefined();
    const context: GatewayId = { ...ID, kind: "context", outer: "c1" };
    expect(await gatewayIds.put(context)).toEqual(context);
  });

  it("keeps the first id of all that are given to one of the agent's at the same time", async () => {
    const { gatewayIds } = use();
    const put = await Promise.all(
      Array.from({ length: 10 }, (_, index) => gatewayIds.put({ ...ID, outer: `o${index}` })),
    );
    expect(new Set(put.map(({ outer }) => outer)).size).toBe(1);
  });

  const CONTEXT: GatewayId = { ...ID, kind: "context", outer: "c1", inner: "ic1" };

  it("keeps a task together with its context, also after a restart", async () => {
    expect(await use().gatewayIds.putTask(ID, CONTEXT)).toEqual({ task: ID, context: CONTEXT });
    const { gatewayIds } = await reopen();
    expect(await gatewayIds.byInner("writer", "task", "i1")).toEqual(ID);
    expect(await gatewayIds.byInner("writer", "context", "ic1")).toEqual(CONTEXT);
  });

  it("keeps a task in the context that the agent's id has stood for before", async () => {
    const { gatewayIds } = use();
    await gatewayIds.put(CONTEXT);
    const wanted = { ...CONTEXT, outer: "c2", context: "c2" };
    const task = { ...ID, context: "c2" };
    expect(await gatewayIds.putTask(task, wanted)).toEqual({ task: ID, context: CONTEXT });
    const again = { ...task, outer: "o2" };
    expect(await gatewayIds.putTask(again, wanted)).toEqual({ task: ID, context: CONTEXT });
  });

  it("keeps no task in the context of another user", async () => {
    const { gatewayIds } = use();
    const theirs = { ...CONTEXT, user: "bob" };
    await gatewayIds.put(theirs);
    expect(await gatewayIds.putTask(ID, CONTEXT)).toEqual({ task: undefined, context: theirs });
    expect(await gatewayIds.byInner("writer", "task", "i1")).toBeUndefined();
  });

  it("finds the oldest of the agent's ids that are one for the client", async () => {
    const { gatewayIds } = use();
    await gatewayIds.put({ ...ID, inner: "late", createdAt: 5 });
    await gatewayIds.put({ ...ID, inner: "early", createdAt: 2 });
    expect(await gatewayIds.byOuter("writer", "task", "ada", "o1")).toMatchObject({ inner: "early" });
  });

  it("refuses an id that holds NUL", async () => {
    await expect(use().gatewayIds.put({ ...ID, inner: "a\0b" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });
}
