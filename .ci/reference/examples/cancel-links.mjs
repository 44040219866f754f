import { call } from "./partner-api.mjs";

const answer = await call("cancel-links", { email: "asha.rao@example.com" });
console.log(answer.Cancelled);
