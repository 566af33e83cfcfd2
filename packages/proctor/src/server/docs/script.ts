// The script of the reference page: it finds operations, copies examples, and names this hub in them. The page can be read without it.

export const SCRIPT = `
const filter = document.querySelector("#filter");
const cards = [...document.querySelectorAll(".operation")];
const links = [...document.querySelectorAll("nav li a[data-find]")];
filter.parentElement.hidden = false;
filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\\s+/);
  const fits = (element) => words.every((word) => element.dataset.find.includes(word));
  for (const card of cards) card.hidden = !fits(card);
  for (const link of links) link.parentElement.hidden = !fits(link);
  for (const section of document.querySelectorAll("main section.group"))
    section.hidden = !section.querySelector(".operation:not([hidden])");
});
for (const place of document.querySelectorAll(".this-hub")) place.textContent = location.origin;
for (const pre of document.querySelectorAll("pre.copy")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.querySelector("code").textContent);
    button.textContent = "Copied";
    button.addEventListener("mouseleave", () => (button.textContent = "Copy"), { once: true });
  });
  pre.append(button);
}
`;
