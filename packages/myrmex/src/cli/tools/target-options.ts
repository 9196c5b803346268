/** Options of commands that connect to a server: a URL, or a command after `--`. */
import { type Command, InvalidArgumentError, Option } from 'commander'

export const targetOptions = (command: Command): Command =>
  command
    .addOption(new Option('--url <url>', 'connect to the server at this URL').env('MYRMEX_URL'))
    // `serve --http PORT` suggests it, and the nearest name that commander finds is --help.
    .addOption(new Option('--http [url]').hideHelp().argParser(rejectHttp).preset(''))
    .addHelpText('after', '\nEverything after -- is a command, which is started as a server on stdio.')

function rejectHttp(): never {
  throw new InvalidArgumentError('To call a server over HTTP, use --url URL.')
}

/** commander returns the words before and after `--` as one list; only the command line itself tells them apart. */
export function splitAtDashes(words: string[]): { files: string[]; command: string[] } {
  const dashes = process.argv.indexOf('--')
  const after = dashes === -1 ? 0 : process.argv.length - dashes - 1
  return { files: words.slice(0, words.length - after), command: words.slice(words.length - after) }
}
