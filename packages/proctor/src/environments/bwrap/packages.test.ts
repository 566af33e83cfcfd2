// What tasks that are written for root of a container do first: install packages, make users, give files to them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Profile } from "../../core/environment.ts";
import type { Environment, EnvironmentResult } from "../../core/ports/environments.ts";
import { describeBwrap } from "../../../test/support/environments/bwrap-machine.ts";

const TIMEOUT_MS = 60_000;
/** What this machine's own repositories have is not read. */
const NO_LISTS = "-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=-";
const lacksApt = ["dpkg-deb", "apt-get"].find((name) => spawnSync(name, ["--version"]).error !== undefined);
if (lacksApt !== undefined) process.stdout.write(`skipped: packages: ${lacksApt} is not installed\n`);

await describeBwrap("a bwrap environment with packages and users", (machine) => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "proctor-packages-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function inside(
    profile: Profile,
    script: string,
    prepare: (environment: Environment) => Promise<void> = async () => {},
  ): Promise<EnvironmentResult> {
    const environment = await machine.open(profile)();
    try {
      await prepare(environment);
      return await environment.run({ command: ["bash", "-ec", script], timeoutMs: TIMEOUT_MS });
    } finally {
      await environment.destroy();
    }
  }

  it("useradd, chown and su work in the profile multi-user", async () => {
    const script =
      "useradd -m joe; echo x > /tmp/of-joe; chown joe:joe /tmp/of-joe; su joe -c 'id -un; cat /tmp/of-joe'";
    expect(await inside("multi-user", script)).toMatchObject({ code: 0, stdout: "joe\nx\n" });
  });

  describe.skipIf(lacksApt !== undefined)("apt-get", () => {
    it.each<Profile>(["strict", "multi-user"])(
      "installs a package from a repository in the profile %s",
      async (profile) => {
        const repository = makeRepository(join(folder, profile));
        const result = await inside(
          profile,
          `echo 'deb [trusted=yes] copy:/repository ./' > /etc/apt/sources.list.d/own.list
         only="-o Dir::Etc::sourcelist=/etc/apt/sources.list.d/own.list -o Dir::Etc::sourceparts=-"
         apt-get $only update && apt-get $only install -y proctor-hello
         proctor-hello`,
          (environment) => environment.copyIn(repository, "/repository"),
        );
        expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nhello from a package\n$/) });
      },
    );

    it("installs a package that makes a user of its own in the profile multi-user", async () => {
      const repository = makeRepository(join(folder, "users"), "useradd --system of-a-package");
      const script = `apt-get ${NO_LISTS} install -y /repository/proctor-hello.deb >&2; getent passwd of-a-package | cut -d: -f1`;
      const result = await inside("multi-user", script, (environment) =>
        environment.copyIn(repository, "/repository"),
      );
      expect(result).toMatchObject({ code: 0, stdout: "of-a-package\n" });
    });
  });
});

/** A directory with one package, and what apt-get needs to find it there. */
function makeRepository(dir: string, afterwards = "true"): string {
  const made = join(dir, "package");
  const repository = join(dir, "repository");
  const control = `Package: proctor-hello\nVersion: 1.0\nArchitecture: all\nMaintainer: nobody <nobody@example.com>\nDescription: says hello\n`;
  for (const path of [join(made, "DEBIAN"), join(made, "usr/bin"), repository])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(made, "DEBIAN/control"), control);
  writeFileSync(join(made, "DEBIAN/postinst"), `#!/bin/sh\n${afterwards}\n`, { mode: 0o755 });
  writeFileSync(join(made, "usr/bin/proctor-hello"), "#!/bin/sh\necho hello from a package\n", {
    mode: 0o755,
  });
  const file = join(repository, "proctor-hello.deb");
  const built = spawnSync("dpkg-deb", ["--root-owner-group", "--build", made, file], { encoding: "utf8" });
  expect(built).toMatchObject({ status: 0 });
  const bytes = readFileSync(file);
  const sum = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(
    join(repository, "Packages"),
    `${control}Filename: ./proctor-hello.deb\nSize: ${bytes.length}\nSHA256: ${sum}\n\n`,
  );
  return repository;
}
