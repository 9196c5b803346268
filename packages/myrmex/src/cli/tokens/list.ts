/** `myrmex tokens list`: all tokens, newest first. */
import { type TokenView, tokenView } from '../../host/tokens/token-view.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, padColumns, paint, print } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'

const MAX_CELL = 60
const HEAD = ['name', 'state', 'profile', 'scopes', 'created', 'last used', 'ends']

export async function listTokens(options: LedgerFlags & { json?: boolean }): Promise<void> {
  await withLedger(options, 'decide', async ({ tokens }) => {
    const views = (await tokens.list()).map((row) => tokenView(tokens, row))
    if (options.json) return print(JSON.stringify({ tokens: views }, null, 2))
    if (views.length === 0)
      return print('there are no tokens; to create one: npx myrmex tokens create NAME --profile P')
    const rows = padColumns([HEAD, ...views.map(cells)], [])
    for (const [index, row] of rows.entries())
      print(index === 0 ? paint('dim', row.join('  ').trimEnd()) : row.join('  ').trimEnd())
    if (views.some(({ state }) => state === 'unsigned'))
      print(
        '\nunsigned: the ledger is locked, and the operator has not signed it, so that it admits nobody. Create it again: npx myrmex tokens create',
      )
  })
}

const cells = (view: TokenView): string[] =>
  [
    view.name,
    view.state,
    view.profile ?? '-',
    view.scopes.join(' ') || 'nothing',
    localTime(view.created_at),
    view.last_used_at === null ? 'never' : localTime(view.last_used_at),
    endOf(view),
  ].map((text) => oneLine(text, MAX_CELL))

function endOf({ expires_at, ends_at }: TokenView): string {
  const end = ends_at ?? expires_at
  return end === null ? 'never' : localTime(end)
}
