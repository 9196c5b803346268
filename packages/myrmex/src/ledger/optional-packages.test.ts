import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const OPTIONAL_PACKAGES = join(import.meta.dirname, 'optional-packages.ts')

/**
 * What `loadOptional` throws when it imports a file that imports `specifier`, in a folder that has no packages. In a process of its own,
 * because Vitest finds packages everywhere.
 */
async function thrownFor(specifier: string): Promise<{ error_type?: string; code?: string; message: string }> {
  const file = join(await mkdtemp(join(tmpdir(), 'myrmex-optional-')), 'feature.mjs')
  await writeFile(file, `import ${JSON.stringify(specifier)}`)
  const code = `
    import { loadOptional } from ${JSON.stringify(OPTIONAL_PACKAGES)}
    await loadOptional('A ledger on PostgreSQL', ['pg', 'pg-boss'], () => import(${JSON.stringify(file)})).catch(
      ({ error_type, code, message }) => process.stdout.write(JSON.stringify({ error_type, code, message })))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  return JSON.parse(stdout)
}

test('a missing package is an error that names the feature, the package and the command', async () => {
  expect(await thrownFor('pg')).toEqual({
    error_type: 'ValidationError',
    message: expect.stringMatching(
      /^A ledger on PostgreSQL needs the package pg, which is not installed\. Run: npm install pg@\S+ pg-boss@\S+$/,
    ),
  })
})

test.each(['pg-pool', './pg'])('that %s is missing stays the error that it is', async (specifier) => {
  const thrown = await thrownFor(specifier)
  expect(thrown.code).toBe('ERR_MODULE_NOT_FOUND')
  expect(thrown.error_type).toBeUndefined()
})
