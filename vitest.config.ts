import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

// Child processes share one compile cache, as the command does for itself.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

/** These change what a process has only one of: its folder, its environment, its tracer. The host's tests start processes. */
const ALONE = [
  'packages/myrmex/src/serve/{constitution,policy}.test.ts',
  'packages/myrmex/src/pipeline/gates/trace.test.ts',
  'packages/myrmex/src/host/**/*.test.ts',
]

/** Long enough for a busy machine. A test that needs this long on an idle one is a long test. */
const shared = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  setupFiles: [
    'testing/setup/own-folder.ts',
    'testing/setup/capture-log.ts',
    'testing/setup/long-waits.ts',
    'testing/setup/printed-output.ts',
    'testing/setup/property-seed.ts',
  ],
  expect: { poll: { timeout: 30_000, interval: 20 } },
}

/** `*.long.test.ts` runs in `npm run test:long` only. */
const long = process.env.MYRMEX_LONG === '1' ? [] : ['**/*.long.test.ts']

/**
 * Unit tests are beside the file they test and share a few processes, because starting one and loading everything again for each
 * file took longer than most tests. Tests that cross packages or start processes are in test/, with a process each. They are the
 * slow ones, so they start first.
 */
export default defineConfig({
  test: {
    globalSetup: ['testing/setup/tests-folder.ts', 'testing/postgres/global-setup.ts'],
    // Most tests wait for processes and sockets, so use every core.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts', ...ALONE],
          exclude: [...configDefaults.exclude, ...long],
          ...shared,
        },
      },
      {
        test: {
          name: 'together',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE, ...long],
          isolate: false,
          ...shared,
        },
      },
    ],
  },
})
