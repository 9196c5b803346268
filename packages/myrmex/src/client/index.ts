/** The public client: `import { connect } from 'myrmex/client'`. Separate, so that servers do not load it. */
export {
  type CallOptions,
  Connection,
  type ConnectOptions,
  connect,
  type Progress,
  type RemoteTool,
  type RequestOptions,
} from './connect.ts'
export type { CommandTarget, Target, UrlTarget } from './target.ts'
