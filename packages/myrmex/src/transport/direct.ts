/** In-process: messages are handed over as they are, with no JSON on the way. */
import type { Message } from '../protocol/jsonrpc.ts'
import type { Server } from '../server/server.ts'
import type { Reply } from '../server/session.ts'
import type { Principal } from '../tool/context.ts'

export interface DirectConnection {
  /** The reply, at once where the tool answers at once. */
  send(message: unknown): Reply | Promise<Reply>
  close(): void
}

/** `onMessage` gets what the server sends on its own: notifications, and requests of the legacy era. */
export function connectDirect(
  server: Server,
  onMessage: (message: Message) => void = () => {},
  principal?: Principal,
): DirectConnection {
  const session = server.session('direct', { send: onMessage }, principal)
  return {
    send: (message) => session.receive(message),
    close: () => session.close(),
  }
}
