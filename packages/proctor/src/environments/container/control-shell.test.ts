// The control shell's program, in the shells of this machine. It looks at every process it can see, so it runs where it sees none but its
// own: in a process namespace that ends with the test.
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readProgram } from "../../runtime/files/read-program.ts";
import { SYSTEM_ONLY } from "../../../test/support/bwrap.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const run = promisify(execFile);
const SANDBOX = [
  "--unshare-all",
  "--die-with-parent",
  ...SYSTEM_ONLY,
  "--proc",
  "/proc",
  "--dev",
  "/dev",
  "--clearenv",
];
const works = spawnSync("bwrap", [...SANDBOX, "true"]).status === 0;
if (!works) process.stdout.write("skipped: control script: bubblewrap does not work here\n");

const SHELLS = ["dash", "bash --posix", "busybox sh"].filter(
  (shell) => spawnSync("sh", ["-c", `${shell} -c 'exit 0'`]).status === 0,
);

/** `tell` sends one line; `count` says how many programs have an argument; `until` waits. The bystander must outlive everything. */
const PRELUDE = `
tell() { echo "7 $*" | $SHELL_UNDER_TEST -c "$CONTROL_SCRIPT" | grep -qx 7 || echo "no answer"; }
count() { ps -eo args= | grep -c "^sleep $1$"; }
until_count() { for i in $(seq 500); do [ "$(count $1)" = "$2" ] && return; sleep 0.01; done; echo "$(count $1) of sleep $1, not $2"; }
# The age, in hundredths of a second, of a moment one second after the start of the first sleep with that argument.
after() { read -r up idle < /proc/uptime; for dir in /proc/[0-9]*; do
  [ "$(tr '\\0' ' ' < $dir/cmdline 2>/dev/null)" = "sleep $1 " ] || continue
  set -- $(cut -d')' -f2 $dir/stat); echo $((\${up%.*}\${up#*.} - \${20} - 100)); return; done; }
setsid sleep 9999 &
`;
const EPILOGUE = `
until_count 9999 1
echo done
`;

describe.skipIf(!works).each(SHELLS)("the control shell in %s", (shell) => {
  async function inside(script: string): Promise<string> {
    const args = [
      ...SANDBOX,
      "--setenv",
      "PATH",
      "/usr/bin:/bin",
      "--setenv",
      "SHELL_UNDER_TEST",
      shell,
      "--setenv",
      "CONTROL_SCRIPT",
      readProgram("./control.sh", import.meta.url),
    ];
    const { stdout } = await run("bwrap", [...args, "bash", "-c", PRELUDE + script + EPILOGUE], {
      timeout: HANG_MS,
    });
    return stdout;
  }

  it("reaches a program, its children, and those whose parent is gone", async () => {
    const output = await inside(`
      setsid bash -c 'sleep 1001 & (sleep 1001 &); bash -c "trap \\"\\" TERM; sleep 1001; sleep 1001"' & program=$!
      until_count 1001 3
      tell KILL $program -
      until_count 1001 0
      kill -0 $program 2>/dev/null && [ "$(ps -o stat= -p $program)" != Z ] && echo "the program lives"
    `);
    expect(output).toBe("done\n");
  });

  it("reaches what a program started lately, and not the program", async () => {
    const output = await inside(`
      setsid bash -c 'sleep 1001 & sleep 2; sleep 1002 & wait; echo over' & program=$!
      until_count 1002 1
      tell TERM $program $(after 1001)
      until_count 1002 0
      until_count 1001 1
      tell TERM $program -1000
      until_count 1001 1
      tell TERM $program +
      until_count 1001 0
      wait $program
    `);
    expect(output).toBe("over\ndone\n");
  });

  it("is not confused by what a process calls itself", async () => {
    const output = await inside(`
      setsid bash -c 'printf "x) Z 1 1 1\\n1 (y" > /proc/$$/comm; sleep 1001; true' & program=$!
      until_count 1001 1
      tell KILL $program -
      until_count 1001 0
    `);
    expect(output).toBe("done\n");
  });
});
