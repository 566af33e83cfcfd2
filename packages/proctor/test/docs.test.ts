// Holds the documents to the code: what they list is derived from the sources, and compared in both directions.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { configFileSchema } from "../src/cli/config/config-file.ts";
import { loadConfig } from "../src/cli/config/load-config.ts";
import { ERRORS } from "../src/core/errors.ts";
import { DOCUMENTED } from "../src/core/violation-owner.ts";
import { AGENT_EVENT_TYPES } from "../src/core/event.ts";
import { FAILURES } from "../src/core/failure.ts";
import { TRANSITIONS } from "../src/core/run-machine.ts";
import { STEP_TRANSITIONS } from "../src/core/step-machine.ts";
import { RunDocument } from "../src/server/schemas/run.ts";
import { ATP_TRANSPORTS } from "../src/protocols/atp/driver.ts";
import { apiDocument } from "../../../scripts/api-document.ts";
import { withSchemas } from "../../../scripts/atp-schemas.ts";
import { CASE_CHECKS, CHECKS } from "../src/suites/checks/registry.ts";
import { REPORTERS } from "../src/suites/reporters/catalogue.ts";
import { suiteJsonSchema } from "../../../scripts/suite-format/json-schema.ts";
import { loadSuite } from "../src/suites/load.ts";
import { isJsonObject, type Json, type JsonObject } from "../src/core/json.ts";
import { jsonReporter } from "../src/suites/reporters/json.ts";
import { REPORTS } from "../src/conformance/reports/catalogue.ts";
import { compared } from "./support/conformance/documents.ts";
import { play, repeated } from "./support/reporters/results.ts";
import { suiteSchema } from "../src/suites/format/schema.ts";
import { all, block, blocks, firstWords, headings, lines, rows, section } from "./support/markdown.ts";
import { brokenLinks, markdownFiles } from "./support/markdown-links.ts";
import { runCommand } from "./support/run-command.ts";
import { commandTree, payloadsIn, sourceFiles } from "./support/source-facts.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const source = join(root, "packages/proctor/src");
const folder = temporaryFolder("docs");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const reference = (name: string): string => read(`docs/reference/${name}.md`);
const guide = read("docs/guides/first-agent.md");

describe("errors.md", () => {
  const listed = (heading: string): string[][] => rows(section(reference("errors"), heading));

  it("has every error of the catalogue as it is, and no other", () => {
    const known = Object.entries(ERRORS).map(([code, { status, exit, retryable, meaning }]) => {
      return [`\`${code}\``, `${status}`, `${exit}`, retryable ? "yes" : "no", meaning];
    });
    expectRows(listed("Errors"), known);
  });

  it("has every failure code as it is, and no other", () => {
    const known = Object.entries(FAILURES).map(([code, { retryable, meaning }]) => {
      return [`\`${code}\``, retryable ? "yes" : "no", meaning];
    });
    expectRows(listed("Failures"), known);
  });
});

describe("atp.md", () => {
  it("has the JSON Schemas that the code uses", () => {
    expect(reference("atp"), "run: node --import tsx scripts/atp-schemas.ts").toBe(
      withSchemas(reference("atp")),
    );
  });

  it("names every transport and every close code that is sent", () => {
    for (const transport of ATP_TRANSPORTS)
      expect(reference("atp")).toMatch(new RegExp(`atp\\+${transport}\\b`));
    const sources = sourceFiles().filter((file) =>
      /atp.websocket|channels.websocket|server.upgrade/.test(file),
    );
    const sent = sources.flatMap((file) =>
      all(readFileSync(file, "utf8"), /\b(1(?:00\d|01\d))\b(?! \*|,\d)/g),
    );
    const listed = rows(section(reference("atp"), "WebSocket")).map(([code = ""]) => code);
    for (const code of new Set(sent)) if (!NEVER_SENT.has(code)) expect(listed, code).toContain(code);
  });
});

/** Of agents that are written with an SDK. */
const NODE_FLAGS = ["--import"];
const SDK_FLAGS = ["--serve"];
const CURL_FLAGS = ["--data-binary"];

/** What a socket reports of itself when nothing was sent, and what is only understood. */
const NEVER_SENT = new Set(["1005", "1006"]);

