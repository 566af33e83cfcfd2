import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import type { ReceivedArtifact } from "../../../core/ports/driver.ts";
import {
  artifact,
  drive,
  lastStep,
  listing,
  serveAp,
  status,
  step,
  text,
  type Routes,
} from "../../../../test/support/agent-protocol/scripted-server.ts";
import { MAX_ARTIFACT_BYTES } from "../wire.ts";

const silent = { step: () => lastStep({ output: null }) };
const pathsOf = (artifacts: ReceivedArtifact[]): string[] =>
  artifacts.map((found) => (found.type === "structured" ? found.name : found.path));
const many = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => artifact(`a${index}`));

async function collect(routes: Routes) {
  const server = await serveAp({ ...silent, ...routes });
  return { ...(await drive(server.url)), server };
}

describe("artifacts of an Agent Protocol server", () => {
  it("are fetched after the last step, under the names they say, with their bytes", async () => {
    const { artifacts, rules, end } = await collect({
      list: () =>
        listing([
          artifact("a/..", { file_name: "a.txt", relative_path: "out/" }),
          artifact("b", { file_name: "b.bin", relative_path: "out/b.bin", size: 3 }),
        ]),
      download: (id) =>
        id === "b" ? text(Buffer.from([0, 255, 7]), "application/octet-stream") : text("A", "text/plain"),
    });
    expect([rules, end.status]).toEqual([[], "completed"]);
    expect(artifacts).toEqual([
      {
        type: "file",
        path: "out/a.txt",
        content: Buffer.from("A"),
        content_type: "text/plain",
        extensions: { artifact_id: "a/..", agent_created: true },
      },
      {
        type: "file",
        path: "out/b.bin",
        content: Buffer.from([0, 255, 7]),
        extensions: { artifact_id: "b", agent_created: true, size: 3 },
      },
    ]);
  });

  it("are fetched even when the task failed", async () => {
    const { artifacts, end } = await collect({
      step: (number) => (number === 1 ? step({ step_id: "s1" }) : status(500)),
      list: () => listing([artifact("a")]),
    });
    expect([pathsOf(artifacts), end.failure?.code]).toEqual([["a.txt"], "HTTP_ERROR"]);
  });

  it("are taken from the steps where the list lacks them or cannot be read", async () => {
    const { artifacts, rules, end } = await collect({
      step: () => lastStep({ output: null, artifacts: [artifact("s"), "odd"] }),
      list: () => status(500),
    });
    expect([pathsOf(artifacts), rules, end.status]).toEqual([
      ["s.txt"],
      ["ap.step", "ap.artifacts"],
      "completed",
    ]);
  });

  it("are left out when they cannot be understood, and the others are kept", async () => {
    const { artifacts, rules } = await collect({
      list: () => ({ ...listing([artifact("a")]), artifacts: [{ file_name: "x" }, 7, artifact("a")] }),
    });
    expect(pathsOf(artifacts)).toEqual(["a.txt"]);
    expect(new Set(rules)).toEqual(new Set(["ap.artifact"]));
  });

  it.each([
    ["../../etc/passwd", null, "passwd"],
    ["a.txt", "../..", "a.txt"],
    ["a.txt", "/abs", "a.txt"],
    ["..", null, "artifact"],
    ["", null, "artifact"],
    ["C:\\\\x\\\\y.txt", null, "y.txt"],
    ["nul\u0000.txt", null, "nul.txt"],
  ])(
    "are kept under a harmless name when theirs leads elsewhere: %j in %j",
    async (file_name, relative_path, path) => {
      const { artifacts, rules } = await collect({
        list: () => listing([artifact("a", { file_name, relative_path })]),
      });
      expect([pathsOf(artifacts), rules]).toEqual([[path], ["ap.artifact.path"]]);
    },
  );

  it.each([
    ["that are gone", status(404)],
    ["that lead elsewhere", status(302, {}, { location: "http://127.0.0.1:1/" })],
    ["that are compressed", status(200, {}, { "content-encoding": "gzip" })],
    [
      "that are larger than allowed",
      (response) => {
        response.setHeader("content-length", String(MAX_ARTIFACT_BYTES + 1));
        response.write("x");
      },
    ],
    ["that nobody answers for", (response) => void response.destroy()],
    [
      "that are cut off",
      (response) => {
        response.setHeader("content-length", "100");
        response.write("x", () => response.destroy());
      },
    ],
  ] satisfies [string, ReturnType<NonNullable<Routes["download"]>>][])(
    "%s are left out, the others are not",
    async (_what, reply) => {
      const { artifacts, rules, end } = await collect({
        list: () => listing([artifact("bad"), artifact("good")]),
        download: (id) => (id === "bad" ? reply : text("fine", "text/plain")),
      });
      expect([pathsOf(artifacts), rules, end.status]).toEqual([
        ["good.txt"],
        ["ap.artifact.content"],
        "completed",
      ]);
    },
  );
});

