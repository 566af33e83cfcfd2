// What is wrong with a page for people who see badly, or only hear it. Scripts that run in the page.

/** Texts whose contrast with what is behind them is below 4.5 (WCAG AA); 3 for large ones. In the page. */
export const LOW_CONTRAST = `(() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (colour) => {
    const [r, g, b] = parse(colour).map((part) => { const share = part / 255; return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      const [, , , alpha = 1] = parse(colour);
      if (alpha > 0.9) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (!text || !element.checkVisibility() || element.closest("script, style, noscript, svg, mark, [disabled], [aria-disabled]")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(style.color), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) found.add(element.className + ": " + element.textContent.slice(0, 30) + " " + ratio.toFixed(2));
  }
  return [...found];
})()`;

/** Controls without a name. In the page. */
export const NAMELESS = `[...document.querySelectorAll("button, a, input, select, [role=img], [role=region]")]
  .filter((element) => element.checkVisibility() && !(element.getAttribute("aria-label") || element.textContent.trim()))
  .map((element) => element.outerHTML.slice(0, 120))`;
