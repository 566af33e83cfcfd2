// A tool in the hub's own sandbox: no files, no network, nothing but its input.
export function run({ text }) {
  console.log(`slugging ${text.length} characters`);
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return { slug: words.join("-") };
}
