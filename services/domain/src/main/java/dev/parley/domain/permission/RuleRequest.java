package dev.parley.domain.permission;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for a permanent rule, made by answering an approval with "always".
 *
 * @param id of the rule; idempotency key
 * @param host the tenant
 * @param project key of the project of the rule, or null for the whole host
 * @param tool name
 * @param pattern of the calls' subjects
 * @param by the requesting user
 */
public record RuleRequest(UUID id, UUID host, @Nullable String project, String tool, String pattern, String by) {}
