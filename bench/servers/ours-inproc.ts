// Our engine without a transport, in the shape the in-process measurement asks for: this file is the only one that
// knows how our in-process door is opened.
import { connectDirect, createServer } from 'myrmex'
import type { InProcessPeer } from '../measure/inproc-child.ts'
import { tools } from './ours.tools.ts'

export async function connectInProcess(): Promise<InProcessPeer> {
  const peer = connectDirect(createServer({ name: 'bench', version: '1.0.0', tools }), () => {})
  return { send: (message) => peer.send(message), notify: (message) => peer.send(message) }
}
