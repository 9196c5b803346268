/** What commands that reach a server have in common: a URL, or a command after `--`. */
import { type Command, Option } from 'commander'

export const targetOptions = (command: Command): Command =>
  command
    .addOption(new Option('--url <url>', 'a server at this URL').env('MYRMEX_URL'))
    .addHelpText('after', '\nWhat stands after -- is a command to start and speak to on stdio.')

/** commander gives what stands before and after `--` as one list; only the command line itself still knows. */
export function splitAtDashes(words: string[]): { files: string[]; command: string[] } {
  const dashes = process.argv.indexOf('--')
  const after = dashes === -1 ? 0 : process.argv.length - dashes - 1
  return { files: words.slice(0, words.length - after), command: words.slice(words.length - after) }
}
