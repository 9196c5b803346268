import { mkdirSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

// Child processes share one compile cache, in a folder that no other user can write: the command refuses one that others can.
const { uid } = userInfo()
const compiled = join(tmpdir(), `myrmex-compiled-${uid}`)
mkdirSync(compiled, { recursive: true, mode: 0o700 })
if (uid === -1 || statSync(compiled).uid === uid) process.env.NODE_COMPILE_CACHE ??= compiled

/** These change what a process has only one of: its folder, its environment, its tracer, its modules. Each has a process of its own. */
const ALONE = [
  'examples/**/*.test.ts',
  'packages/myrmex/src/serve/{constitution,folder-trust,policy}.test.ts',
  'packages/myrmex/src/pipeline/gates/trace.test.ts',
  'test/specification/{4-usage-examples,every-payload}.test.ts',
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
 * The tests in test/ cross packages or start processes. They are the slow ones, so they start first. Unit tests are beside the file
 * they test. Both share a few processes, because loading everything again for each file took longer than most tests.
 */
export default defineConfig({
  test: {
    // Node loads the tests and the sources itself, as it does for users. Vite's loader took a quarter of the
    // processor time of unit tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: ['testing/setup/tests-folder.ts', 'testing/postgres/global-setup.ts'],
    // Many tests wait for a process or a socket, so more of them run than there are cores.
    maxWorkers: Math.ceil(availableParallelism() * 2),
    projects: [
      {
        test: {
          name: 'across',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE, ...long],
          isolate: false,
          ...shared,
        },
      },
      {
        test: {
          name: 'alone',
          include: ALONE,
          experimental: { viteModuleRunner: true },
          exclude: [...configDefaults.exclude, ...long],
          ...shared,
        },
      },
      {
        test: {
          name: 'together',
          include: ['packages/*/{src,training}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE, ...long],
          isolate: false,
          ...shared,
        },
      },
    ],
  },
})
