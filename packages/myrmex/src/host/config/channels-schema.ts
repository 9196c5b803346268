/** `approvals.channels` of myrmex.json: where waiting calls are announced, with the secrets that this needs. */
import * as z from 'zod'
import { describedObject, toolPattern, withDescription } from '../../pipeline/rules/operator-schema.ts'
import type { ChannelSettings, ChannelTarget } from '../channels/channel.ts'
import { type ConfiguredValue, configuredValue } from './endpoint-schema.ts'
import { resolveValue } from './secrets/secret-value.ts'
import type { VariableExpander } from './variables.ts'

const KINDS = ['webhook', 'slack', 'email', 'desktop'] as const
const CHANNEL_NAME = /^[a-z0-9_-]{1,40}$/
const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/

/** A key that can be guessed is no signature. */
const MIN_SECRET = 24

const address = () =>
  z.string().max(320).regex(ADDRESS, { error: 'must be an e-mail address, such as ann@example.com' })

export type ConfiguredChannel = z.output<ReturnType<typeof channel>>

function channel() {
  return describedObject(
    {
      webhook: configuredValue.optional(),
      secret: configuredValue.optional(),
      slack: configuredValue.optional(),
      email: z.union([address(), z.array(address()).min(1).max(50)]).optional(),
      smtp: configuredValue.optional(),
      from: address().optional(),
      desktop: z.literal(true).optional(),
      tools: z.array(toolPattern()).min(1).optional(),
      arguments: z.boolean().optional(),
    },
    {
      webhook: 'A URL that gets each waiting call as signed JSON, with all arguments except secrets.',
      secret: `With webhook: the key of the signature (standardwebhooks.com), at least ${MIN_SECRET} characters.`,
      slack: 'The URL of an incoming webhook of Slack, or of a chat that accepts the same messages.',
      email: 'An e-mail address, or a list of them.',
      smtp: 'With email: the server, such as smtps://user:password@mail.example.com. A secret value.',
      from: 'With email: the sender.',
      desktop: 'true: a notification on the desktop of the user who runs the host.',
      tools: 'Announces only calls of these tools. Default: all.',
      arguments: 'true: slack, email and desktop show the arguments, except secrets. Default: false.',
    },
  ).superRefine((given, ctx) => {
    const wrong = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message })
    const kinds = KINDS.filter((kind) => given[kind] !== undefined)
    if (kinds.length !== 1) ctx.addIssue({ code: 'custom', message: `must have exactly one of ${KINDS.join(', ')}` })
    const [kind] = kinds
    for (const [field, owner] of [
      ['secret', 'webhook'],
      ['smtp', 'email'],
      ['from', 'email'],
    ] as const) {
      if (given[field] !== undefined && kind !== owner) wrong(field, `belongs to ${owner}`)
      if (given[field] === undefined && kind === owner) wrong(field, `is required with ${owner}; there is none`)
    }
    if (kind === 'webhook' && given.arguments !== undefined) wrong('arguments', 'a webhook always gets the arguments')
  })
}

export const channelsSchema = () =>
  withDescription(
    z.record(z.string().regex(CHANNEL_NAME, { error: 'must be a name of a-z, 0-9, _ and -' }), channel()).optional(),
    'Where waiting calls are announced, by a name of your choice. An announcement never approves: its link leads to the call, and ' +
      "deciding needs the operator's session.",
  )

/** Problems go to the expander, with their location. */
export async function resolveChannels(
  configured: Readonly<Record<string, ConfiguredChannel>>,
  path: readonly string[],
  expander: VariableExpander,
): Promise<ChannelSettings[]> {
  const channels: ChannelSettings[] = []
  for (const [name, given] of Object.entries(configured)) {
    const target = await targetOf(given, [...path, name], expander)
    if (target === undefined) continue
    const { tools, arguments: withArguments = false } = given
    channels.push({ name, target, withArguments, ...(tools && { tools }) })
  }
  return channels
}

async function targetOf(
  { webhook, secret, slack, email, smtp, from, desktop }: ConfiguredChannel,
  path: readonly string[],
  expander: VariableExpander,
): Promise<ChannelTarget | undefined> {
  const before = expander.problems.length
  const text = async (value: ConfiguredValue, field: string): Promise<string> =>
    (await resolveValue(value, [...path, field], expander)).text
  const isWhole = (): boolean => expander.problems.length === before
  const url = async (
    value: ConfiguredValue,
    field: string,
    allowed: (url: URL) => string | undefined,
  ): Promise<string> => {
    const found = await text(value, field)
    const parsed = URL.parse(found)
    const problem = parsed === null ? 'is not a URL' : allowed(parsed)
    if (problem !== undefined && isWhole()) expander.addProblem([...path, field], problem)
    return found
  }
  if (desktop) return { kind: 'desktop' }
  if (slack !== undefined) {
    const target = { kind: 'slack' as const, url: await url(slack, 'slack', needsHttps) }
    return isWhole() ? target : undefined
  }
  if (webhook !== undefined && secret !== undefined) {
    const target = {
      kind: 'webhook' as const,
      url: await url(webhook, 'webhook', needsHttps),
      secret: await text(secret, 'secret'),
    }
    if (isWhole() && target.secret.length < MIN_SECRET)
      expander.addProblem(
        [...path, 'secret'],
        `must have at least ${MIN_SECRET} characters; make one with: openssl rand -base64 32`,
      )
    return isWhole() ? target : undefined
  }
  if (email === undefined || smtp === undefined || from === undefined) return undefined
  const to = Array.isArray(email) ? email : [email]
  const target = { kind: 'email' as const, smtp: await url(smtp, 'smtp', needsSmtp), from, to }
  return isWhole() ? target : undefined
}

/** What is announced, and the secret in the address, must not pass a network in clear. */
const needsHttps = ({ protocol, hostname }: URL): string | undefined =>
  protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname))
    ? undefined
    : 'must be an https URL, or http on this machine'

const needsSmtp = ({ protocol }: URL): string | undefined =>
  protocol === 'smtp:' || protocol === 'smtps:' ? undefined : 'must be an smtp:// or smtps:// URL'