describe("an Agent Protocol server that is gone after its last step", () => {
  it("has completed its task, and a violation names what is missing", async () => {
    const server = await serveAp({
      ...silent,
      list: () => listing([artifact("a"), artifact("b"), artifact("c")]),
      download: () => (response) => {
        void server.close();
        response.destroy();
      },
    });
    const { end, payloads } = await drive(server.url);
    expect(end.status).toBe("completed");
    expect(payloads("violation")).toMatchObject([
      {
        rule: "ap.artifact.content",
        message: expect.stringMatching(/left out, and so are 2 more$/) as string,
      },
    ]);
  });
});

describe("pages of artifacts of an Agent Protocol server", () => {
  it("are read to the last", async () => {
    const all = many(250);
    const { artifacts, rules, server } = await collect({
      list: (query) => {
        const page = Number(query.get("current_page"));
        const size = Number(query.get("page_size"));
        return listing(all.slice((page - 1) * size, page * size), all.length);
      },
    });
    expect([artifacts.length, rules]).toEqual([250, []]);
    expect(server.asked.filter(({ path }) => path.includes("?"))).toHaveLength(3);
  });

  it("are read to the last where nothing is said about them", async () => {
    const all = many(25);
    const { artifacts, rules } = await collect({
      list: (query) => {
        const page = Number(query.get("current_page"));
        return { artifacts: all.slice((page - 1) * 10, page * 10) };
      },
    });
    expect([artifacts.length, new Set(rules)]).toEqual([25, new Set(["ap.artifacts"])]);
  });

  it("count as one where the server answers with a bare list, as the protocol's Python SDK does", async () => {
    const { artifacts, rules, server } = await collect({ list: () => many(25) });
    expect([artifacts.length, rules]).toEqual([25, []]);
    expect(server.asked.filter(({ path }) => path.includes("?"))).toHaveLength(1);
  });

  it("are asked for with Forge's parameters where the official ones are not understood", async () => {
    const all = many(25);
    const { artifacts, rules } = await collect({
      list: (query) => {
        const page = Number(query.get("page") ?? "1");
        const size = Number(query.get("pageSize") ?? "10");
        const pagination = { total_items: 25, total_pages: 3, current_page: page, page_size: size };
        return { artifacts: all.slice((page - 1) * size, page * size), pagination };
      },
    });
    expect([artifacts.length, rules]).toEqual([25, []]);
  });

  it("are not read further when they never end or repeat", async () => {
    const same = await collect({ list: () => listing([artifact("a")], 1_000_000) });
    expect(pathsOf(same.artifacts)).toEqual(["a.txt"]);
    expect(same.server.asked.filter(({ path }) => path.includes("?")).length).toBeLessThan(5);
    let count = 0;
    let pages = 0;
    const stop = new AbortController();
    const endless = await serveAp({
      list: () => {
        pages++;
        return listing(
          Array.from({ length: 400 }, () => artifact(`x${count++}`)),
          1_000_000_000,
        );
      },
      download: () => () => stop.abort(),
    });
    await drive(endless.url, { cancel: stop.signal });
    expect(pages).toBe(3);
  });

  it.each([{}, 7, { artifacts: {} }, { artifacts: null }])(
    "are recorded as violations when they are no lists: %j",
    async (page) => {
      const { rules, end } = await collect({ list: () => page });
      expect(rules).toContain("ap.artifacts");
      expect(end.status).toBe("completed");
    },
  );
});
