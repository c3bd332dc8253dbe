package dev.parley.domain.permission;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The decision about a tool call.
 *
 * @param rule id of the deciding rule, or null if none matched
 */
public record Decision(PermissionAction action, @Nullable UUID rule) {}
