/** The judge, a process of its own: answers what the follower asks, and ends when the follower does. */
import { serveJudge } from "./serve.ts";

await serveJudge();
