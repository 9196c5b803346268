/** Finds secrets in clients' files and keeps them out of myrmex.json. They are never printed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../../../ledger/write-file.ts'
import { isObject, type JsonObject } from '../../../protocol/json.ts'
import { secretsInArgs, secretsInUrl } from './embedded-secrets.ts'
import { isGuessedSecret, looksSecret } from './secret-names.ts'

export type SecretStorage = 'files' | 'env' | 'keep'

export interface Secret {
  readonly server: string
  readonly block: 'env' | 'headers'
  readonly name: string
  readonly value: string
  /** the text before it, such as Bearer */
  readonly prefix: string
}

/** Prefixes of tokens of known services, whatever the variable is called. */
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

/** A secret inside an argument or a URL cannot be moved, because it cannot be separated reliably. */
export const hasInlineSecrets = ({ args, url }: JsonObject): boolean =>
  [...secretsInArgs(Array.isArray(args) ? args.map(String) : []), ...secretsInUrl(String(url ?? ''))].some(
    (value) => isGuessedSecret(value) && !value.includes('$' + '{'),
  )

/** Relative to the folder of the configuration. */
export const SECRETS_FOLDER: string = join('.myrmex', 'host', 'secrets')

/** The entry with each secret replaced by a reference to its new location. */
export function replaceSecrets(entry: JsonObject, secrets: readonly Secret[], storage: SecretStorage): JsonObject {
  if (storage === 'keep' || secrets.length === 0) return entry
  const moved = { ...entry }
  for (const secret of secrets) {
    const { block, name, prefix } = secret
    const source =
      storage === 'files'
        ? { from_file: `./${join(SECRETS_FOLDER, secretFileName(secret))}` }
        : { from_env: variableName(secret) }
    moved[block] = { ...(moved[block] as JsonObject), [name]: { ...source, ...(prefix !== '' && { prefix }) } }
  }
  return moved
}

/**
 * Readable only by this user, and ignored by git. An existing file is replaced: it may be a link, or readable by others, because the
 * folder may come from elsewhere.
 */
export async function writeSecrets(folder: string, secrets: readonly Secret[]): Promise<void> {
  const folderPath = join(folder, SECRETS_FOLDER)
  await writeFileAtomically(join(folderPath, '.gitignore'), '*\n')
  for (const secret of secrets) await writeFileAtomically(join(folderPath, secretFileName(secret)), `${secret.value}\n`)
}

/** The variable's name comes from another program and must not lead to another folder. */
const secretFileName = ({ server, name }: Secret): string => `${server}.${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`

/** A header has no variable, so one is made from its name. */
export const variableName = ({ server, block, name }: Secret): string =>
  block === 'env' ? name : `${server}_${name}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
