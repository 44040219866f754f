// Edits in the table of a catalogue are lost if its editor leaves the page without saving.
let isEdited = document.querySelector(".typed, .errornote") !== null;

document.addEventListener("input", (event) => {
  if (event.target.closest("form[method=post]")) isEdited = true;
});
document.addEventListener("submit", (event) => {
  if (event.target.method === "post") isEdited = false;
});
window.addEventListener("beforeunload", (event) => {
  if (isEdited) event.preventDefault();
});
