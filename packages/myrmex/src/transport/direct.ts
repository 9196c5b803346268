/** In-process transport: messages are passed as objects, without JSON. */
import { isPromise } from '../pipeline/outcome.ts'
import { ToolError } from '../protocol/errors.ts'
import type { Message, Response } from '../protocol/jsonrpc.ts'
import { toPlainMessage } from '../server/results/encode.ts'
import type { Server } from '../server/server.ts'
import type { Reply } from '../server/session.ts'
import type { Principal } from '../tool/context.ts'
import { isPrincipal } from '../tool/principal.ts'
import type { TransportName } from './transport-name.ts'

export interface DirectConnection {
  /** Returns the reply synchronously if the tool is synchronous. */
  send(message: unknown): Reply | Promise<Reply>
  close(): void
}

/** `onMessage` receives notifications, and requests of the legacy era. All principals but the local user must have scopes. */
export function connectDirect(
  server: Server,
  onMessage: (message: Message) => void = () => {},
  principal?: Principal,
): DirectConnection {
  const fault = principal === undefined ? undefined : isPrincipal(principal)
  if (fault !== undefined) throw ToolError.of('RegistrationError', `connectDirect(): principal ${fault}`)
  const session = server.session('direct' satisfies TransportName, { send: onMessage }, principal)
  return {
    send(message) {
      const reply = session.receive(message)
      return isPromise(reply) ? reply.then(plain) : plain(reply)
    },
    close: () => session.close(),
  }
}

function plain(reply: Reply): Reply {
  if (reply === undefined) return undefined
  return Array.isArray(reply)
    ? reply.map((one) => toPlainMessage(one) as Response)
    : (toPlainMessage(reply) as Response)
}
