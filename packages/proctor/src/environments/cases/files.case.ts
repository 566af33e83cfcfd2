// Files that go in and come out.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Environment } from "../../core/ports/environments.ts";
import type { OpenForCase } from "../environment.case.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const LIMITS = { maxBytes: 10_000_000 };

export function fileCases(use: () => Environment, open: OpenForCase): void {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "proctor-case-"));
    await mkdir(join(folder, "out"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const inside = (path: string): string => `${use().workdir}/${path}`;
  const out = (path = ""): string => join(folder, "out", path);

  async function sh(script: string, environment = use()): Promise<string> {
    const { code, stdout, stderr } = await environment.run({
      command: ["bash", "-c", script],
      timeoutMs: HANG_MS,
    });
    if (code !== 0) throw new Error(`${script}: ${code} ${stderr}`);
    return stdout;
  }

  /** A directory with a program, a link, a deep file and names that ask for trouble. */
  async function tree(): Promise<string> {
    const source = join(folder, "tree");
    await mkdir(join(source, "a b/deep"), { recursive: true });
    await writeFile(join(source, "run.sh"), "#!/bin/sh\necho ran\n");
    await chmod(join(source, "run.sh"), 0o755);
    await writeFile(join(source, "a b/deep/-é\n.txt"), "deep");
    await writeFile(join(source, "secret"), "s");
    await chmod(join(source, "secret"), 0o600);
    await symlink("run.sh", join(source, "link"));
    return source;
  }

  it("copies a file in, with its mode, and makes the directories above it", async () => {
    await use().copyIn(join(await tree(), "run.sh"), inside("one/two/prog"));
    expect(await sh("./one/two/prog")).toBe("ran\n");
  });

  it("copies the content of a directory in, links as links", async () => {
    await use().copyIn(await tree(), inside("into"));
    expect(
      await sh("cat 'into/a b/deep/-é\n.txt'; readlink into/link; ./into/link; stat -c %a into/secret"),
    ).toBe("deeprun.sh\nran\n600\n");
  });

  it("adds to a directory that is there, and replaces files", async () => {
    await sh("mkdir -p into2; echo old > into2/secret; echo other > into2/other");
    await use().copyIn(await tree(), inside("into2"));
    expect(await sh("cat into2/secret into2/other")).toBe("sother\n");
  });

  it("copies a file out under its name", async () => {
    await sh("printf 'a\\0b' > 'it is.bin'; chmod 755 'it is.bin'");
    expect(await use().copyOut(inside("it is.bin"), out(), LIMITS)).toEqual({
      files: 1,
      bytes: 3,
      leftOut: [],
    });
    expect(await readFile(out("it is.bin"))).toEqual(Buffer.from("a\0b"));
    expect((await stat(out("it is.bin"))).mode & 0o777).toBe(0o755);
  });

  it("copies the content of a directory out", async () => {
    await sh("mkdir -p 'res/x y' res/empty; echo 1 > res/1; echo 2 > 'res/x y/2 é'");
    expect(await use().copyOut(inside("res"), out(), LIMITS)).toMatchObject({
      files: 2,
      bytes: 4,
      leftOut: [],
    });
    expect((await readdir(out(), { recursive: true })).sort()).toEqual(["1", "empty", "x y", "x y/2 é"]);
  });

  it("leaves out links and whatever is no file, and says so", async () => {
    await sh(
      "mkdir -p odd/dir; ln -s /etc/passwd odd/passwd; ln -s / odd/dir/root; mkfifo odd/pipe; echo ok > odd/file",
    );
    const { files, leftOut } = await use().copyOut(inside("odd"), out(), LIMITS);
    expect(files).toBe(1);
    expect(leftOut.map((one) => one.replace(/:.*/s, "")).sort()).toEqual(["dir/root", "passwd", "pipe"]);
    expect((await readdir(out(), { recursive: true })).sort()).toEqual(["dir", "file"]);
  });

  it("copies nothing out through a link", async () => {
    await sh("mkdir -p trick; ln -sfn /etc trick/etc; ln -sfn /etc/hostname trick/name");
    const before = await readdir(out());
    for (const path of ["trick/name", "trick/etc"]) {
      await use()
        .copyOut(inside(path), out(), LIMITS)
        .catch(() => undefined);
      const came = await readdir(out(), { recursive: true });
      expect(came).toEqual(before);
    }
  });

  it("copies out no more than is allowed", async () => {
    await sh("mkdir -p many; for i in 1 2 3 4 5; do head -c 1000 /dev/zero > many/$i; done");
    await expect(use().copyOut(inside("many"), out(), { maxBytes: 4999 })).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
    await rm(out(), { recursive: true });
    await mkdir(out());
    await expect(
      use().copyOut(inside("many"), out(), { maxBytes: 10_000, maxFiles: 4 }),
    ).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
    await rm(out(), { recursive: true });
    await mkdir(out());
    expect(await use().copyOut(inside("many"), out(), { maxBytes: 5000, maxFiles: 5 })).toMatchObject({
      bytes: 5000,
    });
  });

  it("reports that there is nothing to copy", async () => {
    await expect(use().copyOut(inside("nowhere"), out(), LIMITS)).rejects.toThrow("nowhere");
    await expect(use().copyIn(join(folder, "nothing"), inside("x"))).rejects.toThrow("nothing");
  });

  it("begins with the files it was given", async () => {
    const source = await tree();
    const { workdir } = use();
    const environment = await open({
      workdir: "/app",
      options: {
        files: [
          { source, target: "/app/given" },
          { source: join(source, "run.sh"), target: "/app/bin/run" },
        ],
      },
    });
    try {
      expect(await sh("./bin/run; cat given/secret", environment)).toBe("ran\ns");
      expect(await environment.changes()).toEqual([]);
    } finally {
      await environment.destroy();
    }
    expect(workdir).not.toBe("");
  });
}
