package dev.parley.domain.protocol;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whose key paid for a model call. The key itself stands nowhere.
 *
 * @param credential its id where it is one that is kept, or null
 */
public record Payer(KeyOwner owner, @Nullable UUID credential) {}
