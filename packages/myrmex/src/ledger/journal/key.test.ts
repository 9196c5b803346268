import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSignedBy } from '@myrmex/testing/ledger/audit-chain'
import { beforeEach, describe, expect, test } from 'vitest'
import { crypto } from '../../protocol/builtin.ts'
import { keyId, loadKey, temporaryKey } from './key.ts'

describe('the key of a ledger', () => {
  let folder: string
  let path: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'myrmex-key-'))
    path = join(folder, 'deep', 'ledger.key')
    return () => rm(folder, { recursive: true, force: true })
  })

  const keep = async (text: string, mode = 0o600) => {
    await mkdir(join(folder, 'deep'), { recursive: true })
    await writeFile(path, text, { mode })
  }
  const pem = (type: 'ed25519' | 'x25519') =>
    (type === 'ed25519' ? crypto.generateKeyPairSync('ed25519') : crypto.generateKeyPairSync('x25519')).privateKey
      .export({ type: 'pkcs8', format: 'pem' })
      .toString()

  test('is made at the first start for its owner only, and is the same at the next', async () => {
    const first = loadKey(path)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'deep'))).toEqual(['ledger.key'])
    const second = loadKey(path)
    expect(second.id).toBe(first.id)
    expect(second.mac('guess')).toBe(first.mac('guess'))
    expect(first.id).toBe(keyId(first.publicPem))
  })

  test('derives its other keys by HKDF', async () => {
    const { mac } = loadKey(path)
    const secret = crypto.createPrivateKey(await readFile(path, 'utf8')).export({ type: 'pkcs8', format: 'der' })
    const derived = Buffer.from(crypto.hkdfSync('sha256', secret, '', 'myrmex ledger mac', 32))
    expect(mac('guess')).toBe(crypto.createHmac('sha256', derived).update('guess').digest('hex'))
  })

  test('signs what nobody else can have signed', () => {
    const [one, two] = [loadKey(path), temporaryKey()]
    const signature = one.sign('a text')
    expect(isSignedBy(one.publicPem, 'a text', signature)).toBe(true)
    expect(isSignedBy(one.publicPem, 'another text', signature)).toBe(false)
    expect(isSignedBy(two.publicPem, 'a text', signature)).toBe(false)
    expect(one.mac('guess')).not.toBe(two.mac('guess'))
  })

  test('is refused when others can read it', async () => {
    await keep(pem('ed25519'), 0o640)
    expect(() => loadKey(path)).toThrow(/ledger\.key can be read by others \(mode 640\)\. Run chmod 600/)
  })

  test('is refused when it is garbage, empty, or of another kind, and the file is left as it is', async () => {
    for (const [text, words] of [
      ['not a key', 'is not a private key in PEM format. Restore it'],
      ['', 'is not a private key in PEM format'],
      [pem('x25519'), 'of type x25519, not ed25519'],
    ] as const) {
      await keep(text)
      expect(() => loadKey(path)).toThrow(words)
      await rm(path)
    }
  })

  test('is refused where it cannot be made', async () => {
    await writeFile(join(folder, 'deep'), 'a file, no folder')
    expect(() => loadKey(path)).toThrow(/ledger\.key cannot be (made|read): /)
  })
})
