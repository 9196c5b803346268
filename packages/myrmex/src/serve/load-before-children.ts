/**
 * Loads everything that `myrmex host` may need while it runs, before its first child starts. A child with the rights of the host's user
 * can replace files of the program, or of a package that it depends on: what is loaded afterwards would be the child's code, in the process
 * that holds the keys. `test/attacks/replaced-program.test.ts` checks that nothing is.
 *
 * Modules load these only when they need them, so that other commands start fast.
 */
import { createRequire } from 'node:module'
import type { Policy } from '../pipeline/rules/policy.ts'
import { openLog } from '../server/log.ts'

const REQUIRED = ['ajv', 'ajv/dist/2019.js', 'ajv/dist/2020.js', 'ajv-formats', 'ajv-formats/dist/formats.js', 'semver']

export async function loadBeforeChildren(isHttp: boolean, { jwt }: Policy): Promise<void> {
  openLog()
  const require = createRequire(import.meta.url)
  for (const name of REQUIRED) require(name)
  // Spans are made only if a program has registered an SDK.
  if (Object.hasOwn(globalThis, Symbol.for('opentelemetry.js.api.1'))) require('@opentelemetry/api')
  await Promise.all([
    import('@modelcontextprotocol/client'),
    import('chokidar'),
    import('jsonc-parser'),
    import('minisearch'),
    import('../host/link/open-link.ts'),
    import('../ledger/journal/retention.ts'),
    import('../protocol/json-location.ts'),
    import('./folder-contents.ts'),
    import('./folder-trust.ts'),
    ...(isHttp ? httpModules() : []),
    ...(jwt === undefined ? [] : [import('jose')]),
  ])
}

const httpModules = (): Promise<unknown>[] => [
  import('../transport/http/libraries.ts'),
  import('../host/api/api-file.ts'),
  import('../host/api/app.ts'),
  import('../host/api/operator-api.ts'),
  import('../host/api/operator-token.ts'),
  import('../ledger/operator/operator-admin.ts'),
  import('../ledger/operator/operator-key.ts'),
  import('../transport/http/listen.ts'),
  import('../transport/http/metrics.ts'),
]
