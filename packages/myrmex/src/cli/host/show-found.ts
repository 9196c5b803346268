/** What was found where, for whoever chooses. Values of variables and headers are never shown, nor what else looks secret. */
import { basename } from 'node:path'
import type { Machine } from '../../host/config/clients.ts'
import { secretsInArgs } from '../../host/config/secret-text.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { SECRET } from '../../protocol/secret.ts'
import { oneLine } from '../line.ts'
import { paint, print } from '../terminal.ts'
import type { FoundFile, Offer } from './found.ts'
import { shortPath } from './machine.ts'
import { secretsIn } from './secrets.ts'

const LONGEST = 90

export function show(
  files: readonly FoundFile[],
  offers: readonly Offer[],
  known: ReadonlySet<string>,
  machine: Machine,
): void {
  for (const { title, path, servers, problem } of files) {
    if (servers.length === 0 && problem === undefined) continue
    print(`${paint('bold', title)}  ${paint('dim', oneLine(shortPath(path, machine), 200))}`)
    if (problem !== undefined) print(`  ${paint('red', 'not read')}: ${oneLine(problem, 300)}`)
    for (const { name: written, entry, notes } of servers) {
      const offer = offers.find((one) => one.path === path && one.written === written)
      for (const line of linesFor(oneLine(written, 40), entry, offer, notes, known)) print(line)
    }
  }
  if (files.some(({ servers, problem }) => servers.length > 0 || problem !== undefined)) print('')
}

function linesFor(
  written: string,
  entry: JsonObject | undefined,
  offer: Offer | undefined,
  notes: readonly string[],
  known: ReadonlySet<string>,
): string[] {
  if (entry === undefined) return [`  ${written}  ${paint('dim', `left out: ${notes.join('; ')}`)}`]
  const secrets = secretsIn(written, entry).length
  const marks = [
    offer === undefined && 'the same as above',
    offer !== undefined && known.has(offer.name) && 'there already',
    offer !== undefined && offer.name !== written && `as ${offer.name}`,
    entry.disabled === true && 'switched off',
    secrets > 0 && `${secrets} ${secrets === 1 ? 'secret' : 'secrets'}`,
  ].filter((mark) => mark !== false)
  const said = marks.length === 0 ? '' : `  ${paint('dim', `(${marks.join(', ')})`)}`
  return [
    `  ${paint('cyan', written)}  ${oneLine(placeText(entry), LONGEST)}${said}`,
    ...(offer === undefined ? [] : notes.map((note) => `    ${paint('dim', oneLine(note, 200))}`)),
  ]
}

/** `npx -y @scope/server`; of a URL neither who asks nor what for. */
export function placeText({ command, args, url }: JsonObject): string {
  if (typeof url === 'string') {
    const parsed = URL.parse(url)
    return parsed === null ? 'a URL with variables in it' : `${parsed.origin}${parsed.pathname}`
  }
  const words = Array.isArray(args) ? args.map(String) : []
  const secrets = secretsInArgs(words)
  const shown = words.map((word) => secrets.reduce((text, secret) => text.replaceAll(secret, SECRET), word))
  return [basename(String(command)), ...shown].join(' ')
}
