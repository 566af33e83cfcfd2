import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRouter } from "./router.ts";

function setup() {
  const router = createRouter<string>();
  router.add("GET", "/", "root");
  router.add("GET", "/runs", "list");
  router.add("POST", "/runs", "create");
  router.add("GET", "/runs/{id}", "one");
  router.add("GET", "/runs/{id}/events", "events");
  router.addBelow("/ap/v1", "agent protocol");
  return router;
}

describe("the router", () => {
  it.each([
    ["/", "root", {}],
    ["/runs", "list", {}],
    ["/runs/7", "one", { id: "7" }],
    ["/runs/7/events", "events", { id: "7" }],
    ["/runs/a%2Fb", "one", { id: "a%2Fb" }],
    ["/runs/events", "one", { id: "events" }],
  ])("finds %s", (path, endpoint, params) => {
    const match = setup().find(path);
    expect(match?.endpoints.get("GET")).toBe(endpoint);
    expect(match?.params).toEqual(params);
  });

  it.each([
    "",
    "/run",
    "/runs/",
    "/runs//events",
    "/runs/7/",
    "/runs/7/events/1",
    "//runs",
    "/ap",
    "/ap/v10",
  ])("finds nothing at %j", (path) => {
    expect(setup().find(path)).toBeUndefined();
  });

  it.each(["/ap/v1", "/ap/v1/", "/ap/v1/agent/tasks/1"])("gives what is below a mount to it: %s", (path) => {
    expect(setup().find(path)?.endpoints.get("*")).toBe("agent protocol");
  });

  it("knows which methods a path takes", () => {
    expect([...(setup().find("/runs")?.endpoints.keys() ?? [])]).toEqual(["GET", "POST"]);
  });

  it("takes any path without throwing", () => {
    const router = setup();
    fc.assert(fc.property(fc.webPath(), (path) => void router.find(path)));
    fc.assert(fc.property(fc.string(), (path) => void router.find(path)));
    expect(router.find("/__proto__")).toBeUndefined();
    expect(router.find("/constructor")).toBeUndefined();
  });
});
