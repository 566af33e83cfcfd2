// The files in deploy/, as far as they can be tried without an engine: they parse, and whatever they name exists.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { isJsonObject, type Json, type JsonObject } from "../src/core/json.ts";
import { createProgram } from "../src/cli/program.ts";
import { readKey } from "../src/runtime/read-key.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const configuration = read("docs/reference/configuration.md");
const api = read("docs/reference/http-api.md");
const manifests = readdirSync(join(root, "deploy/kubernetes"));

/** The names of the variables that other programs than ours read. */
const FOREIGN = /^(?:POSTGRES|MINIO)_/;

const compose = parse(read("deploy/compose/compose.yaml"), { merge: true }) as {
  services: Record<string, { command?: string[]; environment?: Record<string, string>; depends_on?: Json }>;
};

function variablesOf(value: Json | undefined, found: string[] = []): string[] {
  if (Array.isArray(value)) for (const item of value) variablesOf(item, found);
  if (!isJsonObject(value)) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "env" && Array.isArray(inner))
      found.push(
        ...inner.flatMap((entry) =>
          isJsonObject(entry) && typeof entry["name"] === "string" ? [entry["name"]] : [],
        ),
      );
    const isBag = key === "environment" || key === "data" || key === "stringData";
    if (isBag && isJsonObject(inner)) found.push(...Object.keys(inner));
    variablesOf(inner, found);
  }
  return found;
}

const documents = manifests.flatMap((file) =>
  parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => {
    expect(document.errors, file).toEqual([]);
    return document.toJS() as JsonObject;
  }),
);

describe("the files for deployments", () => {
  it("name only variables that the configuration has", () => {
    const named = [...variablesOf(compose), ...documents.flatMap((document) => variablesOf(document))];
    const examples = read("deploy/compose/.env.example").matchAll(/^([A-Z_0-9]+)=/gm);
    const all = new Set([...named, ...Array.from(examples, ([, name = ""]) => name)]);
    expect(all.size).toBeGreaterThan(8);
    const unknown = [...all].filter((name) => !FOREIGN.test(name) && !configuration.includes(`\`${name}\``));
    expect(unknown).toEqual([]);
  });

  it("start commands that exist", () => {
    const io = { stdout: { write: () => true }, stderr: { write: () => true } };
    const program = createProgram(io as never, () => Promise.resolve());
    const commands = program.commands.map((command) => command.name());
    const ours = Object.entries(compose.services).filter(([name]) => /^(?:hub|worker)-/.test(name));
    expect(ours).toHaveLength(4);
    for (const [, { command }] of ours) expect(commands).toContain(command?.[0]);
    const args = manifests.flatMap((file) =>
      Array.from(read(`deploy/kubernetes/${file}`).matchAll(/args: \[(\w+)\]/g), ([, name = ""]) => name),
    );
    expect(args).toEqual(["up", "worker"]);
    for (const name of args) expect(commands).toContain(name);
  });

  it("give every variable that compose asks for an example, and a key that is one", () => {
    const examples = new Map(
      Array.from(
        read("deploy/compose/.env.example").matchAll(/^(\w+)=(.*)$/gm),
        ([, name = "", value = ""]) => [name, value],
      ),
    );
    const asked = Array.from(
      read("deploy/compose/compose.yaml").matchAll(/\$\{(\w+):\?\}/g),
      ([, name = ""]) => name,
    );
    for (const name of asked) expect(examples.get(name), name).toBeTruthy();
    expect(readKey(examples.get("SEAL_KEY") ?? "")).toHaveLength(32);
  });

  it("of Kubernetes are all in the kustomization, and look after what exists", () => {
    const { resources } = parse(read("deploy/kubernetes/kustomization.yaml")) as { resources: string[] };
    expect(resources.toSorted()).toEqual(manifests.filter((file) => file !== "kustomization.yaml"));
    for (const document of documents)
      expect(document).toMatchObject({ apiVersion: expect.any(String), kind: expect.any(String) });
    const text = manifests.map((file) => read(`deploy/kubernetes/${file}`)).join("\n");
    for (const [, path = ""] of text.matchAll(/path: (\/[\w/]+)/g)) expect(api).toContain(`### GET ${path}`);
    const [, name = ""] = /metric: \{ name: (\w+) \}/.exec(text) ?? [];
    expect(api).toContain(`\`${name}\``);
  });

  it("show metrics that exist", () => {
    const { panels } = JSON.parse(read("deploy/grafana/dashboard.json")) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const metrics = expressions.flatMap((expr) => expr.match(/proctor_\w+/g) ?? []);
    expect(metrics.length).toBeGreaterThan(8);
    for (const metric of metrics) expect(api).toContain(metric.replace(/_bucket$/, ""));
  });

  it("send requests to the hubs that compose starts", () => {
    const hubs = Array.from(
      read("deploy/compose/nginx.conf").matchAll(/server (hub-\d):3001;/g),
      ([, name = ""]) => name,
    );
    expect(hubs).toEqual(Object.keys(compose.services).filter((name) => name.startsWith("hub-")));
  });
});
