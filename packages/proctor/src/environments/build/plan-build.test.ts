import { describe, expect, test } from "vitest";
import { parseDockerfile } from "./parse-dockerfile.ts";
import { planBuild, type PlanOptions } from "./plan-build.ts";
import type { BuildPlan, RunStep } from "./plan.ts";

const PROGRAMS = new Set(["python3", "gcc", "g++"]);

async function plan(lines: readonly string[], options: Partial<PlanOptions> = {}): Promise<BuildPlan> {
  const parsed = await parseDockerfile(lines.join("\n"), "Dockerfile");
  return planBuild(parsed, {
    args: {},
    network: "none",
    has: (program) => PROGRAMS.has(program),
    ...options,
  });
}

async function lastRun(lines: readonly string[], options?: Partial<PlanOptions>): Promise<RunStep> {
  const step = (await plan(lines, options)).stages.at(-1)?.steps.at(-1);
  if (step?.kind !== "run") throw new Error("the last step is no RUN");
  return step;
}

async function refusal(...lines: string[]): Promise<string> {
  const error: unknown = await plan(lines).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    code: "BUILD_FAILED",
    details: { file: "Dockerfile", line: expect.any(Number) },
  });
  return error instanceof Error ? error.message : "";
}

describe("the plan of a build", () => {
  test("holds directory, user, variables and shell for each step", async () => {
    const step = await lastRun([
      "FROM debian:12",
      "ENV A=1 B=$A",
      "ENV B=${A}2 OLD=x",
      "ENV OLD style   value",
      "WORKDIR /srv",
      "WORKDIR app/../data",
      "USER agent",
      'SHELL ["/bin/bash", "-o", "pipefail", "-c"]',
      "RUN echo $A",
    ]);
    expect(step).toMatchObject({ cwd: "/srv/data", user: "agent" });
    expect(step.env).toEqual({ A: "1", B: "12", OLD: "style   value" });
    expect(step.command).toEqual(["/bin/bash", "-o", "pipefail", "-c", "echo $A"]);
  });

  test("PATH has a value to be added to", async () => {
    const { stages } = await plan(["FROM debian", "ENV PATH=/opt/x:$PATH"]);
    expect(stages[0]?.state.env["PATH"]).toBe(
      "/opt/x:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    );
  });

  test("arguments: the caller's, the file's, those before FROM where they are named again; ENV wins", async () => {
    const lines = [
      "ARG TAG=12",
      "ARG G=global",
      "FROM debian:${TAG}",
      "ARG G",
      "ARG A=a$G",
      "ARG NONE",
      "ENV A=env",
      "RUN x",
    ];
    expect((await lastRun(lines)).env).toEqual({ G: "global", A: "env" });
    expect(
      (
        await lastRun(
          lines.filter((line) => !line.startsWith("ENV")),
          { args: { A: "given" } },
        )
      ).env,
    ).toEqual({
      G: "global",
      A: "given",
    });
    const { stages } = await plan(lines, { args: { TAG: "13" } });
    expect(stages[0]?.base).toMatchObject({ reference: "debian:13" });
  });

  test("a stage begins with what the one before it left", async () => {
    const { stages } = await plan([
      "FROM python:3.12 AS Build",
      "ENV X=1",
      "WORKDIR /w",
      "ARG HERE=1",
      "FROM build",
      "COPY --from=build /a /b",
      "COPY --from=0 c d/",
    ]);
    expect(stages[1]).toMatchObject({
      base: { stage: 0 },
      state: { env: { LANG: "C.UTF-8", X: "1" }, workdir: "/w", args: {} },
    });
    expect(stages[1]?.steps).toMatchObject([
      { from: { stage: 0 }, sources: ["/a"], target: "/b" },
      { from: { stage: 0 }, sources: ["c"], target: "/w/d/" },
    ]);
  });

  test("copies: targets, owners, modes, text of the file itself", async () => {
    const { stages } = await plan([
      "FROM debian",
      "WORKDIR /app",
      "ENV N=world",

      "COPY a .",
      "COPY a b ./sub/",
      "COPY --chown=1:2 --chmod=0755 a /x",
      "COPY <<EOF hi.txt",
      "hello $N",
      "EOF",
      "COPY --from=ghcr.io/astral-sh/uv:0.8 /uv /uvx /bin/",
    ]);
    expect(stages[0]?.steps.slice(1)).toMatchObject([
      { target: "/app/" },
      { target: "/app/sub/", sources: ["a", "b"] },
      { target: "/x", owner: "1:2", mode: 0o755 },
      { target: "/app/hi.txt", inline: [{ content: "hello world\n" }] },
      { target: "/bin/", from: { tool: "uv" } },
    ]);
  });

  test("here-documents: alone a script, behind a command its input", async () => {
    expect((await lastRun(["FROM debian", "RUN <<EOF", "a", "b", "EOF"])).command.at(-1)).toBe("a\nb\n");
    expect((await lastRun(["FROM debian", "RUN cat <<EOF >/x", "a", "EOF"])).command.at(-1)).toBe(
      "cat <<EOF >/x\na\nEOF",
    );
  });

  test.each([
    ["USER agent", true],
    ["USER 1000:1000", true],
    ["USER root", false],
    ["USER 0:0", false],
    ["RUN a && useradd x", true],
    ["RUN if b; then chown x y; fi", true],
    ["RUN /usr/sbin/groupadd x", true],
    ["RUN apt-get install -y sudo passwd", false],
    ["RUN sudo true", true],
    ["RUN echo su", false],
    ["COPY --chown=agent a b", true],
    ["COPY --chown=root:root a b", false],
  ])("%s needs users: %s", async (line, needed) => {
    expect((await plan(["FROM debian", line])).needsUsers).toBe(needed);
  });

  test.each([
    "ubuntu:24.04",
    "docker.io/library/debian:trixie-slim",
    "ghcr.io/x/t-bench/ubuntu-24-04:1",
    "gcc",
    "python@sha256:1",
  ])("the root stands in for %s", async (image) => {
    expect((await plan([`FROM ${image}`])).notes).toEqual([`the root stands in for ${image}`]);
  });

  test("what cannot be had is refused with its line", async () => {
    expect(await refusal("FROM scratch")).toContain("Dockerfile:1: the image scratch cannot be had");
    expect(await refusal("FROM python:3.12-alpine")).toContain("Alpine has other packages");
    expect(await refusal("FROM example.com/mine:1")).toContain("a container environment, or --root");
    expect(await refusal("FROM node:22")).toContain("the root has no node");
    expect(await refusal("FROM debian", "", "ONBUILD RUN x")).toContain(
      "Dockerfile:3: ONBUILD is not supported",
    );
    expect(await refusal("FROM debian", "ADD https://x.org/a /a")).toContain(
      "Dockerfile:2: ADD of https://x.org/a needs a network",
    );
    expect(await refusal("FROM debian", "COPY --from=other /a /b")).toContain(
      "no such stage, and no registry here",
    );
    expect(await refusal("FROM debian", "COPY --parents a b")).toContain("COPY --parents is not supported");
    expect(await refusal("FROM debian", "COPY a b /c")).toContain("which is no directory");
    expect(await refusal("FROM debian", "COPY a")).toContain("needs a source and a target");
    expect(await refusal("RUN x")).toContain("Dockerfile:1: RUN stands before FROM");
    expect(await refusal("FROM debian", "ENV A=${B")).toContain("Dockerfile:2: ${B…} is a form of variable");
    expect(await refusal("FROM debian", "RUN --mount=type=bind,from=x,target=/y z")).toContain(
      "use COPY instead",
    );
    expect(await refusal("FROM debian", "RUN --network=host x")).toContain("--build-network host");
    expect(await refusal("FROM debian", "SHELL bash")).toContain("SHELL takes a list");
  });

  test("what an engine would be told is passed over", async () => {
    const { stages, notes } = await plan([
      "FROM debian",
      "LABEL a=b",
      "EXPOSE 80",
      'VOLUME ["/v"]',
      "CMD x",
      "HEALTHCHECK CMD y",
      "STOPSIGNAL TERM",
      "MAINTAINER me",
      "ENTRYPOINT z",
      "RUN --mount=type=cache,target=/c --mount=type=bind,source=req.txt,target=r x",
    ]);
    expect(stages[0]?.steps).toMatchObject([{ kind: "run", binds: [{ source: "req.txt", target: "/r" }] }]);
    expect(notes).toContain("Dockerfile:9: ENTRYPOINT is not run");
  });
});