describe("cli.md", () => {
  const text = reference("cli");
  const commands = commandTree();

  it("has a section for every command and none for another", () => {
    const documented = headings(text).filter((heading) => heading.startsWith("proctor "));
    expect(documented.sort()).toEqual(commands.map(({ path }) => path).sort());
  });

  it.each(commands)("lists the flags and arguments of $path", ({ path, command }) => {
    const body = section(text, path);
    const documented = rows(body).flatMap(([cell = ""]) => all(cell, /`(--?[a-zA-Z-]+)/g));
    const known = command.options.flatMap(({ long, short }) => [long, short]).filter((flag) => flag != null);
    expect(documented.sort()).toEqual(known.sort());
    for (const argument of command.registeredArguments) {
      expect(body).toContain(argument.variadic ? `<${argument.name()}...>` : `<${argument.name()}>`);
    }
  });

  it("mentions no flag that does not exist, and nor does any other document", () => {
    const options = commands.flatMap(({ command }) => command.options.map(({ long }) => long));
    const known = new Set(["--help", "--version", ...NODE_FLAGS, ...SDK_FLAGS, ...CURL_FLAGS, ...options]);
    for (const file of markdownFiles(root).filter((name) => /^docs\/(?:guides|reference)\//.test(name))) {
      const unknown = all(read(file), /(?<![\w-])(--[a-z][a-z-]*)/g).filter((flag) => !known.has(flag));
      expect(unknown, file).toEqual([]);
    }
  });
});

describe("http-api.md", () => {
  const text = reference("http-api");
  const operations = Object.entries(apiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, rest]) => ({
      ...rest,
      title: `${method.toUpperCase()} ${path}`,
    })),
  );

  it("has a section for every route and none for another", () => {
    const documented = headings(text).filter((heading) => /^[A-Z]+ \//.test(heading));
    expect(documented.sort()).toEqual(operations.map(({ title }) => title).sort());
  });

  it.each(operations.map((operation) => [operation.title, operation] as const))(
    "says what %s takes and answers",
    (title, { parameters = [], responses, security }) => {
      const body = section(text, title);
      const names = parameters.filter((parameter) => parameter.in !== "path").map(({ name }) => name);
      // What every route answers is said once.
      const statuses = Object.keys(responses).filter((status) => !/^(?:default|401|403)$/.test(status));
      expect([...names, ...statuses].filter((word) => !body.includes(`\`${word}\``))).toEqual([]);
      const isOpen = security?.length === 0;
      expect(body.includes("Needs no token")).toBe(isOpen);
      if (isOpen) expect(section(text, "Authentication")).toContain(`\`${title.split(" ")[1]}\``);
    },
  );
});

