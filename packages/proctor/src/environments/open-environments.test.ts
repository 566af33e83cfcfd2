// Which environment a request gets, and what is refused. Never less than was asked for.
import { describe, expect, it } from "vitest";
import type { EnvironmentKind, EnvironmentOptions } from "../core/environment.ts";
import type {
  Environment,
  EnvironmentReport,
  Environments,
  OpenEnvironment,
} from "../core/ports/environments.ts";
import type { BuiltImage } from "./build/build-image.ts";
import { openEnvironments, type EnvironmentsOptions } from "./open-environments.ts";
import type { PreparedEnvironment, Provider } from "./provider.ts";

const offer = (kind: EnvironmentKind, more: Partial<EnvironmentReport> = {}): EnvironmentReport => ({
  kind,
  available: true,
  detail: "1.0",
  advice: [`install ${kind}`],
  profiles: kind === "bwrap" ? ["strict", "multi-user"] : ["strict"],
  networks: kind === "local" ? ["host"] : ["none", "host"],
  limits: [],
  ...more,
});

const built: BuiltImage = {
  hash: "0123456789abcdef",
  layers: ["/l1"],
  workdir: "/w",
  env: { A: "1" },
  needsUsers: false,
  notes: ["n"],
};

interface Machine {
  environments: Environments;
  opened: (PreparedEnvironment & { kind: EnvironmentKind })[];
  destroyed: number;
  built: number;
}

function machine(reports: readonly EnvironmentReport[], given: Partial<EnvironmentsOptions> = {}): Machine {
  const found: Machine = {
    environments: undefined as unknown as Environments,
    opened: [],
    destroyed: 0,
    built: 0,
  };
  const provider = (report: EnvironmentReport): Provider => ({
    kind: report.kind,
    probe: () => Promise.resolve(report),
    sweep: () => Promise.resolve(),
    open: async (request) => {
      found.opened.push({ ...request, kind: report.kind });
      return { destroy: async () => void (found.destroyed += 1) } as unknown as Environment;
    },
  });
  found.environments = openEnvironments({
    providers: reports.map((report) => [report.kind, () => Promise.resolve(provider(report))] as const),
    unsafeLocal: false,
    buildNetwork: "none",
    build: async () => {
      found.built += 1;
      return built;
    },
    toolchain: () =>
      Promise.resolve({
        mounts: [{ source: "/tc", target: "/tc" }],
        env: { T: "1" },
        path: ["/tc/bin"],
        notes: [],
        python: "3",
        pytest: "9",
      }),
    ...given,
  });
  return found;
}

const request = (options: EnvironmentOptions = {}, more: Partial<OpenEnvironment> = {}): OpenEnvironment => ({
  id: "x",
  role: "terminal",
  options,
  signal: new AbortController().signal,
  ...more,
});

async function opened(
  options: EnvironmentOptions,
  reports = [offer("bwrap"), offer("container"), offer("local")],
  given = {},
) {
  const found = machine(reports, given);
  await found.environments.open(request(options));
  return found.opened[0] ?? expect.fail("nothing was opened");
}

describe("the choice of an environment", () => {
  it("is the most isolated kind that is available, and never local by default", async () => {
    expect((await opened({})).kind).toBe("bwrap");
    expect(
      (await opened({}, [offer("bwrap", { available: false }), offer("container"), offer("local")])).kind,
    ).toBe("container");
    const nothing = [
      offer("bwrap", { available: false }),
      offer("container", { available: false }),
      offer("local"),
    ];
    await expect(opened({}, nothing, { unsafeLocal: true })).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
      message: expect.stringContaining("install bwrap\ninstall container"),
    });
  });

  it("is local only where that is allowed and asked for", async () => {
    await expect(opened({ kind: "local" })).rejects.toThrow("--unsafe-local");
    const local = await opened({ kind: "local" }, [offer("local")], { unsafeLocal: true });
    expect(local).toMatchObject({ kind: "local", options: { network: "host" } });
  });

  it("is never another than the one that is named", async () => {
    const missing = [offer("bwrap", { available: false, detail: "not installed" }), offer("container")];
    await expect(opened({ kind: "bwrap" }, missing)).rejects.toThrow(
      "bwrap is not available here: not installed",
    );
  });

  it("looks only at what it needs", async () => {
    const looked: string[] = [];
    const reports = [offer("bwrap"), offer("container")];
    const found = machine(reports);
    const environments = openEnvironments({
      providers: reports.map((report) => [
        report.kind,
        async () => {
          looked.push(report.kind);
          return {
            kind: report.kind,
            probe: async () => report,
            sweep: async () => {},
            open: async () => ({}) as Environment,
          };
        },
      ]),
      unsafeLocal: false,
      buildNetwork: "none",
      build: () => Promise.resolve(built),
      toolchain: () => Promise.reject(new Error("none")),
    });
    await environments.open(request());
    await environments.open(request());
    expect(looked).toEqual(["bwrap"]);
    expect(found.opened).toEqual([]);
  });
});

