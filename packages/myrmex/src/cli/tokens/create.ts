/** `myrmex tokens create|rotate`: makes a token and shows it. It is shown once, because the ledger has only its hash. */
import { existsSync } from 'node:fs'
import { HOST_FILE, readProfileNames } from '../../host/config/read-host-file.ts'
import { tokenTerms } from '../../host/tokens/token-terms.ts'
import { tokenView } from '../../host/tokens/token-view.ts'
import type { NewToken, TokenTerms } from '../../ledger/decisions/tokens.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, paint, print, say } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'
import { requireHostLedger } from '../host/host-ledger.ts'
import { parseExpiry } from '../time-span.ts'

interface CreateOptions extends LedgerFlags {
  profile?: string
  scopes?: string[]
  expires?: string
  config?: string
  json?: boolean
}

export async function createToken(name: string, options: CreateOptions): Promise<void> {
  const config = options.config ?? HOST_FILE
  const hasConfig = existsSync(config)
  const until = options.expires === undefined ? undefined : parseExpiry(options.expires)
  const scopes = options.scopes?.flatMap((text) => text.split(/[\s,]+/)).filter((scope) => scope !== '')
  const profiles = hasConfig ? await readProfileNames(config) : undefined
  const terms: TokenTerms = tokenTerms({ profile: options.profile, scopes, until }, profiles)
  // Beside a configuration, a token may be made before the host was started.
  await withLedger(options, hasConfig ? 'create' : 'decide', async (ledger) => {
    await requireHostLedger(ledger, options)
    const made = await ledger.tokens.create(name, terms, await cliDecider(ledger))
    show(ledger, made, 'created', options.json)
    if (!options.json)
      say(
        'programs of your own user on this machine still need no token; to require one: "host": { "require_token": true } in myrmex.json',
      )
  })
}

export async function rotateToken(
  name: string,
  options: LedgerFlags & { overlap?: string; json?: boolean },
): Promise<void> {
  const now = Date.now()
  const overlap = options.overlap === undefined ? 0 : parseExpiry(options.overlap, now) - now
  await withLedger(options, 'decide', async (ledger) => {
    await requireHostLedger(ledger, options)
    const made = await ledger.tokens.rotate(name, await cliDecider(ledger), overlap)
    show(ledger, made, 'replaced', options.json)
    if (!options.json && overlap > 0) say(`the old one counts until ${localTime(now + overlap)}`)
  })
}

function show({ tokens }: Ledger, { token, row }: NewToken, verb: string, json = false): void {
  const details = tokenView(tokens, { ...row, last_used_at: null })
  if (json) return print(JSON.stringify({ token, details }, null, 2))
  const { profile, scopes, expires_at } = details
  const within = profile === null ? '' : `within the profile ${oneLine(profile)}`
  const what = scopes.includes('*') ? 'everything' : scopes.map((one) => oneLine(one)).join(', ')
  print(
    `${paint('green', verb)}  ${row.name}: may call ${what}${within === '' ? '' : ` ${within}`}, ${endText(expires_at)}`,
  )
  print('')
  print(`  ${token}`)
  print('')
  say('keep it now: it is not shown again. Clients send it as: Authorization: Bearer TOKEN')
}

const endText = (expires: number | null): string =>
  expires === null ? 'until it is revoked' : `until ${localTime(expires)}`
