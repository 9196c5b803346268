/** `myrmex tokens`: its subcommands and their options. Their code is loaded when one is chosen. */
import { Command } from 'commander'
import { collect, configOption, ledgerKeyOption, ledgerOption } from '../../serve/options.ts'

export function tokensCommand(): Command {
  const tokens = new Command('tokens')
    .description('Create, list, replace and revoke tokens of callers. Running hosts follow at once.')
    .enablePositionalOptions()
  const sub = (name: string, description: string): Command =>
    tokens
      .command(name)
      .description(description)
      .addOption(ledgerOption())
      .addOption(ledgerKeyOption())
      .option('--json', 'print JSON')

  sub('create', 'Create a token and show it, once.')
    .argument('<name>', 'who or what gets it, such as cursor-anna')
    .option('--profile <name>', 'limit it to this profile of myrmex.json')
    .option('--scopes <scopes>', 'what it may call, such as github.*; can be repeated; * is everything', collect)
    .option('--expires <time>', 'when it expires: a date, a date and time, or how long (90d); default: never')
    .addOption(configOption())
    .action(async (name: string, options) => (await import('./create.ts')).createToken(name, options))
  sub('list', 'Show all tokens: what they may call, when they were last used, when they end.').action(async (options) =>
    (await import('./list.ts')).listTokens(options),
  )
  sub('rotate', 'Replace a token by a new one on the same terms.')
    .argument('<name>', 'name of the token')
    .option('--overlap <time>', 'how long the old one still counts, such as 1h (default: not at all)')
    .action(async (name: string, options) => (await import('./create.ts')).rotateToken(name, options))
  sub('revoke', 'Revoke a token at once. Its open streams end.')
    .argument('<name>', 'name of the token')
    .action(async (name: string, options) => (await import('./revoke.ts')).revokeToken(name, options))
  return tokens
}
