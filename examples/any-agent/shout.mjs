// A program that knows nothing of Proctor: says its argument, or else its input, in capitals.
const [argument] = process.argv.slice(2);
let text = argument ?? "";
if (argument === undefined) for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
console.log(text.trimEnd().toUpperCase());
