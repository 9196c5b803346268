/** What whoever starts a host wants to know: which servers are up, how much they offer, what nobody may call yet, and where it listens. */

import type { HostFile } from '../host/config/read-host-file.ts'
import type { Host, ServerStatus } from '../host/host.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { isTrustedEnough } from '../pipeline/gates/trust.ts'
import { plural } from '../protocol/text.ts'
import type { HostListener } from './listen-host.ts'
import { oneLine } from './one-line.ts'
import { say } from './terminal.ts'

export interface ServerAnnouncer {
  /** Tells of all of them; from then on, of those that come up or offer something else. */
  announceAll(file: HostFile): void
  stop(): void
}

const MAX_ERROR = 300

export function announceServers(host: Pick<Host, 'servers' | 'problems' | 'onChange'>): ServerAnnouncer {
  const told = new Map<string, string>()
  let started = false
  const tell = (status: ServerStatus): void => {
    const line = statusLine(status)
    if (told.get(status.name) === line) return
    told.set(status.name, line)
    say(line)
  }
  const stop = host.onChange((change) => {
    const status = host.servers().find(({ name }) => name === change.server)
    // What goes down is told by the log, with the reason, each time it is tried.
    if (started && status?.state === 'ready') tell(status)
    else told.delete(change.server)
  })
  return {
    announceAll({ disabled }) {
      started = true
      for (const status of host.servers()) tell(status)
      for (const name of disabled) say(`${name}: switched off in the configuration`)
      // What is held back was told when it was looked at.
      for (const { server, item, message, error_type } of host.problems)
        if (item !== undefined && error_type !== 'PermissionError')
          say(`${server}: ${oneLine(item, 100)}: ${oneLine(message, MAX_ERROR)}`)
    },
    stop: stop,
  }
}

function statusLine(status: ServerStatus): string {
  const { name, state, last_error, retry_after_ms } = status
  const why = last_error === null ? '' : `: ${oneLine(last_error.message, MAX_ERROR)}`
  switch (state) {
    case 'ready':
      return `${name}: ready, ${offerText(status)}`
    case 'idle':
      return `${name}: started by the first call, ${offerText(status)}`
    case 'starting':
      return `${name}: still starting; its tools are there when it is up`
    case 'waiting':
      return `${name}: down${why}`
    case 'cooldown':
      return `${name}: down, and left alone for ${Math.ceil(retry_after_ms / 1000)} s${why}`
    default:
      return `${name}: ${state}${why}`
  }
}

const offerText = ({ tools, resources, templates, prompts }: ServerStatus): string =>
  [
    plural(tools, 'tool'),
    resources + templates > 0 && plural(resources + templates, 'resource'),
    prompts > 0 && plural(prompts, 'prompt'),
  ]
    .filter((part) => part !== false)
    .join(', ')

interface HostFacts {
  readonly list: 'all' | 'search'
  readonly tokens: { readonly all_tools: number; readonly listed: number }
  readonly ledger: Ledger
}

export async function announceHost(
  host: Host,
  { url, api }: HostListener,
  { list, tokens, ledger }: HostFacts,
): Promise<void> {
  const { size } = host.server.registry
  say(`${plural(size, 'tool')} at ${url}`)
  const { all_tools, listed } = tokens
  if (list === 'search')
    say(`listed are about ${listed} tokens of tools instead of ${all_tools}: search_tools finds the rest`)
  else if (listed > MANY_TOKENS)
    say(`they take about ${listed} tokens of a model's context; --list search lists a few hundred`)
  const waiting = await countUntrusted(host, ledger)
  if (waiting > 0) say(`${waiting} of them may not be called before somebody has looked: npx myrmex trust status`)
  say(`the operator's API is at ${api}; its token is in .myrmex/host/api.json`)
  say('every call is on record: npx myrmex audit tail --follow')
}

const MANY_TOKENS = 5000

async function countUntrusted({ server }: Host, { trust }: Ledger): Promise<number> {
  await trust.refresh()
  return server.registry.listed().filter(({ tool }) => tool.origin === 'upstream' && !isTrustedEnough(tool, trust))
    .length
}
