// `proctor doctor` as people and programs see it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { EnvironmentReport } from "../../core/ports/environments.ts";
import type { MachineEnvironments } from "../compose/serve-environments.ts";
import {
  createIo,
  createProgramDouble,
  type ProgramOptions,
} from "../../../test/support/cli/program-double.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const bwrap: EnvironmentReport = {
  kind: "bwrap",
  available: true,
  detail: "bubblewrap 0.8.0, as root",
  advice: [],
  profiles: ["strict", "multi-user"],
  networks: ["none", "loopback", "allow-list", "host"],
  limits: ["memory_mb", "processes", "disk_mb"],
};
const container: EnvironmentReport = {
  kind: "container",
  available: false,
  detail: "no engine answers",
  advice: ["apt-get install podman", "or set DOCKER_HOST"],
  profiles: [],
  networks: [],
  limits: [],
};
const local: EnvironmentReport = {
  kind: "local",
  available: true,
  detail: "not isolated: commands run on this machine as root",
  advice: [],
  profiles: ["strict"],
  networks: ["host"],
  limits: [],
};

function machine(
  reports: EnvironmentReport[],
  more: Partial<MachineEnvironments> = {},
): Partial<MachineEnvironments> {
  const toolchain = { python: "Python 3.11.2", pytest: "8.3.4", notes: ["pytest is that of this machine"] };
  return { probe: async () => reports, toolchain: async () => toolchain, ...more };
}

function doctor(environments: Partial<MachineEnvironments>, args: string[] = [], more: ProgramOptions = {}) {
  return createProgramDouble({ environments, ...more }).run(["doctor", ...args]);
}

describe("proctor doctor", () => {
  test("shows what there is, what is missing, and what to do about it", async () => {
    const { code, out, err } = await doctor(machine([bwrap, container, local]));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.split("\n");
    expect(lines.slice(0, 9)).toEqual([
      "Environments",
      "✓ bwrap       bubblewrap 0.8.0, as root",
      "  profiles    strict, multi-user",
      "  networks    none, loopback, allow-list, host",
      "  limits      memory_mb, processes, disk_mb",
      "✗ container   no engine answers",
      "  to do       apt-get install podman",
      "              or set DOCKER_HOST",
      "! local       not isolated: commands run on this machine as root",
    ]);
    expect(lines).toEqual(
      expect.arrayContaining([
        "✓ python      Python 3.11.2",
        "✓ pytest      8.3.4",
        "  notes       pytest is that of this machine",
        `✓ node        ${process.versions.node}`,
        "· hub         none is running",
        "terminal tasks and agents can be isolated here",
      ]),
    );
  });

  test("exits with 3 when nothing can be isolated, however much else there is", async () => {
    for (const reports of [[], [{ ...bwrap, available: false }, container, local]]) {
      const { code, out } = await doctor(machine(reports));
      expect(code).toBe(3);
      expect(out).toContain("nothing can be isolated here");
    }
  });

  test("prints one document with --json", async () => {
    const { code, out } = await doctor(machine([bwrap, local]), ["--json"]);
    expect(code).toBe(0);
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(out)).toEqual({
      ok: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      environments: [
        { ...bwrap, isolated: true, enabled: true },
        { ...local, isolated: false, enabled: false },
      ],
      toolchain: { python: "Python 3.11.2", pytest: "8.3.4", notes: ["pytest is that of this machine"] },
      node: { version: process.versions.node },
      data_dir: { path: expect.stringContaining("proctor-program-") as string, writable: true, reason: null },
      hub: { url: null, running: false, command: null, reason: null },
    });
  });

  test("is coloured and wrapped on a terminal", async () => {
    const program = createProgramDouble({
      environments: machine([{ ...bwrap, detail: "word ".repeat(30).trim() }]),
    });
    const { out } = await program.run(["doctor"], createIo({ columns: 60 }));
    expect(out).toContain("\u001b[32m✓\u001b[39m bwrap");
    // oxlint-disable-next-line no-control-regex -- to count what is seen
    const shown = out.replaceAll(/\u001b\[\d+m/g, "").split("\n");
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(shown[2]).toMatch(/^ {14}word word/);
  });

  test("finds what is wrong with the toolchain instead of failing", async () => {
    const { code, out } = await doctor(
      machine([bwrap], { toolchain: () => Promise.reject(new Error("no space left")) }),
      ["--json"],
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      toolchain: { python: null, pytest: null, notes: ["no space left"] },
    });
  });

  test("closes what it opened", async () => {
    let closed = 0;
    await doctor(machine([bwrap], { close: async () => void closed++ }));
    expect(closed).toBe(1);
  });

  test("asks the hub that the configuration names", async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === "/healthz" ? 200 : 404;
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const hubUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = await doctor(machine([bwrap]), ["--json"], { hubUrl });
    expect(JSON.parse(found.out)).toMatchObject({ hub: { url: hubUrl, running: true, reason: null } });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const { code, out } = await doctor(machine([bwrap]), [], { hubUrl });
    expect(code).toBe(0);
    // Refused, or cut off where the connection of before was kept.
    expect(out).toMatch(new RegExp(`✗ hub +${hubUrl} does not answer: .+`));
  });
});
