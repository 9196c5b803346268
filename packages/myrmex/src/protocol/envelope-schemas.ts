/**
 * The JSON Schemas of the envelopes, draft-07, exactly as the specification prints them: for documents, and for validators in other
 * languages. What they cannot say (which fields go together) is in the Zod schemas of envelope.ts. A test holds the two against each other.
 */
import type { JsonObject } from './json.ts'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

const ERROR_MESSAGE = { type: 'string', description: 'A descriptive message explaining the error.' }
const ERROR_DETAILS = {
  oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }, { type: 'null' }],
  description: 'Optional structured details or a string containing more info about the error.',
}

const ToolCall = {
  $schema: DRAFT_07,
  title: 'MCP Tool Call',
  description: 'Standard structure for an AI agent to call a tool.',
  type: 'object',
  properties: {
    tool_name: {
      type: 'string',
      description: "The unique invocation name of the tool (e.g., 'module_name.tool_name').",
      pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)+$',
    },
    arguments: {
      type: 'object',
      description:
        'An object containing the arguments for the tool. The schema for this object is defined by the specific tool being called.',
      additionalProperties: true,
    },
  },
  required: ['tool_name', 'arguments'],
  additionalProperties: false,
}

const ToolResult = {
  $schema: DRAFT_07,
  title: 'MCP Tool Result',
  description: 'Standard structure for a tool to return results to an AI agent.',
  type: 'object',
  properties: {
    status: {
      type: 'string',
      description: 'The outcome of the tool execution.',
      enum: ['success', 'failure', 'no_change_needed', 'partial_success'],
      default: 'success',
    },
    data: {
      type: ['object', 'null'],
      description: 'The output data from the tool if successful. Schema is tool-specific.',
      additionalProperties: true,
    },
    error: { $ref: '#/definitions/MCPErrorDetail', description: 'Details of the error if execution failed.' },
    explanation: {
      type: ['string', 'null'],
      description: 'Optional human-readable explanation of the result.',
    },
  },
  required: ['status'],
  definitions: {
    MCPErrorDetail: {
      type: 'object',
      properties: {
        error_type: {
          type: 'string',
          description: 'A unique code or type for the error (e.g., ValidationError, FileNotFoundError).',
        },
        error_message: ERROR_MESSAGE,
        error_details: ERROR_DETAILS,
      },
      required: ['error_type', 'error_message'],
    },
  },
}

const ErrorDetail = {
  $schema: DRAFT_07,
  title: 'MCP Error Detail',
  description: 'Standard structure for detailed error information in MCP responses.',
  type: 'object',
  properties: {
    error_type: {
      type: 'string',
      description: 'A unique code or type for the error.',
      examples: [
        'ValidationError',
        'FileNotFoundError',
        'AuthenticationError',
        'ResourceNotFound',
        'ToolExecutionError',
        'ApiLimitExceeded',
      ],
    },
    error_message: ERROR_MESSAGE,
    error_details: ERROR_DETAILS,
  },
  required: ['error_type', 'error_message'],
}

/** A copy, which the caller may change. */
export const envelopeSchemas = (): Record<'ToolCall' | 'ToolResult' | 'ErrorDetail', JsonObject> =>
  structuredClone({ ToolCall, ToolResult, ErrorDetail })
