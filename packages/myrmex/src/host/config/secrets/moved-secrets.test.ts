import { lstatSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SECRETS_FOLDER, type Secret, writeSecrets } from './moved-secrets.ts'

const secret: Secret = { server: 'git', block: 'env', name: 'TOKEN', value: 'ghp_1234567890', prefix: '' }

test('a secret is not written through a link that lies where its file belongs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  const elsewhere = join(folder, 'elsewhere')
  writeFileSync(elsewhere, 'somebody’s', { mode: 0o644 })
  const file = join(folder, SECRETS_FOLDER, 'git.TOKEN')
  mkdirSync(join(folder, SECRETS_FOLDER), { recursive: true })
  symlinkSync(elsewhere, file)
  await writeSecrets(folder, [secret])
  expect(readFileSync(elsewhere, 'utf8')).toBe('somebody’s')
  expect(readFileSync(file, 'utf8')).toBe('ghp_1234567890\n')
  expect(lstatSync(file).isFile()).toBe(true)
  expect(lstatSync(file).mode & 0o777).toBe(0o600)
})
