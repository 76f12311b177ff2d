/** What the official SDKs do in a recording session. Each session is one cassette: `recordings/<interface>/<section>/<name>.json`. */
import { chatSessions } from "./chat-completions/sessions.mjs";
import { contentSessions } from "./generate-content/sessions.mjs";
import { imageSessions } from "./images/sessions.mjs";
import { messageSessions } from "./messages/sessions.mjs";

export const sessions = [...chatSessions, ...imageSessions, ...messageSessions, ...contentSessions];
