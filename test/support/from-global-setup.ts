// What the global setup of a test run leaves for the test files: they run in processes of their own, so it is in the environment.

export function fromGlobalSetup(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) {
    throw new Error(
      `${variable} is not set. Run tests with: node --test --test-global-setup=test/support/global-setup.ts <file>`,
    );
  }
  return value;
}
