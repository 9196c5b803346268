/**
 * `myrmex host suggest [SERVER...]`: settings for tools whose server does not say whether they change state. Shows what each setting would
 * cover, asks once, and writes myrmex.json. Nothing can be called because of it: the tools still have to be verified.
 */
import { dirname, join, resolve } from 'node:path'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { SettingsSuggestion } from '../../host/trust/suggest-settings.ts'
import { acceptSuggestion, settingsSuggestions, suggestedTools } from '../../host/trust/suggestions.ts'
import { DEFAULT_LEDGER } from '../../ledger/open.ts'
import { ToolError } from '../../protocol/errors.ts'
import { didYouMean, plural } from '../../protocol/text.ts'
import { askOnStdin, confirmShown, isAtTerminal } from '../../serve/confirm.ts'
import { requireFolder } from '../../serve/folder-trust.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, paint, print, say, wrap } from '../../serve/terminal.ts'
import { nearest } from '../../tool/nearest.ts'

export interface SuggestOptions extends LedgerFlags {
  config?: string
  yes?: boolean
  dryRun?: boolean
  json?: boolean
}

/** Of those that stay as they are. The tools that a setting covers are always named. */
const MAX_NAMES = 6

export async function suggest(servers: readonly string[], options: SuggestOptions): Promise<void> {
  const { config: path = HOST_FILE, yes = false, dryRun = false, json = false } = options
  if (json && !yes && !dryRun)
    throw ToolError.of('ValidationError', '--json prints no question. Add --dry-run to look, or --yes to accept.')
  const ledger = options.ledger ?? join(dirname(resolve(path)), DEFAULT_LEDGER)
  await requireFolder(dirname(resolve(path)))
  const all = await withLedger({ ...options, ledger }, 'read-only', (opened) => settingsSuggestions(opened, path))
  const chosen = servers.length === 0 ? all : servers.map((name) => find(all, name))
  if (json) print(JSON.stringify({ suggestions: chosen.map(suggestionJson) }, null, 2))
  else if (chosen.length === 0)
    print('nothing to suggest: every tool that was seen says what it changes, or looks as if it did')
  if (chosen.length === 0) return
  const text = chosen.map(suggestionText).join('\n\n')
  if (!json) print(text)
  if (dryRun) return json ? undefined : say('nothing was changed: --dry-run')
  if (!yes && !(await confirm(path, text, chosen))) {
    say('nothing was changed')
    process.exitCode = 1
    return
  }
  for (const one of chosen) await accept(path, one, json)
}

async function accept(path: string, suggestion: SettingsSuggestion, json: boolean): Promise<void> {
  const backup = await acceptSuggestion(path, suggestion)
  if (json) return
  if (backup !== undefined) say(`a backup is in ${backup}`)
  const count = suggestion.patterns.flatMap(({ tools }) => tools).length
  const said = `${path} says that ${plural(count, 'tool')} of ${suggestion.server} ${count === 1 ? 'changes' : 'change'} nothing`
  print(`${paint('green', 'written')}  ${wrap(said, 9).trimStart()}`)
  print(`to allow ${count === 1 ? 'it' : 'them'}: npx myrmex trust ${suggestion.server} --read-only-tools`)
}

async function confirm(path: string, text: string, chosen: readonly SettingsSuggestion[]): Promise<boolean> {
  if (!isAtTerminal())
    throw ToolError.of('ValidationError', 'There is no terminal to ask at. Add --yes to accept without a question.')
  const count = chosen.flatMap(({ patterns }) => patterns).flatMap(({ tools }) => tools).length
  const question = `Write to ${path} that ${count === 1 ? 'this tool changes' : `these ${count} tools change`} nothing?`
  return confirmShown(
    question,
    { lines: text.split('\n').length + 1, name: 'This list', word: String(count) },
    askOnStdin,
  )
}

function find(all: readonly SettingsSuggestion[], name: string): SettingsSuggestion {
  const found = all.find(({ server }) => server === name)
  if (found !== undefined) return found
  const names = all.map(({ server }) => server)
  const rest = names.length === 0 ? ' There is none for any server.' : ` There is one for: ${names.join(', ')}.`
  throw ToolError.of(
    'ResourceNotFound',
    `There is no suggestion for ${JSON.stringify(name)}.${didYouMean(nearest(name, names))}${rest}`,
  )
}

const suggestionJson = (one: SettingsSuggestion) => ({ ...one, settings: suggestedTools(one) })

function suggestionText({ server, patterns, others }: SettingsSuggestion): string {
  const count = patterns.flatMap(({ tools }) => tools).length
  return [
    wrap(
      `${server}: the server does not say whether ${plural(count + others.length, 'tool')} ${count + others.length === 1 ? 'changes' : 'change'} state. By ${count === 1 ? 'its name and description, one reads' : `their names and descriptions, ${count} read`} only:`,
      0,
    ),
    ...patterns.flatMap(({ pattern, tools }) => [
      `  ${JSON.stringify(oneLine(pattern, 130))}: { "destructive": false }`,
      ...(tools.length === 1 && tools[0] === `${server}.${pattern}` ? [] : [wrap(namesText(server, tools), 6)]),
    ]),
    ...(others.length === 0
      ? []
      : ['  not suggested, because they may change state:', wrap(namesText(server, others, MAX_NAMES), 6)]),
  ].join('\n')
}

function namesText(server: string, tools: readonly string[], most: number = tools.length): string {
  const shown = tools.slice(0, most).map((tool) => oneLine(tool.slice(server.length + 1), 130))
  const left = tools.length - shown.length
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}
