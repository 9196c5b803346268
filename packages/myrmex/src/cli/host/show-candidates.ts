/** Shows the servers that were found, by file. Values of variables and headers, and anything that looks secret, are never shown. */

import { endpointText } from '../../host/config/clients/endpoint-text.ts'
import type { FoundImports } from '../../host/config/clients/find-imports.ts'
import type { ImportCandidate } from '../../host/config/clients/import-candidates.ts'
import type { Machine } from '../../host/config/clients/known-clients.ts'
import { shortPath } from '../../host/config/clients/this-machine.ts'
import { findSecrets } from '../../host/config/secrets/moved-secrets.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { oneLine, paint, print } from '../../serve/terminal.ts'

const MAX_ENDPOINT = 90

export function showCandidates(found: FoundImports, machine: Machine): void {
  const { files, offers } = found
  for (const { client, path, servers, problem } of files) {
    if (servers.length === 0 && problem === undefined) continue
    print(`${paint('bold', client)}  ${paint('dim', oneLine(shortPath(path, machine), 200))}`)
    if (problem !== undefined) print(`  ${paint('red', 'not read')}: ${oneLine(problem, 300)}`)
    for (const { name: written, entry, notes } of servers) {
      const offer = offers.find((one) => one.path === path && one.originalName === written)
      for (const line of serverLines(oneLine(written, 40), entry, offer, notes, found)) print(line)
    }
  }
  if (files.some(({ servers, problem }) => servers.length > 0 || problem !== undefined)) print('')
}

function serverLines(
  written: string,
  entry: JsonObject | undefined,
  offer: ImportCandidate | undefined,
  notes: readonly string[],
  { known, differing }: FoundImports,
): string[] {
  if (entry === undefined) return [`  ${written}  ${paint('dim', `skipped: ${notes.join('; ')}`)}`]
  const secrets = findSecrets(written, entry).length
  const isTaken = offer !== undefined && differing.has(offer)
  const marks = [
    offer === undefined && 'the same as above',
    isTaken && `not imported: myrmex.json has another server ${offer.name}`,
    offer !== undefined && !isTaken && known.has(offer.name) && 'already imported',
    offer !== undefined && !isTaken && offer.name !== written && `as ${offer.name}`,
    entry.disabled === true && 'disabled',
    secrets > 0 && plural(secrets, 'secret'),
  ].filter((mark) => mark !== false)
  const said = marks.length === 0 ? '' : `  ${paint('dim', `(${marks.join(', ')})`)}`
  return [
    `  ${paint('cyan', written)}  ${oneLine(endpointText(entry), MAX_ENDPOINT)}${said}`,
    ...(offer === undefined ? [] : notes.map((note) => `    ${paint('dim', oneLine(note, 200))}`)),
  ]
}