describe("events.md", () => {
  const text = reference("events");
  const code = readFileSync(join(source, "core/event.ts"), "utf8");

  it.each([
    ["What agents report", "AgentEventPayloads"],
    ["What the platform records", "PlatformEventPayloads"],
  ])("has every type of %s with its payload, and no other", (heading, name) => {
    const types = payloadsIn(code, name);
    const documented = new Map(
      rows(section(text, heading)).map(([type = "", payload = ""]) => [type, payload]),
    );
    expect([...documented.keys()].sort()).toEqual([...types.keys()].map((type) => `\`${type}\``).sort());
    for (const [type, fields] of types) {
      for (const field of fields) expect(documented.get(`\`${type}\``), type).toContain(`\`${field}\``);
    }
  });

  it("knows the types that agents may report", () => {
    expect([...payloadsIn(code, "AgentEventPayloads").keys()].sort()).toEqual([...AGENT_EVENT_TYPES].sort());
  });

  it("has every violation rule, and no other", () => {
    const rule = /"([a-z][a-z0-9]*(?:\.[a-z_]+)+)"/g;
    const rules = sourceFiles()
      .flatMap((file) => readFileSync(file, "utf8").split("\n"))
      .filter((line) => /\brule\b|ruleReport\(|schemaViolations\(|complaint\(/.test(line))
      .flatMap((line) => all(line.replace(/where:.*/, ""), rule));
    expect(new Set(rules).size).toBeGreaterThan(15);
    expect(firstWords(section(text, "Violations"))).toEqual([...new Set(rules)].sort());
  });

  it("says of every violation whose rule it is", () => {
    const owners = rows(section(text, "Violations")).map(([rule = "", owner]) => [
      rule.replaceAll("`", ""),
      owner,
    ]);
    for (const [rule = "", owner] of owners) expect(owner, rule).toBe(DOCUMENTED[rule] ?? "Proctor's own");
    expect(Object.keys(DOCUMENTED).filter((rule) => !owners.some(([name]) => name === rule))).toEqual([]);
  });

  it("has the statuses and what may follow each", () => {
    // The section has a table of events as well, whose names have a dot.
    const documented = rows(section(text, "Statuses")).filter(([name = ""]) => /^`[a-z]+`$/.test(name));
    const known = Object.entries(TRANSITIONS).map(([status, next]) => {
      return [`\`${status}\``, next.map((word) => `\`${word}\``).join(", ") || "–"];
    });
    expect(documented.map(([status, , next]) => [status, next])).toEqual(known);
  });

  it("has every field of a run, and every metric", () => {
    expect(firstWords(section(text, "The run document"))).toEqual(Object.keys(RunDocument.shape).sort());
    const metrics = Object.keys(RunDocument.shape.metrics.shape).sort();
    expect(firstWords(section(text, "Metrics and limits"))).toEqual(metrics);
  });
});

describe("agent-protocol-states.md", () => {
  it("has the statuses of a step and what may follow each", () => {
    const documented = rows(section(reference("agent-protocol-states"), "Steps of a client"));
    const known = Object.entries(STEP_TRANSITIONS).map(([status, next]) => {
      return [`\`${status}\``, next.map((word) => `\`${word}\``).join(", ") || "–"];
    });
    expect(documented).toEqual(known);
  });
});

describe("configuration.md", () => {
  const settings = rows(section(reference("configuration"), "Settings"));

  it("has every key of proctor.yaml", () => {
    const tokens = ["token", "tokens", "judge_api_key", "llm_key"];
    const refused = [...tokens, "seal_key", "s3_access_key_id", "s3_secret_access_key"];
    const known = Object.keys(configFileSchema.shape).filter((key) => !refused.includes(key));
    expect(firstWords(section(reference("configuration"), "Settings"))).toEqual(known.sort());
    for (const key of refused) expect(reference("configuration")).toContain(`\`${key}\``);
  });

  it("has every environment variable the command line looks at, and no other", () => {
    const text = sourceFiles("cli")
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    const used = [
      ...all(text, /env\["([A-Z_]+)"\]/g),
      ...all(text, /: \["--[\w-]+", "([A-Z_]+)"\]/g),
      ...all(text, /const \{([^}]*)\} = env;/g).flatMap((names) => all(names, /([A-Z_]{3,})/g)),
    ];
    const documented = [
      ...settings.flatMap(([, variable = ""]) => all(variable, /`([A-Z_]+)`/g)),
      ...firstWords(section(reference("configuration"), "Other variables")),
    ];
    expect(documented.sort()).toEqual([...new Set(used)].sort());
  });

  it("has the defaults as they are, and an example that loads", async () => {
    const config = await loadConfig({ cwd: folder, env: {}, flags: {} });
    const place = (path: string): string => `./${relative(folder, path)}`;
    const defaults = {
      api_host: config.apiHost,
      api_port: config.apiPort,
      database_url: `file:${place(config.databaseFile)}`,
      artifacts_dir: place(config.artifactsDir),
      concurrency: config.concurrency,
      grace_seconds: config.graceMs / 1000,
      log: config.log,
    };
    for (const [key, value] of Object.entries(defaults)) {
      expect(settings.find(([cell]) => cell === `\`${key}\``)?.[3], key).toBe(`\`${value}\``);
    }
    for (const file of ["docs/reference/configuration.md", "docs/guides/run-a-hub.md"]) {
      writeFileSync(join(folder, "example.yaml"), blocks(read(file), "yaml")[0] ?? "");
      const env = { WRITER_KEY: "x", API_KEY: "x" };
      const { agents } = await loadConfig({ cwd: folder, env, flags: { config: "example.yaml" } });
      expect(agents.length, file).toBeGreaterThan(0);
    }
  });
});

describe("suite.md and checks.md", () => {
  it("have every key of a suite, and no other", () => {
    const text = reference("suite");
    const { tests, defaults } = suiteSchema.shape;
    const isTaken = ([, schema]: [string, z.ZodType]): boolean =>
      !isJsonObject(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }).not);
    const keysOf = (shape: Record<string, z.ZodType>): string[] =>
      Object.entries(shape)
        .filter(isTaken)
        .map(([key]) => key)
        .sort();
    const test = tests.element.shape;
    expect(firstWords(section(text, "Top level"))).toEqual(keysOf(suiteSchema.shape));
    expect(firstWords(section(text, "Defaults"))).toEqual(keysOf(defaults.unwrap().shape));
    expect(firstWords(section(text, "Tests"))).toEqual(keysOf(test));
    expect(firstWords(section(text, "Turns"))).toEqual(keysOf(test.turns.unwrap().element.shape));
    expect(firstWords(section(text, "User"))).toEqual(keysOf(test.user.unwrap().shape));
    const inside = [...Object.keys(test.task.unwrap().shape), ...Object.keys(test)];
    expect(inside.filter((key) => !text.includes(`\`${key}\``))).toEqual([]);
  });

  it("have every key of what stands in a test", () => {
    const definitions = suiteJsonSchema()["definitions"] as Record<string, JsonObject>;
    const keysIn = (schema: Json | undefined): string[] => {
      if (!isJsonObject(schema)) return [];
      const { properties, anyOf } = schema;
      const inside = Array.isArray(anyOf) ? anyOf.flatMap(keysIn) : [];
      return [...Object.keys(isJsonObject(properties) ? properties : {}), ...inside];
    };
    for (const [name, heading] of [
      ["constraints", "Constraints"],
      ["scoring", "Scoring"],
      ["pass_rate", "Pass rate"],
      ["data", "Data"],
    ] as const) {
      const documented = rows(section(reference("suite"), heading)).flatMap(([cell = ""]) =>
        all(cell, /`([a-z_]+)`/g),
      );
      expect(documented.sort(), heading).toEqual(keysIn(definitions[name]).sort());
    }
  });

  it("have every check with its config, and no other", () => {
    const text = reference("checks");
    const checks = [...CHECKS, ...CASE_CHECKS];
    const types = checks.map(({ type }) => type);
    expect(headings(text).filter((heading) => /^[a-z_]+$/.test(heading))).toEqual(types);
    for (const { type, config } of checks) {
      const keys = config instanceof z.ZodObject ? Object.keys(config.shape) : [];
      expect(firstWords(section(text, type)), type).toEqual(keys.sort());
    }
  });

  it.each(["docs/reference/suite.md", "docs/reference/checks.md", "docs/guides/first-agent.md"])(
    "the complete suites in %s load",
    async (file) => {
      const suites = blocks(read(file), "yaml").filter((block) => block.startsWith("# suite\n"));
      expect(suites.length).toBeGreaterThan(0);
      for (const text of suites) {
        writeFileSync(join(folder, "complete.yaml"), text);
        await loadSuite(join(folder, "complete.yaml"), { variables: {} });
      }
    },
  );

  it("the suites of the guide load, with the files that stand beside them", async () => {
    const text = read("docs/guides/write-a-suite.md");
    writeFileSync(join(folder, "capitals.csv"), blocks(text, "csv")[0] ?? "");
    writeFileSync(join(folder, "sums.jsonl"), blocks(text, "jsonl")[0] ?? "");
    writeFileSync(join(folder, "shared.yaml"), block(text, "yaml", "# shared.yaml"));
    const cases: string[][] = [];
    for (const suite of blocks(text, "yaml").filter((one) => one.startsWith("# suite"))) {
      writeFileSync(join(folder, "guide.yaml"), suite);
      const { tests, agents } = await loadSuite(join(folder, "guide.yaml"), { variables: {} });
      cases.push(tests.flatMap(({ id }) => agents.map(() => id)));
    }
    expect(cases[1]).toEqual(["capital[fr]", "capital[it]", "capital[is]"]);
    expect(cases.map(({ length }) => length)).toEqual([1, 3, 2, 6, 1, 1, 1]);
    expect(lines(text)).toContain("✓ suite.yaml  1 test, 1 agent");
  });

  it("the module of testing.md loads", async () => {
    const text = block(reference("testing"), "js", "// suite.mjs");
    const define = "const defineSuite = (definition) => definition;";
    writeFileSync(join(folder, "suite.mjs"), text.replace(/^import .*$/m, define));
    const { tests } = await loadSuite(join(folder, "suite.mjs"), { variables: {} });
    expect(tests.map(({ id }) => id)).toEqual(["mentions-paris", "mentions-rome"]);
  });

  it("the examples of checks print what the document says", async () => {
    writeFileSync(join(folder, "agent.mjs"), block(guide, "js", "// agent.mjs"));
    writeFileSync(join(folder, "clumsy.mjs"), block(reference("checks"), "js", "// clumsy.mjs"));
    writeFileSync(join(folder, "checks.yaml"), block(reference("checks"), "yaml", "# suite"));
    const { code, stdout } = await runCommand(["test", "checks.yaml"], { folder });
    expect(code).toBe(1);
    const documented = lines(block(reference("checks"), "", "$ proctor test checks.yaml")).slice(1);
    expect(lines(stdout).sort()).toEqual(documented.sort());
  });
});

