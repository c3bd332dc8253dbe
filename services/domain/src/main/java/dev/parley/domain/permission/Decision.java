package dev.parley.domain.permission;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of a tool call.
 *
 * @param rule the id of the rule that decided, or null where none says anything of it
 */
public record Decision(PermissionAction action, @Nullable UUID rule) {}
