/** The ledger's key: Ed25519, created at the first start, readable by its owner only. It signs groups and keys the hashes of secrets. */
import type { KeyObject } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'

export interface LedgerKey {
  /** the first 16 hexadecimal digits of the public key's hash */
  readonly id: string
  /** SPKI, PEM */
  readonly publicPem: string
  sign(text: string): string
  /** A hash that needs the key: for values that could be guessed. */
  mac(text: string): string
}

/** The key in this file; a new one if the file does not exist. */
export function loadKey(path: string): LedgerKey {
  const pem = read(path) ?? create(path)
  try {
    return keyOf(crypto.createPrivateKey(pem))
  } catch (error) {
    throw refused(path, `holds no private key: ${(error as Error).message}`)
  }
}

/** For a ledger in memory, whose signatures nobody checks later. */
export const temporaryKey = (): LedgerKey => keyOf(crypto.generateKeyPairSync('ed25519').privateKey)

function keyOf(secret: KeyObject): LedgerKey {
  if (secret.asymmetricKeyType !== 'ed25519') throw new Error(`it is of type ${secret.asymmetricKeyType}, not ed25519`)
  const publicPem = crypto.createPublicKey(secret).export({ type: 'spki', format: 'pem' }) as string
  const seed = secret.export({ type: 'pkcs8', format: 'der' })
  const macKey = Buffer.from(crypto.hkdfSync('sha256', seed, '', 'myrmex ledger mac', 32))
  return {
    id: keyId(publicPem),
    publicPem,
    sign: (text) => crypto.sign(null, Buffer.from(text), secret).toString('base64'),
    mac: (text) => crypto.createHmac('sha256', macKey).update(text).digest('hex'),
  }
}

export const keyId = (publicPem: string): string => crypto.hash('sha256', publicPem.trim(), 'hex').slice(0, 16)

function read(path: string): string | undefined {
  try {
    const { mode } = statSync(path)
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
      throw refused(path, `can be read by others (mode ${(mode & 0o777).toString(8)}); run chmod 600 on it`)
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
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
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

const refused = (path: string, why: string): ToolError =>
  ToolError.of('PermissionError', `The ledger's key ${path} ${why}`)
