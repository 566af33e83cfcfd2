import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRouter } from "./router.ts";

const ENDPOINTS = [
  { method: "GET", path: "/", name: "root" },
  { method: "GET", path: "/runs", name: "list" },
  { method: "POST", path: "/runs", name: "create" },
  { method: "GET", path: "/runs/{id}", name: "one" },
  { method: "GET", path: "/runs/{run}/events/{sequence}", name: "event" },
  { method: "DELETE", path: "/runs/{id}/events", name: "forget" },
  { method: "*", path: "/ap/v1/*", name: "agent protocol" },
];

const setup = () => createRouter(ENDPOINTS, "see /docs");

describe("the router", () => {
  it.each([
    ["/", "root", {}],
    ["/runs", "list", {}],
    ["/runs/7", "one", { id: "7" }],
    ["/runs/7/events/8", "event", { run: "7", sequence: "8" }],
    ["/runs/events", "one", { id: "events" }],
    ["/runs/a%2Fb%20c", "one", { id: "a/b c" }],
  ])("finds %s and decodes its parameters by the names of that path", (path, name, params) => {
    expect(setup().find("GET", path)).toMatchObject({ endpoint: { name }, params });
  });

  it.each([
    "",
    "/run",
    "/runs/",
    "/runs//events",
    "/runs/7/",
    "/runs/7/events/1/2",
    "//runs",
    "/ap",
    "/ap/v10",
    "/__proto__",
    "/constructor",
  ])("finds nothing at %j and says where to look", (path) => {
    expect(setup().find("GET", path)).toMatchObject({
      endpoint: undefined,
      error: { code: "NOT_FOUND", message: "there is nothing at this path\nsee /docs" },
      headers: {},
    });
  });

  it.each(["/ap/v1", "/ap/v1/", "/ap/v1/agent/tasks/1"])(
    "gives %s to the endpoint that takes all below",
    (path) => {
      expect(setup().find("PATCH", path).endpoint).toMatchObject({ name: "agent protocol" });
    },
  );

  it("answers HEAD with what takes GET", () => {
    expect(setup().find("HEAD", "/runs").endpoint).toMatchObject({ name: "list" });
    expect(setup().find("HEAD", "/runs/7/events")).toMatchObject({ error: { code: "METHOD_NOT_ALLOWED" } });
  });

  it("names the methods that a path takes when another is used", () => {
    expect(setup().find("DELETE", "/runs")).toMatchObject({
      error: { code: "METHOD_NOT_ALLOWED", message: "this path takes GET, POST, HEAD" },
      headers: { allow: "GET, POST, HEAD" },
    });
    expect(setup().find("GET", "/runs/7/events")).toMatchObject({ headers: { allow: "DELETE" } });
  });

  it("refuses a parameter with a malformed percent escape", () => {
    expect(setup().find("GET", "/runs/%E0%A4")).toMatchObject({ error: { code: "INVALID_REQUEST" } });
  });

  it.each([
    ["/runs", true],
    ["/runs/7", true],
    ["/ap/v1/anything/below", true],
    ["/run", false],
    ["/runs/7/", false],
  ])("knows the path %s whatever the method: %s", (path, isKnown) => {
    expect(setup().knows(path)).toBe(isKnown);
  });

  it("refuses two endpoints for one method and path", () => {
    expect(() =>
      createRouter([...ENDPOINTS, { method: "GET", path: "/runs/{other}", name: "" }], ""),
    ).toThrow("two endpoints take GET /runs/{other}");
  });

  it("takes any path without throwing", () => {
    const router = setup();
    fc.assert(fc.property(fc.webPath(), (path) => void router.find("GET", path)));
    fc.assert(fc.property(fc.string(), (path) => void router.find("GET", path)));
  });
});
