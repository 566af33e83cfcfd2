// Prints the dependencies of package.json that are not in a node_modules of this folder or of one above it, one per line.
const fs = require("fs");
const path = require("path");

const { dependencies, devDependencies } = JSON.parse(fs.readFileSync("package.json", "utf8"));
const wanted = { ...dependencies, ...(process.argv[2] === "production" ? {} : devDependencies) };

function has(name) {
  for (let dir = process.cwd(); ; dir = path.dirname(dir)) {
    if (fs.existsSync(path.join(dir, "node_modules", name))) return true;
    if (dir === path.dirname(dir)) return false;
  }
}

for (const name of Object.keys(wanted)) if (!has(name)) process.stdout.write(`${name}\n`);
