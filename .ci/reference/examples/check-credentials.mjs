import { call } from "./partner-api.mjs";

const answer = await call("check-credentials", {});
console.log(answer.Project, answer.TokenExpiresAt, answer.Test);
