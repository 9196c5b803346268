/** Finds secrets in clients' files and keeps them out of myrmex.json. They are never printed. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
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

/** Where a secret goes. No other secret has the file, and none with another value the variable. */
export interface StoredSecret extends Secret {
  readonly file: string
  readonly variable: string
}

/**
 * Names of different variables and headers may make the same name of a file, and two servers may have the same variable with different
 * values. `known` is what myrmex.json has; no variable that it reads and no file in the folder is used again.
 */
export async function placeSecrets(
  folder: string,
  secrets: readonly Secret[],
  known: unknown,
): Promise<StoredSecret[]> {
  const files = new Set((await readdir(join(folder, SECRETS_FOLDER)).catch(() => [])).map((name) => name.toLowerCase()))
  const variables = new Map<string, string | undefined>(membersOf(known, 'from_env').map((name) => [name, undefined]))
  return secrets.map((secret) => {
    // File systems may not distinguish case.
    const file = firstFree([fileNameOf(secret)], (name) => !files.has(name.toLowerCase()))
    files.add(file.toLowerCase())
    const isFree = (name: string): boolean => !variables.has(name) || variables.get(name) === secret.value
    const variable = firstFree(
      secret.block === 'env' ? [secret.name, variableOf(secret)] : [variableOf(secret)],
      isFree,
    )
    variables.set(variable, secret.value)
    return { ...secret, file, variable }
  })
}

/** The first of these names that is free; else the last of them with a number. */
function firstFree(names: readonly string[], isFree: (name: string) => boolean): string {
  const free = names.find(isFree)
  if (free !== undefined) return free
  for (let number = 2; ; number++) {
    const numbered = `${names.at(-1)}_${number}`
    if (isFree(numbered)) return numbered
  }
}

/** The text values of all members with this name, at any depth. */
function membersOf(value: unknown, name: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => membersOf(one, name))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, own]) =>
    key === name && typeof own === 'string' ? [own] : membersOf(own, name),
  )
}

/** The entry with each secret replaced by a reference to its new location. */
export function replaceSecrets(
  entry: JsonObject,
  secrets: readonly StoredSecret[],
  storage: SecretStorage,
): JsonObject {
  if (storage === 'keep' || secrets.length === 0) return entry
  const moved = { ...entry }
  for (const { block, name, prefix, file, variable } of secrets) {
    const source = storage === 'files' ? { from_file: `./${join(SECRETS_FOLDER, file)}` } : { from_env: variable }
    moved[block] = { ...(moved[block] as JsonObject), [name]: { ...source, ...(prefix !== '' && { prefix }) } }
  }
  return moved
}

/**
 * Readable only by this user, and ignored by git. An existing file is replaced: it may be a link, or readable by others, because the
 * folder may come from elsewhere.
 */
export async function writeSecrets(
  folder: string,
  secrets: readonly Pick<StoredSecret, 'file' | 'value'>[],
): Promise<void> {
  const folderPath = join(folder, SECRETS_FOLDER)
  await writeFileAtomically(join(folderPath, '.gitignore'), '*\n')
  for (const { file, value } of secrets) await writeFileAtomically(join(folderPath, file), `${value}\n`)
}

/** The files of moved secrets that a part of myrmex.json refers to. */
export function secretFilesOf(folder: string, entries: unknown): string[] {
  const folderPath = join(folder, SECRETS_FOLDER)
  return [...new Set(membersOf(entries, 'from_file').map((path) => resolve(folder, path)))].filter(
    (path) => dirname(path) === resolve(folderPath),
  )
}

/** Names come from other programs and must not lead to another folder. */
const fileNameOf = ({ server, name }: Secret): string =>
  [server, name].map((part) => part.replaceAll(/[^A-Za-z0-9_-]/g, '_')).join('.')

/** A header has no variable, so one is made from its name. */
const variableOf = ({ server, name }: Secret): string =>
  `${server}_${name}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
