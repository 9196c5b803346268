/**
 * The ledger's key: Ed25519, created at the first start, readable by its owner only. It signs heads of the journal. Symmetric keys
 * are derived from it for the MACs of groups and for hashes of secrets.
 */
import type { KeyObject } from 'node:crypto'
import { linkSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isInMyrmexFolder, makePrivateFolder } from '../private-folder.ts'

export interface LedgerKey {
  /** the first 16 hexadecimal digits of the public key's hash */
  readonly id: string
  /** SPKI, PEM */
  readonly publicPem: string
  sign(text: string): string
  /** Whether this key made the signature. */
  hasSigned(text: string, signature: string): boolean
  /** A hash that needs the key: for values that could be guessed. */
  mac(text: string): string
  /** The MAC of a group of the journal, from its hash: HMAC-SHA-256, base64url. */
  groupMac(hash: string): string
}

/** The key in this file; a new one if the file does not exist and `create` is not false. */
export function loadKey(path: string, options: { create?: boolean } = {}): LedgerKey {
  const pem = read(path) ?? (options.create === false ? missing(path) : create(path))
  let secret: KeyObject
  try {
    secret = crypto.createPrivateKey(pem)
  } catch {
    // The message of OpenSSL helps nobody.
    throw refused(path, `is not a private key in PEM format. ${RESTORE}`)
  }
  if (secret.asymmetricKeyType !== 'ed25519')
    throw refused(path, `is of type ${secret.asymmetricKeyType}, not ed25519. ${RESTORE}`)
  return keyOf(secret)
}

/** For a ledger in memory, whose signatures nobody checks later. */
export const temporaryKey = (): LedgerKey => keyOf(crypto.generateKeyPairSync('ed25519').privateKey)

function keyOf(secret: KeyObject): LedgerKey {
  const publicKey = crypto.createPublicKey(secret)
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  const seed = secret.export({ type: 'pkcs8', format: 'der' })
  const hmac = (key: Buffer, data: Buffer | string) => crypto.createHmac('sha256', key).update(data).digest()
  // HKDF-SHA-256 (RFC 5869) of 32 bytes without salt. Node's own takes milliseconds when it is first used.
  const derived = (purpose: string) => hmac(hmac(Buffer.alloc(32), seed), `${purpose}\u0001`)
  const macKey = derived('myrmex ledger mac')
  return {
    id: keyId(publicPem),
    publicPem,
    sign: (text) => crypto.sign(null, Buffer.from(text), secret).toString('base64'),
    hasSigned: (text, signature) => crypto.verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64')),
    mac: (text) => crypto.createHmac('sha256', macKey).update(text).digest('hex'),
    groupMac: hashMac(derived('myrmex journal group')),
  }
}

const BLOCK = 64
/** Of a SHA-256 in base64url. */
const HASH_LENGTH = 43

/**
 * HMAC-SHA-256 (RFC 2104) of hashes, written as its two nested hashes over buffers that are kept: half the time of
 * `createHmac`, and it runs once for every group.
 */
export function hashMac(key: Buffer): (hash: string) => string {
  const inner = Buffer.alloc(BLOCK + HASH_LENGTH)
  const outer = Buffer.alloc(BLOCK + 32)
  for (let index = 0; index < BLOCK; index++) {
    inner[index] = (key[index] ?? 0) ^ 0x36
    outer[index] = (key[index] ?? 0) ^ 0x5c
  }
  return (hash) => {
    if (inner.write(hash, BLOCK, 'latin1') !== HASH_LENGTH) throw new Error(`a hash has ${HASH_LENGTH} characters`)
    crypto.hash('sha256', inner, 'buffer').copy(outer, BLOCK)
    return crypto.hash('sha256', outer, 'base64url')
  }
}

export const keyId = (publicPem: string): string => crypto.hash('sha256', publicPem.trim(), 'hex').slice(0, 16)

function read(path: string): string | undefined {
  try {
    // A key that the operator named may be a link, as secrets of containers are.
    const stats = isInMyrmexFolder(path) ? lstatSync(path) : statSync(path)
    if (stats.isSymbolicLink())
      throw refused(path, 'is a symbolic link. To use its target, name that with --ledger-key.')
    if (!stats.isFile()) throw refused(path, 'is not a file.')
    const { mode } = stats
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
      throw refused(path, `can be read by others (mode ${(mode & 0o777).toString(8)}). Run chmod 600 on it.`)
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error instanceof ToolError ? error : refused(path, `cannot be read: ${(error as Error).message}`)
  }
}

/** Written under another name first, so that two processes that start at once get the same key. */
function create(path: string): string {
  const { privateKey } = crypto.generateKeyPairSync('ed25519')
  const draft = `${path}.${process.pid}.${crypto.randomBytes(4).toString('hex')}`
  try {
    makePrivateFolder(dirname(path))
    writeFileSync(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  } catch (error) {
    throw refused(path, `cannot be made: ${(error as Error).message}`)
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8')
}

const RESTORE =
  'Restore it, or name it with --ledger-key. If it is lost, `myrmex audit accept-break --new-key` continues with a new one.'

const missing = (path: string): never => {
  throw ToolError.of('FileNotFoundError', `The ledger's key ${path} does not exist. ${RESTORE}`)
}

const refused = (path: string, why: string): ToolError =>
  ToolError.of('PermissionError', `The ledger's key ${path} ${why}`)
