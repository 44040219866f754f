// A form is sent once: a second click would throw away the answer that shows a secret.
const sending = new WeakSet();
const setDisabled = (form, disabled) => {
  for (const button of form.querySelectorAll("button[type=submit]")) button.disabled = disabled;
};

document.addEventListener("submit", (event) => {
  if (sending.has(event.target)) event.preventDefault();
  sending.add(event.target);
  // Later: a disabled button would not be sent with its form, and some pages ask which it was.
  setTimeout(setDisabled, 0, event.target, true);
});
// Back from the next page, the browser may show this one as it was left.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("#content-main form")) {
    sending.delete(form);
    setDisabled(form, false);
  }
});
