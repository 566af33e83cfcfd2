import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import { createBwrapProvider } from "../bwrap/provider.ts";
import type { Provider } from "../provider.ts";
import { buildImage, type BuildRequest, type BuiltImage } from "./build-image.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const base = await realpath(await mkdtemp(join(tmpdir(), "build-")));
const provider = createBwrapProvider({ stateDir: join(base, "provider") });
const report = await provider.probe();
const reason = report.available ? undefined : report.detail;
// oxlint-disable-next-line no-console
if (reason !== undefined) console.log(`skipped: building images: ${reason}`);

let context: string;
let opened: number;
let at = 0;

beforeEach(async () => {
  at += 1;
  opened = 0;
  context = join(base, `context-${at}`);
  await mkdir(context);
});

afterAll(() => rm(base, { recursive: true, force: true }));

const open: Provider["open"] = (request) => {
  opened += 1;
  return provider.open(request);
};

async function files(entries: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(entries)) {
    await mkdir(dirname(join(context, path)), { recursive: true });
    await writeFile(join(context, path), text);
  }
}

async function build(lines: string[], more: Partial<BuildRequest> = {}): Promise<BuiltImage> {
  await writeFile(join(context, "Dockerfile"), lines.join("\n"));
  const { signal } = new AbortController();
  return buildImage({
    dir: context,
    stateDir: join(base, "state"),
    open,
    network: "none",
    timeoutMs: HANG_MS,
    signal,
    ...more,
  });
}

/** What a command prints in an environment of that image. */
async function shows({ layers, workdir, env, user }: BuiltImage, script: string): Promise<string> {
  at += 1;
  const environment = await provider.open({
    id: `shows-${process.pid}-${at}`,
    role: "terminal",
    options: {},
    signal: new AbortController().signal,
    layers,
    workdir,
    env,

    profile: report.profiles.includes("multi-user") ? "multi-user" : "strict",
    rootName: "host",
    notes: [],
    ...(user !== undefined && { user }),
  });
  try {
    const { stdout, stderr } = await environment.run({ command: ["bash", "-c", script], timeoutMs: HANG_MS });
    return (stdout + stderr).trimEnd();
  } finally {
    await environment.destroy();
  }
}

