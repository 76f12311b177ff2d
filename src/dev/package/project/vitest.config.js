/** Which tests are run. */
export default { test: { include: [process.env.SPECS ?? "*.spec.ts"] } };
