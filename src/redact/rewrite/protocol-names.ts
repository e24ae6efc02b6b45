/** Names of members that MCP, JSON-RPC and JSON Schema define. Without them, a message could not be read. */
const NAMES = new Set(
  `timestamp timestamp_ms jsonrpc id method params result error code message data name title description version websiteUrl icons src sizes
  theme arguments argument context value values hasMore total completion ref uri uriTemplate mimeType size text blob type
  content contents structuredContent isError _meta annotations audience priority lastModified progressToken progress
  requestId reason level logger role roots tools tool resources resource resourceTemplates prompts prompt messages
  protocolVersion capabilities clientInfo serverInfo instructions experimental extensions logging completions sampling
  elicitation tasks requests list cancel listChanged subscribe form url call cursor nextCursor inputSchema outputSchema
  requestedSchema execution taskSupport readOnlyHint destructiveHint idempotentHint openWorldHint action mode
  elicitationId elicitations model stopReason maxTokens temperature systemPrompt includeContext stopSequences metadata
  modelPreferences hints costPriority speedPriority intelligencePriority toolChoice input toolUseId task taskId status
  statusMessage createdAt lastUpdatedAt ttl pollInterval resultType supportedVersions requested supported inputRequests
  inputResponses requestState subscriptionId ttlMs cacheScope notifications
  $schema $id $ref $defs $comment $anchor $dynamicRef $dynamicAnchor $vocabulary definitions properties
  patternProperties additionalProperties unevaluatedProperties propertyNames required dependentRequired
  dependentSchemas dependencies items prefixItems additionalItems unevaluatedItems contains minContains maxContains
  minItems maxItems uniqueItems minProperties maxProperties minLength maxLength pattern format minimum maximum
  exclusiveMinimum exclusiveMaximum multipleOf enum enumNames const default examples allOf anyOf oneOf not if then else
  readOnly writeOnly deprecated contentEncoding contentMediaType contentSchema`.split(/\s+/),
);
/** Members whose own members have names that a tool chose. */
const OWN_NAMES = new Set(['arguments', 'structuredContent']);
/** Keywords of JSON Schema that refer to other parts of it. */
const REFERENCES = /^\$(?:schema|ref|id|anchor|dynamicRef|dynamicAnchor)$/;
const TYPES = /^(?:string|number|integer|boolean|object|array|null)$/;

/** Returns whether a message needs a name in order to be read. */
export function isProtocolName(name: string): boolean {
  return NAMES.has(name) || name.startsWith('io.modelcontextprotocol/');
}

/** Returns whether names below an object of this name are those of a tool. */
export function holdsOwnNames(name: string): boolean {
  return OWN_NAMES.has(name);
}

/** Returns whether a string in a JSON Schema is a keyword of it. */
export function isSchemaWord(key: string, value: string): boolean {
  return REFERENCES.test(key) || (key === 'type' && TYPES.test(value));
}
