import { lstatSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { placeSecrets, SECRETS_FOLDER, type Secret, writeSecrets } from './moved-secrets.ts'

const secret: Secret = { server: 'git', block: 'env', name: 'TOKEN', value: 'ghp_1234567890', prefix: '' }

test('a secret is not written through a link that lies where its file belongs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  const elsewhere = join(folder, 'elsewhere')
  writeFileSync(elsewhere, 'somebody’s', { mode: 0o644 })
  const file = join(folder, SECRETS_FOLDER, 'git.TOKEN')
  mkdirSync(join(folder, SECRETS_FOLDER), { recursive: true })
  symlinkSync(elsewhere, file)
  await writeSecrets(folder, [{ ...secret, file: 'git.TOKEN' }])
  expect(readFileSync(elsewhere, 'utf8')).toBe('somebody’s')
  expect(readFileSync(file, 'utf8')).toBe('ghp_1234567890\n')
  expect(lstatSync(file).isFile()).toBe(true)
  expect(lstatSync(file).mode & 0o777).toBe(0o600)
})

describe('no secret takes the place of another', () => {
  const place = async (secrets: readonly Secret[], known: unknown = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
    mkdirSync(join(folder, SECRETS_FOLDER), { recursive: true })
    writeFileSync(join(folder, SECRETS_FOLDER, 'old.TOKEN'), 'of a server that was removed')
    return (await placeSecrets(folder, secrets, known)).map(({ file, variable }) => [file, variable])
  }
  const header = (name: string, value: string): Secret => ({ ...secret, block: 'headers', name, value })

  test('names that differ only in punctuation, in case, or in the block', async () => {
    const names = ['X-Api-Key', 'X_Api_Key', 'X.Api.Key', 'x-api-key']
    expect(await place([...names.map((name) => header(name, name)), { ...secret, name: 'X-Api-Key' }])).toEqual([
      ['git.X-Api-Key', 'GIT_X_API_KEY'],
      ['git.X_Api_Key', 'GIT_X_API_KEY_2'],
      ['git.X_Api_Key_2', 'GIT_X_API_KEY_3'],
      ['git.x-api-key_2', 'GIT_X_API_KEY_4'],
      ['git.X-Api-Key_3', 'X-Api-Key'],
    ])
  })

  test('the same variable of several servers, and of one that is there already', async () => {
    const of = (server: string, value: string): Secret => ({ ...secret, server, value })
    const known = [{ env: { A: { from_env: 'GIT_TOKEN' } } }]
    const secrets = [of('one', 'same'), of('two', 'same'), of('git', 'other'), of('old', 'third')]
    expect(await place(secrets, known)).toEqual([
      ['one.TOKEN', 'TOKEN'],
      ['two.TOKEN', 'TOKEN'],
      ['git.TOKEN', 'GIT_TOKEN_2'],
      ['old.TOKEN_2', 'OLD_TOKEN'],
    ])
  })

  test('the name of a server leads to no other folder', async () => {
    expect(await place([{ ...secret, server: '../../x' }])).toEqual([['______x.TOKEN', 'TOKEN']])
  })
})
