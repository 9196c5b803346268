/** Command-line options that several commands share, and how their values are read. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { HttpOptions } from '../transport/http/listen.ts'

export const ledgerOption = (): Option =>
  new Option('--ledger <address>', 'a file or a postgres:// URL (default: .myrmex/ledger.db of the project)').env(
    'MYRMEX_LEDGER',
  )

/** Which host: its configuration, and where its state is. */
export const configOption = (): Option =>
  new Option('--config <file>', 'the configuration (default: myrmex.json)').env('MYRMEX_HOST')

export const stateOption = (): Option =>
  new Option('--state <folder>', 'its ledger, logs and address are here (default: .myrmex beside the configuration)')

/** For commands that sign. */
export const ledgerKeyOption = (): Option =>
  new Option('--ledger-key <file>', 'signing key of the ledger (default: ledger.key beside it)').env(
    'MYRMEX_LEDGER_KEY',
  )

const policyOption = (): Option =>
  new Option('--policy <file>', "the operator's rules (default: myrmex.policy.json, if it exists)").env('MYRMEX_POLICY')

const constitutionOption = (): Option =>
  new Option('--constitution <file>', 'what no call may do (default: myrmex.constitution.json, if it exists)').env(
    'MYRMEX_CONSTITUTION',
  )

const fleetOption = (): Option =>
  new Option(
    '--fleet <path>',
    'a fleet file, a folder with one or with agent files, or an agent file (default: myrmex.fleet.json)',
  ).env('MYRMEX_FLEET')

/** For commands that run tools in this process. */
export const pipelineOptions = (command: Command): Command =>
  command
    .addOption(ledgerOption())
    .addOption(ledgerKeyOption())
    .addOption(policyOption())
    .addOption(constitutionOption())

/** For commands that execute runs. */
export const environmentOptions = (command: Command): Command => pipelineOptions(command.addOption(fleetOption()))

/** For commands that listen on a port unless they speak on stdio. */
export const listenOptions = (command: Command): Command =>
  accessOptions(
    command
      .option('--http <port>', 'listen on this port instead of stdio (0: any free port)', parsePort)
      .option(
        '--host <address>',
        'address to listen on; any but loopback needs callers to sign in (MYRMEX_TOKEN, principals or JWT)',
        '127.0.0.1',
      ),
  )

/** The values of `accessOptions`. */
export type AccessFlags = Pick<HttpOptions, 'allowedHosts' | 'allowedOrigins' | 'trustProxy'>

/** For commands that listen over HTTP: under which names, for which pages and behind which proxies. */
export const accessOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--allowed-hosts <names>', 'host names that clients may use besides loopback, separated by commas')
        .argParser(collectList)
        .env('MYRMEX_ALLOWED_HOSTS'),
    )
    .addOption(
      new Option('--allowed-origins <origins>', 'origins whose web pages may call, such as https://console.example')
        .argParser(collectList)
        .env('MYRMEX_ALLOWED_ORIGINS'),
    )
    .addOption(
      new Option(
        '--trust-proxy <addresses>',
        'proxies whose X-Forwarded headers are believed: addresses, ranges such as 10.0.0.0/8, or loopback; callers need a token then',
      )
        .argParser(collectList)
        .env('MYRMEX_TRUST_PROXY'),
    )

/** The values of `accessOptions` among other options. */
export const accessFlags = ({ allowedHosts, allowedOrigins, trustProxy }: AccessFlags): AccessFlags => ({
  ...(allowedHosts !== undefined && { allowedHosts }),
  ...(allowedOrigins !== undefined && { allowedOrigins }),
  ...(trustProxy !== undefined && { trustProxy }),
})

/** On stdio nobody comes over HTTP. An operator who names hosts, origins or proxies expects that somebody does. */
export function noteUnusedAccess(flags: AccessFlags, note: (line: string) => void): void {
  for (const name of Object.keys(accessFlags(flags)))
    note(`${OPTION_NAMES[name as keyof AccessFlags]} has no effect on stdio; to listen on a port, add --http 7350`)
}

const OPTION_NAMES: Readonly<Record<keyof AccessFlags, string>> = {
  allowedHosts: '--allowed-hosts',
  allowedOrigins: '--allowed-origins',
  trustProxy: '--trust-proxy',
}

/** Values separated by commas; the option can also be repeated. */
const collectList = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
]

/** For options that can be repeated. */
export const collect = (text: string, before: string[] = []): string[] => [...before, text]

/** A whole number within bounds, which the message for any other value names. */
export const parseWhole =
  (min: number, max: number, what: string) =>
  (text: string): number => {
    const number = Number(text)
    if (!Number.isSafeInteger(number) || number < min || number > max || text.trim() === '')
      throw new InvalidArgumentError(
        max === Number.MAX_SAFE_INTEGER ? `Enter ${what}, ${min} or more.` : `Enter ${what} from ${min} to ${max}.`,
      )
    return number
  }

export const parsePort = parseWhole(0, 65_535, 'a port')
export const parseCount = parseWhole(0, Number.MAX_SAFE_INTEGER, 'a whole number')
export const parsePositiveCount = parseWhole(1, Number.MAX_SAFE_INTEGER, 'a whole number')
