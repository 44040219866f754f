// Prints a result, copies the address of a private link, and empties the storage of a browser that
// forgets a student. Without it a page names the browser's menu, and the address can be selected.
const found = (selector) => document.querySelector(selector);
const print = found("[data-print]");
const copy = found("[data-copy]");

if (print) {
  print.parentNode.hidden = false;
  print.addEventListener("click", () => window.print());
}

if (copy) {
  const field = found("[readonly]");
  const say = () => (found("[role=status]").textContent = copy.dataset.copy);
  field.addEventListener("focus", () => field.select());
  copy.hidden = !navigator.clipboard;
  copy.addEventListener("click", () => {
    field.select(); // to be copied by hand if the browser refuses
    navigator.clipboard.writeText(field.value).then(say, () => {});
  });
}

if (found("[data-clear]")) {
  try {
    localStorage.clear();
  } catch {
    // a private window may have none
  }
}
