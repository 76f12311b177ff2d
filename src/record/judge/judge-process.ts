/** The judge, a process of its own: answers what the follower asks, and ends when the follower does. */
import { serveJudge } from "./server.ts";

await serveJudge();
