import { defineConfig } from 'vitest/config'

/** Unit tests stand beside what they test; those that cross packages or start processes are under test/. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/postgres.setup.ts'],
    // Most tests wait for processes and sockets; one core is not kept for watching.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
