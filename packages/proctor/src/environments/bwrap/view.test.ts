// What an environment is made of: roots and layers, mounts, users, networks, and what it shows of them.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Environment } from "../../core/ports/environments.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { describeBwrap } from "../../../test/support/environments/bwrap-machine.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

await describeBwrap("a bwrap environment", (machine) => {
  let folder = "";
  const opened: Environment[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "proctor-view-"));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((environment) => environment.destroy()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(request: Partial<PreparedEnvironment> = {}): Promise<Environment> {
    const environment = await machine.open("strict")(request);
    opened.push(environment);
    return environment;
  }
  async function text(
    environment: Environment,
    script: string,
    more: { user?: string; shell?: string } = {},
  ): Promise<string> {
    const { shell = "bash", ...options } = more;
    const { stdout, stderr } = await environment.run({
      command: [shell, "-c", script],
      timeoutMs: HANG_MS,
      ...options,
    });
    return (stdout + stderr).trim();
  }

  it("mounts directories and files, writable or not, where nothing else can be written", async () => {
    const [shared, fixed] = [join(folder, "shared"), join(folder, "fi xed")];
    mkdirSync(shared);
    mkdirSync(fixed);
    writeFileSync(join(fixed, "one"), "1");
    const mounts = [
      { source: shared, target: shared, writable: true },
      { source: fixed, target: "/opt/a b/fixed" },
      { source: join(fixed, "one"), target: "/etc/one" },
    ];
    const environment = await open({
      readOnly: true,
      mounts,
      workdir: shared,
      options: { files: [{ source: fixed, target: "/etc/given" }] },
    });
    expect(
      await text(environment, "cat '/opt/a b/fixed/one' /etc/one /etc/given/one; echo made > made; pwd"),
    ).toBe(`111${shared}`);
    expect(readFileSync(join(shared, "made"), "utf8")).toBe("made\n");
    for (const place of ["/opt/a b/fixed/x", "/etc/one", "/etc/x", "/usr/x", "/root/x", "/x", "/var/tmp/x"]) {
      expect(await text(environment, `echo x > '${place}'`)).toContain("Read-only file system");
    }
    expect(await text(environment, "echo x > /tmp/x && cat /tmp/x")).toBe("x");
    expect(shared).toContain(tmpdir());
    expect(await environment.changes()).toEqual([]);
    expect(readdirSync(fixed)).toEqual(["one"]);
  });

  it("says what cannot be mounted", async () => {
    const mounts = [{ source: join(folder, "nothing"), target: "/data" }];
    await expect(open({ mounts })).rejects.toThrow("nothing to mount");
    expect(await machine.leftovers()).toEqual([]);
  });

  it("writes into a directory that is a layer for the next", async () => {
    const upper = join(folder, "upper");
    mkdirSync(upper);
    const first = await open({ upper, profile: "multi-user", options: { limits: { disk_mb: 10 } } });
    expect(first.facts.enforced).not.toContain("disk_mb");
    await text(
      first,
      "echo new > /opt/new; rm /etc/hosts; rm -r /etc/apt; mkdir /etc/apt; echo only > /etc/apt/only; useradd -m ann",
    );
    await first.destroy();
    expect(readdirSync(folder)).toEqual(["upper"]);
    const second = await open({ layers: [upper], profile: "multi-user" });
    expect(await text(second, "cat /opt/new; ls /etc/hosts; ls /etc/apt; id -un ann")).toMatch(
      /^new\nonly\nann\nls: .*hosts/,
    );
    expect(await second.changes()).toEqual([]);
    await text(second, "echo changed > /opt/new; rm /etc/apt/only");
    expect(await second.changes()).toMatchObject([
      { path: "/etc/apt/only", change: "removed" },
      { path: "/opt/new", change: "modified" },
    ]);
  });

  it("runs programs of other users, by name and by number", async () => {
    const environment = await open({ profile: "multi-user" });
    await text(environment, "useradd -m -u 1234 ann && groupadd -g 77 more && usermod -aG more ann");
    expect(
      await text(environment, "id -un; id -G; echo $HOME; pwd; cat /etc/shadow", { user: "ann" }),
    ).toMatch(/^ann\n1234 77\n\/home\/ann\n\/app\ncat: .*denied/);
    expect(await text(environment, "id -u; id -g", { user: "4321:99" })).toBe("4321\n99");
    expect(await text(environment, "true", { user: "nobody-here" })).toContain("no user nobody-here");
    const shell = await environment.openShell({ user: "ann" });
    expect((await shell.run("id -un; touch /root/x", { timeoutMs: HANG_MS })).output.text).toMatch(
      /^ann\n.*denied/,
    );
    await shell.close();
    await expect(machine.open("strict")({ user: "ann" })).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
    });
  });

  it("takes a directory as its root, with what it lacks", async () => {
    const root = join(folder, "root");
    for (const program of ["sh", "cat", "ls", "tar", "mkdir"]) copyWithLibraries(program, root);
    mkdirSync(join(root, "etc"));
    writeFileSync(join(root, "etc/own"), "of the root\n");
    const environment = await open({ options: { root }, rootName: root });
    expect(await text(environment, "cat /etc/own /etc/hosts; echo x > /etc/own", { shell: "sh" })).toContain(
      "of the root\n127.0.0.1\tlocalhost",
    );
    expect(await text(environment, "ls /usr/share /root /home /opt /var", { shell: "sh" })).not.toMatch(
      /^\w+$/m,
    );
    expect(readFileSync(join(root, "etc/own"), "utf8")).toBe("of the root\n");
    expect(await environment.changes()).toMatchObject([{ path: "/etc/own", change: "modified" }]);
  });

  it("lets all programs of an environment meet: processes, shared memory, servers", async () => {
    const environment = await open();
    const shell = await environment.openShell();
    await shell.run(
      "sleep 1000 & echo $! > pid; echo shared > /dev/shm/x; { exec 3<>/dev/tcp/127.0.0.1/1; } 2>/dev/null",
      { timeoutMs: HANG_MS },
    );
    expect(await text(environment, "kill $(cat pid) && cat /dev/shm/x")).toBe("shared");
    const daemon = await environment.run({
      command: ["bash", "-c", "setsid sleep 1000 >/dev/null 2>&1 & echo $!"],
      timeoutMs: HANG_MS,
    });
    expect(await text(environment, `kill -0 ${daemon.stdout.trim()} && echo alive`)).toBe("alive");
    await shell.close();
  });

  it("shares a network with another that judges it, and no more than that", async () => {
    const server = `perl -MIO::Socket::INET -e '$s=IO::Socket::INET->new(Listen=>5,LocalAddr=>"127.0.0.1",LocalPort=>8080,ReuseAddr=>1) or die; print "up\\n"; while($c=$s->accept){print $c "hello\\n";close $c}'`;
    const environment = await open();
    if (!(await text(environment, "command -v perl"))) return;
    const program = environment.start({ command: ["bash", "-c", `exec ${server}`] });
    program.stdout.resume();
    const ask =
      "for i in $(seq 100); do exec 3<>/dev/tcp/127.0.0.1/8080 && cat <&3 && break; sleep 0.05; done 2>/dev/null";
    expect(await text(environment, ask)).toBe("hello");
    const verifier = await open({ role: "verifier", network: environment, profile: "multi-user" });
    expect(await text(verifier, ask)).toBe("hello");
    // As the hub sees it: wrapped.
    const another = await open({ network: { ...environment } });
    expect(await text(another, ask)).toBe("hello");
    expect(await text(verifier, "ls /proc | grep -c '^[0-9]'; cat /proc/net/route | wc -l")).toMatch(
      /^\d\n1$/,
    );
    const stranger = await open();
    expect(await text(stranger, "exec 3<>/dev/tcp/127.0.0.1/8080")).toContain("refused");
  });

  it("reaches ports of this machine that it was given, in every network", async () => {
    const server = createServer((socket) => socket.end("reached\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
      for (const network of ["none", "loopback", "allow-list", "host"] as const) {
        const environment = await open({
          ports: [port],
          options: { network, ...(network === "allow-list" && { allow_hosts: ["example.org"] }) },
        });
        expect(environment.facts.network).toBe(network);
        expect(await text(environment, ask)).toBe("reached");
        expect(await text(environment, "echo $http_proxy")).toMatch(
          network === "allow-list" ? /^http:/ : /^$/,
        );
        const verifier = await open({ network: environment, ports: [port] });
        expect(await text(verifier, ask)).toBe("reached");
      }
    } finally {
      server.close();
    }
  });

  it("refuses images and the network of another kind", async () => {
    await expect(open({ image: "debian" })).rejects.toMatchObject({ code: "ENVIRONMENT_UNAVAILABLE" });
    const other = { ...(await open()), facts: { kind: "local" } } as unknown as Environment;
    await expect(open({ network: other })).rejects.toMatchObject({ code: "ENVIRONMENT_UNAVAILABLE" });
  });
});

/** A program of this machine with what it needs to run, below another root. */
function copyWithLibraries(program: string, root: string): void {
  const path = execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
  const libraries = execFileSync("ldd", [path], { encoding: "utf8" }).match(/\/\S+/g) ?? [];
  for (const [from, to] of [[path, `/bin/${program}`], ...libraries.map((library) => [library, library])]) {
    if (from === undefined || to === undefined || existsSync(root + to)) continue;
    mkdirSync(dirname(root + to), { recursive: true });
    copyFileSync(from, root + to);
  }
}
