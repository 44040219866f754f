// A form is sent once: a second click would throw away the answer that shows a secret.
const setSending = (form, sending) => {
  for (const button of form.querySelectorAll("button[type=submit]")) button.disabled = sending;
};

document.addEventListener("submit", (event) => setSending(event.target, true));
// Back from the next page, the browser may show this one as it was left.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("#content-main form")) setSending(form, false);
});
