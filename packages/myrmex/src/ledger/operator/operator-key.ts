/**
 * The operator's key: Ed25519, in a file of mode 0600 beside the ledger's key. Its private part is encrypted with a key that scrypt
 * derives from a passphrase, and the passphrase is on no disk. The file names the ledger that it belongs to.
 */
import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import * as z from 'zod'
import { crypto } from '../../protocol/builtin.ts'
import { canonical } from '../../protocol/canonical.ts'
import { ToolError } from '../../protocol/errors.ts'
import { parseJson } from '../../protocol/json.ts'
import { writeFileAtomically } from '../write-file.ts'

/** An unlocked key. It exists only in memory, for as long as a command or a session of the operator lasts. */
export interface OperatorSigner {
  readonly id: string
  sign(text: string): string
}

export const MIN_PASSPHRASE = 12

/** 128 MiB and about half a second for each guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 }

const binary = z.string().regex(/^[A-Za-z0-9_-]+$/)
const fileSchema = z.strictObject({
  format: z.literal(1),
  /** the id of the ledger's journal */
  ledger: z.string(),
  /** the 32 bytes of the public key */
  public_key: binary,
  created: z.int(),
  // Bounded: a replaced file must not take all memory. These take 512 MiB at most.
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    N: z
      .int()
      .min(2 ** 14)
      .max(2 ** 19),
    r: z.int().min(1).max(8),
    p: z.int().min(1).max(4),
    salt: binary,
  }),
  cipher: z.literal('aes-256-gcm'),
  nonce: binary,
  sealed: binary,
  tag: binary,
})
export type OperatorKeyFile = Readonly<z.output<typeof fileSchema>>

/** The id of a key: the first 16 hexadecimal digits of the hash of its 32 bytes. */
export const operatorKeyId = (publicKey: string): string =>
  crypto.hash('sha256', Buffer.from(publicKey, 'base64url'), 'hex').slice(0, 16)

/** For people to compare: groups of four digits. */
export const fingerprint = (publicKey: string): string =>
  (crypto.hash('sha256', Buffer.from(publicKey, 'base64url'), 'hex').slice(0, 32).match(/.{4}/g) ?? []).join(' ')

/** Undefined if these are not the bytes of an Ed25519 key. */
export function publicKeyOf(publicKey: string): KeyObject | undefined {
  try {
    return crypto.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
  } catch {
    return undefined
  }
}

/** Throws if the passphrase is too easy to guess. */
export function checkPassphrase(passphrase: string): void {
  const text = passphrase.normalize('NFKC')
  if ([...text].length < MIN_PASSPHRASE)
    throw ToolError.of(
      'ValidationError',
      `The passphrase is too short: it needs at least ${MIN_PASSPHRASE} characters.`,
    )
  if (new Set(text).size < 5)
    throw ToolError.of('ValidationError', 'The passphrase is too simple: it needs at least 5 different characters.')
}

/** A new key for this ledger, encrypted with the passphrase. Nothing is written. A lower `cost` is for tests. */
export async function newOperatorKey(ledger: string, passphrase: string, cost = SCRYPT.N): Promise<OperatorKeyFile> {
  checkPassphrase(passphrase)
  const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519')
  const head = {
    format: 1 as const,
    ledger,
    public_key: (publicKey.export({ format: 'jwk' }) as { x: string }).x,
    created: Date.now(),
    kdf: { name: 'scrypt' as const, ...SCRYPT, N: cost, salt: crypto.randomBytes(16).toString('base64url') },
    cipher: 'aes-256-gcm' as const,
    nonce: crypto.randomBytes(12).toString('base64url'),
  }
  const cipher = crypto.createCipheriv(head.cipher, await derive(passphrase, head.kdf), bytes(head.nonce))
  cipher.setAAD(Buffer.from(canonical(head)))
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' })
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return { ...head, sealed: sealed.toString('base64url'), tag: cipher.getAuthTag().toString('base64url') }
}

export const WRONG_PASSPHRASE = 'Wrong passphrase.'

/** Throws PermissionError if the passphrase is wrong, or the file was altered. */
export async function unlockOperatorKey(file: OperatorKeyFile, passphrase: string): Promise<OperatorSigner> {
  const { sealed, tag, ...head } = file
  let secret: KeyObject
  try {
    const key = await derive(passphrase, file.kdf)
    const decipher = crypto.createDecipheriv(file.cipher, key, bytes(file.nonce), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(canonical(head)))
    decipher.setAuthTag(bytes(tag))
    const der = Buffer.concat([decipher.update(bytes(sealed)), decipher.final()])
    secret = crypto.createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    throw ToolError.of('PermissionError', WRONG_PASSPHRASE)
  }
  return {
    id: operatorKeyId(file.public_key),
    sign: (text) => crypto.sign(null, Buffer.from(text), secret).toString('base64'),
  }
}

const scrypt = promisify(crypto.scrypt) as (
  passphrase: string,
  salt: Buffer,
  length: number,
  options: object,
) => Promise<Buffer>

/** Off the main thread: a server goes on answering. */
function derive(passphrase: string, { N, r, p, salt }: OperatorKeyFile['kdf']): Promise<Buffer> {
  return scrypt(passphrase.normalize('NFKC'), bytes(salt), 32, { N, r, p, maxmem: 256 * N * r })
}

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')

/** Undefined if there is no such file. Throws PermissionError if it is not the file of an operator's key. */
export async function readOperatorKey(path: string): Promise<OperatorKeyFile | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw ToolError.of('PermissionError', `The operator's key ${path} cannot be read: ${message}`)
  }
  const parsed = fileSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw ToolError.of('PermissionError', `${path} is not the file of an operator's key, or was altered. Restore it.`)
}

export const writeOperatorKey = (path: string, file: OperatorKeyFile): Promise<void> =>
  writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`)
