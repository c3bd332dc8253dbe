package dev.parley.control.people;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What was asked of another provider.
 *
 * @param redirect where they go in the end, or null
 * @param userId who links an identity, or null where somebody signs in
 */
@MappedEntity(value = "identity_request_t", schema = "control")
record RequestRow(
        @Id String nonce,
        String verifier,
        @Nullable String redirect,
        @Nullable UUID userId) {}
