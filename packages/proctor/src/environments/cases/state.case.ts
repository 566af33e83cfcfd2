// The state of the files: what changed, and how it is kept and brought back.
import { expect, it } from "vitest";
import type { Environment, SnapshotOptions } from "../../core/ports/environments.ts";
import type { OpenForCase } from "../environment.case.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const LIMITS = { maxBytes: 50_000_000 };

export function stateCases(open: OpenForCase): void {
  async function sh(environment: Environment, script: string): Promise<string> {
    const { code, stdout, stderr } = await environment.run({
      command: ["bash", "-c", script],
      timeoutMs: HANG_MS,
    });
    if (code !== 0) throw new Error(`${script}: ${code} ${stderr}`);
    return stdout;
  }

  /** One that began with what `before` leaves, as a snapshot, so that there is something to change. */
  async function openWith(before: string): Promise<Environment> {
    const first = await open();
    try {
      await sh(first, before);
      const kept = await collect(first, LIMITS);
      return await open({ restore: chunksOf(kept) });
    } finally {
      await first.destroy();
    }
  }

  it("lists files that were added, modified and removed since the beginning", async () => {
    const environment = await openWith(
      "mkdir -p d/e; echo 1 > stays; echo 1 > changes; echo 1 > goes; echo 1 > d/e/goes",
    );
    try {
      expect(await environment.changes()).toEqual([]);
      await sh(
        environment,
        "echo 2 > changes; rm goes; rm -r d; mkdir n; printf abc > n/new; chmod 640 n/new; ln -s new n/link",
      );
      const at = (path: string): string => `${environment.workdir}/${path}`;
      const seen = (await environment.changes()).filter(({ path }) =>
        path.startsWith(`${environment.workdir}/`),
      );
      expect(seen.filter(({ path }) => !path.startsWith(at("d/")))).toEqual([
        expect.objectContaining({ path: at("changes"), change: "modified", type: "file", size_bytes: 2 }),
        expect.objectContaining({ path: at("d"), change: "removed" }),
        expect.objectContaining({ path: at("goes"), change: "removed" }),
        expect.objectContaining({ path: at("n"), change: "added", type: "directory" }),
        expect.objectContaining({ path: at("n/link"), change: "added", type: "link" }),
        expect.objectContaining({
          path: at("n/new"),
          change: "added",
          type: "file",
          size_bytes: 3,
          mode: 0o640,
        }),
      ]);
    } finally {
      await environment.destroy();
    }
  });

  it("lists files that were written while an earlier listing was under way", async () => {
    const environment = await open();
    try {
      // As many directories as it takes for the earlier listing to be the longer one.
      for (const count of [200, 4000]) {
        await sh(environment, `mkdir many${count}; cd many${count}; seq ${count} | xargs mkdir`);
        let underWay = true;
        const early = environment.changes().finally(() => (underWay = false));
        await sh(environment, `echo 1 > late${count}`);
        const wasUnderWay = underWay;
        const seen = await environment.changes();
        expect(seen.map(({ path }) => path)).toContain(`${environment.workdir}/late${count}`);
        await early;
        if (wasUnderWay) break;
      }
    } finally {
      await environment.destroy();
    }
  });

  it("restores everything that a snapshot holds", async () => {
    const make = [
      "mkdir -p a/b 'sp ace'; printf 'x\\0\\377y' > a/bin; echo '#!/bin/sh' > a/b/run; chmod 751 a/b/run",
      "ln -s ../bin a/b/link; ln a/bin a/hard; mkdir empty; chmod 711 empty; touch -d @1000000000 a/bin; echo é > 'sp ace/é'",
    ].join("; ");
    const look =
      "find . | LC_ALL=C sort | while IFS= read -r f; do stat -c '%N %a %h %F' \"$f\"; done; cat a/bin a/hard | od -c; stat -c %Y a/bin; cat sp*/*";
    const first = await open();
    let second: Environment | undefined;
    try {
      await sh(first, make);
      const before = await sh(first, look);
      second = await open({ restore: chunksOf(await collect(first, LIMITS)) });
      expect(await sh(second, look)).toBe(before);
      expect(await second.changes()).toEqual([]);
      // And once more, from what was restored.
      const third = await open({ restore: chunksOf(await collect(second, LIMITS)) });
      try {
        expect(await sh(third, look)).toBe(before);
      } finally {
        await third.destroy();
      }
    } finally {
      await Promise.all([first.destroy(), second?.destroy()]);
    }
  });

  it("restores a snapshot over removed and replaced files", async () => {
    const first = await openWith("mkdir d; echo 1 > d/one; echo 2 > two");
    try {
      await sh(first, "rm -r d two; mkdir d; echo 3 > d/three");
      const second = await open({ restore: chunksOf(await collect(first, LIMITS)) });
      try {
        expect(await sh(second, "find . -type f")).toBe("./d/three\n");
      } finally {
        await second.destroy();
      }
    } finally {
      await first.destroy();
    }
  });

  it.each(["nothing runs there any more", "something still runs there"])(
    "begins with the files of another that is open, and leaves them alone (%s)",
    async (when) => {
      const first = await open();
      let second: Environment | undefined;
      try {
        await sh(first, "mkdir -p kept left; echo 1 > kept/one; echo 2 > left/two; ln -s one kept/link");
        if (when !== "nothing runs there any more")
          await sh(first, "sleep 1000 >/dev/null 2>&1 </dev/null & echo 3 > kept/three");
        const without = [`${first.workdir}/left`];
        second = await open({ over: first, without, untracked: true, restoreSystem: true });
        const look = "find . -type f -o -type l | LC_ALL=C sort; cat kept/link";
        // A local environment stands elsewhere than the one before it.
        const seen = await sh(second, look);
        expect(seen).toContain("./kept/link\n./kept/one\n");
        expect(seen.trimEnd().split("\n").at(-1)).toBe("1");
        if (second.workdir === first.workdir) expect(seen).not.toContain("left");
        await sh(second, "echo changed > kept/one; rm kept/link; echo new > new");
        expect(await sh(first, look)).toContain("./left/two");
        expect(await sh(first, "cat kept/one; ls")).toBe("1\nkept\nleft\n");
      } finally {
        await second?.destroy();
        await first.destroy();
      }
    },
  );

  it("redacts each file of a snapshot, and keeps to its size limit", async () => {
    const first = await open();
    try {
      await sh(first, "echo 'key hunter2 end' > a; echo plain > b; head -c 200000 /dev/urandom > c");
      const redact = (content: Uint8Array): Uint8Array =>
        Buffer.from(Buffer.from(content).toString("latin1").replaceAll("hunter2", "[hidden]"), "latin1");
      const kept = await collect(first, { ...LIMITS, redact });
      expect(kept.includes("hunter2")).toBe(false);
      await expect(collect(first, { maxBytes: 100_000 })).rejects.toMatchObject({
        code: "PAYLOAD_TOO_LARGE",
      });
      const second = await open({ restore: chunksOf(kept) });
      try {
        expect(await sh(second, "cat a b; wc -c < c")).toBe("key [hidden] end\nplain\n200000\n");
      } finally {
        await second.destroy();
      }
    } finally {
      await first.destroy();
    }
  });

  it("refuses what is no snapshot", async () => {
    await expect(open({ restore: chunksOf(Buffer.from("not a snapshot at all")) })).rejects.toThrow();
  });
}

async function collect(environment: Environment, options: SnapshotOptions): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of environment.snapshot(options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** In pieces that fit no block of any format. */
async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}
