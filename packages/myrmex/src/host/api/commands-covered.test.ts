/** What the command line can show and change of a host, the API can too. A new command needs a route here, or a reason why it has none. */
import { serve } from '@myrmex/testing/gated-server'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { expect, test } from 'vitest'
import { builtInCommands } from '../../cli/built-in-commands.ts'

/** The operations of the OpenAPI document that do what the command does. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  'approvals approve': ['approve'],
  'approvals channels': ['channels', 'testChannel'],
  'approvals deny': ['deny'],
  'approvals list': ['approvals'],
  'approvals show': ['approval'],
  'approvals watch': ['events'],
  approve: ['approve'],
  'audit query': ['calls', 'call'],
  'audit tail': ['events', 'calls'],
  'audit verify': ['verifyAudit'],
  'host add': ['addServer'],
  'host disable': ['disableServer'],
  'host enable': ['enableServer'],
  'host import': ['clients', 'importServers'],
  'host install': ['clients', 'installClient', 'uninstallClient', 'undoClient'],
  'host login': ['startLogin', 'finishLogin', 'login'],
  'host logout': ['logout'],
  'host logs': ['logs', 'log'],
  'host read-only': ['readOnlyOn', 'readOnlyOff'],
  'host refresh': ['refreshServer'],
  'host remove': ['removeServer'],
  'host restart': ['restartServer'],
  'host resume-everything': ['resumeEverything'],
  'host start': ['startServer'],
  'host status': ['host', 'servers', 'server', 'switches'],
  'host stop': ['stopServer'],
  'host suggest': ['suggestions', 'acceptSuggestion'],
  'host stop-everything': ['stopEverything'],
  'operator status': ['host', 'trust'],
  'profiles list': ['profiles'],
  'profiles show': ['profile'],
  'runs budget': ['raiseBudget'],
  'runs list': ['runs'],
  status: ['trust', 'tools', 'tool'],
  'tokens create': ['createToken'],
  'tokens list': ['tokens'],
  'tokens revoke': ['revokeToken'],
  'tokens rotate': ['rotateToken'],
  tools: ['tools', 'search'],
  trust: ['previewTrust', 'decideTrust', 'trustTool'],
  'trust status': ['trust', 'tools', 'tool'],
  untrust: ['untrustTool', 'decideTrust'],
  'users disable': ['disableUser'],
  'users enable': ['enableUser'],
  'users invite': ['inviteUser', 'invitations', 'revokeInvitation'],
  'users list': ['users'],
  'users remove': ['removeUser'],
  'users scopes': ['changeUser'],
  'users show': ['user'],
  verify: ['verifyTool', 'previewTrust', 'decideTrust'],
}

const FILES = 'works on files of the operator, before or without a host'
const KEY = 'needs the passphrase at a terminal, or the key beside the ledger'
const AGENTS = 'agents work in a process of their own'
const WITHOUT_ROUTE: Readonly<Record<string, string>> = {
  host: 'starts the host',
  'host schema': FILES,
  serve: 'starts another server',
  call: 'a caller calls at /mcp: the token of the operator calls nothing',
  ceo: AGENTS,
  run: AGENTS,
  'runs cancel': AGENTS,
  'runs replay': AGENTS,
  'runs resume': AGENTS,
  'runs show': AGENTS,
  'runs work': AGENTS,
  'audit accept-break': KEY,
  'audit export': FILES,
  'audit prune': KEY,
  'audit reindex': FILES,
  'operator init': KEY,
  'operator remove': KEY,
  'operator rotate': KEY,
  'operator sign': KEY,
  'folder forget': FILES,
  'folder list': FILES,
  'folder trust': FILES,
  'spec check': FILES,
  'spec diff': FILES,
  'spec import': FILES,
  'spec lint': FILES,
  'spec lock': FILES,
  'spec render': FILES,
}

type Command = Awaited<ReturnType<typeof builtInCommands>>[number]

/** Commands that do something themselves. */
function namesOf(command: Command, path: string): string[] {
  const own = command.commands.length === 0 || (command as unknown as { _actionHandler: unknown })._actionHandler
  return [...(own ? [path] : []), ...command.commands.flatMap((sub) => namesOf(sub, `${path} ${sub.name()}`))]
}

test('every command has its operations in the OpenAPI document, or a reason to have none', async () => {
  const commands = (await builtInCommands(undefined)).flatMap((command) => namesOf(command, command.name()))
  expect([...Object.keys(OPERATIONS), ...Object.keys(WITHOUT_ROUTE)].sort()).toEqual(commands.sort())
  const api = await serveOperatorApi(await serve([]))
  const operations = Object.values((await api.document()).paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  const named = new Set(Object.values(OPERATIONS).flat())
  expect([...named].filter((name) => !operations.includes(name))).toEqual([])
  // Sessions are how a program signs in to a locked ledger.
  const rest = operations.filter((name) => !named.has(name))
  expect(rest.sort()).toEqual(['challengeSession', 'endSession', 'openSession'])
  for (const name of operations) expect(name).toMatch(/^[a-z][A-Za-z]+$/)
})
