package dev.parley.control.credentials;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A credential for a model provider, without its key.
 *
 * @param last4 Last characters of the key; empty for a short key.
 * @param isDefault True if calls use this credential when no other is specified; each provider has one default.
 * @param owner Owner: user or host.
 */
@Serdeable
@Schema(name = "Credential")
record CredentialJson(
        UUID id,
        String provider,
        @Nullable String name,
        String last4,
        boolean isDefault,
        String owner,
        Instant createdAt,
        Instant updatedAt,
        @JsonIgnore long version) {

    static CredentialJson of(CredentialRow row) {
        return new CredentialJson(
                row.credentialId(),
                row.provider(),
                row.name(),
                row.last4(),
                row.isDefault(),
                row.userId() == null ? "host" : "user",
                row.createdAt(),
                row.updatedAt(),
                row.version());
    }
}
