// One choice of language for all samples, the current section in the menu, and a filter.
// The pages work without this file.
const LANGUAGES = ".tabs input";

document.addEventListener("change", (event) => {
  if (!event.target.matches(LANGUAGES)) return;
  const top = event.target.getBoundingClientRect().top;
  for (const input of document.querySelectorAll(LANGUAGES)) {
    if (input.value === event.target.value) input.checked = true;
  }
  // Samples above have other lengths now: keep this one where it was.
  window.scrollBy(0, event.target.getBoundingClientRect().top - top);
});

const menu = document.querySelector("nav");

// The last section that began above the upper third of the window is the current one.
const inMenu = Array.from(menu.querySelectorAll("a[href^='#']"), (link) => ({
  link,
  heading: document.querySelector(link.hash),
}));
const markCurrent = () => {
  const begun = inMenu
    .map(({ link, heading }) => ({ link, top: heading.getBoundingClientRect().top }))
    .filter(({ top }) => top < innerHeight / 3)
    .sort((a, b) => b.top - a.top);
  for (const { link } of inMenu) link.removeAttribute("aria-current");
  if (begun.length) begun[0].link.setAttribute("aria-current", "true");
};
addEventListener("scroll", () => requestAnimationFrame(markCurrent), { passive: true });
markCurrent();

// What the filter finds: headings, terms, and the fields and codes of tables.
const MOST = 12;
const places = Array.from(document.querySelectorAll("h2, h3, dt, tbody tr, p > code:first-child"), (place) => {
  const named = place.querySelector("th") || place;
  const section = place.closest("section").querySelector("h2");
  return { place, name: named.textContent.trim().replace(/\s+/g, " "), section: section.textContent, text: place.textContent.toLowerCase() };
});
const filter = menu.querySelector("input");
const found = menu.querySelector(".found");
const find = () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = words.length ? places.filter(({ text }) => words.every((word) => text.includes(word))) : [];
  found.replaceChildren(
    ...hits.slice(0, MOST).map(({ place, name, section }, number) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      place.id = place.id || `found-${number}-${filter.value.length}`;
      link.href = `#${place.id}`;
      link.textContent = name === section ? name : `${name} – ${section}`;
      item.append(link);
      return item;
    }),
  );
};
if (filter) filter.addEventListener("input", find);
