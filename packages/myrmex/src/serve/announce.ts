/** Reports to the person who starts a host: which servers are ready, what they offer, what cannot be called yet, and the URL. */

import type { HostFile } from '../host/config/read-host-file.ts'
import type { Host, ServerStatus } from '../host/host.ts'
import { REASON_TEXT } from '../ledger/decisions/held-back.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { isTrustedEnough } from '../pipeline/gates/trust.ts'
import { plural } from '../protocol/text.ts'
import type { HostListener } from './listen-host.ts'
import { apiText } from './mode-text.ts'
import { oneLine, say } from './terminal.ts'

export interface ServerAnnouncer {
  /** Reports all servers; after that, each one that becomes ready or changes what it offers. */
  announceAll(file: HostFile): void
  stop(): void
}

const MAX_ERROR = 300
/** of one server; a screen has room for a few of each */
const MAX_PROBLEMS = 2

export function announceServers(host: Pick<Host, 'servers' | 'status' | 'problems' | 'onChange'>): ServerAnnouncer {
  const announced = new Map<string, string>()
  let started = false
  const announce = (status: ServerStatus): void => {
    const line = statusLine(status)
    if (announced.get(status.name) === line) return
    announced.set(status.name, line)
    say(line)
  }
  const stop = host.onChange((change) => {
    const status = started ? host.status(change.server) : undefined
    // Failures are in the log, with the reason of each attempt.
    if (status?.state === 'ready') announce(status)
    else announced.delete(change.server)
  })
  return {
    announceAll({ disabled }) {
      started = true
      const starting = host.servers().filter(({ state }) => state === 'starting')
      const names = starting.map(({ name }) => name)
      for (const status of host.servers()) if (names.length < 2 || status.state !== 'starting') announce(status)
      if (names.length > 1) say(`still starting; their tools are added when they are ready: ${names.join(', ')}`)
      for (const name of disabled) say(`${name}: disabled in the configuration`)
      // Quarantined items were reported when they were checked.
      const skipped = host.problems.filter(
        ({ item, error_type }) => item !== undefined && error_type !== 'PermissionError',
      )
      for (const [server, problems] of Map.groupBy(skipped, (one) => one.server)) {
        for (const { item = '', message } of problems.slice(0, MAX_PROBLEMS))
          say(`${server}: ${oneLine(item, 100)}: ${oneLine(message, MAX_ERROR)}`)
        const left = problems.length - MAX_PROBLEMS
        if (left > 0) say(`${server}: ${plural(left, 'more item')} cannot be used: npx myrmex host status --details`)
      }
    },
    stop,
  }
}

function statusLine(status: ServerStatus): string {
  const { name, state, last_error, retry_after_ms } = status
  const why = last_error === null ? '' : `: ${oneLine(last_error.message, MAX_ERROR)}`
  switch (state) {
    case 'ready':
      return `${name}: ready, ${offerText(status)}${heldBackText(status)}`
    case 'idle':
      return `${name}: starts on the first call, ${offerText(status)}${heldBackText(status)}`
    case 'starting':
      return `${name}: still starting; its tools are added when it is ready`
    case 'waiting':
      return `${name}: down${why}`
    case 'cooldown':
      return `${name}: down, next attempt in ${Math.ceil(retry_after_ms / 1000)} s${why}`
    case 'needs_sign_in':
      return `${name}: needs a sign-in: npx myrmex host login ${name}`
    default:
      return `${name}: ${state}${why}`
  }
}

/** The usual reason is reported once for all, below. Only others are named here. */
function heldBackText({ held_back: { total, reasons } }: ServerStatus): string {
  if (total === 0) return ''
  const special = reasons.filter(({ reason }) => reason !== 'not-reviewed')
  const why = special.map(({ reason, count }) => `${count} ${REASON_TEXT[reason]}`).join(', ')
  return `; ${total} held back${why === '' ? '' : ` (${why})`}`
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
  readonly listCost: () => { readonly all_tools: number; readonly listed: number }
  readonly ledger: Ledger
}

export async function announceHost(
  host: Host,
  { url, api }: HostListener,
  { list, listCost, ledger }: HostFacts,
): Promise<void> {
  const { size } = host.server.registry
  say(`${plural(size, 'tool')} at ${url}`)
  const profiles = host.server.pipeline.profiles.all()
  if (profiles.length > 0) say(`profiles: ${profiles.map(({ name }) => `${url}/p/${name}`).join(', ')}`)
  const { all_tools, listed } = listCost()
  if (list === 'search')
    say(`the list takes about ${listed} tokens instead of ${all_tools}; search_tools finds the other tools`)
  else if (listed > MANY_TOKENS)
    say(`the list takes about ${listed} tokens of a model's context; with --list search it takes a few hundred`)
  const waiting = await countUntrusted(host, ledger)
  if (waiting > 0)
    say(`${waiting} of them cannot be called until you trust ${waiting === 1 ? 'it' : 'them'}: npx myrmex trust status`)
  say(apiText(api, ledger))
  say('every call is recorded: npx myrmex audit tail --follow')
}

const MANY_TOKENS = 5000

async function countUntrusted({ server }: Host, { trust }: Ledger): Promise<number> {
  await trust.refresh()
  return server.registry.listed().filter(({ tool }) => tool.origin === 'upstream' && !isTrustedEnough(tool, trust))
    .length
}
