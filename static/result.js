// Prints a result, copies the address of a private link, and deletes the answers kept of attempts that
// a browser forgets. Without scripts a page names the browser's menu, and the address can be selected.
const found = (selector) => document.querySelector(selector);
const print = found("[data-print]");
const copy = found("[data-copy]");

if (print) print.addEventListener("click", () => window.print());

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

// student.js keeps answers under these names.
const forget = (isForgotten) => {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith("answers of "));
    names.filter((name) => isForgotten(name.split(" ")[2])).forEach((name) => localStorage.removeItem(name));
  } catch {
    // a private window may have none
  }
};
const forgotten = found("[data-forgotten]");

if (forgotten) forget((attempt) => attempt === forgotten.dataset.forgotten);
document.querySelectorAll("[data-keep]").forEach((form) => {
  form.addEventListener("submit", () => forget((attempt) => attempt !== form.dataset.keep));
});
