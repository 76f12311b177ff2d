/** Which tests are run, on however busy a machine. */
export default { test: { include: [process.env.SPECS ?? "*.spec.ts"], testTimeout: 180_000, hookTimeout: 180_000 } };
