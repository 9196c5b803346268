/** The public surface of the package: what a tool author and an operator import. */

export { type Agent, type AgentDefinition, agent, type CritiqueFunction, type PlanFunction } from './agent/agent.ts'
export type { CritiqueRequest, Verdict } from './agent/critic/verdict.ts'
export type { Plan, PlanContext, Step } from './agent/plan/plan.ts'
export { CritiqueRequestSchema, PlanRequestSchema } from './agent/request-schemas.ts'
export type { CallRecord } from './ledger/audit/call-record.ts'
export type { Recorder } from './ledger/journal/group.ts'
export type { Ledger } from './ledger/ledger.ts'
export { openLedger } from './ledger/open.ts'
export { MemoryRecorder } from './pipeline/audit/memory-recorder.ts'
export type { Middleware, MiddlewareCall } from './pipeline/middleware.ts'
export { GATES, type LoggedMessage } from './pipeline/pipeline.ts'
export { type Constitution, parseConstitution } from './pipeline/rules/constitution.ts'
export { type Policy, parsePolicy } from './pipeline/rules/policy.ts'
export type { ContentBlock, InputRequests, InputResponses, LogLevel } from './protocol/content.ts'
export {
  type ErrorDetail,
  ErrorDetailSchema,
  type Status,
  type ToolCall,
  ToolCallSchema,
  type ToolResult,
  ToolResultSchema,
} from './protocol/envelope.ts'
export { envelopeSchemas } from './protocol/envelope-schemas.ts'
export {
  parseErrorDetail,
  parseToolCall,
  parseToolResult,
  type StringifyOptions,
  stringifyErrorDetail,
  stringifyToolCall,
  stringifyToolResult,
} from './protocol/envelope-text.ts'
export { CODE, ERROR_TYPES, type ErrorType, RpcError, ToolError, toErrorDetail } from './protocol/errors.ts'
export {
  LogMessageSchema,
  ResourceRequestSchema,
  TaskRequestSchema,
  TaskResponseSchema,
} from './protocol/messages.ts'
export type { SchemaSource } from './protocol/schema.ts'
export {
  LEGACY_VERSIONS,
  MODERN_VERSION,
  PROTOCOL_VERSION,
  SUPPORTED_VERSIONS,
} from './protocol/versions.ts'
export { WorkContextSchema } from './protocol/work-context.ts'
export { type CallToolOptions, callTool } from './server/call-tool.ts'
export { createServer, type Server } from './server/server.ts'
export type { ServerOptions } from './server/server-options.ts'
export { type Answer, answer, partial, unchanged } from './tool/answer.ts'
export type { CallState, Context, Principal, RequestContext, RequestInfo, WorkContext } from './tool/context.ts'
export type { DescribedError } from './tool/declared-errors.ts'
export { type Discovery, discover } from './tool/discovery/discover.ts'
export { trackImports } from './tool/discovery/import-graph.ts'
export type { FailedModule } from './tool/discovery/load-error.ts'
export { type Scratch, scratch } from './tool/discovery/scratch.ts'
export { type ModuleChange, type WatchOptions, watchModules } from './tool/discovery/watch.ts'
export type { Icon } from './tool/listing-extras.ts'
export { type Prompt, type PromptMessage, prompt } from './tool/prompt.ts'
export { type RegistrationEntry, Registry } from './tool/registry.ts'
export { type Resource, resource } from './tool/resource.ts'
export { type Example, type OutputSource, type Tool, type ToolDefinition, tool } from './tool/tool.ts'
export { connectDirect, type DirectConnection } from './transport/direct.ts'
export type { Authenticate, AuthenticatedPrincipal, AuthenticateRequest } from './transport/http/authenticate.ts'
export type { HttpListener, HttpOptions } from './transport/http/listen.ts'
export type { Pages } from './transport/http/pages.ts'
export { listenHttp } from './transport/listen-http.ts'
export { claimStdout } from './transport/process-streams.ts'
export { serveStdio } from './transport/stdio.ts'