describe("a request for an environment is refused", () => {
  it.each<[EnvironmentOptions, string]>([
    [{ network: "allow-list", allow_hosts: ["a"] }, 'cannot give the network "allow-list"'],
    [{ allow_hosts: ["a"] }, "allow_hosts means nothing"],
    [{ kind: "container", profile: "multi-user" }, "has no profile multi-user"],
    [{ kind: "bwrap", image: "x" }, "knows no images"],
    [{ kind: "container", root: "/r" }, "takes no directory as its root"],
    [{ limits: { memory_mb: 1e9 } }, "this machine has"],
  ])("for %j", async (options, why) => {
    await expect(opened(options)).rejects.toThrow(why);
  });

  it("when the image needs several users and there is only one", async () => {
    const users = { build: async () => ({ ...built, needsUsers: true }) };
    expect(await opened({ build: "/b" }, [offer("bwrap")], users)).toMatchObject({ profile: "multi-user" });
    await expect(opened({ build: "/b", profile: "strict" }, [offer("bwrap")], users)).rejects.toThrow(
      "several users",
    );
    await expect(opened({ build: "/b" }, [offer("bwrap", { profiles: ["strict"] })], users)).rejects.toThrow(
      "as root",
    );
  });
});

describe("the profile auto", () => {
  it("is multi-user where the machine has it", async () => {
    expect(await opened({ profile: "auto" })).toMatchObject({ profile: "multi-user", notes: [] });
  });

  it("is strict where the machine has nothing else, and says what fails then", async () => {
    const strict = [offer("bwrap", { profiles: ["strict"] })];
    expect(await opened({ profile: "auto" }, strict)).toMatchObject({
      profile: "strict",
      notes: [expect.stringContaining("useradd")],
    });
    const users = { build: async () => ({ ...built, needsUsers: true }) };
    await expect(opened({ build: "/b", profile: "auto" }, strict, users)).rejects.toThrow("as root");
  });
});

describe("an environment that is opened", () => {
  it("has the image's directory, variables, layers and notes", async () => {
    expect(await opened({ build: "/b", env: { B: "2" } })).toMatchObject({
      layers: ["/l1"],
      workdir: "/w",
      env: { A: "1", B: "2" },
      rootName: "build:0123456789ab",
      notes: ["n"],
      profile: "strict",
      options: { network: "none", limits: { memory_mb: 2048, processes: 512 } },
    });
    expect(await opened({ workdir: "/else" })).toMatchObject({
      workdir: "/else",
      rootName: "host",
      layers: [],
    });
  });

  it("has the toolchain before everything else in its PATH", async () => {
    const found = machine([offer("bwrap")]);
    await found.environments.open(request({ env: { PATH: "/mine" } }, { toolchain: true }));
    expect(found.opened[0]).toMatchObject({
      env: { PATH: "/tc/bin:/mine", T: "1" },
      mounts: [{ source: "/tc" }],
    });
  });

  it("is opened after the leftovers of a crash were removed, once", async () => {
    const report = offer("bwrap");
    const steps: string[] = [];
    const { environments } = machine([], {
      providers: [
        [
          "bwrap",
          async () => ({
            kind: "bwrap",
            probe: async () => report,
            sweep: async () => void steps.push("sweep"),
            open: async () => {
              steps.push("open");
              return {} as Environment;
            },
          }),
        ],
      ],
    });
    await environments.open(request());
    await environments.open(request());
    expect(steps).toEqual(["sweep", "open", "open"]);
  });

  it("is destroyed with the rest, once", async () => {
    const found = machine([offer("bwrap")]);
    const first = await found.environments.open(request());
    await found.environments.open(request());
    await first.destroy();
    await found.environments.close();
    expect(found.destroyed).toBe(2);
  });
});

describe("files in memory", () => {
  const GB = 1024 ** 3;
  const terminal = (id: string, disk_mb: number): OpenEnvironment => request({ limits: { disk_mb } }, { id });

  it("wait until other terminals are gone when the machine cannot hold both", async () => {
    const found = machine([offer("bwrap")], { memoryBytes: 10 * GB });
    const first = await found.environments.open(terminal("a", 5000));
    const second = found.environments.open(terminal("b", 5000));
    // Whoever judges the first does not wait for it.
    await found.environments.open({ ...terminal("a-verifier", 5000), role: "verifier" });
    expect(found.opened.map(({ id }) => id)).toEqual(["a", "a-verifier"]);
    await first.destroy();
    await second;
    expect(found.opened.map(({ id }) => id)).toEqual(["a", "a-verifier", "b"]);
  });

  it("are limited by the machine's memory, and a note says so", async () => {
    const given = { memoryBytes: 10 * GB };
    const { options, notes } = await opened({ limits: { disk_mb: 20_000 } }, [offer("bwrap")], given);
    expect(options.limits?.disk_mb).toBe(8192);
    expect(notes).toEqual([expect.stringContaining("20000 MB of disk are asked for")]);
  });
});

it("tools without a network know whether there is one", async () => {
  const variables = async (options: EnvironmentOptions) =>
    (await opened({ ...options, toolchain: true }, [offer("bwrap")])).env;
  expect(await variables({ network: "host" })).toMatchObject({ PROCTOR_NETWORK: "host" });
  expect(await variables({})).not.toHaveProperty("PROCTOR_NETWORK");
});
