// Prints a result, copies the address of a private link, and deletes the answers kept of attempts that
// a browser forgets. Without scripts a page names the browser's menu, and the address can be selected.
const found = (selector) => document.querySelector(selector);
const print = found("[data-print]");
const copy = found("[data-copy]");

const say = (words) => (found("[role=status]").textContent = words);

if (print) {
  let prints = false; // a chat app's browser does nothing
  addEventListener("beforeprint", () => (prints = true));
  print.addEventListener("click", () => {
    setTimeout(() => prints || say(print.dataset.print), 500);
    window.print();
  });
}

if (copy) {
  const field = found("[readonly]");
  field.addEventListener("focus", () => field.select());
  copy.hidden = false;
  copy.addEventListener("click", () => {
    field.select(); // to be copied by hand if the browser refuses
    const write = async () => navigator.clipboard.writeText(field.value);
    write().then(() => say(copy.dataset.copy), () => say(copy.dataset.refused));
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
