package dev.parley.domain.protocol.origin;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Owner of the key that paid for a model call. Does not contain the key itself.
 *
 * @param credential id of the stored credential, or null
 */
public record Payer(KeyOwner owner, @Nullable UUID credential) {}
