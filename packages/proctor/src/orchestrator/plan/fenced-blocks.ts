// The fenced blocks of a Markdown text, in one pass.

const FENCE = "```";

/** Returns the trimmed content of each block, without the language after its fence. An unclosed block ends with the text. */
export function fencedBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block: string[] | undefined;
  for (const line of text.split("\n")) {
    const isFence = line.trimStart().startsWith(FENCE);
    if (isFence && block !== undefined) {
      blocks.push(block.join("\n").trim());
      block = undefined;
    } else if (isFence) block = [];
    else block?.push(line);
  }
  if (block !== undefined) blocks.push(block.join("\n").trim());
  return blocks;
}
