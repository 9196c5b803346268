/** The JSON Schemas of the envelopes are those of the specification, word for word (technical overview, section 3). */
import { expect, test } from 'vitest'
import { envelopeSchemas } from './envelope-schemas.ts'

test('section 3.1: the schema of a ToolCall', () => {
  expect(envelopeSchemas().ToolCall).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
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
  })
})

test('section 3.2: the schema of a ToolResult, with MCPErrorDetail as a definition', () => {
  expect(envelopeSchemas().ToolResult).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
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
      error: {
        $ref: '#/definitions/MCPErrorDetail',
        description: 'Details of the error if execution failed.',
      },
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
          error_message: {
            type: 'string',
            description: 'A descriptive message explaining the error.',
          },
          error_details: {
            oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }, { type: 'null' }],
            description: 'Optional structured details or a string containing more info about the error.',
          },
        },
        required: ['error_type', 'error_message'],
      },
    },
  })
})

test('section 3.3: the schema of an ErrorDetail, with its examples', () => {
  expect(envelopeSchemas().ErrorDetail).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
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
      error_message: {
        type: 'string',
        description: 'A descriptive message explaining the error.',
      },
      error_details: {
        oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }, { type: 'null' }],
        description: 'Optional structured details or a string containing more info about the error.',
      },
    },
    required: ['error_type', 'error_message'],
  })
})

test('each caller gets a copy of its own', () => {
  const mine = envelopeSchemas()
  mine.ToolCall.title = 'changed'
  expect(envelopeSchemas().ToolCall.title).toBe('MCP Tool Call')
})
