package dev.parley.control.people;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A pending federated sign-in.
 *
 * @param redirect final redirect, or null
 * @param userId the person who links an identity, or null for a sign-in
 */
@MappedEntity(value = "identity_request_t", schema = "control")
record RequestRow(
        @Id String nonce,
        String verifier,
        @Nullable String redirect,
        @Nullable UUID userId) {}
