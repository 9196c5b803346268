/** The schemas and examples of the documents, as literals: what an implementation must equal and accept. */

const ERROR_FIELDS = (withExamples: boolean) => ({
  error_type: withExamples
    ? {
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
      }
    : {
        type: 'string',
        description: 'A unique code or type for the error (e.g., ValidationError, FileNotFoundError).',
      },
  error_message: { type: 'string', description: 'A descriptive message explaining the error.' },
  error_details: {
    oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }, { type: 'null' }],
    description: 'Optional structured details or a string containing more info about the error.',
  },
})

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

/** Technical overview, sections 3.1 to 3.3. */
export const DOCUMENT_SCHEMAS = {
  ToolCall: {
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
  },
  ToolResult: {
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
      MCPErrorDetail: { type: 'object', properties: ERROR_FIELDS(false), required: ['error_type', 'error_message'] },
    },
  },
  ErrorDetail: {
    $schema: DRAFT_07,
    title: 'MCP Error Detail',
    description: 'Standard structure for detailed error information in MCP responses.',
    type: 'object',
    properties: ERROR_FIELDS(true),
    required: ['error_type', 'error_message'],
  },
}

/** Technical overview, sections 3.1 and 8.1. */
export const GENERATE_CODE = {
  tool_name: 'ai_code_editing.generate_code',
  arguments: {
    prompt: 'Create a Python function to sum a list of numbers.',
    language: 'python',
    context_code: '# This is where the function should be placed',
  },
}

/** Technical overview, section 3.2, with its newline escaped as JSON requires. */
export const SUCCESS = {
  status: 'success',
  data: {
    generated_code: 'def sum_numbers(numbers):\n    return sum(numbers)',
    language: 'python',
    lines_generated: 2,
  },
  explanation: 'Generated Python function to sum a list of numbers.',
  error: null,
}

/** Technical overview, section 3.2. */
export const FAILURE = {
  status: 'failure',
  data: null,
  error: {
    error_type: 'ValidationError',
    error_message: 'Invalid prompt: prompt cannot be empty',
    error_details: { parameter: 'prompt', provided_value: '', constraint: 'non-empty string' },
  },
  explanation: 'The tool call failed due to invalid input parameters.',
}
