// What somebody types in a form of the admin is not lost to an ended session: typing keeps it alive;
// five minutes before an end a line says so; Save asks first whether the session is still there, and
// takes the form's token from the session that was begun meanwhile in another tab.
const { alive, signIn, idle } = document.currentScript.dataset;
const MINUTE = 60 * 1000;
const forms = Array.from(document.querySelectorAll("#content-main form[method=post]:not(.find)"));
let isDirty = false;
let seenAt = Date.now();
let endsAt = Infinity; // twelve hours after the sign-in
let checked = null; // the form that may go

const line = document.createElement("p");
line.className = "errornote";
line.setAttribute("role", "alert");

const say = (words) => {
  const link = document.createElement("a");
  link.href = signIn;
  link.target = "_blank";
  link.textContent = "Sign in in another tab";
  line.replaceChildren(`${words} `, link, ", then press Save here: what you typed stays on this page.");
  forms[0].before(line);
};

// Return whether somebody is signed in. It counts as a click does.
const check = async () => {
  try {
    const response = await fetch(alive, { redirect: "manual", headers: { Accept: "application/json" } });
    if (!response.ok) return false;
    const { token, secondsLeft } = await response.json();
    for (const each of document.querySelectorAll("[name=csrfmiddlewaretoken]")) each.value = token;
    seenAt = Date.now();
    endsAt = seenAt + secondsLeft * 1000;
    line.remove();
    return true;
  } catch {
    return true; // the network's fault: the browser says so
  }
};

const warn = () => {
  const left = Math.min(seenAt + idle * MINUTE, endsAt) - Date.now();
  if (isDirty && left < 0) say("You are signed out.");
  else if (isDirty && left < 5 * MINUTE) say("You will be signed out in a few minutes.");
};

for (const form of forms) {
  form.addEventListener("input", () => {
    isDirty = true;
    if (Date.now() - seenAt > MINUTE) check();
  });
  form.addEventListener("submit", async (event) => {
    if (!isDirty || checked === form || Date.now() - seenAt < MINUTE) return;
    event.preventDefault();
    event.stopPropagation(); // once.js would switch the button off
    if (!(await check())) return say("You are signed out.");
    checked = form;
    form.requestSubmit(event.submitter);
  });
}
if (forms.length) setInterval(warn, MINUTE / 4);
