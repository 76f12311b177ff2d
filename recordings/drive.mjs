/** Runs every session against one address with the SDKs that are installed here, and prints a line of JSON for each. */
import { sessions } from "./sessions.mjs";

const [url] = process.argv.slice(2);
for (const session of sessions) {
  const path = `${session.interface}/${session.section}/${session.name}`;
  const problem = await session.run(url).then(
    () => null,
    (error) => String(error?.message ?? error).split("\n")[0],
  );
  console.log(JSON.stringify({ path, violates: session.violates ?? [], problem }));
}
