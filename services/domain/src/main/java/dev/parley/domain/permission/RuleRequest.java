package dev.parley.domain.permission;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Somebody answered a question with "always", and wants a rule that allows the same from now on.
 *
 * @param id of the rule: asked for again it is the same one
 * @param host id of the tenant
 * @param project key of the project in which it is to hold, or null for the whole host
 * @param tool name of a tool
 * @param pattern of what its calls are about
 * @param by who wants it
 */
public record RuleRequest(UUID id, UUID host, @Nullable String project, String tool, String pattern, String by) {}
