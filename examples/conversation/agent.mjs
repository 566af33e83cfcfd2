// A shop's agent as a small program: one turn is one start. It gets what is said on stdin, what was said before as an argument, and prints its
// answer. It remembers nothing by itself.
import { readFileSync } from "node:fs";

const said = readFileSync(0, "utf8").trim();
const before = process.argv[2] ?? "";
const everything = `${before}\n${said}`;
const order = everything.match(/\b\d{4}\b/)?.[0];
const isAgreed = /\b(?:yes|go ahead)\b/i.test(said) && before.endsWith("Shall I cancel it?");

if (!/cancel/i.test(everything)) console.log("Hello! I can cancel orders.");
else if (order === undefined) console.log("Which order is it? I need its four digits.");
else if (isAgreed) console.log(`Order ${order} is cancelled.`);
else console.log(`I found order ${order}. Shall I cancel it?`);
