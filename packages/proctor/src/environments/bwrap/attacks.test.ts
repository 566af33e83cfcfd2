// What a hostile command tries, in both profiles: nothing of it reaches this machine.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pack } from "tar-stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Profile } from "../../core/environment.ts";
import type { Environment, EnvironmentResult } from "../../core/ports/environments.ts";
import { describeBwrap, type TestMachine } from "../../../test/support/environments/bwrap-machine.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const FAMILY = { unix: 1, inet: 2, netlink: 16, packet: 17, bluetooth: 31, alg: 38, vsock: 40 };
const EAFNOSUPPORT = 97;
const PROFILES: readonly Profile[] = ["strict", "multi-user"];

await describeBwrap("an attacker in a bwrap environment", (machine) => {
  describe.each(PROFILES)("in the profile %s", (profile) => {
    let environment: Environment;
    let host = "";
    const sh = (script: string, timeoutMs = HANG_MS): Promise<EnvironmentResult> =>
      environment.run({ command: ["bash", "-c", script], timeoutMs });

    beforeAll(async () => {
      host = mkdtempSync(join(tmpdir(), "proctor-host-"));
      writeFileSync(join(host, "secret"), "of this machine");
      environment = await machine.open(profile)();
    });
    afterAll(async () => {
      await environment.destroy();
      rmSync(host, { recursive: true, force: true });
    });

    it("writes anywhere, and nowhere on this machine", async () => {
      const name = `proctor-attack-${process.pid}-${profile}`;
      const places = ["/", "/etc/", "/usr/", "/usr/bin/", "/root/", "/home/", "/tmp/", "/var/lib/", "/opt/"];
      for (const place of places)
        expect(await sh(`echo x > ${place}${name} && cat ${place}${name}`)).toMatchObject({
          code: 0,
          stdout: "x\n",
        });
      expect(places.filter((place) => existsSync(place + name))).toEqual([]);
      expect((await sh("rm -rf /etc; echo > /usr/bin/env; ls /etc/passwd")).code).not.toBe(0);
      expect(existsSync("/etc/passwd") && readFileSync("/usr/bin/env").length > 100).toBe(true);
    });

    it("reads no file that is not of the system", async () => {
      environment = await renew(machine, profile, environment);
      const { stdout } = await sh("ls -A /root /home /mnt /srv /boot /run /sys /var/log /var/spool /tmp");
      expect(
        stdout
          .split("\n")
          .filter(
            (line) =>
              line !== "" && !line.endsWith(":") && ![".bashrc", ".profile", "lock", "apt"].includes(line),
          ),
      ).toEqual([]);
      for (const path of [
        join(host, "secret"),
        machine.stateDir,
        process.cwd(),
        "/proc/1/root/root/.ssh",
        "/proc/1/cwd/../home",
      ]) {
        expect(await sh(`cat ${path} || ls -A ${path}/*`)).toMatchObject({ stdout: "" });
      }
      const shadow = (await sh("cat /etc/shadow /etc/gshadow")).stdout;
      expect(shadow.split("\n").filter((line) => line !== "" && !/^[^:]+:\*:/.test(line))).toEqual([]);
      const top = (await sh("ls -A /")).stdout.split("\n").filter((name) => name !== "");
      const shown = new Set(
        "app bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys tmp usr var".split(
          " ",
        ),
      );
      expect(top.filter((name) => !shown.has(name))).toEqual([]);
    });

    it("sees no process, no variable and no open file of ours", async () => {
      process.env["PROCTOR_ATTACK_SECRET"] = "hub-secret";
      try {
        const { stdout } = await sh(
          "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'; ls /proc | grep -c '^[0-9]'",
        );
        expect(stdout).not.toContain("hub-secret");
        expect(Number(stdout.trim().split("\n").at(-1))).toBeLessThan(12);
        const files = (await sh("for fd in /proc/$$/fd/*; do readlink $fd; done; :")).stdout
          .trim()
          .split("\n")
          .slice(3);
        // The names of its own name spaces, and nothing in the place of what we inherited ourselves.
        expect(files.filter((file) => !/^(pid|user):|^\/dev\/null$/.test(file))).toEqual([]);
        // Signal 0 only asks whether there is somebody: there is nobody but itself and the first process.
        expect((await sh("kill -0 -1")).code).not.toBe(0);
        expect((await sh("kill -9 1; kill -STOP 1; echo alive")).stdout).toBe("alive\n");
      } finally {
        delete process.env["PROCTOR_ATTACK_SECRET"];
      }
    });

    it("shows no variable in a command line of this machine", async () => {
      const program = environment.start({ command: ["sleep", "1000"], env: { TOKEN: "in-no-command-line" } });
      const shell = await environment.openShell({ env: { TOKEN: "in-no-command-line" } });
      const lines = readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => read(`/proc/${pid}/cmdline`));
      expect(lines.filter((line) => line.includes("in-no-command-line"))).toEqual([]);
      await shell.close();
      program.signal("SIGKILL");
      expect((await program.exited).code).toBe(137);
    });

    it("gains no rights", async () => {
      environment = await renew(machine, profile, environment);
      const refused = [
        "mount -t tmpfs x /mnt",
        "mount --bind /etc /mnt",
        "mount -o remount,rw /proc/sys",
        "umount /proc",
        "mknod /tmp/disk b 8 0",
        "mknod /tmp/mem c 1 1",
        "unshare -Ur true",
        "unshare -m true",
        "nsenter -t 1 -m -p true",
        "chroot /proc/1/root/../.. true && test -e /work",
        "cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern",
        "echo 1 > /proc/sys/net/ipv4/ip_forward",
        "echo x > /proc/sysrq-trigger",
        "echo x > /dev/anything",
        "hostname other",
        "dmesg",
        "head -c 1 /proc/kcore",
        "date -s 2001-01-01",
      ];
      for (const script of refused)
        expect({ script, refused: (await sh(script)).code !== 0 }).toEqual({ script, refused: true });
      const capabilities = BigInt(
        `0x${(await sh("grep CapEff /proc/self/status | cut -f 2")).stdout.trim()}`,
      );
      // SYS_ADMIN, DAC_READ_SEARCH, NET_RAW, NET_ADMIN, SYS_PTRACE, SYS_MODULE, SYS_RAWIO, MKNOD, SYS_BOOT, SYS_TIME
      const never = [21n, 2n, 13n, 12n, 19n, 16n, 17n, 27n, 22n, 25n].filter(
        (bit) => ((capabilities >> bit) & 1n) === 1n,
      );
      expect(never).toEqual([]);
      if (profile === "strict") expect(capabilities).toBe(0n);
      expect((await sh("grep NoNewPrivs /proc/self/status")).stdout).toMatch(/1$/m);
    });

    it("reaches no network, not even this machine's own", async () => {
      const server = createServer((socket) => socket.end("reached"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      try {
        const { port } = server.address() as AddressInfo;
        for (const target of [`127.0.0.1/${port}`, "1.1.1.1/53", "169.254.169.254/80"]) {
          expect((await sh(`exec 3<>/dev/tcp/${target} && cat <&3`)).code).not.toBe(0);
        }
        expect(
          (await sh("cat /proc/net/route | wc -l; cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '"))
            .stdout,
        ).toBe("1\nlo\n");
        expect((await sh("cat /proc/net/unix | tail -n +2")).stdout).toBe("");
      } finally {
        server.close();
      }
    });

    it("makes no socket of a family that leads past the network's walls", async () => {
      const make = (family: number, kind = "SOCK_STREAM", protocol = 0) =>
        sh(
          `perl -MSocket -e 'print socket(my $one, ${family}, ${kind}, ${protocol}) ? "made" : $! + 0; print " ", socketpair(my $two, my $three, ${family}, ${kind}, ${protocol}) ? "made" : $! + 0'`,
        ).then(({ stdout, stderr }) => stdout + stderr);
      const { vsock, alg, packet, bluetooth, unix, inet, netlink } = FAMILY;
      for (const family of [vsock, alg, packet, bluetooth])
        expect({ family, is: await make(family, "SOCK_STREAM") }).toEqual({
          family,
          is: `${EAFNOSUPPORT} ${EAFNOSUPPORT}`,
        });
      // NETLINK_AUDIT, NETLINK_NETFILTER and NETLINK_KOBJECT_UEVENT; programs ask NETLINK_ROUTE for their addresses.
      for (const protocol of [9, 12, 15])
        expect(await make(netlink, "SOCK_RAW", protocol)).toBe(`${EAFNOSUPPORT} ${EAFNOSUPPORT}`);
      expect(await make(netlink, "SOCK_RAW", 0)).toMatch(/^made /);
      expect(await make(unix)).toBe("made made");
      expect(await make(inet)).toMatch(/^made /);
    });

    it("brings nothing out of this machine by a link, and writes nothing outside of the target", async () => {
      const target = mkdtempSync(join(host, "out-"));
      await sh(
        `mkdir -p trap/sub; cd trap; ln -s ${host}/secret a; ln -s / root; ln -s .. up; ln /etc/hostname hard; mkfifo pipe; echo fine > sub/fine`,
      );
      const copied = await environment.copyOut("/app/trap", target, { maxBytes: 1e6 });
      expect(readdirSync(target, { recursive: true }).map(String).sort()).toEqual([
        "hard",
        "sub",
        "sub/fine",
      ]);
      expect(copied.leftOut.map((line) => line.replace(/^\.\//, "").replace(/:.*/, "")).sort()).toEqual([
        "a",
        "pipe",
        "root",
        "up",
      ]);
    });

    it("does not trust the tar that is inside", async () => {
      const target = mkdtempSync(join(host, "out-"));
      const bait = join(host, `bait-${profile}`);
      mkdirSync(bait);
      const evil = join(host, "evil.tar");
      writeFileSync(evil, await evilArchive(bait));
      await environment.copyIn(evil, "/app/evil.tar");
      await sh(
        "mkdir -p /app/any; printf '#!/bin/sh\\ncat /app/evil.tar\\n' > /usr/local/bin/tar; chmod +x /usr/local/bin/tar",
      );
      const { leftOut } = await environment.copyOut("/app/any", target, { maxBytes: 1e6 });
      expect(readdirSync(target, { recursive: true }).map(String).sort()).toEqual([
        "door",
        "door/through",
        "good",
      ]);
      expect(lstatSync(join(target, "door")).isDirectory()).toBe(true);
      expect(leftOut.length).toBeGreaterThan(3);
      expect(readdirSync(bait)).toEqual([]);
      expect(existsSync(join(dirname(target), "escaped"))).toBe(false);
      environment = await renew(machine, profile, environment);
    });
  });

  describe("against what is mounted", () => {
    let folder = "";
    let environment: Environment | undefined;
    afterEach(async () => {
      await environment?.destroy();
      rmSync(folder, { recursive: true, force: true });
    });

    it.each(PROFILES)(
      "makes no directory on this machine by a link in the place of one above a mount (%s)",
      async (profile) => {
        folder = mkdtempSync(join(tmpdir(), "proctor-mounted-"));
        mkdirSync(join(folder, "source"));
        mkdirSync(join(folder, "bait"));
        const mounts = [{ source: join(folder, "source"), target: "/data/deep/in", writable: true }];
        environment = await machine.open(profile)({ mounts });
        const sh = (script: string) =>
          environment?.run({ command: ["bash", "-c", script], timeoutMs: HANG_MS });
        for (const bait of [join(folder, "bait"), `/oldroot${folder}/bait`, `/../../oldroot${folder}/bait`]) {
          await sh(
            `rm -f /data; mv /data /was 2>/dev/null; ln -sfn ${bait} /data; ln -sfn ${bait} /tmp2; rm -rf /tmp; ln -s ${bait} /tmp`,
          );
          expect((await sh("echo still here"))?.stdout).toBe("still here\n");
        }
        expect(readdirSync(join(folder, "bait"))).toEqual([]);
      },
    );

    it("refuses to mount through a link of the root, and a root whose /dev is one", async () => {
      folder = mkdtempSync(join(tmpdir(), "proctor-mounted-"));
      const layer = join(folder, "layer");
      mkdirSync(layer);
      mkdirSync(join(folder, "bait"));
      symlinkSync(join(folder, "bait"), join(layer, "data"));
      const mounts = [{ source: folder, target: "/data/in" }];
      await expect(machine.open("strict")({ layers: [layer], mounts })).rejects.toMatchObject({
        code: "ENVIRONMENT_UNAVAILABLE",
      });
      symlinkSync("/etc", join(layer, "dev"));
      await expect(machine.open("strict")({ layers: [layer] })).rejects.toMatchObject({
        code: "ENVIRONMENT_UNAVAILABLE",
      });
      expect(readdirSync(join(folder, "bait"))).toEqual([]);
      expect(await machine.leftovers()).toEqual([]);
    });

    it("never mounts anything where others could see it", () => {
      const { stdout } = spawnSync("cat", ["/proc/self/mountinfo"], { encoding: "utf8" });
      expect(stdout).not.toContain(machine.stateDir);
    });
  });
});

async function renew(machine: TestMachine, profile: Profile, old: Environment): Promise<Environment> {
  await old.destroy();
  return machine.open(profile)();
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

async function evilArchive(bait: string): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: "good" }, "good");
  archive.entry({ name: "../escaped" }, "bad");
  archive.entry({ name: `${bait}/absolute` }, "bad");
  archive.entry({ name: "door", type: "symlink", linkname: bait });
  archive.entry({ name: "door/through" }, "bad");
  archive.entry({ name: "hard", type: "link", linkname: "/etc/passwd" });
  archive.entry({ name: "device", type: "block-device", devmajor: 8, devminor: 0 });
  archive.entry({ name: "good" }, "twice");
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
