/** `myrmex serve|tools|call`: their options. Their code is loaded when one is chosen. */
import { Command } from 'commander'
import { listenOptions, pipelineOptions } from '../../serve/options.ts'
import { splitAtDashes, targetOptions } from './target-options.ts'

export const serveCommand = (): Command => {
  const command = new Command('serve')
    .description('Serve the tools in these files or folders, on stdio or over HTTP.')
    .argument('<file...>', 'tool or agent files (*.tools.ts, *.agent.ts, or .js), or folders with such files')
    .option('--name <name>', "the server's name (default: myrmex)")
    .option('--watch', 'reload files when they change')
    .action(async (files: string[], options) => (await import('./serve.ts')).serve(files, options))
  return pipelineOptions(listenOptions(command))
}

export const toolsCommand = (): Command =>
  targetOptions(new Command('tools'))
    .description('List the tools in files, of a server at a URL, or of a command.')
    .argument('[file...]', 'tool files or folders')
    .option('--json', 'print JSON')
    .action(async (files: string[], options) => (await import('./list.ts')).tools(splitAtDashes(files), options))

export const callCommand = (): Command => {
  const command = targetOptions(new Command('call'))
    .description('Call a tool and print its result. Exits with 1 if the tool fails.')
    .argument('<name>', 'canonical, flat or bare name of the tool')
    .argument('[json]', 'arguments as a JSON object; - reads them from stdin', '{}')
    .argument('[rest...]', 'a command, after --')
    .option('--file <file...>', 'tool files or folders')
    .option('--timeout <ms>', 'how long to wait for the result', Number)
    .option('--dry-run', "run the tool's dry run, which changes nothing and needs no approval")
    .option('--json', 'print JSON')
    .action(async (name: string, json: string, rest: string[], options) =>
      (await import('./call.ts')).call(name, json, splitAtDashes(rest), options),
    )
  return pipelineOptions(command)
}
