// Ignores the second tap of an impatient finger; sends a page of answers, and keeps them on the phone
// while the network is away. Before Chrome 66, Firefox 58, Safari 12.1 only the form works.
const form = document.querySelector("form[data-answers]");
const questions = Array.from(form ? form.querySelectorAll("fieldset") : []);
const PREFIX = "answers of ";
const SECOND = 1000;
const SETTLING = 0.7 * SECOND;
const OLDEST = 31 * 24 * 3600 * SECOND; // no attempt can be continued for longer

// Back to a form's answer would be an error page: open the address.
const link = document.querySelector("[name=token]");
const query = link && `?token=${link.value}&language=${document.documentElement.lang}`;
history.replaceState(null, "", query || location.href);

// Meant for the page before, it would answer this one: where a page of ours was before. Keyboards and
// screen readers click without detail.
let appeared = document.referrer.startsWith(`${location.origin}/`) ? performance.now() : -SETTLING;
addEventListener("pageshow", ({ persisted }) => persisted && (appeared = performance.now()));
addEventListener(
  "click",
  (event) => {
    if (!event.detail || performance.now() > appeared + SETTLING) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

// A private window may have none, and others write there too: then only the page holds them.
const store = (work) => {
  try {
    return work(localStorage);
  } catch {
    return null;
  }
};

const isOpen = (question) => !question.querySelector(":checked");

// Other students' stay until their attempts are over for sure.
const removeOld = (kept) => {
  for (const key of Object.keys(kept).filter((name) => name.startsWith(PREFIX))) {
    const { at } = store(() => JSON.parse(kept.getItem(key))) || {};
    if (!(Date.now() - at < OLDEST)) kept.removeItem(key); // nor one that can't be read
  }
};

// After a tap, not after a key, the next open statement moves to the upper third of the screen.
const wasOpen = new Set(questions.filter(isOpen));
let isTap = false;
addEventListener("pointerdown", () => (isTap = true), true);
addEventListener("keydown", () => (isTap = false), true);
const leadOn = (question) => {
  const summary = document.querySelector(".summary");
  if (summary && !questions.some(isOpen)) summary.hidden = true; // it said what was missing
  const isNew = wasOpen.delete(question);
  const next = questions.slice(questions.indexOf(question)).find(isOpen);
  if (!isTap || !isNew || !next || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const top = next.getBoundingClientRect().top - innerHeight / 5;
  if (top > 0) scrollBy({ top, behavior: "smooth" });
};

const setUpSending = () => {
  const button = form.querySelector("button[type=submit]");
  const told = form.querySelector("[role=status]");
  // Of one attempt and one page: never sent for another student, or to the puzzle that came instead.
  const [attempt, page] = form.action.split("/").slice(-2);
  const key = `${PREFIX}${attempt} ${page}${form.dataset.answers}`;
  let isPressed = false; // and not stored yet
  let isSending = false;
  let isOtherButton = false;
  let tries = 0;
  let timer = 0;

  const forget = () => store((kept) => kept.removeItem(key));
  if (!button) return forget(); // answered for good

  const keep = () => {
    const ticked = Array.from(form.querySelectorAll(":checked"), ({ name, value }) => [name, value]);
    const entry = JSON.stringify({ at: Date.now(), isPressed, ticked });
    store((kept) => kept.setItem(key, entry));
  };
  const filled = () => new URLSearchParams(new FormData(form));
  const say = (words) => {
    if (told.textContent !== words) told.textContent = words; // else it is read out again
  };
  const rest = () => {
    clearTimeout(timer);
    isSending = false;
    button.removeAttribute("aria-disabled");
  };

  // Again if nothing comes: the connection may have stalled.
  const goTo = (path, seconds) => {
    location.assign(path);
    timer = setTimeout(goTo, seconds * SECOND, path, 2 * seconds);
  };

  // Return the status and, once stored, the next page; null if no answer came in time.
  const post = async (body, seconds) => {
    const limit = new AbortController();
    const clock = setTimeout(() => limit.abort(), seconds * SECOND);
    try {
      const response = await fetch(form.action, {
        method: "POST",
        headers: { Accept: "application/json" },
        body,
        credentials: "same-origin",
        signal: limit.signal,
      });
      const isJSON = /json/.test(response.headers.get("Content-Type"));
      return { status: response.status, next: isJSON && (await response.json()).next };
    } catch {
      return null;
    } finally {
      clearTimeout(clock);
    }
  };

  // `fetch` may be refused where the network is fine: by an extension, or in a chat app's browser.
  const submitIfReachable = () => {
    const picture = new Image();
    picture.onload = () => isPressed && form.submit();
    picture.src = `${told.dataset.picture}?${Date.now()}`;
  };

  const send = async () => {
    if (isSending) return;
    rest();
    isSending = true;
    button.setAttribute("aria-disabled", "true");
    if (!tries) timer = setTimeout(say, SECOND, told.dataset.sending);
    const body = filled();
    const answer = await post(body, Math.min(10 + 5 * tries, 40));
    tries += 1;
    const isStored = answer && answer.next;
    if (isStored && `${filled()}` === `${body}`) {
      isPressed = false; // isSending stays: a second tap would begin the next page anew
      forget();
      goTo(answer.next, 15);
      return;
    }
    rest();
    if (isStored) {
      send(); // with what was changed on the way
    } else if (!answer || (answer.status >= 500 && tries < 5)) {
      say(told.dataset.waiting);
      timer = setTimeout(send, Math.min(2 ** tries, 30) * SECOND);
      if (!answer && tries >= 3) submitIfReachable();
    } else {
      if (answer.status === 409) forget();
      form.submit(); // only a page can tell what is wrong
    }
  };

  // Tick what was ticked before the page was closed or loaded anew; send what was to be sent.
  const restore = (entry) => {
    const isNew = ([name, value]) => {
      const { value: stored } = form.elements[name];
      return stored !== value && (!stored || entry.isPressed);
    };
    const ticks = entry.ticked.filter(([name]) => form.elements[name]).filter(isNew);
    for (const [name, value] of ticks) form.elements[name].value = value;
    if (!ticks.length) forget();
    else if (entry.isPressed) submit();
  };

  const submit = (event) => {
    if (isOtherButton) return; // another language or puzzle
    const example = document.querySelector(".example[open]");
    if (questions.some(isOpen)) {
      if (!example) return; // the page comes back and says what is missing
      event.preventDefault(); // the puzzle below the example was not seen yet
      example.open = false;
      questions[0].querySelector("input").focus({ preventScroll: true }); // it is read out
      scrollTo(0, 0);
      return;
    }
    if (event) event.preventDefault();
    isPressed = true;
    keep();
    send();
  };

  for (const each of document.querySelectorAll("button[form=answers]")) {
    each.addEventListener("click", () => {
      isOtherButton = true;
      if (each.id !== "pictures") return;
      form.reset(); // a tick would be sent as the answer, in place of the wish
      isPressed = false;
      forget();
    });
  }
  form.addEventListener("change", keep);
  form.addEventListener("change", ({ target }) => leadOn(target.closest("fieldset")));
  form.addEventListener("submit", submit);
  addEventListener("online", () => isPressed && send());
  addEventListener("pagehide", () => clearTimeout(timer));
  // Back may show the page as it was left, or without its ticks.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  const left = store((kept) => JSON.parse(kept.getItem(key)));
  if (left && Array.isArray(left.ticked)) restore(left);
};

// 1 to 9 choose an answer of the focused question, else of the first open one, unless switched off:
// speech software may hit keys unawares (WCAG 2.1.4).
const setUpKeys = (label) => {
  const isOn = label.control;
  let chosen = null; // focused by a key: the next key may answer the next question
  isOn.checked = store((kept) => kept.getItem("keys")) !== "false";
  isOn.addEventListener("change", () => store((kept) => kept.setItem("keys", isOn.checked)));
  label.hidden = false;
  addEventListener("keydown", ({ target, key, ctrlKey, altKey, metaKey }) => {
    if (!isOn.checked || ctrlKey || altKey || metaKey || !/^[1-9]$/.test(key)) return;
    const open = questions.find(isOpen);
    const focused = target.closest("fieldset") || open || questions[0];
    const question = target === chosen && open ? open : focused;
    const answer = question.querySelectorAll("input")[key - 1];
    if (!answer || answer.disabled) return;
    chosen = answer;
    answer.focus();
    answer.click();
  });
};

if (form && window.AbortController) {
  store(removeOld);
  setUpSending();
  const label = document.querySelector(".keys");
  if (label && matchMedia("(hover: hover)").matches) setUpKeys(label);
}
