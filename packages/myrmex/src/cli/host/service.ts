/**
 * `myrmex host --service`: prints the file with which systemd or launchd runs this very command, as the user who types it. Nothing is
 * installed: what to do with the file is said on stderr.
 */
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { ownCommand } from '../../host/config/clients/host-entry.ts'
import { readJsonc } from '../../host/config/jsonc/read-jsonc.ts'
import { checkHostText, HOST_FILE } from '../../host/config/read-host-file.ts'
import { readTextFile } from '../../host/config/read-text.ts'
import { MYRMEX_FOLDER, makePrivateFolder } from '../../ledger/private-folder.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { requireFolder } from '../../serve/folder-trust.ts'
import { exitOnClosedPipe, print, say } from '../../serve/terminal.ts'
import { launchdLabel, launchdPlist, type Service, serviceName, systemdName, systemdUnit } from './service-file.ts'

const MANAGERS = ['systemd', 'launchd'] as const
type ServiceManager = (typeof MANAGERS)[number]

interface ServiceOptions {
  config?: string
  http?: number
  stdio?: boolean
}

const MAX_BYTES = 4 * 1024 * 1024

/** `words`: of the command line, behind `host`. */
export async function printService(
  manager: ServiceManager,
  { config = HOST_FILE, http, stdio }: ServiceOptions,
  words: readonly string[],
): Promise<void> {
  exitOnClosedPipe()
  const path = resolve(config)
  const text = await readTextFile(path, MAX_BYTES)
  if (text === undefined)
    throw ToolError.of('FileNotFoundError', `${config} does not exist. A service needs a configuration.`)
  const hasConfig = words.some((word) => word === '--config' || word.startsWith('--config='))
  // The service names the configuration, so it asks nobody.
  if (!hasConfig) await requireFolder(dirname(path))
  await checkHostText(text, config)
  const { value } = await readJsonc(text, config)
  requirePort(stdio === true ? undefined : (http ?? configuredPort(value)))
  const [program, ...args] = ownCommand()
  const service: Service = {
    // The file may be a link; its folder is the one of the host.
    name: serviceName(join(await realpath(dirname(path)), basename(path))),
    command: [
      // Service managers do not search for programs as a shell does.
      ...[program === 'npx' ? join(dirname(process.execPath), 'npx') : program, ...args, 'host'],
      ...withoutService(words),
      ...(hasConfig ? [] : ['--config', path]),
    ],
    folder: process.cwd(),
    path: process.env.PATH ?? '',
    environmentFile: join(dirname(path), MYRMEX_FOLDER, 'host', 'service.env'),
  }
  const file = manager === 'systemd' ? systemdUnit(service) : launchdPlist(service)
  // For the variables, and for the log of launchd.
  makePrivateFolder(dirname(service.environmentFile))
  for (const line of file.split('\n')) print(line)
  for (const line of manager === 'systemd' ? systemdSteps(service) : launchdSteps(service)) say(line)
  const variables = neededVariables(value)
  if (variables.length === 0) return
  const where =
    manager === 'systemd'
      ? `in ${service.environmentFile} (chmod 600), a line NAME=VALUE each`
      : 'in EnvironmentVariables of the file'
  say(`the service does not have the variables of this shell; set these ${where}: ${variables.join(', ')}`)
}

/** The words of the command without --service and its value. */
function withoutService(words: readonly string[]): string[] {
  return words.filter(
    (word, index) =>
      !(word === '--service' || word.startsWith('--service=')) &&
      !(words[index - 1] === '--service' && MANAGERS.some((manager) => manager === word)),
  )
}

function configuredPort(value: unknown): unknown {
  return isObject(value) && isObject(value.host) ? value.host.port : undefined
}

function requirePort(port: unknown): void {
  if (typeof port === 'number' && port > 0) return
  throw ToolError.of(
    'ValidationError',
    'A service needs a port that stays the same: myrmex host --http 7350 --service, or "port" of host in myrmex.json.',
  )
}

/** Those that the file names, and those of Myrmex that are set here. */
function neededVariables(value: unknown): string[] {
  const names = new Set(Object.keys(process.env).filter((name) => /^MYRMEX_(?!HOST$)/.test(name)))
  const collect = (part: unknown): void => {
    if (typeof part === 'string') {
      for (const [, name = '', otherwise] of part.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}/g))
        if (otherwise === undefined || process.env[name] !== undefined) names.add(name)
    } else if (typeof part === 'object' && part !== null) {
      if (isObject(part) && typeof part.from_env === 'string') names.add(part.from_env)
      for (const member of Object.values(part)) collect(member)
    }
  }
  collect(value)
  return [...names].sort()
}

const systemdSteps = (service: Service): string[] => {
  const name = systemdName(service)
  return [
    `save this as ~/.config/systemd/user/${name}.service, then: systemctl --user daemon-reload; systemctl --user enable --now ${name}`,
    'to keep it running when you are logged out: loginctl enable-linger',
  ]
}

const launchdSteps = (service: Service): string[] => {
  const file = `~/Library/LaunchAgents/${launchdLabel(service)}.plist`
  return [`save this as ${file}, then: launchctl bootstrap gui/$(id -u) ${file}`]
}