describe("reporters.md", () => {
  const text = reference("reporters");

  it("has every reporter as it is, each with a section, and no other", () => {
    const known = Object.entries(REPORTERS).map(([name, meaning]) => [`\`${name}\``, meaning]);
    expect(rows(section(text, "Reporters")).map((row) => row.slice(0, 2))).toEqual(known);
    const sections = headings(text).filter((heading) => /^[a-z]+$/.test(heading));
    expect(sections).toEqual(Object.keys(REPORTERS));
  });

  it("has every field of the documents, and no other", () => {
    const { plan, results, rest } = repeated();
    const written = JSON.parse(play(jsonReporter, plan, results, rest)) as Record<string, JsonObject[]>;
    const [first] = written["cases"] ?? [];
    const [run] = (first?.["runs"] ?? []) as JsonObject[];
    const fields = {
      json: written,
      Cases: { ...first, parameters: {} },
      Runs: run,
      Summary: written["summary"],
    };
    for (const [heading, document] of Object.entries(fields)) {
      const cells = rows(section(text, heading)).flatMap(([cell = ""]) => all(cell, /`(\w+)`/g));
      expect(cells.sort(), heading).toEqual(Object.keys(document ?? {}).sort());
    }
  });
});

describe("conformance.md", () => {
  const text = reference("conformance");

  it("has every report as it is, and no other", () => {
    const known = Object.entries(REPORTS).map(([name, meaning]) => [`\`${name}\``, meaning]);
    expect(rows(section(text, "Reports"))).toEqual(known);
  });

  it("has every field of the document, and no other", () => {
    const document = compared();
    const rules = Object.assign({}, ...document.rules) as object;
    const reason = "why";
    const fields = {
      "The document": document,
      "Rules of the document": rules,
      Baselines: { ...document.baseline, reason },
    };
    for (const [heading, written] of Object.entries(fields)) {
      const listed = rows(section(text, heading)).filter((row) => row[0]?.startsWith("`"));
      const names = listed.flatMap(([cell = ""]) => all(cell, /`(\w+)`/g));
      expect(names.sort(), heading).toEqual(Object.keys(written).sort());
    }
  });
});

