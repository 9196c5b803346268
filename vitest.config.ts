import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// What the tests start is compiled once and not by every process, as the command does for itself.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

/** They change what a process has only one of: its folder, its environment, its tracer. The host's start processes. */
const ALONE = [
  'packages/myrmex/src/serve/{constitution,policy}.test.ts',
  'packages/myrmex/src/pipeline/gates/trace.test.ts',
  'packages/myrmex/src/host/**/*.test.ts',
]

// Until every checkout has the link of the workspace in its node_modules.
const resolve = {
  alias: [{ find: /^@myrmex\/testing\/(.*)$/, replacement: join(import.meta.dirname, 'testing/$1.ts') }],
}

const times = { testTimeout: 20_000, hookTimeout: 30_000 }

/**
 * Unit tests stand beside what they test and share a few processes: to start one and to load everything anew for each
 * file took longer than most of them. Those that cross packages or start processes are under test/, a process each; the
 * slow ones are among them, so they go first, which is by name.
 */
export default defineConfig({
  test: {
    globalSetup: ['testing/postgres/global-setup.ts'],
    // Most tests wait for processes and sockets; one core is not kept for watching.
    maxWorkers: '100%',
    projects: [
      { resolve, test: { name: 'alone', include: ['test/**/*.test.ts', 'examples/**/*.test.ts', ...ALONE], ...times } },
      {
        resolve,
        test: { name: 'together', include: ['packages/*/src/**/*.test.ts'], exclude: ALONE, isolate: false, ...times },
      },
    ],
  },
})
