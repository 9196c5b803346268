/**
 * The programs and modules that the files of a folder can start, for the person who decides whether to trust it. Nothing is cut, and every
 * setting of a server or an agent is shown: a folder must not start anything that was not on the screen. Nothing is executed.
 */
import { statSync } from 'node:fs'
import { readJsonc } from '../host/config/jsonc/read-jsonc.ts'
import { readTextFile } from '../host/config/read-text.ts'
import { looksSecret } from '../host/config/secrets/secret-names.ts'
import { isObject } from '../protocol/json.ts'
import { plural } from '../protocol/text.ts'
import { jsonLine, oneLine } from './terminal.ts'

const MAX_BYTES = 4 * 1024 * 1024

/** What each file decides besides the programs in it. */
const RULES_TEXT: Readonly<Record<string, string>> = {
  'myrmex.policy.json': 'who may call, which calls need approval',
  'myrmex.constitution.json': 'what no call may do',
}

/** Where a file lists programs by name, and how they are called. */
const LISTS: Readonly<Record<string, readonly [member: string, one: string]>> = {
  'myrmex.json': ['mcpServers', 'server'],
  'myrmex.fleet.json': ['agents', 'agent'],
}

/** The lines of one file: what it is, then every program in it with its settings. */
export async function programLines(name: string, path: string): Promise<string[]> {
  let value: unknown
  try {
    // Opening a pipe would wait for somebody who writes to it.
    if (!statSync(path).isFile()) throw new Error('it is not a file')
    value = (await readJsonc((await readTextFile(path, MAX_BYTES)) ?? '', name)).value
  } catch (error) {
    return [`${name}: it cannot be read: ${oneLine((error as Error).message, 400)}`]
  }
  const [member = '', one = ''] = LISTS[name] ?? []
  const { [member]: listed, ...rest } = isObject(value) ? value : {}
  const entries = isObject(listed) ? Object.entries(listed) : []
  const about = [...(RULES_TEXT[name] ? [RULES_TEXT[name]] : []), ...(one === '' ? [] : [plural(entries.length, one)])]
  const lines = [`${name}: ${about.join(', ')}`]
  for (const [key, entry] of entries) lines.push(...entryLines(one, key, entry, rest.host))
  for (const { at, words } of programsIn(rest, []))
    lines.push(`  ${commandText(words)}`, detail('started for', at.join('.')))
  // Rules are shown by the commands that apply them. What is named here can start or load something, or lets others do so.
  for (const field of ['host', 'playbooks', 'audit'])
    if (rest[field] !== undefined) lines.push(`  ${field} ${valueText(rest[field], field)}`)
  return lines
}

function entryLines(one: string, name: string, entry: unknown, host: unknown): string[] {
  if (!isObject(entry)) return [`  ${valueText(entry, name)}`, detail(one, oneLine(name))]
  const { command, args, ...settings } = entry
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string')
  const programs = programsIn(settings, [])
  const kind = sandboxKind(settings.sandbox ?? (isObject(host) ? host.sandbox : undefined))
  // Agents in child processes are in no sandbox.
  const isFree = command !== undefined && (one === 'agent' || kind === 'none')
  return [
    `  ${command === undefined ? placeText(settings) : commandText(words)}`,
    detail(one, oneLine(name)),
    ...programs.map(({ at, words }) => detail('also starts', `${commandText(words)} (for ${at.join('.')})`)),
    ...(isFree ? [detail('no sandbox', 'it can read and change everything that you can')] : []),
    ...Object.entries(settings).map(([field, value]) => detail(field, valueText(value, field))),
  ]
}

const sandboxKind = (sandbox: unknown): unknown => (isObject(sandbox) ? sandbox.kind : sandbox)

const placeText = ({ url, serverUrl, httpUrl, module }: Record<string, unknown>): string =>
  jsonLine(String(url ?? serverUrl ?? httpUrl ?? module ?? ''))

const detail = (label: string, text: string): string => `      ${oneLine(label)}: ${text}`

interface ListedProgram {
  /** the members that lead to it */
  readonly at: readonly string[]
  readonly words: readonly string[]
}

/** Every program that is written as a list of words, at any depth: sources of secrets, places of anchors. */
function programsIn(value: unknown, at: readonly string[]): ListedProgram[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => programsIn(item, [...at, String(index)]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const isProgram = /(^|_)command$/.test(name) && Array.isArray(member)
    return isProgram
      ? [{ at: at.map((step) => oneLine(step)), words: member.map(String) }]
      : programsIn(member, [...at, name])
  })
}

/** As a shell would be given it, so that it shows where each argument ends. */
const commandText = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : jsonLine(JSON.stringify(word)))).join(' ')

/** JSON with every character, but without the values of variables and headers that hold a secret by their names. */
const valueText = (value: unknown, name: string): string =>
  jsonLine(
    JSON.stringify(value, (key, member) =>
      typeof member === 'string' && looksSecret(key || name) ? '[secret]' : member,
    ) ?? 'null',
  )