describe.skipIf(reason !== undefined)("an image of a Dockerfile", () => {
  test("holds copied files as Docker places them", async () => {
    await files({
      "a.txt": "a",
      "b.txt": "b",
      "dir/one": "1",
      "dir/sub/two": "2",
      "dir/skip.log": "x",
      ".dockerignore": "**/*.log",
    });
    await chmod(join(context, "dir/one"), 0o750);
    await symlink("one", join(context, "dir/link"));
    const image = await build([
      "FROM debian:12",
      "WORKDIR /app",
      "ENV NAME=world DEEP=/deep/er",

      "COPY a.txt .",
      "COPY a.txt renamed",
      "COPY *.txt many/",
      "COPY dir /app/tree",
      "COPY dir/ ./",
      "COPY --chmod=640 a.txt $DEEP/x",
      "COPY a.txt /etc",
      "COPY <<EOF hello",
      "hello $NAME",
      "EOF",
    ]);
    expect(image).toMatchObject({ workdir: "/app", env: { NAME: "world" }, needsUsers: false });
    expect(image.layers).toHaveLength(1);
    expect(await shows(image, "find . /deep -mindepth 1 -printf '%p %m %y %l\\n' | sort")).toBe(
      [
        "./a.txt 644 f ",
        "./hello 644 f ",
        "./link 777 l one",
        "./many 755 d ",
        "./many/a.txt 644 f ",
        "./many/b.txt 644 f ",

        "./one 750 f ",
        "./renamed 644 f ",
        "./sub 755 d ",
        "./sub/two 644 f ",
        "./tree 755 d ",
        "./tree/link 777 l one",

        "./tree/one 750 f ",
        "./tree/sub 755 d ",
        "./tree/sub/two 644 f ",
        "/deep/er 755 d ",
        "/deep/er/x 640 f ",
      ]
        .join("\n")
        .trimEnd(),
    );
    expect(await shows(image, "cat hello; stat -c '%u:%g' one; cat /etc/a.txt; stat -c %a /etc")).toBe(
      "hello world\n0:0\na755",
    );
  });

  test("runs steps over each other, with their directory, variables and shell", async () => {
    const image = await build(
      [
        "FROM ubuntu:24.04",
        "ARG WHO=nobody",
        "ENV A=1",
        "WORKDIR /w",
        "RUN echo $A $WHO >made && rm -rf /usr/share/doc",

        'SHELL ["/bin/bash", "-c"]',
        "RUN [[ -f made ]] && echo ${BASH_VERSION:+bash} >>made",
        'RUN ["sh", "-c", "echo exec >>made"]',
        "RUN <<EOF",
        "echo one >>made",
        "echo two >>made",
        "EOF",
        "CMD sleep",
      ],
      { args: { WHO: "you" } },
    );
    expect(await shows(image, "cat made; ls /usr/share/doc 2>&1 | tail -1")).toBe(
      "1 you\nbash\nexec\none\ntwo\nls: cannot access '/usr/share/doc': No such file or directory",
    );
    expect(await shows(image, "ls /run/proctor 2>&1")).toContain("No such file");
  });

  test("is only hashed when it is known, and built from the first change on", async () => {
    await files({ "a.txt": "a" });
    const lines = ["FROM debian", "RUN echo first >/one", "COPY a.txt /a", "RUN cat /a >/two"];
    const first = await build(lines);
    opened = 0;
    expect(await build(lines)).toEqual(first);
    expect(opened).toBe(0);
    await files({ "a.txt": "changed" });
    const second = await build(lines);
    expect(opened).toBe(2);
    expect(second.hash).not.toBe(first.hash);
    expect(await shows(second, "cat /one /two")).toBe("first\nchanged");
  });

  test("copies between stages, and builds only those that it needs", async () => {
    const image = await build([
      "FROM debian AS unused",
      "RUN false",

      "FROM debian AS make",
      "RUN mkdir -p /out/d && echo x >'/out/a b' && ln -s 'a b' /out/l && echo y >/out/d/y",

      "FROM debian",
      "COPY --from=make /out /all",
      "COPY --from=make /out/d/y /renamed",
      "COPY --from=1 /out/d/* /stars/",
    ]);
    expect(await shows(image, "cd /all; find . -mindepth 1 | sort; cat l /renamed /stars/y")).toBe(
      "./a b\n./d\n./d/y\n./l\nx\ny\ny",
    );
  });

  test("unpacks archives that ADD names, and copies other files", async () => {
    await files({ "x/file": "packed", "plain.gz": "no archive" });
    execFileSync("tar", ["-C", context, "-czf", join(context, "x.tgz"), "x"]);
    const image = await build(["FROM debian", "ADD x.tgz plain.gz /into/"]);
    expect(await shows(image, "cd /into; find . -type f | sort; cat x/file")).toBe(
      "./plain.gz\n./x/file\npacked",
    );
  });

  test("of python has python, and no rule against pip", async ({ skip }) => {
    try {
      execFileSync("ls", ["/usr/bin/python3"], { stdio: "ignore" });
    } catch {
      skip("the root has no python3");
    }
    const image = await build(["FROM python:3.99-slim", "RUN python -c 'print(1)' >/made"]);
    expect(
      await shows(
        image,
        "cat /made; python -c 'print(2)'; ls /usr/lib/python3*/EXTERNALLY-MANAGED 2>/dev/null",
      ),
    ).toBe("1\n2");
    expect(image.notes).toContainEqual(
      expect.stringMatching(/^Python 3\.99 asked for, 3\.\d+ of the root serves$/u),
    );
  });

  test("a package that the root has not is named, with its line", async () => {
    const lines = [
      "FROM debian",
      "RUN apt-get update && apt-get install -y \\",
      "    bash \\",
      "    no-such-package-here >/dev/null 2>&1",
    ];
    await expect(build(lines)).rejects.toMatchObject({
      code: "BUILD_FAILED",
      message: expect.stringMatching(
        /^Dockerfile:4: no-such-package-here is not in the root[\s\S]*--build-network host/u,
      ),
      details: { line: 4, missing: ["no-such-package-here"] },
    });
  });

  test("a step that fails shows its line, its code and the last of its output; one without a network says so", async () => {
    const noisy = ["FROM debian", "", "RUN for i in $(seq 3000); do echo line $i; done; exit 7"];
    const error: unknown = await build(noisy).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "BUILD_FAILED", details: { line: 3, exit_code: 7 } });
    expect((error as Error).message).toMatch(/^Dockerfile:3: RUN for i[\s\S]*exit code 7[\s\S]*line 3000$/u);
    expect((error as Error).message.length).toBeLessThan(2500);
    const offline = ["FROM debian", "RUN echo could not resolve host >&2; exit 6"];
    await expect(build(offline)).rejects.toThrow("there is no network in builds");
  });

  test("ends at its time limit and when it is aborted, and leaves nothing behind", async () => {
    await expect(build(["FROM debian", "RUN sleep 60"], { timeoutMs: 500 })).rejects.toThrow(
      "Dockerfile:2: the time of the build",
    );
    const stop = new AbortController();
    const note = (): void => void setTimeout(() => stop.abort(new Error("enough")), 50);
    await expect(build(["FROM debian", "RUN sleep 61"], { signal: stop.signal, note })).rejects.toThrow(
      "enough",
    );
    const left = (await readdir(join(base, "state/layers"))).filter((name) => name.startsWith("."));
    expect(left).toEqual([]);
  });

  test("nothing outside of the context is copied", async () => {
    await symlink("/etc/passwd", join(context, "leak"));
    await expect(build(["FROM debian", "COPY leak /x"])).rejects.toThrow(
      "Dockerfile:2: leak leads out of the context",
    );
    await expect(build(["FROM debian", "COPY missing /x"])).rejects.toThrow(
      "Dockerfile:2: there is no missing",
    );
  });

  test("brings uv along where it is copied from its image", async () => {
    const image = await build([
      "FROM debian",
      "COPY --from=ghcr.io/astral-sh/uv:0.8 /uv /uvx /bin/",
      "RUN uv --version",
    ]);
    expect(await shows(image, "ls /bin/uv /bin/uvx")).toBe("/bin/uv\n/bin/uvx");
  });

  test("where there is one user only, it is built with one", async () => {
    await files({ "a/b": "b" });
    const profiles: string[] = [];
    const strict: Provider["open"] = (request) => {
      profiles.push(request.profile);
      if (request.profile === "strict") return provider.open(request);
      return Promise.reject(new ProctorError("ENVIRONMENT_UNAVAILABLE", "one user"));
    };
    const image = await build(["FROM debian", "COPY a /a", "RUN echo made >/made"], { open: strict });
    expect(await shows(image, "cat /a/b /made")).toBe("bmade");
    expect(new Set(profiles)).toContain("strict");
  });

  test("is refused when there is no Dockerfile", async () => {
    const { signal } = new AbortController();
    const request = {
      dir: context,
      stateDir: join(base, "state"),
      open,
      network: "none" as const,
      timeoutMs: 1000,
      signal,
    };
    await expect(buildImage(request)).rejects.toThrow("Dockerfile:1: there is no such file");
  });

  describe.skipIf(!report.profiles.includes("multi-user"))("with several users", () => {
    let image: BuiltImage;
    beforeAll(async () => {
      at += 1;
      context = join(base, `context-${at}`);
      await mkdir(context);
      await files({ mine: "x", "tree/file": "y" });
      image = await build([
        "FROM debian",
        "RUN useradd -m -u 1234 agent",
        "COPY --chown=agent mine /mine",
        "COPY --chown=1:2 tree /tree",
        "USER agent",
        "WORKDIR /home/agent",
        "RUN id -un >who",
      ]);
    });

    test("files and steps belong to them", async () => {
      expect(image).toMatchObject({ user: "agent", needsUsers: true });
      expect(await shows(image, "cat who; id -un; stat -c '%u:%g' /mine /tree /tree/file who")).toBe(
        "agent\nagent\n1234:1234\n1:2\n1:2\n1234:1234",
      );
    });

    test("an owner who is not there is refused", async () => {
      await files({ mine: "x" });
      await expect(build(["FROM debian", "COPY --chown=nobody-here mine /x"])).rejects.toThrow(
        "there is no user nobody-here",
      );
    });
  });
});
