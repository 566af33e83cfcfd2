// A writer that knows no protocol: what it is told comes on stdin, what it writes goes to stdout. What a reviewer said stands at the end.
import { text } from "node:stream/consumers";

const told = await text(process.stdin);
const facts = [...told.matchAll(/"fact":\s*"([^"]*)"/g)].map(([, fact]) => fact);
const title = /needs a title/.test(told) ? "# Bees\n\n" : "";
console.log(JSON.stringify({ text: `${title}${facts.join(" ")}` }));
