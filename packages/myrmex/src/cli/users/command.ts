/** `myrmex users`: its subcommands and their options. Their code is loaded when one is chosen. */
import { Command } from 'commander'
import { ledgerKeyOption, ledgerOption } from '../../serve/options.ts'

const SCOPES_HELP = "what the user may use, separated by commas: 'github.*,notion.search', or '*' for everything"

export function usersCommand(): Command {
  const users = new Command('users').description(
    'People who sign in to the host (host.sign_in of myrmex.json): invite them, and decide what they may use.',
  )
  const sub = (name: string, description: string): Command =>
    users.command(name).description(description).option('--json', 'print JSON').addOption(ledgerOption())
  const decision = (name: string, description: string): Command =>
    sub(name, description).argument('<name>', 'name of the user').addOption(ledgerKeyOption())

  decision('invite', 'Add a user, and print a link with which it chooses a passphrase or passkey. The link works once.')
    .option('--scopes <list>', SCOPES_HELP)
    .option('--profile <name>', 'limit the user to this profile of myrmex.json')
    .option('--display-name <text>', 'how the pages address the user')
    .option('--expires <time>', 'until when the link works: 12h, 3d or a date', '3d')
    .option('--url <url>', 'URL of the host (default: from myrmex.json)')
    .option('--config <file>', 'configuration of the host (default: myrmex.json)')
    .action(async (name: string, options) => (await import('./invite.ts')).inviteUser(name, options))

  sub('list', 'List users.').action(async (options) => (await import('./show.ts')).listUsers(options))

  sub('show', 'Show one user.')
    .argument('<name>', 'name of the user')
    .action(async (name: string, options) => (await import('./show.ts')).showUser(name, options))

  decision('scopes', 'Change what a user may use. It counts for tokens in use.')
    .argument('[list]', SCOPES_HELP)
    .option('--profile <name>', "bind the user to a profile of myrmex.json; '' for none")
    .option('--config <file>', 'configuration of the host (default: myrmex.json)')
    .action(async (name: string, list: string | undefined, options) =>
      (await import('./decide.ts')).changeUser(name, list, options),
    )

  for (const [name, description] of [
    ['disable', 'End all tokens of a user at once. It cannot sign in until it is enabled.'],
    ['enable', 'Let a disabled user sign in again.'],
    ['remove', 'Remove a user and what it signs in with.'],
  ] as const) {
    decision(name, description).action(async (user: string, options) =>
      (await import('./decide.ts')).decideUser(name, user, options),
    )
  }
  return users
}
