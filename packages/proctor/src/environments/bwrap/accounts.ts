// The users that an environment over this machine's own system knows: those that belong to the system, and none that belong to people.
// No password works.

const FIRST_PERSON = 1000;
const NOBODY = 65534;

interface Accounts {
  passwd: string;
  group: string;
  shadow: string;
  gshadow: string;
}

/** Filters the content of /etc/passwd and /etc/group. */
export function systemAccounts(passwd: string, group: string): Accounts {
  const users = withRoot(rows(passwd, 7), ["root", "x", "0", "0", "root", "/root", "/bin/sh"]);
  const groups = withRoot(rows(group, 4), ["root", "x", "0", ""]);
  const names = new Set(users.map(([name]) => name));
  return {
    passwd: text(users.map(([name, , ...rest]) => [name, "x", ...rest])),
    group: text(groups.map(([name, , id, members = ""]) => [name, "x", id, known(members, names)])),
    shadow: text(users.map(([name]) => [name, "*", "19000", "0", "99999", "7", "", "", ""])),
    gshadow: text(groups.map(([name, , , members = ""]) => [name, "*", "", known(members, names)])),
  };
}

type Row = (string | undefined)[];

/** Splits a file into rows; the third field is a number in both files. */
function rows(content: string, fields: number): Row[] {
  return content
    .split("\n")
    .map((line) => line.split(":"))
    .filter((row) => row.length === fields && row[0] !== "" && isOfSystem(Number(row[2])));
}

function isOfSystem(id: number): boolean {
  return Number.isInteger(id) && ((id >= 0 && id < FIRST_PERSON) || id === NOBODY);
}

function withRoot(all: Row[], root: Row): Row[] {
  return all.some(([name]) => name === "root") ? all : [root, ...all];
}

function known(members: string, names: ReadonlySet<string | undefined>): string {
  return members
    .split(",")
    .filter((name) => names.has(name))
    .join(",");
}

function text(all: readonly Row[]): string {
  return all.map((row) => `${row.join(":")}\n`).join("");
}
