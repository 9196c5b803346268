/** Secrets that clients keep in the middle of their files: found, and kept out of ours. None of them is ever printed. */
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { secretsInArgs, secretsInUrl } from '../../host/config/secrets/embedded-secrets.ts'
import { isGuessedSecret, looksSecret } from '../../host/config/secrets/secret-names.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'

export type SecretStorage = 'files' | 'env' | 'keep'

export interface Secret {
  readonly server: string
  readonly block: 'env' | 'headers'
  readonly name: string
  readonly value: string
  /** what stands before it: Bearer */
  readonly prefix: string
}

/** What the makers of services give out looks like this, whatever the variable is called. */
const TOKEN_PREFIXES = /^(sk-|ghp_|gho_|github_pat_|glpat-|xox[abps]-|AKIA|eyJ[A-Za-z0-9_-]+\.|shpat_|hf_|npm_)/

export function findSecrets(server: string, entry: JsonObject): Secret[] {
  return (['env', 'headers'] as const).flatMap((block) => {
    const values = entry[block]
    if (!isObject(values)) return []
    return Object.entries(values).flatMap(([name, value]) => {
      if (typeof value !== 'string' || value.includes('$' + '{')) return []
      const [, prefix = '', secret = value] = /^((?:Bearer|Basic|Token) +)(\S+)$/i.exec(value) ?? []
      const isOne = TOKEN_PREFIXES.test(secret) || (looksSecret(name) && isGuessedSecret(secret) && !existsSync(secret))
      return isOne ? [{ server, block, name, value: secret, prefix }] : []
    })
  })
}

/** Where a program or a URL has one in the middle, it cannot be told apart from the rest. */
export const hasInlineSecrets = ({ args, url }: JsonObject): boolean =>
  [...secretsInArgs(Array.isArray(args) ? args.map(String) : []), ...secretsInUrl(String(url ?? ''))].some(
    (value) => isGuessedSecret(value) && !value.includes('$' + '{'),
  )

/** Seen from the folder of the configuration. */
export const SECRETS_FOLDER: string = join('.myrmex', 'host', 'secrets')

/** The entry with each secret said by where it is had from. */
export function replaceSecrets(entry: JsonObject, secrets: readonly Secret[], go: SecretStorage): JsonObject {
  if (go === 'keep' || secrets.length === 0) return entry
  const moved = { ...entry }
  for (const secret of secrets) {
    const { block, name, prefix } = secret
    const source =
      go === 'files'
        ? { from_file: `./${join(SECRETS_FOLDER, secretFileName(secret))}` }
        : { from_env: variableName(secret) }
    moved[block] = { ...(moved[block] as JsonObject), [name]: { ...source, ...(prefix !== '' && { prefix }) } }
  }
  return moved
}

/** For whoever runs the host alone, and never to be checked in. */
export async function writeSecrets(folder: string, secrets: readonly Secret[]): Promise<void> {
  const place = join(folder, SECRETS_FOLDER)
  await mkdir(place, { recursive: true, mode: 0o700 })
  await writePrivateFile(join(place, '.gitignore'), '*\n')
  for (const secret of secrets) await writePrivateFile(join(place, secretFileName(secret)), `${secret.value}\n`)
}

/** What lies there already may be a link to somewhere else, or open to others: a folder may come from a stranger. */
async function writePrivateFile(file: string, text: string): Promise<void> {
  await rm(file, { force: true })
  await writeFile(file, text, { mode: 0o600, flag: 'wx' })
}

/** Another program chose the name: it must not lead anywhere else. */
const secretFileName = ({ server, name }: Secret): string => `${server}.${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`

/** A header has no variable of its own. */
export const variableName = ({ server, block, name }: Secret): string =>
  block === 'env' ? name : `${server}_${name}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
