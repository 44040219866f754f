// Copy buttons, and one choice of language for all samples. The pages work without this file.
const LANGUAGES = ".tabs input";

for (const sample of document.querySelectorAll(".sample")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(sample.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  // Browsers offer the clipboard to pages over https only.
  if (navigator.clipboard) sample.append(button);
}

document.addEventListener("change", (event) => {
  if (!event.target.matches(LANGUAGES)) return;
  const top = event.target.getBoundingClientRect().top;
  for (const input of document.querySelectorAll(LANGUAGES)) {
    if (input.value === event.target.value) input.checked = true;
  }
  // Samples above have other lengths now: keep this one where it was.
  window.scrollBy(0, event.target.getBoundingClientRect().top - top);
});
