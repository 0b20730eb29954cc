import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { globalSetup: "test/setup.ts", include: ["test/**/*.test.ts"], testTimeout: 20_000 },
});
