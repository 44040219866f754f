// A Copy button after each value that staff or partners copy. The pages work without this file.
for (const value of document.querySelectorAll("[data-copy], .sample pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet copy";
  button.textContent = "Copy";
  if (value.id) button.setAttribute("aria-describedby", value.id);
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(value); // to be copied by hand if the browser refuses
    const copying = navigator.clipboard.writeText(value.textContent.trim());
    button.textContent = await copying.then(() => "Copied", () => "Press Ctrl+C");
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  // Browsers offer the clipboard to pages over https only.
  if (navigator.clipboard) value.after(button);
}
