// A Copy button after each value that staff copy. The pages work without this file.
for (const value of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet copy";
  button.textContent = value.dataset.copy;
  button.setAttribute("aria-describedby", value.id);
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(value.textContent.trim());
    button.textContent = value.dataset.copied;
    setTimeout(() => (button.textContent = value.dataset.copy), 2000);
  });
  // Browsers offer the clipboard to pages over https only.
  if (navigator.clipboard) value.after(button);
}
