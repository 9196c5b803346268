/**
 * `myrmex host install`: adds the host to a client's configuration, as a program that the client starts or as a URL. With --take-over the
 * client's other servers move behind the host. Nothing else in that file changes, a backup is kept beside it, and --undo restores it.
 */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { chooseClientFile } from '../../host/config/clients/client-file.ts'
import { readClientServers } from '../../host/config/clients/client-servers.ts'
import { applyConnection, type ConnectionPlan, planConnection } from '../../host/config/clients/connect-client.ts'
import { type ChangedLine, changedLines } from '../../host/config/clients/file-changes.ts'
import { hostCommandEntry, hostUrlEntry } from '../../host/config/clients/host-entry.ts'
import type { Client, ClientFile } from '../../host/config/clients/known-clients.ts'
import { requireClient, shortPath, thisMachine } from '../../host/config/clients/this-machine.ts'
import { applyUndo, planUndo } from '../../host/config/clients/undo-connection.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { SecretStorage } from '../../host/config/secrets/moved-secrets.ts'
import type { ConfiguredTrust } from '../../host/settings.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { requireFolder } from '../../serve/folder-trust.ts'
import { jsonLine, oneLine, paint, print, say } from '../../serve/terminal.ts'
import { showStored } from './stored-secrets.ts'

export interface InstallOptions {
  config?: string
  http?: string
  stdio?: boolean
  project?: boolean
  file?: string
  as: string
  remove?: boolean
  dryRun?: boolean
  takeOver?: boolean
  undo?: boolean
  secrets?: SecretStorage
  trust?: ConfiguredTrust
}

export async function install(id: string, options: InstallOptions): Promise<void> {
  const client = requireClient(id)
  const hostFile = options.config ?? HOST_FILE
  // The client will name the configuration of this folder at every start. A take-over writes it, and an undo does what it finds there.
  const usesFolder = existsSync(HOST_FILE) || options.takeOver || options.undo
  if (!options.remove && options.config === undefined && usesFolder) await requireFolder('.')
  if (options.undo) return undo(client, hostFile, options)
  const file = chooseClientFile(client, thisMachine(), options)
  const plan = await planConnection({
    ...{ client, file, as: options.as, hostFile, folder: dirname(resolve(hostFile)) },
    entry: options.remove ? undefined : hostEntry(client, options),
    ...(options.takeOver && { takeOver: { secrets: options.secrets ?? 'files', trust: options.trust ?? 'none' } }),
  })
  const name = `${client.title} (${short(file.path)})`
  if (plan.text === (plan.before ?? '')) {
    print(options.remove ? `${name} has no ${options.as}` : `${name} already has the host`)
    return
  }
  if (options.dryRun) return showPlan(plan)
  const { clientBackup, hostBackup } = await applyConnection(plan)
  for (const backup of [hostBackup, clientBackup]) if (backup !== undefined) say(`a backup is in ${short(backup)}`)
  showMoved(plan)
  print(options.remove ? `${name} no longer uses the host` : `${name} now uses the host, as ${options.as}`)
  print(`Restart ${client.title} to apply the change. To undo it: npx myrmex host install ${client.id} --undo`)
  if (!options.remove && !options.takeOver) await warnAboutOthers(client, file, options.as)
}

const short = (path: string): string => shortPath(path, thisMachine())

async function undo(client: Client, hostFile: string, { dryRun }: InstallOptions): Promise<void> {
  const plan = await planUndo(client, thisMachine(), hostFile)
  const shown = short(plan.file.path)
  if (dryRun) {
    print(`${shown} would change:`)
    showChanges(changedLines(plan.before ?? '', plan.text ?? '', plan.secrets))
    if (plan.removed.length > 0) print(`${hostFile} would lose ${plan.removed.join(', ')}`)
    return
  }
  const backup = await applyUndo(plan, hostFile)
  if (backup !== undefined) say(`a backup is in ${short(backup)}`)
  print(
    plan.isMerged
      ? `${shown} was changed since, so only the servers that were moved were put back`
      : `${shown} is as it was before ${plan.record.earlier.length > 0 ? 'the last install' : 'the host was installed'}`,
  )
  if (plan.removed.length > 0)
    print(`${plan.removed.join(', ')} ${plan.removed.length === 1 ? 'is' : 'are'} no longer in ${hostFile}`)
  if (plan.kept.length > 0) say(`${plan.kept.join(', ')} stayed in ${hostFile}, because it was changed there`)
  print(`Restart ${client.title} to apply the change.`)
  if (plan.record.earlier.length > 0)
    print(`An earlier install can be undone too: npx myrmex host install ${client.id} --undo`)
}

function showPlan({ options, before, text, hostEdit, secrets, moved, left }: ConnectionPlan): void {
  if (hostEdit !== undefined) {
    print(`${hostEdit.path} would change:`)
    showChanges(changedLines(hostEdit.before ?? '', hostEdit.text, secrets))
  }
  print(`${short(options.file.path)} would change:`)
  showChanges(changedLines(before ?? '', text, secrets))
  for (const { originalName, notes } of moved)
    for (const note of notes) print(`${oneLine(originalName, 60)}: ${oneLine(note, 200)}`)
  for (const { name, why } of left) print(`${oneLine(name, 60)} would stay there: ${oneLine(why, 200)}`)
  if (moved.length > 0) print(`${plural(moved.length, 'server')} would move behind the host`)
}

function showChanges(lines: readonly ChangedLine[]): void {
  for (const { sign, line, text } of lines)
    print(paint(sign === '+' ? 'green' : 'red', `${line}: ${sign} ${jsonLine(text)}`))
}

function showMoved({ moved, left, hostEdit, options }: ConnectionPlan): void {
  for (const { originalName, name, isNew, notes } of moved) {
    const renamed = originalName === name ? '' : ` as ${name}`
    print(`${oneLine(originalName, 60)} is now behind the host${renamed}${isNew ? '' : ' (it was already)'}`)
    for (const note of notes) say(`${oneLine(originalName, 60)}: ${oneLine(note, 200)}`)
  }
  for (const { name, why } of left) say(`${oneLine(name, 60)} stays in the client: ${oneLine(why, 200)}`)
  if (hostEdit !== undefined) showStored(hostEdit)
  if (hostEdit !== undefined && options.takeOver?.trust === 'none')
    print('Their tools cannot be called until you trust them: npx myrmex trust status')
}

function hostEntry(client: Client, { http: where, config, as }: InstallOptions): JsonObject {
  if (where !== undefined)
    return hostUrlEntry(client, /^\d+$/.test(where) ? `http://127.0.0.1:${where}/mcp` : where, as)
  return hostCommandEntry(client, resolve(config ?? HOST_FILE), as)
}

/** A client that still has other servers reaches them without the host's gates. */
async function warnAboutOthers(client: Client, { path, block, format }: ClientFile, as: string): Promise<void> {
  const others = ((await readClientServers(path, block, format)) ?? []).filter(({ name }) => name !== as)
  if (others.length === 0) return
  const names = others.map(({ name }) => oneLine(name, 60)).join(', ')
  say(`${client.title} still reaches ${names} directly, without the host's gates`)
  say(`move them behind the host: npx myrmex host install ${client.id} --take-over`)
}