describe("the guide to a first agent", () => {
  const agents = [
    { name: "python", language: "python", first: "# agent.py", address: "atp+stdio:python3 agent.py" },
    { name: "node", language: "js", first: "// agent.mjs", address: "atp+stdio:node agent.mjs" },
  ];

  it.for(agents)("its $name agent runs, and passes the suite", async (agent, { skip }) => {
    const { name, language, first, address } = agent;
    if (name === "python" && spawnSync("python3", ["--version"]).status !== 0) {
      console.warn("skipped: there is no python3 here");
      skip("there is no python3 here");
    }
    writeFileSync(join(folder, first.split(" ")[1] ?? ""), block(guide, language, first));
    const args = ["run", "--agent", address, "--task", "Greet Ada", "--json"];
    const { code, stdout, stderr } = await runCommand(args, { folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const artifacts = [{ path: "greeting.txt", content: "Hello, Ada!\n" }];
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed", artifacts });

    writeFileSync(join(folder, "suite.yaml"), block(guide, "yaml", "# suite"));
    const tested = await runCommand(["test", "suite.yaml", "--agent", name], { folder });
    const [passed = ""] = lines(tested.stdout);
    expect(tested.code).toBe(0);
    expect(lines(guide)).toContain(passed);
  });

  it("its broken agent fails with the words of the guide", async () => {
    writeFileSync(join(folder, "agent.mjs"), block(guide, "js", "// agent.mjs").replace("Hello", "Helo"));
    writeFileSync(join(folder, "suite.yaml"), block(guide, "yaml", "# suite"));
    const { code, stdout } = await runCommand(["test", "suite.yaml", "--agent", "node"], { folder });
    expect(code).toBe(1);
    const [, reason, place] = lines(stdout);
    expect(lines(guide)).toEqual(expect.arrayContaining([reason, place]));
  });
});

describe("every markdown file", () => {
  it("links only to what is there", () => {
    const files = markdownFiles(root);
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap((file) => brokenLinks(root, file))).toEqual([]);
  });
});

/** Equal but for the last cell, which may say more. */
function expectRows(documented: string[][], known: string[][]): void {
  expect(documented.map((row) => row.slice(0, -1))).toEqual(known.map((row) => row.slice(0, -1)));
  for (const [index, row] of known.entries()) expect(documented[index]?.at(-1)).toContain(row.at(-1));
}
