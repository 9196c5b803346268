/** `myrmex profiles`: its subcommands and their options. Their code is loaded when one is chosen. */
import { Command } from 'commander'
import { configOption } from '../../serve/options.ts'

export function profilesCommand(): Command {
  const profiles = new Command('profiles').description('Show the tool sets of the running host, and what each sees.')
  const sub = (name: string, description: string): Command =>
    profiles.command(name).description(description).addOption(configOption()).option('--json', 'print JSON')
  sub('list', 'Show all profiles with their URLs, and how many tools each sees.').action(async (options) =>
    (await import('./show.ts')).listProfiles(options),
  )
  sub('show', 'Show every tool, resource and prompt that a profile sees.')
    .argument('<name>', 'name of the profile')
    .action(async (name: string, options) => (await import('./show.ts')).showProfile(name, options))
  return profiles
}
