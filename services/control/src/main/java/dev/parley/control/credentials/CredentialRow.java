package dev.parley.control.credentials;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A credential without its key.
 *
 * @param userId null for a host credential
 */
@MappedEntity(value = "provider_credential_t", schema = "control")
record CredentialRow(
        UUID hostId,
        @Id UUID credentialId,
        @Nullable UUID userId,
        String provider,
        @Nullable String name,
        String last4,
        boolean isDefault,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("update_ts") Instant updatedAt,
        @MappedProperty("aggregate_version") long version) {}
