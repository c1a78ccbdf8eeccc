"use strict";
// Everything can be read without this script. It lets tables be sorted by their headings and folds and unfolds.
const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function keyOf(row, head) {
  const cell = row.cells[head.cellIndex];
  if (head.dataset.sort === "number") return cell.dataset.value ? Number(cell.dataset.value) : null;
  const text = cell.textContent.trim();
  return text === "-" ? null : text || null;
}

function sorted(rows, head, way) {
  const sign = way === "descending" ? -1 : 1;
  const compare = head.dataset.sort === "number" ? (a, b) => a - b : words.compare;
  const known = [], unknown = [];
  for (const row of rows) (keyOf(row, head) === null ? unknown : known).push(row);
  known.sort((a, b) => sign * compare(keyOf(a, head), keyOf(b, head)));
  return [...known, ...unknown];
}

for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], order = [...body.rows], heads = [...table.querySelectorAll("th[data-sort]")];
  if (order.length < 3) continue;
  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Sort by this column; a third time gives the order of the report";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      // The largest numbers are what is looked for in a list of risks, so they come first.
      const ways = head.dataset.sort === "number" ? ["descending", "ascending"] : ["ascending", "descending"];
      const way = ways[ways.indexOf(head.getAttribute("aria-sort")) + 1];
      for (const each of heads) each.removeAttribute("aria-sort");
      if (way) head.setAttribute("aria-sort", way);
      body.append(...(way ? sorted(order, head, way) : order));
    });
  }
}

// A link to a section unfolds it, and whatever it is folded into.
function unfold(hash) {
  const target = hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
  if (!target) return;
  const own = target.querySelector(":scope > details");
  if (own) own.open = true;
  for (let each = target.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
}
for (const link of document.querySelectorAll('a[href^="#"]')) link.addEventListener("click", () => unfold(link.hash));
addEventListener("hashchange", () => unfold(location.hash));
unfold(location.hash);

const unfolder = document.createElement("button"), lastEntry = document.createElement("li");
unfolder.type = "button";
unfolder.textContent = "Unfold all";
unfolder.addEventListener("click", () => {
  const opens = unfolder.textContent === "Unfold all";
  for (const each of document.querySelectorAll("details")) each.open = opens;
  unfolder.textContent = opens ? "Fold all" : "Unfold all";
});
lastEntry.append(unfolder);
document.querySelector("nav ul").append(lastEntry);

// Browsers whose styles cannot show what is folded have it unfolded while they print.
if (!CSS.supports("selector(::details-content)")) {
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const each of folded) each.open = true;
  });
  addEventListener("afterprint", () => { for (const each of folded) each.open = false; });
}
