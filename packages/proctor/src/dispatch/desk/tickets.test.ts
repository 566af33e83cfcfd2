import { describe, expect, it } from "vitest";
import { OPERATOR, type Caller } from "../../core/caller.ts";
import { createTickets } from "./tickets.ts";

const lent = { job: { id: "run-1", retryCount: 2, queue: "runs", since: 7 }, fence: 3 };
const token = (id: string): Caller => ({ name: `token:${id}`, scopes: ["workers"] });
const tickets = createTickets(() => Promise.resolve(Buffer.alloc(32, 1)));
const mine = { caller: token("a"), worker: "box:1" };

describe("a ticket of a run", () => {
  it("comes back as it was given, at any server with the same key", async () => {
    const other = createTickets(() => Promise.resolve(Buffer.alloc(32, 1)));
    expect(await other.check(mine, await tickets.issue(mine, lent))).toEqual(lent);
  });

  it("is refused from another token, another worker and another hub", async () => {
    const ticket = await tickets.issue(mine, lent);
    const refused = { code: "FORBIDDEN" };
    await expect(tickets.check({ ...mine, caller: token("b") }, ticket)).rejects.toMatchObject(refused);
    await expect(tickets.check({ ...mine, caller: OPERATOR }, ticket)).rejects.toMatchObject(refused);
    await expect(tickets.check({ ...mine, worker: "box:2" }, ticket)).rejects.toMatchObject(refused);
    const elsewhere = createTickets(() => Promise.resolve(Buffer.alloc(32, 2)));
    await expect(elsewhere.check(mine, ticket)).rejects.toMatchObject(refused);
  });

  it("is refused when anything in it was changed", async () => {
    const ticket = await tickets.issue(mine, lent);
    const [text = "", signature = ""] = ticket.split(".");
    const raised = JSON.stringify(
      (JSON.parse(Buffer.from(text, "base64url").toString()) as unknown[]).map((field) =>
        field === 3 ? 4 : field,
      ),
    );
    const forged = [
      `${Buffer.from(raised).toString("base64url")}.${signature}`,
      `${text}.${Buffer.alloc(32).toString("base64url")}`,
      `${text}.`,
      text,
      "",
      "..",
    ];
    for (const each of forged)
      await expect(tickets.check(mine, each), each).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
