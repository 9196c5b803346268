/** The files of service managers that run a host: as the user, from its folder, with its PATH, and started again if it fails. */
import { basename, dirname, join } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { escapeMarkup } from '../../protocol/text.ts'
import { sha256 } from '../../tool/hash.ts'

export interface Service {
  /** from `serviceName` */
  readonly name: string
  readonly command: readonly string[]
  /** working directory */
  readonly folder: string
  /** in which servers find their programs */
  readonly path: string
  /** NAME=VALUE lines; it may be missing */
  readonly environmentFile: string
}

/** A host ends its servers itself, within some seconds each. */
const STOP_S = 30

export function systemdUnit({ command, folder, path, environmentFile }: Service): string {
  return [
    '[Unit]',
    'Description=Myrmex: MCP servers at one endpoint',
    '',
    '[Service]',
    'Type=exec',
    `WorkingDirectory=${specifiers(whole(folder))}`,
    `Environment=${quoted(specifiers(`PATH=${oneLine(path)}`))}`,
    // It can be a pattern.
    `EnvironmentFile=-${specifiers(oneLine(environmentFile).replaceAll(/[\\*?[\]]/g, '\\$&'))}`,
    // In a command line, systemd also replaces variables.
    `ExecStart=${command.map((word) => quoted(specifiers(oneLine(word)).replaceAll('$', '$$$$'))).join(' ')}`,
    // Read the configuration again, and files of secrets.
    'ExecReload=/bin/kill -HUP $MAINPID',
    'Restart=on-failure',
    'RestartSec=2',
    'KillMode=mixed',
    `TimeoutStopSec=${STOP_S}`,
    'UMask=0077',
    '',
    '[Install]',
    'WantedBy=default.target',
  ].join('\n')
}

const specifiers = (text: string): string => text.replaceAll('%', '%%')
const quoted = (text: string): string =>
  /^[\w./:@=+,$%-]+$/.test(text) ? text : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const MAX_NAME = 40

/**
 * The same for every service of one configuration, and another for each other one: the digest of the path distinguishes folders of the
 * same name.
 */
export function serviceName(configFile: string): string {
  const folder = basename(dirname(configFile)).replaceAll(/[^A-Za-z0-9]+/g, '-')
  return `${folder.slice(0, MAX_NAME).replaceAll(/^-|-$/g, '') || 'host'}-${sha256(configFile).slice(0, 8)}`
}

export const systemdName = ({ name }: Pick<Service, 'name'>): string => `myrmex-${name}`

export const launchdLabel = ({ name }: Pick<Service, 'name'>): string => `myrmex.${name}`

export function launchdPlist({ name, command, folder, path, environmentFile }: Service): string {
  const key = (name: string, value: string): string => `  <key>${name}</key>\n  ${value}`
  const string = (text: string): string => `<string>${escapeMarkup(oneLine(text))}</string>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    key('Label', string(launchdLabel({ name }))),
    key('ProgramArguments', ['<array>', ...command.map((word) => `    ${string(word)}`), '  </array>'].join('\n')),
    key('WorkingDirectory', string(folder)),
    key('EnvironmentVariables', `<dict>\n    <key>PATH</key>\n    ${string(path)}\n  </dict>`),
    key('RunAtLoad', '<true/>'),
    key('KeepAlive', '<dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>'),
    key('ExitTimeOut', `<integer>${STOP_S}</integer>`),
    key('Umask', '<integer>63</integer>'),
    key('StandardErrorPath', string(join(dirname(environmentFile), 'service.log'))),
    '</dict>',
    '</plist>',
  ].join('\n')
}

/** A value without quotes: systemd continues a line that ends with a backslash, and removes blanks. */
function whole(text: string): string {
  const [end] = /[\\\s]$/.exec(text) ?? []
  if (end === undefined) return oneLine(text)
  throw ToolError.of(
    'ValidationError',
    `A service of systemd cannot have the folder ${JSON.stringify(text)}: it ends with ${JSON.stringify(end)}.`,
  )
}

function oneLine(text: string): string {
  if (/[\n\r\0]/.test(text))
    throw ToolError.of('ValidationError', `A service cannot have ${JSON.stringify(text)} in it: it has a line break.`)
  return text
}
